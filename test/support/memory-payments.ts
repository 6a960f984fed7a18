/** The payments module without journal and terminal: tests say what happens, and see what was asked. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../src/base/clock.ts';
import { refuse } from '../../src/contract/errors.ts';
import { discrepancyHold, type DiscrepancyView } from '../../src/contract/discrepancy.ts';
import type { Result, ErrorCode } from '../../src/contract/errors.ts';
import type { BatchResult, JournalEvent, StoredEvent } from '../../src/contract/journal-events.ts';
import { isNews } from '../../src/contract/operation.ts';
import type { TransactionStatus } from '../../src/contract/operation.ts';
import type { TerminalRecord } from '../../src/contract/terminal.ts';
import { moneyState } from '../../src/bridge/payments/money-state.ts';
import type {
  PaymentsEvent,
  PaymentRow,
  PaymentsApi,
  PaymentsStatus,
} from '../../src/bridge/payments/payments-api.ts';

type Payment = PaymentRow;

export interface MemoryPayments extends PaymentsApi {
  /** What was asked, in order: "createPayment", "voidPayment" and so on. */
  readonly asked: string[];
  readonly facts: StoredEvent[];
  /** How many callers wait for news now. */
  readonly waiting: number;
  /** Ends the sale of `reference` (or puts it in doubt for `unknown`). */
  decide(reference: string, status: TransactionStatus, more?: Partial<Payment>): void;
  /** Adds a fact as the journal does. */
  append(event: JournalEvent): StoredEvent;
  /** Writes a fact into the journal without telling anybody, as if an event were lost on its way. */
  appendUnheard(event: JournalEvent): StoredEvent;
  /** A void of the payment with this reference has this operation id. */
  belongsTo(operationId: string, reference: string): void;
  /** Tells everybody of a fact that is in the journal. */
  tell(stored: StoredEvent): void;
  setStatus(change: Partial<PaymentsStatus> & { terminalChange?: Partial<PaymentsStatus['terminal']> }): void;
  /** The next commands are refused so; null: no more. */
  refuseWith(code: ErrorCode | null): void;
  /** The next call of anything throws. */
  breakNext(): void;
  /** What VoidPayment, SubmitBatch and CancelPayment answer; never, if a promise is given that never resolves. */
  answers: {
    cancelPayment: (reference: string | null) => Promise<Result<{ payment: Payment | null }>>;
    voidPayment: (
      reference: string,
      waitMs: number,
    ) => Promise<Result<{ payment: Payment; repeated: boolean }>>;
    submitBatch: (waitMs: number) => Promise<Result<{ batch: BatchResult | null; text: string }>>;
    admission: (reference: string) => Promise<void> | null;
    paymentState: PaymentsApi['paymentState'];
  };
}

const terminal = { protocol: 'zvt', terminalId: '52500041' } as const;
const empty = { kind: 'empty' } as const;

