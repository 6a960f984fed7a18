/**
 * The driver of one connection to an ECR-EDC terminal: one thing at a time. The terminal alone decides, whatever we
 * acknowledge. Some profiles can be asked what became of a payment, by its reference 1; what was lost with the others only a
 * person can find out.
 */
import type { Clock } from '../../../base/clock.ts';
import type { OperationStarted, SaleStarted } from '../../../contract/journal-events.ts';
import type { Currency } from '../../../contract/money.ts';
import { otherBatchText, otherTerminalReason } from '../../../contract/other-terminal.ts';
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
  TerminalDriver,
  VoidOrder,
} from '../terminal-driver.ts';
import { isOtherBatch } from './evidence.ts';
import { createExchanges } from './exchange.ts';
import { closeOrder, saleOrder, unknown, voidOrder, type Order, type Taken } from './orders.ts';
import { namesInvoice, saleRecord } from './record.ts';
import { reference1Of, returnsReference } from './reference.ts';
import {
  fieldText,
  fieldType,
  isResponseTo,
  resultOf,
  saysNotFound,
  type EdcMessage,
  type EdcProfile,
  type EdcResult,
} from './wire/index.ts';
import { createWireTrace } from './wire-trace.ts';

export interface DriverOptions {
  profile: EdcProfile;
  /** Number of the terminal in the transport header, where the profile has a place for it: 0 to 99. */
  device?: number;
  /** The terminal's own: no message names it. */
  currency: Currency;
  clock: Clock;
  log: Log;
}

/** A terminal that knows nothing of a payment yet is asked again after this, in milliseconds. */
const askAgainMs = 10_000;

/** What an inquiry came to. */
type Told =
  | { kind: 'held'; message: EdcMessage; result: EdcResult }
  | { kind: 'not_found' }
  | { kind: 'unclear' }
  | { kind: 'silent'; reason: string };

const notShown: LastRecord = { kind: 'unavailable', reason: 'an ECR-EDC terminal shows no last record' };
const stillAtIt = 'The terminal may still be at work on it: its answer may take three minutes.';
const noQuery =
  'This terminal cannot be asked what became of a payment. Look at its last receipt, or print its totals and compare ' +
  'count and sum.';
const noVoidQuery =
  'This terminal does not tell whether a payment was voided. Look at its last receipts, or print its totals.';
const noCloseQuery =
  'This terminal does not tell whether its batch was closed. Look at its last report, or print its totals.';
const notClear =
  'The terminal was asked for this payment, and its answer does not tell what became of it. Look at its last receipts.';
const notFoundAlone =
  'The terminal does not find this payment, and nothing shows that it is still the same terminal, or that its batch was not ' +
  'closed meanwhile. Look at its last receipts.';
const notNamed =
  'Nothing shows that this is still the terminal which took the payment: it has not told its id since it was connected, and ' +
  'another one may hold another payment under the same invoice number. Reverse it at the terminal by hand, and note it.';
const notHeld =
  'The terminal does not find this payment, so another terminal may have been connected meanwhile, or its batch was ' +
  'closed. Look at its last receipts; reverse or refund the payment at its own terminal by hand, and note it.';
const moneyCommands = ['sale', 'void', 'void_by_trace', 'refund', 'settlement'] as const;

