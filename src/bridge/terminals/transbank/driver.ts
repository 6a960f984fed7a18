/**
 * The driver of one connection to a Transbank terminal in integrated mode: one thing at a time. A sale is stored in the
 * terminal before it responds, so a result is final whether we acknowledge it or not; what was lost is asked for by its
 * ticket.
 */
import type { Clock } from '../../../base/clock.ts';
import type { BatchStarted, SaleStarted } from '../../../contract/journal-events.ts';
import { otherTerminalReason } from '../../../contract/other-terminal.ts';
import type { LastRecord, TerminalRecord } from '../../../contract/terminal.ts';
import type { Log } from '../../../log/index.ts';
import type { LineConnection } from '../../lines/line.ts';
import type {
  BatchOrder,
  DriverWatch,
  LookUp,
  OperationAnswer,
  OperationInDoubt,
  OperationWatch,
  Readiness,
  SaleOrder,
  TerminalDriver,
  VoidOrder,
} from '../terminal-driver.ts';
import { createExchanges, type ExchangeEnd, type Request } from './exchange.ts';
import { closedRecord, closeRecord, refundRecord, saleRecord, whyUndecided } from './record.ts';
import { sameTicket, ticketOf } from './ticket.ts';
import {
  alreadyVoidedCode,
  approvedCode,
  cancelledCode,
  detailRequest,
  endsDetail,
  loadKeysCode,
  needsClose,
  noSaleStoredCode,
  plainRequest,
  progressStep,
  progressText,
  refundRequest,
  saleRequest,
  saleResultOf,
  textOf,
  totalsOf,
  verdictOf,
  type Encoding,
  type TransbankMessage,
} from './wire/index.ts';

export interface TransbankOptions {
  clock: Clock;
  log: Log;
}

/** Between the two looks that show that nothing was stored. */
const secondLookMs = 10_000;
const lookedForAgain: LookUp = {
  kind: 'pending',
  text: 'The terminal holds nothing of it; it is asked once more.',
};
/** It would print the voucher of its last sale each time that it is asked for it. */
const notShown: LastRecord = {
  kind: 'unavailable',
  reason: 'a Transbank terminal is asked for its last sale only when something is in doubt',
};
const noAmount = 'The terminal approved the payment, but not a readable amount.';
const noTickets = 'The terminal has sent no ticket numbers, so nothing can be found in its list.';
const listBroken = 'The terminal did not send the list of its sales to the end.';
const listTooShort =
  'The terminal counts more sales than it lists, so one that is not in its list may have been made all the same. Look at the ' +
  'terminal’s last receipts.';
const notWritten =
  'What is not in the batch could not be written to the journal, so the batch was not closed.';
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

