/** The journal as the modules see it; `openJournal` in `index.ts` makes one. */
import type { DaySummary, PaymentFilter, PaymentOrder, Span } from '../../contract/payment-queries.ts';
import type { DiscrepancyView } from '../../contract/discrepancy.ts';
import type {
  BatchOutcome,
  BatchResult,
  BatchStarted,
  JournalEvent,
  JournalEventOf,
  OperationStarted,
  StoredEvent,
} from '../../contract/journal-events.ts';
import type { Currency } from '../../contract/money.ts';
import type {
  OperationKind,
  OperationOutcome,
  OperationPhase,
  TransactionStatus,
} from '../../contract/operation.ts';
import type { LastRecord, TerminalIdentity, TerminalRecord, TerminalTrait } from '../../contract/terminal.ts';

export interface Journal {
  /**
   * Appends events and updates the projections in one transaction, on disk (synced) when it returns. Throws
   * `JournalWriteError` if nothing of it was kept; then the events did not happen as far as the journal knows.
   */
  append(...events: JournalEvent[]): StoredEvent[];

  paymentByReference(reference: string): PaymentRow | null;
  payment(transactionId: string): PaymentRow | null;
  /** Newest first. `before` is the `position` of the last row of the page before. */
  payments(page: {
    limit: number;
    before?: number | undefined;
    status?: TransactionStatus | undefined;
  }): PaymentRow[];
  /** Payments that the console asks for: see `PaymentSearch` and `PaymentPage`. */
  searchPayments(search: PaymentSearch): PaymentPage;
  /** The amounts of the payments that match, newest first; one call looks at a bounded number of payments. */
  paymentAmounts(search: AmountSearch): AmountPage;
  /** The payments at these positions, in their order; where there is none it is left out. At most 10,000. */
  paymentsAt(positions: readonly number[]): PaymentRow[];
  /**
   * What the payments in `currency` that began in the span add up to: one step looks at a bounded number of payments, and
   * whoever runs it gives way to others between two. `hours` ends with the 48th, the other numbers are of the whole span.
   */
  summary(span: Span, currency: Currency): Generator<undefined, DaySummary>;
  /** Of the payments that began in the span, in no order; at most ten. */
  currencies(span: Span): Currency[];
  /**
   * What else happened in the span: doubts, ends that a person decided, voids, closed batches, discrepancies found and
   * acknowledged. In order, in pages; see `DayEventsPage`.
   */
  dayEvents(span: Span, from: number | null): DayEventsPage;
  operation(operationId: string): OperationRow | null;
  /** The operations that were begun to reverse a payment, oldest first. */
  voidsOf(transactionId: string): string[];
  /** Started and not ended, oldest first. At most a handful. */
  openOperations(): OperationRow[];
  /**
   * Approved, not voided, not settled payments, oldest first; with `fromEpoch` only those of that epoch and later
   * (the terminal's open batch: `terminalState().batchEpoch`), which stays fast however many older ones there are.
   */
  unsettledPayments(fromEpoch?: number): PaymentRow[];
  /** Closed and open batch closes, newest first. */
  batches(page: { limit: number; before?: number | undefined }): BatchRow[];
  /** How many batches have been closed so far; the next one's number is one more. */
  closedBatches(): number;
  terminalState(): TerminalState;
  /** What this journal knows of a terminal; of one without an id nothing. */
  terminalKnowledge(terminal: TerminalIdentity): TerminalKnowledge;

  /** Not acknowledged, oldest first, at most `limit`. */
  openDiscrepancies(limit: number, after?: number): DiscrepancyView[];
  openDiscrepancyCount(): number;
  discrepancy(discrepancyId: string): DiscrepancyView | null;
  /** All that are about the payment with this reference, oldest first. */
  discrepanciesOf(reference: string): DiscrepancyView[];
  /** Open and acknowledged, newest first. `before` is the `seq` of the last one's `discrepancy_found`. */
  discrepancies(page: { limit: number; before?: number | undefined }): DiscrepancyView[];

  /** Events after `seq`, in order, at most `limit`. */
  eventsAfter(seq: number, limit: number): StoredEvent[];
  /** All events of one operation, in order. */
  eventsOf(operationId: string): StoredEvent[];
  /** The sequence number of the newest event; 0 when there is none. */
  lastSeq(): number;
  /** Hears of events after they are on disk. Returns a function that ends it. A subscriber must not throw. */
  subscribe(listener: (stored: StoredEvent) => void): () => void;
  /** An operation has just ended, and its answers are out: what the journal owes may be done now. */
  operationEnded(): void;
  close(): void;
}

