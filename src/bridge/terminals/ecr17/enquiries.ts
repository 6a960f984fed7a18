/** What the terminal is asked that changes nothing: its state, its last result and its total. */
import type { TerminalRecord } from '../../../contract/terminal.ts';
import type { ExchangeEnd, Exchanges } from './exchange.ts';
import { resultRecord } from './record.ts';
import {
  plainRequest,
  printOnTillRequest,
  statusRequest,
  totalsOf,
  type Addressing,
  type Ecr17Message,
  type Encoding,
} from './wire/index.ts';

type StatusEnd =
  | { kind: 'told'; state: string; terminalId: string }
  /** It says NAK: it is busy, or not for us. */
  | { kind: 'refused' }
  | { kind: 'silent'; reason: string };

type LastResult =
  | { kind: 'record'; record: TerminalRecord }
  /** It has none, does not tell it, or cannot tell it now: which of these, it does not say. */
  | { kind: 'unavailable'; reason: string }
  | { kind: 'silent'; reason: string };

export interface Enquiries {
  status(): Promise<StatusEnd>;
  lastResult(): Promise<LastResult>;
  /** Whether the tickets of the next operation come to the till; false: the terminal does not take that. */
  printOnTill(onTill: boolean): Promise<boolean>;
  /** Of the open batch, in cents; null: it did not say. Nothing is printed. */
  total(): Promise<number | null>;
}

const unreadable = 'The terminal’s answer cannot be read.';

export function createEnquiries(exchanges: Exchanges, to: Addressing): Enquiries {
  function ask(
    request: Encoding,
    results: string[],
    more: { findsRange?: boolean; tickets?: number } = {},
  ): Promise<ExchangeEnd> {
    if (!request.ok) throw new Error(request.error);
    return exchanges.ask({ data: request.data, results, movesMoney: false, ...more });
  }

  async function printOnTill(onTill: boolean): Promise<boolean> {
    const end = await ask(printOnTillRequest(to.terminalId, onTill), []);
    return end.kind === 'answered';
  }

  return {
    printOnTill,
    async status() {
      const end = await ask(statusRequest(to.terminalId), ['s'], { findsRange: true });
      if (end.kind === 'refused') return { kind: 'refused' };
      const response = responseOf(end);
      if (typeof response === 'string') return { kind: 'silent', reason: response };
      return { kind: 'told', state: response.values.status ?? '', terminalId: response.terminalId };
    },
    async lastResult() {
      const end = await ask(plainRequest('lastResult', to), ['E', 'V']);
      if (end.kind === 'refused')
        return { kind: 'unavailable', reason: 'The terminal does not tell its last result.' };
      if (end.kind !== 'answered') return { kind: 'silent', reason: end.reason };
      const record = end.response === null ? null : resultRecord(end.response);
      return record === null ? { kind: 'unavailable', reason: unreadable } : { kind: 'record', record };
    },
    async total() {
      // Its ticket goes to the till, which drops it; a terminal that cannot do that would print one each time.
      if (!(await printOnTill(true))) return null;
      const end = await ask(plainRequest('totals', to), ['T'], { tickets: 1 });
      await printOnTill(false);
      if (end.kind !== 'answered' || end.response?.complete !== true) return null;
      const totals = totalsOf(end.response);
      return totals?.result === '00' ? totals.posTotalMinor : null;
    },
  };
}

/** The whole answer, or why there is none. */
function responseOf(end: ExchangeEnd): Ecr17Message | string {
  if (end.kind !== 'answered') return end.kind === 'refused' ? unreadable : end.reason;
  return end.response?.complete === true ? end.response : unreadable;
}