export function attachDriver(
  connection: LineConnection,
  watch: DriverWatch,
  options: TransbankOptions,
): TerminalDriver {
  const { clock } = options;
  const log = options.log.with({ source: 'transbank' });
  let last: Promise<unknown> = Promise.resolve();
  let terminalId: string | null = null;
  /** What the last poll told of it. */
  let polledId: string | null = null;
  let closeFirst: string | null = null;
  let keysWanted = false;
  /** What it told before the last close of this connection was sent. */
  let totalMinor: number | null = null;
  /** The operation of which the terminal held nothing at the first look, and when that was. */
  let missing: { operationId: string; at: number } | null = null;

  const exchanges = createExchanges({ connection, clock, log, unsolicited });

  function exclusive<T>(task: () => Promise<T>): Promise<T> {
    const done = last.then(task);
    last = done.catch(() => {});
    return done;
  }

  async function ask(encoding: Encoding, request: Omit<Request, 'data'>): Promise<ExchangeEnd> {
    if (!encoding.ok)
      return { kind: 'not_started', reason: `The terminal cannot be asked: ${encoding.error}.` };
    const end = await exchanges.ask({ ...request, data: encoding.data });
    if (end.kind === 'answered' && end.response !== null) {
      terminalId = textOf(end.response, 'terminalId') ?? terminalId;
    }
    return end;
  }

  /** What moves money and comes late, of an earlier connection too, is told again until it is acknowledged. */
  function unsolicited(message: TransbankMessage): boolean {
    // Anything else is an answer that nobody waits for any more, and moves nothing.
    if (message.command !== '0210' && message.command !== '1210') return true;
    const isRefund = message.command === '1210';
    if ((isRefund ? whyRefundUndecided(message) : whyUndecided(message)) !== null) {
      log.warn('an answer came late, and it does not decide', { code: message.command });
      return true;
    }
    // It names the sale that it undoes by its operation number, and no amount.
    return isRefund ? watch.lateResult(refundRecord(message, null)) : lateSale(message);
  }

  function lateSale(message: TransbankMessage): boolean {
    // With a tip or change it depends on what was asked for how much was taken: the look-up knows that.
    const amount = Number(textOf(message, 'amount'));
    const read = saleRecord(message, amount);
    const isPlain = saleResultOf(message)?.added === 0;
    const record = read === null || isPlain ? read : { ...read, amountMinor: null, currency: null };
    const ticket = textOf(message, 'ticket');
    const isKeptUnder = ticket === null ? undefined : (ours: string) => sameTicket(ticket, ours);
    return record !== null && watch.lateResult(record, isKeptUnder);
  }

  async function poll(): Promise<Readiness> {
    if (keysWanted) await loadKeys();
    const end = await ask(plainRequest('poll'), { response: null, movesMoney: false });
    if (end.kind !== 'answered') return { kind: 'silent', reason: end.reason };
    polledId = terminalId;
    const terminal = { protocol: 'transbank', terminalId } as const;
    if (closeFirst !== null) {
      return {
        kind: 'attention',
        text: closeFirst,
        requiredAction: 'batch_close',
        terminal,
        lastRecord: notShown,
      };
    }
    return { kind: 'ready', terminal, lastRecord: notShown };
  }

  async function loadKeys(): Promise<void> {
    const end = await ask(plainRequest('loadKeys'), { response: '0810', movesMoney: false });
    const code =
      end.kind === 'answered' && end.response !== null ? textOf(end.response, 'responseCode') : null;
    log.info('the terminal was asked to load its keys', { code });
    // Whatever came of it, the next sale tells whether it has to be done again.
    keysWanted = false;
  }

  async function sell(order: SaleOrder, operation: OperationWatch): Promise<OperationAnswer> {
    const ticket = ticketOf(order);
    const startedAt = clock.elapsed();
    let record: TerminalRecord | null = null;
    let unclear: string | null = null;
    const end = await ask(saleRequest({ amount: order.amountMinor, ticket, progress: true }), {
      response: '0210',
      movesMoney: true,
      fits: (message) => sameTicket(textOf(message, 'ticket'), ticket),
      progress: (code) => watch.progress(progressText(code), progressStep(code)),
      persist(message) {
        record = saleRecord(message, order.amountMinor);
        operation.timed({ answerMs: Math.round(clock.elapsed() - startedAt) });
        if (record === null) return false;
        unclear = whyUndecided(message);
        // What does not decide must not stand against what the terminal says later.
        return unclear !== null || operation.persistResult(record);
      },
    });
    if (end.kind === 'not_started') return { ...end, refusedByTerminal: false };
    if (end.kind === 'unknown') return end;
    if (record === null || !end.persisted) return unknown('The result could not be written to the journal.');
    return unclear === null ? answerOfSale(order, record) : unknown(unclear);
  }

  function answerOfSale(order: SaleOrder, record: TerminalRecord): OperationAnswer {
    const code = record.resultCode ?? '';
    const refusal = { reason: record.resultText, record, receiptLines: [] };
    if (record.approved) {
      const wrong = wrongAmount(order, record);
      return wrong === null ? { kind: 'done', record, receiptLines: [] } : unknown(wrong);
    }
    if (code === cancelledCode) return { kind: 'cancelled', by: 'customer', ...refusal };
    if (needsClose(code)) closeFirst = record.resultText;
    if (code === loadKeysCode) keysWanted = true;
    return { kind: 'declined', ...refusal };
  }

  async function reverse(order: VoidOrder, operation: OperationWatch): Promise<OperationAnswer> {
    // Operation numbers begin anew with each batch: after a close by hand the number may be another customer's.
    const held = await salesHeld();
    if (held === null) return notSent(listBroken);
    const original = held.find(
      (line) =>
        textOf(line, 'operationNumber') === order.receiptNumber &&
        sameTicket(textOf(line, 'ticket'), order.originalTerminalReference ?? ''),
    );
    if (original === undefined) {
      return notSent(
        'The terminal no longer holds this payment: its batch was closed, or the payment was voided. Refund it at the ' +
          'terminal by hand, and note it.',
      );
    }
    let record: TerminalRecord | null = null;
    let unclear: string | null = null;
    const end = await ask(refundRequest(order.receiptNumber), {
      response: '1210',
      movesMoney: true,
      fits: (message, acknowledged) => acknowledged && mayBeRefundOf(message, order.receiptNumber),
      persist(message) {
        record = refundRecord(message, order.amountMinor);
        unclear = whyRefundUndecided(message);
        return unclear !== null || operation.persistResult(record);
      },
    });
    if (end.kind === 'not_started') return { ...end, refusedByTerminal: false };
    if (end.kind === 'unknown') return end;
    if (record === null || !end.persisted) return unknown('The result could not be written to the journal.');
    return unclear === null ? answerOf(record) : unknown(unclear);
  }

  async function close(order: BatchOrder, operation: OperationWatch): Promise<OperationAnswer> {
    const why = await whyNotClosed(order, operation);
    if (why !== null) return notSent(why);
    const totals = await readTotals();
    totalMinor = totals?.total ?? null;
    let record: TerminalRecord | null = null;
    let unclear: string | null = null;
    const end = await ask(plainRequest('close'), {
      response: '0510',
      movesMoney: true,
      persist(message) {
        record = closeRecord(message, totalMinor);
        // Nothing told before whose cable this is: another terminal has closed a batch of its own, which is no result of ours.
        unclear = otherTerminalReason(order.terminalId, record.terminalId) ?? whyUndecided(message);
        return unclear !== null || operation.persistResult(record);
      },
    });
    if (end.kind === 'not_started') return { ...end, refusedByTerminal: false };
    if (end.kind === 'unknown') return end;
    if (unclear !== null) return unknown(unclear);
    if (record === null || !end.persisted) return unknown('The result could not be written to the journal.');
    const answer = answerOf(record);
    if (answer.kind === 'done') closeFirst = null;
    return answer;
  }

  /**
   * Once it is closed, nothing shows which payments were in the batch: one may have been voided at the terminal by hand. Null: it
   * may be closed, and what it does not hold is on disk.
   */
  async function whyNotClosed(
    { terminalId: expected, unsettled = [] }: BatchOrder,
    operation: OperationWatch,
  ): Promise<string | null> {
    if (unsettled.length === 0) return null;
    const told = await detail();
    if (told === null || !isWhole(told.end)) return listBroken;
    const foreign = otherTerminalReason(expected, textOf(told.end, 'terminalId'));
    if (foreign !== null) return foreign;
    // A list that never tells a number of ours says nothing of any payment: the totals have to.
    if (told.lines.length > 0 && told.lines.every((line) => textOf(line, 'ticket') === null)) return null;
    const untold = unsettled.filter((ours) => !holdsOneOf(told.lines, [ours]));
    if (untold.length === 0) return null;
    // It does not say either what became of the others.
    return operation.notInBatch({ undone: [], differing: [], untold }) ? null : notWritten;
  }

  /** Null: it did not say. */
  async function readTotals() {
    const end = await ask(plainRequest('totals'), { response: '0710', movesMoney: false });
    const totals = end.kind === 'answered' && end.response !== null ? totalsOf(end.response) : null;
    return totals?.responseCode === '00' ? totals : null;
  }

  /** The list of its sales names the terminal at its end, and nothing is printed for it; null: it did not come to that. */
  async function detail(): Promise<{ end: TransbankMessage; lines: TransbankMessage[] } | null> {
    const lines: TransbankMessage[] = [];
    const end = await ask(detailRequest(true), {
      response: '0261',
      movesMoney: false,
      line: (line) => void lines.push(line),
    });
    return end.kind === 'answered' && end.response !== null ? { end: end.response, lines } : null;
  }

  /** All sales that the terminal holds; null: the list did not come to its end. */
  async function salesHeld(): Promise<TransbankMessage[] | null> {
    const told = await detail();
    return told !== null && isWhole(told.end) ? told.lines : null;
  }

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
    const held = await salesHeld();
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
    const totals = await readTotals();
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
    const held = await detail();
    const told = held === null ? null : textOf(held.end, 'terminalId');
    if (held === null || told === null) return unavailable(noId);
    const foreign = otherTerminalReason(terminal.terminalId, told);
    // The next poll tells whose it is, and then nothing of it is evidence.
    if (foreign !== null)
      return told === polledId ? unavailable(foreign) : { kind: 'pending', text: foreign };
    if (holdsOneOf(held.lines, unsettled)) return { kind: 'empty' };
    const totals = await readTotals();
    if (totals === null || totals.count === null) return unavailable(noTotals);
    // They may have been made by hand since.
    if (totals.count > 0) return unavailable(otherSales);
    if (before.count === 0)
      return unavailable(
        'The terminal holds no sales, as before, so it does not show whether the batch was closed.',
      );
    // By this close or by hand: it is closed.
    closeFirst = null;
    return { kind: 'record', record: closedRecord(totalMinor) };
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

  return {
    prepare: () => exclusive(poll),
    probe: () => exclusive(poll),
    sale: (order, operation) => exclusive(() => sell(order, operation)),
    void: (order, operation) => exclusive(() => reverse(order, operation)),
    closeBatch: (order, operation) => exclusive(() => close(order, operation)),
    lookUp: (inDoubt) => exclusive(() => lookUp(inDoubt)),
    // There is no such command; the payments module says so.
    cancel() {},
    signOff: () => Promise.resolve(),
  };
}