export function attachDriver(
  connection: LineConnection,
  watch: DriverWatch,
  options: DriverOptions,
): TerminalDriver {
  const { profile, clock, log } = options;
  let last: Promise<unknown> = Promise.resolve();
  let terminalId: string | null = null;
  /** All that were told on this connection: with several hosts a terminal has an id for each. */
  const toldIds = new Set<string>();
  /** Payments that were approved on this connection, as `nameOf` has them. */
  const takenHere = new Set<string>();
  /** The last one that the terminal told; a hint for whoever looks at receipts. */
  let lastInvoice: string | null = null;
  /** What ended without an answer: one may still come, however late. */
  let owed: Order | null = null;
  /** Until then the terminal may be at an operation that was sent now, or on a connection before this one. */
  let atWorkUntil = clock.elapsed() + profile.responseTimeoutMs;
  let askAgainAt = 0;
  let stopAsked = false;

  const exchanges = createExchanges({
    connection,
    profile,
    ...(options.device === undefined ? {} : { device: options.device }),
    clock,
    log,
    trace: createWireTrace(log, profile, options.currency),
    unsolicited,
  });

  function exclusive<T>(task: () => Promise<T>): Promise<T> {
    const done = last.then(task);
    last = done.catch(() => {});
    return done;
  }

  /** False: do not acknowledge it. What moves no money is of no interest. */
  function unsolicited(message: EdcMessage): boolean {
    if (!moneyCommands.some((command) => isResponseTo(message, command, profile))) return true;
    const order = owed;
    const fits =
      order !== null && isResponseTo(message, order.command, profile) ? order.fits(message) : false;
    if (order === null || fits === false) {
      log.error('an answer came to nothing that the bridge waits for', { code: message.txCode });
      return isOfEarlier(message);
    }
    note(message);
    // By its reference it is this order's: the terminal is done with it, whatever that came to.
    if (fits === true) atWorkUntil = 0;
    const { result, record, wrong, foreign } = order.read([message]);
    // One that is not sure, or of which more may follow, must not stand against what is found out later.
    const isWhole = order.command !== 'settlement' || message.more !== '1';
    if (result.verdict === 'undecided' || wrong !== null || foreign !== null || !isWhole) {
      log.warn('an answer came late, and it does not decide', { code: message.txCode });
      return true;
    }
    const isAdopted = watch.lateResult(record, fits === true ? namedBy(message) : undefined);
    if (!isAdopted) return false;
    atWorkUntil = 0;
    noteTaken(record);
    return true;
  }

  /**
   * The answer to an earlier payment that it names by its reference, whatever was decided of that one meanwhile; or a payment
   * that names none. A refusal of that kind tells nobody anything.
   */
  function isOfEarlier(message: EdcMessage): boolean {
    if (!isResponseTo(message, 'sale', profile)) return false;
    const isNamed = fieldText(message, fieldType.reference1) !== null;
    const result = resultOf(message, 'sale', profile);
    if (result.verdict === 'undecided' || (!isNamed && result.verdict !== 'approved')) return false;
    return watch.lateResult(saleRecord(message, result, null), isNamed ? namedBy(message) : undefined);
  }

  function note(message: EdcMessage) {
    const id = idIn(message);
    if (id !== null) toldIds.add(id);
    terminalId = id ?? terminalId;
    if (isResponseTo(message, 'sale', profile))
      lastInvoice = fieldText(message, fieldType.invoice) ?? lastInvoice;
  }

  function noteTaken({ kind, approved, receiptNumber, approvalCode }: TerminalRecord) {
    if (kind === 'payment' && approved) takenHere.add(nameOf(receiptNumber, approvalCode));
  }

  async function poll(): Promise<Readiness> {
    if (profile.commands.probe !== undefined) {
      const end = await exchanges.ask('probe', {}, {});
      // Whatever code it answers with: it is there.
      if (end.kind !== 'answered') return { kind: 'silent', reason: end.reason };
    } else if (exchanges.closedReason !== null) {
      return { kind: 'silent', reason: exchanges.closedReason };
    }
    return { kind: 'ready', terminal: { protocol: 'ecr-edc', terminalId }, lastRecord: notShown };
  }

  async function carryOut(order: Order, operation: OperationWatch): Promise<OperationAnswer> {
    const startedAt = clock.elapsed();
    atWorkUntil = startedAt + profile.responseTimeoutMs;
    const parts: EdcMessage[] = [];
    let taken: Taken | null = null;
    const asked = exchanges.ask(order.command, order.values, {
      fits: (message) => order.fits(message),
      notice: ({ text, step }) => watch.progress(text, step),
      ...(order.command === 'settlement' ? { part: (message) => void parts.push(message) } : {}),
      persist(message) {
        note(message);
        taken = order.read(parts.length === 0 ? [message] : parts);
        operation.timed({ answerMs: Math.round(clock.elapsed() - startedAt) });
        // What the terminal is not sure of itself must not stand against what it says later.
        const isResult = taken.result.verdict !== 'undecided' && taken.foreign === null;
        if (!isResult) return true;
        noteTaken(taken.record);
        return operation.persistResult(taken.record);
      },
    });
    // The cashier was faster than what went before.
    if (stopAsked) exchanges.cancel();
    const end = await asked;
    if (end.kind === 'not_started') return { ...end, refusedByTerminal: false };
    owed = end.kind === 'unknown' ? order : null;
    if (end.kind === 'unknown') return end;
    atWorkUntil = 0;
    if (taken === null || !end.persisted) return unknown('The result could not be written to the journal.');
    const { foreign }: Taken = taken;
    return foreign === null ? order.answer(taken, stopAsked) : unknown(foreign);
  }

  async function reverse(order: VoidOrder, operation: OperationWatch): Promise<OperationAnswer> {
    return (await whyNotReversed(order)) ?? carryOut(voidOrder(order, profile), operation);
  }

  /**
   * The void names an invoice number, of which each terminal counts its own, and no message says which terminal it is for. So
   * it goes out only to one that knows the payment, has told the payment's id since it was connected, or, where the payment
   * has none, has taken it since then.
   */
  async function whyNotReversed(order: VoidOrder): Promise<OperationAnswer | null> {
    const { terminalId: expected, originalTerminalReference: original } = order;
    if (profile.commands.inquiry !== undefined && original !== undefined) {
      const told = await tellOf(reference1Of(original));
      if (told.kind === 'silent')
        return { kind: 'not_started', refusedByTerminal: false, reason: told.reason };
      if (told.kind === 'not_found') return notSent(notHeld);
      if (told.kind === 'held') {
        const foreign = otherTerminalReason(expected, idIn(told.message));
        if (foreign !== null) return notSent(foreign);
        const isOther =
          namesInvoice(told.message, order.receiptNumber) === false ||
          isOtherBatch(order.originalBatchNumber, fieldText(told.message, fieldType.batchNumber));
        return isOther ? notSent(notHeld) : null;
      }
    }
    const isIts =
      expected === null
        ? takenHere.has(nameOf(order.receiptNumber, order.originalApprovalCode))
        : toldIds.has(expected);
    return isIts ? null : notSent(notNamed);
  }

  /** It has told the id since it was connected; where ours never has, it has taken a payment since then. */
  function isKnownByNow(expected: string | null): boolean {
    return expected === null ? takenHere.size > 0 : toldIds.has(expected);
  }

  /**
   * A settlement does not say either which terminal it is for. Its answer may, and else nobody is told that ours was closed
   * unless the terminal has shown that it is the one.
   */
  async function close(order: BatchOrder, operation: OperationWatch): Promise<OperationAnswer> {
    let isIts = isKnownByNow(order.terminalId) || isNobodys(order);
    if (profile.commands.inquiry !== undefined && order.newest !== undefined) {
      const told = await tellOf(reference1Of(order.newest));
      if (told.kind === 'silent')
        return { kind: 'not_started', refusedByTerminal: false, reason: told.reason };
      if (told.kind === 'not_found') return notSent(otherBatchText);
      const foreign = otherTerminalReason(order.terminalId, told.kind === 'held' ? idIn(told.message) : null);
      if (foreign !== null) return notSent(foreign);
      isIts ||= told.kind === 'held';
    }
    return carryOut(closeOrder(order, { profile, isIts }), operation);
  }

  async function lookUp({ operation, result, anchor, decided }: OperationInDoubt): Promise<LookUp> {
    if (decided !== true) owed = orderOf(operation);
    // What the terminal has said of it decides.
    if (result !== null) return unavailable(notClear);
    if (operation.kind === 'sale' && profile.commands.inquiry !== undefined)
      return inquire(operation, anchor);
    if (clock.elapsed() < atWorkUntil) return { kind: 'pending', text: stillAtIt };
    switch (operation.kind) {
      case 'sale':
        return unavailable(lastInvoice === null ? noQuery : noQueryButInvoice(lastInvoice));
      case 'void':
        return unavailable(noVoidQuery);
      case 'batch_close':
        return unavailable(noCloseQuery);
    }
  }

  async function inquire(operation: SaleStarted, anchor: string | undefined): Promise<LookUp> {
    if (operation.terminalReference === undefined) return unavailable(noQuery);
    const reference1 = reference1Of(operation.terminalReference);
    if (clock.elapsed() < Math.min(askAgainAt, atWorkUntil)) return { kind: 'pending', text: stillAtIt };
    const told = await tellOf(reference1);
    if (told.kind === 'silent') return unavailable(told.reason);
    if (told.kind === 'unclear') return unavailable(notClear);
    if (told.kind === 'held') {
      const { message, result } = told;
      return { kind: 'record', record: saleRecord(message, result, operation) };
    }
    if (clock.elapsed() >= atWorkUntil) {
      // No message says which terminal it comes from; the one that was paid at knows the payment before it. One of another
      // connection would not do: the line may have led to another terminal for this sale alone.
      return (await holds(anchor)) ? { kind: 'empty' } : unavailable(notFoundAlone);
    }
    // It is not kept before it is decided.
    askAgainAt = clock.elapsed() + askAgainMs;
    return { kind: 'pending', text: stillAtIt };
  }

  /** What the terminal tells of the payment with this reference 1. */
  async function tellOf(reference1: string): Promise<Told> {
    const end = await exchanges.ask(
      'inquiry',
      { reference1 },
      { fits: (message) => returnsReference(message, reference1) },
    );
    if (end.kind !== 'answered') return { kind: 'silent', reason: end.reason };
    const { message } = end;
    // Without the reference it may be about any payment.
    if (returnsReference(message, reference1) !== true) return { kind: 'unclear' };
    const result = resultOf(message, 'sale', profile);
    if (result.verdict !== 'approved') return { kind: saysNotFound(result) ? 'not_found' : 'unclear' };
    note(message);
    return { kind: 'held', message, result };
  }

  async function holds(anchor: string | undefined): Promise<boolean> {
    return anchor !== undefined && (await tellOf(reference1Of(anchor))).kind === 'held';
  }

  function orderOf(operation: OperationStarted): Order {
    switch (operation.kind) {
      case 'sale': {
        const { amountMinor, maxAmountMinor = amountMinor, currency } = operation;
        return saleOrder({ amountMinor, maxAmountMinor, currency }, reference1In(operation), profile);
      }
      case 'void':
        return voidOrder({ ...operation, terminalId: operation.terminal.terminalId }, profile);
      case 'batch_close':
        return closeOrder(
          { currency: operation.currency, terminalId: operation.terminal.terminalId },
          { profile, isIts: isKnownByNow(operation.terminal.terminalId) },
        );
    }
  }

  /** Null: the terminal can be asked for none. */
  function reference1In({ terminalReference }: { terminalReference?: string | undefined }): string | null {
    return profile.commands.inquiry === undefined || terminalReference === undefined
      ? null
      : reference1Of(terminalReference);
  }

  return {
    prepare: () => exclusive(poll),
    probe: () => exclusive(poll),
    sale(order, operation) {
      stopAsked = false;
      return exclusive(() => carryOut(saleOrder(order, reference1In(order), profile), operation));
    },
    void: (order, operation) => exclusive(() => reverse(order, operation)),
    closeBatch: (order, operation) => exclusive(() => close(order, operation)),
    lookUp: (inDoubt) => exclusive(() => lookUp(inDoubt)),
    cancel() {
      if (profile.commands.cancel === undefined) return;
      stopAsked = true;
      exchanges.cancel();
    },
    signOff: () => Promise.resolve(),
  };
}

function noQueryButInvoice(invoice: string): string {
  return (
    'This terminal cannot be asked what became of a payment. Look at its last receipt, or print its totals. The last ' +
    `invoice number that the bridge knows of is ${invoice}; a payment with a higher one is not known to it.`
  );
}

/** Nothing of ours is in any batch, so whichever is closed, none of ours is called settled. */
function isNobodys({ newest, othersUnsettled }: BatchOrder): boolean {
  return newest === undefined && othersUnsettled !== true;
}

/** Invoice numbers alone would not do: after an exchange of terminals both may have given the same one. */
function nameOf(invoice: string | null, approvalCode: string | null | undefined): string {
  return `${invoice ?? ''} ${approvalCode ?? ''}`;
}

function namedBy(message: EdcMessage): (terminalReference: string) => boolean {
  return (ours) => returnsReference(message, reference1Of(ours)) === true;
}

function idIn(message: EdcMessage): string | null {
  return fieldText(message, fieldType.terminalId);
}

function notSent(reason: string): OperationAnswer {
  return { kind: 'not_started', refusedByTerminal: true, reason };
}
function unavailable(reason: string): LookUp {
  return { kind: 'unavailable', reason };
}
