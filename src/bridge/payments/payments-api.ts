/** What the listener, the console and the command line may ask of the payments module. */
import type { Result, PaymentState } from '../../contract/errors.ts';
import type { BatchResult, StoredEvent } from '../../contract/journal-events.ts';
import type { DiscrepancyView } from '../../contract/discrepancy.ts';
import type { InDoubtView, TerminalCheck } from '../../contract/in-doubt.ts';
import type { OperationKind, Resolution } from '../../contract/operation.ts';
import type {
  ProgressStep,
  RequiredAction,
  TerminalConnection,
  TerminalIdentity,
} from '../../contract/terminal.ts';
import type { PaymentRow } from '../journal/index.ts';

export type { DiscrepancyView, InDoubtView, PaymentRow, TerminalConnection };

export interface PaymentsApi {
  /** Resolves as soon as the payment is durable (or known from before); does not wait for the card. */
  createPayment(request: {
    /** More than zero, in minor units of the configured currency. */
    amountMinor: number;
    /** As `referenceSchema` has it. Null: one is made. */
    reference: string | null;
    /** As `conditionCodeSchema` has it. */
    conditionCode: string;
    /** Absent where the caller waits in this process and cannot go away. */
    caller?: Caller;
  }): Promise<Result<{ payment: PaymentRow; repeated: boolean }>>;
  /**
   * A payment with this reference was asked for, and waits for the terminal to be read (at most 5 s) before it is
   * journaled: resolves when that has ended, one way or the other. Null when none is being admitted.
   */
  admission(reference: string): Promise<void> | null;
  /**
   * Refuses with `payment_not_found`; or, because "not found" would be a lie that costs a second sale, with
   * `journal_unavailable` where the journal cannot be read, and `payment_unresolved` where it has lost events that nobody has
   * acknowledged.
   */
  queryPayment(reference: string): Result<PaymentRow>;
  /**
   * The payment once it is decided, or unknown where its status was another; or as it is after `waitMs` or when `signal`
   * aborts. `known` is the payment as the caller knows it. Refuses as `queryPayment` does.
   */
  waitForNews(
    known: Pick<PaymentRow, 'reference' | 'status'>,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<Result<PaymentRow>>;
  /** `ok` means that the payment on the terminal ended without money, confirmed by the terminal. */
  /** `payment` is null when a payment was withdrawn that had not started: nothing was sent. */
  cancelPayment(reference: string | null): Promise<Result<{ payment: PaymentRow | null }>>;
  voidPayment(
    reference: string,
    waitMs: number,
    caller?: Caller,
  ): Promise<Result<{ payment: PaymentRow; repeated: boolean }>>;
  /** `batch` is null when there was nothing to settle. */
  submitBatch(waitMs: number, caller?: Caller): Promise<Result<{ batch: BatchResult | null; text: string }>>;

  /**
   * What may be said of the money when `command` has failed for `reference` (null: the request had none that could be
   * read; a batch has none). Never refuses: what cannot be read is `unknown`.
   */
  paymentState(command: MoneyCommand, reference: string | null): PaymentState;

  operationsInDoubt(): InDoubtView[];
  /**
   * Has the terminal asked again now, as recovery asks it by itself: nothing that moves money is sent. Resolves with what
   * came of it, after `waitMs` at the latest.
   */
  checkTerminal(waitMs: number): Promise<TerminalCheck>;
  /** A page of the open ones, oldest first: those after `after`, the `seq` of the last one of the page before. */
  discrepancies(after?: number): DiscrepancyView[];
  /** An open discrepancy keeps every sale from starting. */
  salesHeld(): boolean;
  /**
   * That a reference is not found says nothing: the journal cannot be read, or a repair lost events of it and nobody has
   * acknowledged that. False: what it does not have was not paid here.
   */
  mayMissPayments(): boolean;
  /** The open one about the payment with this reference that says most about its money, or null. */
  discrepancyOf(reference: string): DiscrepancyView | null;
  /** A named person has seen it; it is closed by that, and nothing else changes. */
  acknowledge(request: { discrepancyId: string; by: string; reason: string }): Result<DiscrepancyView>;
  resolve(request: {
    operationId: string;
    resolution: Resolution;
    by: string;
    reason: string;
    /** The person states that the terminal cannot be reached. Without it the terminal has to have been seen idle. */
    terminalUnreachable?: boolean;
  }): Result<{ operationId: string; kind: OperationKind; reference: string | null }>;

  status(): PaymentsStatus;
  /**
   * Journal events, each with the payment as that event left it, and changes of the terminal's state; in their order,
   * once the answers of the turn are out in which they came about. Returns a function that ends it.
   */
  subscribe(listener: (paymentsEvent: PaymentsEvent) => void): () => void;
  /** Events of the journal after `seq`, for replay. */
  eventsAfter(seq: number, limit: number): StoredEvent[];
  /** The sequence number of the newest event; 0 when there is none. */
  lastSeq(): number | null;
  /** The payment that a sale makes or a void reverses; null for a batch close or an unknown operation. */
  paymentOfOperation(operationId: string): PaymentRow | null;
}

/** Whoever asks for a payment: a payment whose caller has gone, or which was asked for too long ago, starts nothing. */
export interface Caller {
  /** When the request arrived, by the wall clock and by the elapsed time of the bridge's clock, in milliseconds. */
  arrivedAt: { nowMs: number; elapsedMs: number };
  /** Resolves when all is read that had arrived with the request, such as the end of its connection. */
  allRead(): Promise<void>;
  /** The connection that the request came on is closed, as far as it has been read. */
  gone(): boolean;
  /** It hears nothing before the operation has ended, so that no answer has to be out before the terminal gets it. */
  waits: boolean;
}

export type MoneyCommand = 'CreatePayment' | 'VoidPayment' | 'SubmitBatch';

export type PaymentsEvent =
  | { kind: 'journal_event'; stored: StoredEvent; payment: PaymentRow | null }
  | { kind: 'terminal'; terminal: TerminalStatus };

export interface TerminalStatus {
  connection: TerminalConnection;
  /** Of a terminal that needs attention. */
  requiredAction?: RequiredAction;
  /** A sentence: what it is waiting for, what is wrong, what to do. */
  text: string;
  line: string;
  terminal: TerminalIdentity | null;
  simulated: boolean;
  /** What the terminal shows during a payment ("Insert card"), or null. */
  progress: string | null;
  /** The same as a word that any language has, as far as the protocol tells; null without progress. */
  progressStep: ProgressStep | null;
}

export interface PaymentsStatus {
  terminal: TerminalStatus;
  journal: { writable: boolean; text: string };
  inDoubt: number;
  /** Open discrepancies. */
  discrepancies: number;
  /** The operation on the terminal now. */
  currentOperation: { operationId: string; kind: OperationKind; reference: string | null } | null;
}
