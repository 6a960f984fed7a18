/**
 * The driver of one connection to an ECR17 terminal: one thing at a time. A result is stored in the terminal before it is
 * sent, so it is final whether we acknowledge it or not; what was lost is looked for in the last result and in the totals.
 */
import type { Clock } from '../../../base/clock.ts';
import { agreeIfTold, type PrintedLines, type TerminalRecord } from '../../../contract/terminal.ts';
import { formatAmount } from '../../../contract/money.ts';
import { otherTerminalReason } from '../../../contract/other-terminal.ts';
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
import { reversalOf } from './evidence.ts';
import { createExchanges, type ExchangeEnd } from './exchange.ts';
import { createEnquiries } from './enquiries.ts';
import type { RangeMemory } from './range-finder.ts';
import { createUnchangedCheck } from './unchanged-check.ts';
import { closeRecord, decides, foundClosed, isSameResult, paymentRecord, resultRecord } from './record.ts';
import {
  paymentRequest,
  paymentResultOf,
  plainRequest,
  readinessOf,
  reversalRequest,
  saysCancelled,
  statusText,
  ticketLines,
  type Ecr17Message,
  type Encoding,
  type LrcRange,
} from './wire/index.ts';

export interface Ecr17Options {
  /** Of the terminal and of this till, 8 digits each; by default `00000000`, which any terminal takes, and `00000001`. */
  terminalId?: string;
  tillId?: string;
  /** What check bytes are taken of; by default it is found out. */
  lrc?: LrcRange | 'auto';
  /** Over TCP the terminal may hang up between two commands. */
  framing?: 'serial' | 'tcp';
  /** Who prints; the terminal where left out. It may print all the same. */
  receipts?: 'terminal' | 'pos';
  clock: Clock;
  log: Log;
}

const notWritten = 'The result could not be written to the journal.';
const notLast =
  'The terminal has done something since this payment, and it can reverse only the last. Refund it at the terminal by ' +
  'hand, and note it.';

