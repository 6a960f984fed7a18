/** What a Transbank terminal says of one operation: by its last sale, and by the list of all that it holds. */
import type { Clock } from '../../../base/clock.ts';
import type { BatchStarted, SaleStarted } from '../../../contract/journal-events.ts';
import { otherTerminalReason } from '../../../contract/other-terminal.ts';
import type { LookUp, OperationInDoubt } from '../terminal-driver.ts';
import { closedRecord, saleRecord, whyUndecided } from './record.ts';
import { holdsOneOf, listBroken, noAmount, type Ask, type SalesList } from './sales-list.ts';
import { sameTicket } from './ticket.ts';
import { plainRequest, textOf, verdictOf, type TransbankMessage } from './wire/index.ts';

/** Between the two looks that show that nothing was stored. */
const secondLookMs = 10_000;
const lookedForAgain: LookUp = {
  kind: 'pending',
  text: 'The terminal holds nothing of it; it is asked once more.',
};
const noTickets = 'The terminal has sent no ticket numbers, so nothing can be found in its list.';
const listTooShort =
  'The terminal counts more sales than it lists, so one that is not in its list may have been made all the same. Look at the ' +
  'terminal’s last receipts.';
const noTotals = 'The terminal did not tell its totals.';
const noId = 'The terminal did not say which one it is, so what it holds proves nothing of this batch close.';
const noSales =
  'The terminal holds no sales, and nobody can tell whether its batch was closed meanwhile. Look at its last receipts.';
const otherSales =
  'The terminal holds sales, but none that the bridge knows of, so nobody can tell whether its batch was closed before them. ' +
  'Look at its last receipts.';
const maybeClosed =
  'The sale is not among those that the terminal holds, and nothing shows that it is still the same terminal, or that its ' +
  'batch was not closed meanwhile. Look at the terminal’s last receipts.';

export interface LookUpParts {
  ask: Ask;
  sales: SalesList;
  clock: Clock;
  /** The terminal that the last poll told; null: none. */
  polledId(): string | null;
  /** What the terminal told before the last close of this connection was sent, in minor units; null: nothing. */
  totalMinor(): number | null;
  /** Its batch has turned out to be closed. */
  closed(): void;
}

/** See `TerminalDriver.lookUp`. */
export function createLookUp(parts: LookUpParts): (inDoubt: OperationInDoubt) => Promise<LookUp> {
  const { ask, sales, clock } = parts;
  /** The operation of which the terminal held nothing at the first look, and when that was. */
  let missing: { operationId: string; at: number } | null = null;

  async function lookUpSale(sale: SaleStarted, anchor: string | undefined): Promise<LookUp> {
    const { terminalReference: ticket = '', amountMinor } = sale;
    const end = await ask(plainRequest('lastSale'), { response: '0260', movesMoney: false });
    if (end.kind !== 'answered' || end.response === null)
      return unavailable('The terminal did not tell its last sale.');
    const isOwn = sameTicket(textOf(end.response, 'ticket'), ticket);
    const verdict = isOwn ? verdictOf(end.response) : null;
    if (verdict === 'approved' || verdict === 'refused') return found(end.response, amountMinor);
    // It showed something of this sale, be it that nobody can read what.
    const isTorn = verdict === 'contradictory' || verdict === 'unreadable';
    return lookInList(sale, anchor, isTorn ? whyUndecided(end.response) : null);
  }

  /** `unclear`: why what the terminal showed of this sale does not decide; null where it showed nothing. */
  async function lookInList(
    { terminalReference: ticket = '', amountMinor }: SaleStarted,
    anchor: string | undefined,
    unclear: string | null,
  ): Promise<LookUp> {
    const held = await sales.held();
    if (held === null) return unavailable(listBroken);
    const own = held.find((line) => sameTicket(textOf(line, 'ticket'), ticket));
    if (own !== undefined) return found(own, amountMinor);
    if (unclear !== null) return unavailable(unclear);
    if (held.length === 0) return unavailable(noSales);
    if (held.every((line) => textOf(line, 'ticket') === null)) return unavailable(noTickets);
    // A payment of another connection would not do: the line may have led to another terminal for this sale alone.
    const isIts = anchor !== undefined && holdsOneOf(held, [anchor]);
    if (!isIts) return unavailable(maybeClosed);
    // A line may have been lost on the way.
    const totals = await sales.totals();
    if (totals === null || totals.count === null) return unavailable(noTotals);
    return totals.count > held.length ? unavailable(listTooShort) : { kind: 'empty' };
  }

  /** `before`: the batch is known to have held something. */
  async function lookUpClose(
    { terminal }: BatchStarted,
    before: { count: number },
    unsettled: readonly string[],
  ): Promise<LookUp> {
    // Neither a poll nor the totals say which terminal it is, and what another one holds proves nothing of this close.
    const held = await sales.detail();
    const told = held === null ? null : textOf(held.end, 'terminalId');
    if (held === null || told === null) return unavailable(noId);
    const foreign = otherTerminalReason(terminal.terminalId, told);
    // The next poll tells whose it is, and then nothing of it is evidence.
    if (foreign !== null)
      return told === parts.polledId() ? unavailable(foreign) : { kind: 'pending', text: foreign };
    if (holdsOneOf(held.lines, unsettled)) return { kind: 'empty' };
    const totals = await sales.totals();
    if (totals === null || totals.count === null) return unavailable(noTotals);
    // They may have been made by hand since.
    if (totals.count > 0) return unavailable(otherSales);
    if (before.count === 0)
      return unavailable(
        'The terminal holds no sales, as before, so it does not show whether the batch was closed.',
      );
    // By this close or by hand: it is closed.
    parts.closed();
    return { kind: 'record', record: closedRecord(parts.totalMinor()) };
  }

  /** That it left nothing counts at the second look: the terminal may have been about to store it at the first. */
  async function lookUp(inDoubt: OperationInDoubt): Promise<LookUp> {
    const { operationId } = inDoubt.operation;
    const before = missing?.operationId === operationId ? missing : null;
    if (before !== null && clock.elapsed() - before.at < secondLookMs) return lookedForAgain;
    const told = await lookOnce(inDoubt, before !== null || inDoubt.decided === true);
    missing = told.kind === 'empty' ? (before ?? { operationId, at: clock.elapsed() }) : null;
    return told.kind === 'empty' && before === null ? lookedForAgain : told;
  }

  async function lookOnce(
    { operation, unsettled = [], anchor, toldBefore }: OperationInDoubt,
    listOnly: boolean,
  ): Promise<LookUp> {
    switch (operation.kind) {
      case 'sale':
        // Its last sale it would print once more, and that is in the list as well.
        return listOnly ? lookInList(operation, anchor, null) : lookUpSale(operation, anchor);
      case 'batch_close':
        return lookUpClose(operation, toldBefore ?? operation.expected, unsettled);
      case 'void':
        return unavailable(
          'The terminal does not tell whether a sale was voided. Look at its last receipts, or at the list of sales.',
        );
    }
  }

  return lookUp;
}

function found(message: TransbankMessage, orderedMinor: number): LookUp {
  const record = saleRecord(message, orderedMinor);
  if (record === null) return unavailable('The terminal’s answer cannot be read.');
  return record.approved && record.amountMinor === null ? unavailable(noAmount) : { kind: 'record', record };
}

function unavailable(reason: string): LookUp {
  return { kind: 'unavailable', reason };
}
