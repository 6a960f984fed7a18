/** The journal as the rooms see it; `openJournal` in `index.ts` makes one. */
import type { JournalEvent, OperationStarted, StoredEvent } from '../../contract/journal-events.ts';
import type { Currency } from '../../contract/money.ts';
import type {
  OperationKind,
  OperationOutcome,
  OperationPhase,
  TransactionStatus,
} from '../../contract/operation.ts';
import type { LastRecord, TerminalIdentity, TerminalRecord } from '../../contract/terminal.ts';

export interface Journal {
  /**
   * Appends facts and updates the projections in one transaction, on disk (synced) when it returns. Throws
   * `JournalWriteError` if nothing of it was kept; then the facts did not happen as far as the journal knows.
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
  operation(operationId: string): OperationRow | null;
  /** Started and not ended, oldest first. At most a handful. */
  openOperations(): OperationRow[];
  /**
   * Approved, not voided, not settled payments, oldest first; with `fromEpoch` only those of that epoch and later
   * (the terminal's open batch: `terminalState().batchEpoch`), which stays fast however many older ones there are.
   */
  unsettledPayments(fromEpoch?: number): PaymentRow[];
  /** Closed and open batch closes, newest first. */
  batches(page: { limit: number; before?: number | undefined }): OperationRow[];
  /** How many batches have been closed so far; the next one's number is one more. */
  closedBatches(): number;
  terminalState(): TerminalState;

  /** Facts after `seq`, in order, at most `limit`. */
  eventsAfter(seq: number, limit: number): StoredEvent[];
  /** All facts of one operation, in order. */
  eventsOf(operationId: string): StoredEvent[];
  /** The sequence number of the newest fact; 0 when there is none. */
  lastSeq(): number;
  /** Hears of facts after they are on disk. Returns a function that ends it. A subscriber must not throw. */
  subscribe(listener: (stored: StoredEvent) => void): () => void;
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
  /** The number of the batch that settled it. */
  batchNumber: string | null;
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
  needsPerson: boolean;
  cancelRequested: boolean;
  startedAt: string;
  endedAt: string | null;
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

/** Facts that cannot follow on those there are, such as a second sale for a reference: a bug in the caller. */
export class JournalRuleError extends Error {
  override name = 'JournalRuleError';
}