export function attachDriver(
  connection: LineConnection,
  watch: DriverWatch,
  options: Ecr17Options,
  rangeMemory: RangeMemory,
): TerminalDriver {
  const { clock, lrc = 'auto' } = options;
  const to = { terminalId: options.terminalId ?? '00000000', cashRegisterId: options.tillId ?? '00000001' };
  const log = options.log.with({ source: 'ecr17' });
  let last: Promise<unknown> = Promise.resolve();
  /** What the terminal has told last, as an answer or as its last result: what it may tell again. */
  let told: TerminalRecord | null = null;
  /** The open batch's total beside that result; `null`: it was asked, and did not say. */
  let total: { beside: TerminalRecord; minor: number | null } | null = null;
  let warned: string | null = null;

  const exchanges = createExchanges({ connection, lrc, rangeMemory, clock, log, unsolicited });
  const enquiries = createEnquiries(exchanges, to);
  const unchanged = createUnchangedCheck(clock);

  function exclusive<T>(task: () => Promise<T>): Promise<T> {
    const done = last.then(task);
    last = done.catch(() => {});
    return done;
  }

  /** A result whose wait has ended comes again until it is acknowledged. */
  function unsolicited(message: Ecr17Message): boolean {
    if (paymentResultOf(message) === null) return true;
    const record = resultRecord(message);
    if (record === null) return false;
    // Taken or not, it may be told again, and is no news then.
    told = record;
    return watch.lateResult(record);
  }

  async function poll(): Promise<Readiness> {
    const status = await enquiries.status();
    if (status.kind === 'refused')
      return { kind: 'busy', text: 'The terminal does not tell its state. It may be in use.' };
    if (status.kind === 'silent') return status;
    const { state, terminalId } = status;
    const terminal = { protocol: 'ecr17', terminalId } as const;
    const lastResult = await enquiries.lastResult();
    if (lastResult.kind === 'silent') return lastResult;
    const lastRecord = lastResult.kind === 'record' ? await withTotal(lastResult.record) : lastResult;
    const readiness = readinessOf(state);
    if (readiness === 'operator' || readiness === 'service')
      return { kind: 'attention', text: statusText(state), requiredAction: 'service', terminal, lastRecord };
    if (readiness === 'warning' && warned !== state)
      log.warn('the terminal may refuse payments until this is done', { reason: statusText(state) });
    warned = state;
    return { kind: 'ready', terminal, lastRecord };
  }

  /** The total is asked for only when there is a new result: terminals make a ticket of it. */
  async function withTotal(record: TerminalRecord): Promise<LookUp & { kind: 'record' }> {
    told = record;
    if (total === null || !isSameResult(total.beside, record))
      total = { beside: record, minor: await enquiries.total() };
    const { minor } = total;
    return { kind: 'record', record: minor === null ? record : { ...record, batchTotalMinor: minor } };
  }

  /** Asks for what moves money; `record` reads the result, or gives null for one that cannot be read. */
  async function operate(
    request: Encoding,
    { results, tickets }: typeof ofPayment | typeof ofClose,
    operation: OperationWatch,
    record: (message: Ecr17Message) => TerminalRecord | null,
  ): Promise<Operated> {
    if (!request.ok) return { answer: notSent(`The terminal cannot be asked: ${request.error}.`) };
    const onTill = options.receipts === 'pos' && (await enquiries.printOnTill(true));
    const startedAt = clock.elapsed();
    // It may leave a result that looks like the one before.
    total = null;
    let read: TerminalRecord | null = null;
    const end = await exchanges.ask({
      data: request.data,
      results,
      movesMoney: true,
      ...(onTill ? { tickets: tickets.count } : {}),
      progress: (text) => watch.progress(text, 'other'),
      fits: isNews,
      persist(message) {
        operation.timed({ answerMs: Math.round(clock.elapsed() - startedAt) });
        read = record(message);
        told = read;
        // What decides nothing must not stand against what the terminal says later.
        return read === null || !decides(read) || operation.persistResult(read);
      },
    });
    return answered(end, read, tickets.of);
  }

  /** The result from before is told again where our ACK was lost; two refusals that have no number look alike. */
  function isNews(message: Ecr17Message, acknowledged: boolean): boolean {
    const record = resultRecord(message);
    if (record === null || told === null || !isSameResult(told, record)) return true;
    return record.traceNumber === null && acknowledged;
  }

  /** X, and P where the terminal does not know X: a NAK says that it has not begun. */
  async function sell(order: SaleOrder, operation: OperationWatch): Promise<OperationAnswer> {
    const ask = (extendedAnswer: boolean) =>
      operate(
        paymentRequest({ ...to, amountMinor: order.amountMinor, extendedAnswer }),
        ofPayment,
        operation,
        (message) => paymentRecord(message, order.amountMinor),
      );
    const extended = await ask(true);
    const end = 'answer' in extended && isRefused(extended.answer) ? await ask(false) : extended;
    if ('answer' in end) return end.answer;
    const { record, printed } = end;
    if (record.approved) {
      const wrong = wrongAmount(order, record);
      return wrong === null ? { kind: 'done', record, ...printed } : unknown(wrong);
    }
    return refusal(end);
  }

  async function reverse(order: VoidOrder, operation: OperationWatch): Promise<OperationAnswer> {
    // It reverses its last operation only, and the bridge may not have seen what was done by hand since its last look.
    const shown = await enquiries.lastResult();
    if (shown.kind !== 'record') return notSent(notLast);
    const { record: last } = shown;
    const otherNow = otherTerminalReason(order.terminalId, last.terminalId);
    if (otherNow !== null) return notSent(otherNow);
    if (last.traceNumber !== order.receiptNumber || !last.approved) return notSent(notLast);
    if (!agreeIfTold(last.amountMinor, order.amountMinor)) return notSent(notLast);
    told = last;
    const request = reversalRequest({ ...to, stan: order.receiptNumber });
    let foreign: string | null = null;
    const end = await operate(request, ofPayment, operation, (message) => {
      const record = resultRecord(message);
      foreign = otherTerminalReason(order.terminalId, record?.terminalId ?? null);
      if (foreign !== null) return null;
      if (record?.approved !== true) return record;
      // What says that a payment was done is no answer to this.
      return record.kind === 'reversal' ? reversalOf(order, record) : null;
    });
    if (foreign !== null) return unknown(foreign);
    if ('answer' in end) return end.answer;
    return end.record.approved ? { kind: 'done', record: end.record, ...end.printed } : refusal(end);
  }

  async function close(order: BatchOrder, operation: OperationWatch): Promise<OperationAnswer> {
    log.info('the total of the terminal before the close', { total: await enquiries.total() });
    // Over TCP another terminal may have taken the address since the last look, and would close a batch of its own.
    const status = order.terminalId === null ? null : await enquiries.status();
    const otherNow =
      status?.kind === 'told' ? otherTerminalReason(order.terminalId, status.terminalId) : null;
    if (otherNow !== null) return notSent(otherNow);
    let foreign: string | null = null;
    const end = await operate(plainRequest('close', to), ofClose, operation, (message) => {
      const record = closeRecord(message);
      foreign = otherTerminalReason(order.terminalId, record?.terminalId ?? null);
      return foreign === null ? record : null;
    });
    if (foreign !== null) return unknown(foreign);
    if ('answer' in end) return end.answer;
    const { record, printed } = end;
    return record.approved
      ? { kind: 'done', record, ...printed }
      : { kind: 'declined', reason: record.resultText, record, ...printed };
  }

  async function lookUp(inDoubt: OperationInDoubt): Promise<LookUp> {
    const { operation, result } = inDoubt;
    const shown = await enquiries.lastResult();
    if (shown.kind === 'silent' || shown.kind === 'unavailable')
      return unchanged.notTold(operation.operationId, shown.reason);
    if (operation.kind === 'batch_close') return lookUpClose(inDoubt, shown.record);
    const { baseline } = operation;
    told = shown.record;
    // The next operation starts from it, and what that leaves is told from before by the total.
    if (result !== null || baseline.kind !== 'record' || !isSameResult(baseline.record, shown.record))
      return withTotal(shown.record);
    const status = await enquiries.status();
    if (status.kind !== 'told') return unchanged.notTold(operation.operationId, notReady);
    if (readinessOf(status.state) !== 'ready') return unavailable(notReady);
    return unchanged.of(operation.operationId, baseline.record.batchTotalMinor, await enquiries.total());
  }

  async function lookUpClose(
    { operation, result, toldBefore }: OperationInDoubt,
    lastResult: TerminalRecord,
  ): Promise<LookUp> {
    if (operation.kind !== 'batch_close') throw new Error('not a close');
    if (result !== null) return { kind: 'record', record: result };
    const now = await enquiries.total();
    // A close changes the total, and leaves the result beside it as it was.
    total = { beside: lastResult, minor: now };
    const { baseline, expected } = operation;
    const known = baseline.kind === 'record' ? baseline.record.batchTotalMinor : undefined;
    const before = known ?? (toldBefore ?? expected).totalMinor;
    if (now === null) return unavailable('The terminal did not tell its totals.');
    if (before <= 0)
      return unavailable(
        'The terminal’s total is not above zero, as before, so it does not show whether the batch was closed.',
      );
    // By this close or by hand: it is closed.
    if (now === 0) return { kind: 'record', record: foundClosed(known) };
    return now === before
      ? unchanged.of(operation.operationId, before, now)
      : unavailable('The terminal’s total is neither zero nor that from before the close.');
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

const notReady =
  'The terminal still shows the result from before, but does not say that it is ready, so nothing is proved.';

/** The results of an operation, and its tickets: the customer's and the merchant's, or the one of a close. */
const ofPayment = { results: ['E', 'V'], tickets: { of: 'payment', count: 2 } } as const;
const ofClose = { results: ['C'], tickets: { of: 'service', count: 1 } } as const;

type Operated = { answer: OperationAnswer } | { record: TerminalRecord; printed: PrintedLines };

function answered(
  end: ExchangeEnd,
  record: TerminalRecord | null,
  ticketsOf: Parameters<typeof ticketLines>[1],
): Operated {
  switch (end.kind) {
    case 'refused':
      return { answer: notSent(end.reason) };
    case 'not_started':
      return { answer: { ...end, refusedByTerminal: false } };
    case 'unknown':
      return { answer: end };
    case 'answered':
      if (record === null) return { answer: unknown('The terminal’s answer cannot be read.') };
      if (!end.persisted) return { answer: unknown(notWritten) };
      if (!decides(record)) return { answer: unknown('The terminal gave a result that nobody knows.') };
      return { record, printed: ticketLines(end.tickets, ticketsOf) };
  }
}

function isRefused(answer: OperationAnswer): boolean {
  return answer.kind === 'not_started' && answer.refusedByTerminal;
}

/** One code stands for a refusal and for a person who gave up; the words tell them apart. */
function refusal({ record, printed }: Exclude<Operated, { answer: OperationAnswer }>): OperationAnswer {
  const end = { reason: record.resultText, record, ...printed };
  return record.resultCode === '01' && saysCancelled(record.resultText)
    ? { kind: 'cancelled', by: 'customer', ...end }
    : { kind: 'declined', ...end };
}

/** Why an approval is not what was ordered; null when it is. */
function wrongAmount({ amountMinor }: SaleOrder, record: TerminalRecord): string | null {
  const taken = record.amountMinor;
  if (taken === null) return 'The terminal approved the payment, but not a readable amount.';
  return taken === amountMinor
    ? null
    : `The terminal approved another amount than was asked for: ${formatAmount(taken, 'EUR')} EUR.`;
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