export function createMemoryPayments(clock: Clock): MemoryPayments {
  const payments = new Map<string, Payment>();
  const operations = new Map<string, string>();
  const facts: StoredEvent[] = [];
  const listeners = new Set<(paymentsEvent: PaymentsEvent) => void>();
  const waiters = new Set<() => void>();
  /** Open and acknowledged, in the order in which they were found. */
  const discrepancies = new Map<string, DiscrepancyView>();
  const openDiscrepancies = () =>
    [...discrepancies.values()].filter(({ acknowledged }) => acknowledged === null);
  const asked: string[] = [];
  let refusal: ErrorCode | null = null;
  let broken = false;
  let status: PaymentsStatus = {
    terminal: {
      connection: 'ready',
      text: 'Ready.',
      line: 'memory',
      terminal,
      simulated: false,
      progress: null,
      progressStep: null,
    },
    journal: { writable: true, text: 'The journal is in order.' },
    inDoubt: 0,
    discrepancies: 0,
    currentOperation: null,
  };

  const noteAsked = (name: string) => {
    asked.push(name);
    if (broken) {
      broken = false;
      throw new Error('secret detail of a fault');
    }
  };

  const appendUnheard = (event: JournalEvent): StoredEvent => {
    const stored = { seq: facts.length + 1, at: '2024-06-03T10:20:30.000Z', event };
    facts.push(stored);
    if (event.type === 'discrepancy_found') {
      const { type: _type, ...found } = event;
      discrepancies.set(event.discrepancyId, {
        ...found,
        seq: stored.seq,
        foundAt: stored.at,
        acknowledged: null,
      });
    }
    if (event.type === 'discrepancy_acknowledged') {
      const found = discrepancies.get(event.discrepancyId);
      if (found === undefined) throw new Error(`no discrepancy ${event.discrepancyId}`);
      const { by, reason } = event;
      discrepancies.set(event.discrepancyId, { ...found, acknowledged: { by, reason, at: stored.at } });
    }
    return stored;
  };
  const tell = (stored: StoredEvent): void => {
    const { event } = stored;
    const payment =
      'operationId' in event && event.operationId !== null ? paymentOfOperation(event.operationId) : null;
    for (const listener of listeners) listener({ kind: 'journal_event', stored, payment });
  };
  const append = (event: JournalEvent): StoredEvent => {
    const stored = appendUnheard(event);
    tell(stored);
    for (const check of waiters) check();
    return stored;
  };

  const paymentOfOperation = (operationId: string): Payment | null => {
    const reference = operations.get(operationId);
    return reference === undefined ? null : (payments.get(reference) ?? null);
  };

  const find = (reference: string): Result<Payment> => {
    if (refusal === 'journal_unavailable') return refuse(refusal, 'The journal is damaged.');
    const payment = payments.get(reference);
    return payment === undefined
      ? refuse('payment_not_found', `There is no payment ${reference}.`)
      : { ok: true, value: payment };
  };

  const journal = {
    paymentByReference: (reference: string) => payments.get(reference) ?? null,
    openOperations: () => [],
    openDiscrepancies: () => [],
    discrepanciesOf: (reference: string) =>
      [...discrepancies.values()].filter(({ references }) => references.includes(reference)),
  };

  const self: MemoryPayments = {
    asked,
    facts,
    get waiting() {
      return waiters.size;
    },
    append,
    appendUnheard,
    tell,
    belongsTo: (operationId, reference) => void operations.set(operationId, reference),

    decide(reference, wanted, more = {}) {
      const payment = payments.get(reference);
      if (payment === undefined) throw new Error(`no payment ${reference}`);
      payments.set(reference, { ...payment, status: wanted, ...more });
      const operationId = payment.transactionId;
      if (wanted === 'unknown')
        append({ type: 'operation_in_doubt', operationId, reason: more.reason ?? '' });
      else append(endedFact(operationId, wanted === 'approved' ? 'approved' : 'declined'));
    },

    setStatus({ terminalChange, ...change }) {
      status = { ...status, ...change, terminal: { ...status.terminal, ...terminalChange } };
      for (const listener of listeners) listener({ kind: 'terminal', terminal: status.terminal });
    },
    refuseWith(code) {
      refusal = code;
    },
    breakNext() {
      broken = true;
    },

    answers: {
      cancelPayment: () => Promise.resolve(refuse('no_payment_in_progress', 'No payment is in progress.')),
      voidPayment: (reference) => {
        const found = find(reference);
        if (!found.ok) return Promise.resolve(found);
        const payment = { ...found.value, status: 'voided' as const };
        payments.set(reference, payment);
        return Promise.resolve({ ok: true, value: { payment, repeated: false } });
      },
      submitBatch: () =>
        Promise.resolve({ ok: true, value: { batch: null, text: 'There was nothing to settle.' } }),
      admission: () => null,
      paymentState: (command, reference) =>
        refusal === 'journal_unavailable' ? 'unknown' : moneyState(journal, command, reference),
    },

    createPayment(request) {
      noteAsked('createPayment');
      if (refusal !== null) return Promise.resolve(refuse(refusal, `Refused with ${refusal}.`));
      const reference = request.reference ?? '000000000001';
      const known = payments.get(reference);
      if (known !== undefined)
        return Promise.resolve({ ok: true, value: { payment: known, repeated: true } });
      const { amountMinor, conditionCode } = request;
      const payment = newPayment(reference, amountMinor, conditionCode, payments.size + 1);
      payments.set(reference, payment);
      operations.set(payment.transactionId, reference);
      append({
        type: 'operation_started',
        operationId: payment.transactionId,
        kind: 'sale',
        reference,
        conditionCode: payment.conditionCode,
        amountMinor: payment.amountMinor,
        currency: 'EUR',
        terminal,
        baseline: empty,
        simulated: false,
      });
      return Promise.resolve({ ok: true, value: { payment, repeated: false } });
    },

    admission: (reference) => self.answers.admission(reference),
    paymentState: (command, reference) => self.answers.paymentState(command, reference),
    discrepancies: (after = 0) => openDiscrepancies().filter(({ seq }) => seq > after),
    salesHeld: () => openDiscrepancies().some(({ kind }) => discrepancyHold[kind] === 'sales'),
    mayMissPayments: () => self.salesHeld(),
    discrepancyOf: (reference) =>
      openDiscrepancies().findLast(({ references }) => references.includes(reference)) ?? null,
    acknowledge({ discrepancyId, by, reason }) {
      const found = discrepancies.get(discrepancyId);
      if (found?.acknowledged !== null) return refuse('invalid_request', 'There is no such discrepancy.');
      append({ type: 'discrepancy_acknowledged', discrepancyId, by, reason });
      return { ok: true, value: discrepancies.get(discrepancyId) ?? found };
    },

    queryPayment(reference) {
      noteAsked('queryPayment');
      return find(reference);
    },

    waitForNews({ reference, status: known }, waitMs, signal) {
      noteAsked(`waitForNews ${waitMs}`);
      return new Promise((resolve) => {
        const end = () => {
          waiters.delete(check);
          cancelTimer();
          signal.removeEventListener('abort', end);
          resolve(find(reference));
        };
        const check = () => {
          const found = find(reference);
          if (!found.ok || isNews(found.value.status, known)) end();
        };
        const cancelTimer = clock.after(waitMs, end);
        waiters.add(check);
        signal.addEventListener('abort', end);
        if (signal.aborted) end();
      });
    },

    cancelPayment(reference) {
      noteAsked('cancelPayment');
      return self.answers.cancelPayment(reference);
    },
    voidPayment(reference, waitMs) {
      noteAsked(`voidPayment ${waitMs}`);
      return self.answers.voidPayment(reference, waitMs);
    },
    submitBatch(waitMs) {
      noteAsked(`submitBatch ${waitMs}`);
      return self.answers.submitBatch(waitMs);
    },

    operationsInDoubt: () => [],
    checkTerminal: () => Promise.resolve({ kind: 'answered', text: 'The terminal is ready.' }),
    resolve: () => refuse('not_found', 'Nothing is in doubt.'),
    status: () => ({ ...status, discrepancies: openDiscrepancies().length }),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    eventsAfter: (seq, limit) => facts.slice(seq, seq + limit),
    lastSeq: () => facts.length,
    paymentOfOperation,
  };
  return self;
}