/** Of a refund or a close that its record decides. */
function answerOf(record: TerminalRecord): OperationAnswer {
  return record.approved
    ? { kind: 'done', record, receiptLines: [] }
    : { kind: 'declined', reason: record.resultText, record, receiptLines: [] };
}

/** See `whyUndecided`. */
function whyRefundUndecided(message: TransbankMessage): string | null {
  // The money is back, but not by this void.
  return textOf(message, 'responseCode') === alreadyVoidedCode
    ? 'The terminal says that the payment was already voided, and the bridge did not do it.'
    : whyUndecided(message);
}

/** One that names no operation may be of any, one that names another is not of this one. */
function mayBeRefundOf(message: TransbankMessage, operationNumber: string): boolean {
  const named = textOf(message, 'operationNumber');
  return named === null || sameTicket(named, operationNumber);
}

/** Why an approval is not what was ordered; null when it is. */
function wrongAmount({ amountMinor, maxAmountMinor }: SaleOrder, record: TerminalRecord): string | null {
  const taken = record.amountMinor;
  if (taken === null) return noAmount;
  if (taken < amountMinor || taken > maxAmountMinor)
    return `The terminal approved another amount than was asked for: ${taken} CLP.`;
  return null;
}

/** The list came to its end. */
function isWhole(end: TransbankMessage): boolean {
  const code = textOf(end, 'responseCode');
  return endsDetail(end) && (code === approvedCode || code === noSaleStoredCode);
}

/** The batch that one of our earlier sales is still in was not closed since. */
function holdsOneOf(held: readonly TransbankMessage[], unsettled: readonly string[]): boolean {
  return unsettled.some((known) => held.some((line) => sameTicket(textOf(line, 'ticket'), known)));
}

function found(message: TransbankMessage, orderedMinor: number): LookUp {
  const record = saleRecord(message, orderedMinor);
  if (record === null) return unavailable('The terminal’s answer cannot be read.');
  return record.approved && record.amountMinor === null ? unavailable(noAmount) : { kind: 'record', record };
}
function unavailable(reason: string): LookUp {
  return { kind: 'unavailable', reason };
}
function unknown(reason: string): OperationAnswer {
  return { kind: 'unknown', reason };
}
function notSent(reason: string): OperationAnswer {
  return { kind: 'not_started', refusedByTerminal: true, reason };
}