export interface PaymentRow {
  /** Grows with each payment; the page key. */
  position: number;
  transactionId: string;
  reference: string;
  conditionCode: string;
  amountMinor: number;
  currency: Currency;
  status: TransactionStatus;
  simulated: boolean;
  terminal: TerminalIdentity;
  /** Counts the boundaries (batch, gap, changed terminal) that the terminal's records have passed; see TerminalState. */
  epoch: number;
  createdAt: string;
  /** When it got the status that it has. */
  updatedAt: string;
  /** Of the sale's end; null while it has none. */
  completedAt: string | null;
  /** The sentence of the latest end, or of the doubt. */
  reason: string;
  result: TerminalRecord | null;
  receiptLines: string[];
  /** Who decided by hand how the sale ended; null where nobody had to. */
  resolvedBy: JournalEventOf<'operation_ended'>['resolvedBy'];
  /** The number of the batch that settled it. */
  batchNumber: string | null;
}

export interface PaymentSearch extends PaymentFilter {
  /** `next` of the page before, or a position: what matches below it, newest first. Null: the first page. */
  before: number | null;
  limit: number;
  /** `oldest`: the other way round, also with a text; a position is then what it goes on above. Left out: newest. */
  order?: Extract<PaymentOrder, 'newest' | 'oldest'> | undefined;
}

export interface AmountSearch extends PaymentFilter {
  /** `next` of the page before; null: the first page. */
  before: number | null;
}

export interface AmountPage {
  amounts: PaymentAmount[];
  next: number | null;
  /** When the next one was made that is to be looked at. */
  nextAt: string | null;
}

export interface PaymentAmount {
  position: number;
  currency: Currency;
  status: TransactionStatus;
  /** Minor units that the terminal took; where it took none those that were asked for. */
  minor: number;
}

/**
 * Newest first, at most `limit`; fewer, or none, when so many had been looked at for one call. Going on with `next` until
 * it is null gives each payment that was there at the first call once. A payment that changes meanwhile is judged as it
 * is when its turn comes.
 *
 * With a text and no span (or a long one) those whose reference begins with it come first, found by the index of
 * references however old they are: the very reference, then the others from the highest reference down. The rest follows
 * newest first. (With an undecided status it is the newest first as well: those are few.)
 */
export interface PaymentPage {
  payments: PaymentRow[];
  /** For the next page; null: that was all. A number below zero is no position and means something here only. */
  next: number | null;
}

export interface DayEventsPage {
  /** In order. */
  events: StoredEvent[];
  /** For the next page; null: that was all. */
  next: number | null;
}

export interface OperationRow {
  /** Grows with each operation; the page key. */
  position: number;
  operationId: string;
  kind: OperationKind;
  phase: OperationPhase;
  outcome: OperationOutcome | null;
  /** The payment that a sale makes or a void reverses; null for a batch close. */
  paymentId: string | null;
  reference: string | null;
  started: OperationStarted;
  result: TerminalRecord | null;
  /** Latest doubt or end. */
  reason: string;
  needsDecision: boolean;
  cancelRequested: boolean;
  startedAt: string;
  endedAt: string | null;
}

/** A batch close, open or ended. */
export interface BatchRow extends OperationRow {
  kind: 'batch_close';
  outcome: BatchOutcome | null;
  started: BatchStarted;
  /** The terminal's totals beside the journal's; null until it has closed. */
  batch: BatchResult | null;
}

export interface TerminalKnowledge {
  /** It has shown a record of its own before, so that showing none, or an older one, means something. */
  showsRecords: boolean;
  traits: TerminalTrait[];
}

/** The name under which a terminal is known; null for one that has not told its id. */
export function terminalKey({ protocol, terminalId }: TerminalIdentity): string | null {
  return terminalId === null ? null : `${protocol}:${terminalId}`;
}

/**
 * A terminal may tell its id only in its records, or only now and then: what it told before is still so. Only another id
 * is another terminal.
 */
export function completeIdentity(
  terminal: TerminalIdentity,
  lastRecord: LastRecord,
  before: TerminalIdentity | null,
): TerminalIdentity {
  const inRecord = lastRecord.kind === 'record' ? lastRecord.record.terminalId : null;
  const known = before?.protocol === terminal.protocol ? before.terminalId : null;
  return { ...terminal, terminalId: terminal.terminalId ?? inRecord ?? known };
}

export interface TerminalState {
  terminal: TerminalIdentity | null;
  lastRecord: LastRecord;
  /** Grows by one at each boundary that may separate receipt numbers: batch, gap, changed terminal. */
  epoch: number;
  /** The epoch that began with the latest boundary that certainly closed a batch or changed the terminal. */
  batchEpoch: number;
}

export class JournalWriteError extends Error {
  override name = 'JournalWriteError';
}

/**
 * The file turned out to be damaged while it was in use. It has been set aside, and nothing can be read or written
 * until a person has chosen (`repairJournal`).
 */
export class JournalDamagedError extends JournalWriteError {
  override name = 'JournalDamagedError';
}

/** Events that cannot follow on those there are, such as a second sale for a reference: a bug in the caller. */
export class JournalRuleError extends Error {
  override name = 'JournalRuleError';
}