export function endedFact(
  operationId: string,
  outcome: Extract<JournalEvent, { type: 'operation_ended' }>['outcome'],
  more: Partial<Extract<JournalEvent, { type: 'operation_ended' }>> = {},
): JournalEvent {
  return {
    type: 'operation_ended',
    operationId,
    outcome,
    reason: '',
    result: null,
    evidence: null,
    receiptLines: [],
    resolvedBy: null,
    batch: null,
    settled: [],
    ...more,
  };
}

export function discrepancyFact(
  discrepancyId: string,
  more: Partial<Extract<JournalEvent, { type: 'discrepancy_found' }>> = {},
): JournalEvent {
  return {
    type: 'discrepancy_found',
    discrepancyId,
    kind: 'unexplained_payment',
    operationId: null,
    references: [],
    amountMinor: 1_200,
    currency: 'EUR',
    record: approvedRecord(),
    message: 'The terminal shows an approved payment of 12.00 EUR that the bridge did not cause.',
    ...more,
  };
}

/** A fact that changes no payment. */
export function quietFact(): JournalEvent {
  return { type: 'terminal_lost', reason: 'the cable' };
}

export function approvedRecord(change: Partial<TerminalRecord> = {}): TerminalRecord {
  return {
    kind: 'payment',
    approved: true,
    resultCode: '00',
    resultText: 'approved',
    amountMinor: 1_200,
    currency: 'EUR',
    terminalId: '52500041',
    merchantId: '12345',
    traceNumber: '000021',
    receiptNumber: '0007',
    turnoverNumber: null,
    originalTraceNumber: null,
    approvalCode: 'A1B2C3',
    maskedCardNumber: '541333******0019',
    cardScheme: 'Mastercard',
    schemeGroup: 'mastercard',
    entryMode: 'contactless',
    signatureRequired: false,
    hostResponseCode: '00',
    hostResponseText: 'OK',
    terminalDate: '0603',
    terminalTime: '102030',
    batchNumber: null,
    receiptFrom: null,
    receiptTo: null,
    totals: null,
    ...change,
  };
}

function newPayment(
  reference: string,
  amountMinor: number,
  conditionCode: string,
  position: number,
): Payment {
  return {
    position,
    transactionId: randomUUID(),
    reference,
    conditionCode,
    amountMinor,
    currency: 'EUR',
    status: 'in_progress',
    simulated: false,
    terminal,
    epoch: 0,
    createdAt: '2024-06-03T10:20:30.000Z',
    updatedAt: '2024-06-03T10:20:30.000Z',
    completedAt: null,
    reason: '',
    result: null,
    receiptLines: [],
    resolvedBy: null,
    batchNumber: null,
  };
}
