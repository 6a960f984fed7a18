/**
 * The driver of one connection to a Transbank terminal in integrated mode: one thing at a time. A sale is stored in the
 * terminal before it responds, so a result is final whether we acknowledge it or not; what was lost is asked for by its
 * ticket.
 */
import type { Clock } from '../../../base/clock.ts';
import { otherTerminalReason } from '../../../contract/other-terminal.ts';
import type { LastRecord, TerminalRecord } from '../../../contract/terminal.ts';
import type { Log } from '../../../log/index.ts';
import type { LineConnection } from '../../lines/line.ts';
import type {
  BatchOrder,
  DriverWatch,
  OperationAnswer,
  OperationWatch,
  Readiness,
  SaleOrder,
  TerminalDriver,
  VoidOrder,
} from '../terminal-driver.ts';
import { createExchanges, type ExchangeEnd, type Request } from './exchange.ts';
import { createLookUp } from './look-up.ts';
import { closeRecord, refundRecord, saleRecord, whyUndecided } from './record.ts';
import { createSalesList, holdsOneOf, isWhole, listBroken, noAmount } from './sales-list.ts';
import { sameTicket, ticketOf } from './ticket.ts';
import {
  alreadyVoidedCode,
  cancelledCode,
  loadKeysCode,
  needsClose,
  plainRequest,
  progressStep,
  progressText,
  refundRequest,
  saleRequest,
  saleResultOf,
  textOf,
  type Encoding,
  type TransbankMessage,
} from './wire/index.ts';

export interface TransbankOptions {
  clock: Clock;
  log: Log;
}

/** It would print the voucher of its last sale each time that it is asked for it. */
const notShown: LastRecord = {
  kind: 'unavailable',
  reason: 'a Transbank terminal is asked for its last sale only when something is in doubt',
};
const notWritten =
  'What is not in the batch could not be written to the journal, so the batch was not closed.';

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

  const sales = createSalesList(ask);
  const lookUp = createLookUp({
    ask,
    sales,
    clock,
    polledId: () => polledId,
    totalMinor: () => totalMinor,
    closed: () => void (closeFirst = null),
  });

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
    const held = await sales.held();
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
    const totals = await sales.totals();
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
    const told = await sales.detail();
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

function unknown(reason: string): OperationAnswer {
  return { kind: 'unknown', reason };
}
function notSent(reason: string): OperationAnswer {
  return { kind: 'not_started', refusedByTerminal: true, reason };
}
