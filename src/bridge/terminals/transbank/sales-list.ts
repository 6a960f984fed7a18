/** The list of the sales that a Transbank terminal holds, and its totals. Nothing is printed for them. */
import type { ExchangeEnd, Request } from './exchange.ts';
import { sameTicket } from './ticket.ts';
import {
  approvedCode,
  detailRequest,
  endsDetail,
  noSaleStoredCode,
  plainRequest,
  textOf,
  totalsOf,
  type BatchTotals,
  type Encoding,
  type TransbankMessage,
} from './wire/index.ts';

export type Ask = (encoding: Encoding, request: Omit<Request, 'data'>) => Promise<ExchangeEnd>;

export interface SalesList {
  /** Names the terminal at its end; null: it did not come to that. */
  detail(): Promise<{ end: TransbankMessage; lines: TransbankMessage[] } | null>;
  /** All sales that the terminal holds; null: the list did not come to its end. */
  held(): Promise<TransbankMessage[] | null>;
  /** Null: it did not say. */
  totals(): Promise<BatchTotals | null>;
}

export const listBroken = 'The terminal did not send the list of its sales to the end.';
export const noAmount = 'The terminal approved the payment, but not a readable amount.';

export function createSalesList(ask: Ask): SalesList {
  async function totals(): Promise<BatchTotals | null> {
    const end = await ask(plainRequest('totals'), { response: '0710', movesMoney: false });
    const told = end.kind === 'answered' && end.response !== null ? totalsOf(end.response) : null;
    return told?.responseCode === '00' ? told : null;
  }

  async function detail() {
    const lines: TransbankMessage[] = [];
    const end = await ask(detailRequest(true), {
      response: '0261',
      movesMoney: false,
      line: (line) => void lines.push(line),
    });
    return end.kind === 'answered' && end.response !== null ? { end: end.response, lines } : null;
  }

  async function held() {
    const told = await detail();
    return told !== null && isWhole(told.end) ? told.lines : null;
  }

  return { detail, held, totals };
}

/** The list came to its end. */
export function isWhole(end: TransbankMessage): boolean {
  const code = textOf(end, 'responseCode');
  return endsDetail(end) && (code === approvedCode || code === noSaleStoredCode);
}

/** The batch that one of our earlier sales is still in was not closed since. */
export function holdsOneOf(held: readonly TransbankMessage[], unsettled: readonly string[]): boolean {
  return unsettled.some((known) => held.some((line) => sameTicket(textOf(line, 'ticket'), known)));
}
