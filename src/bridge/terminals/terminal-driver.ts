/**
 * What the payments module knows of a terminal, whatever its protocol. A `TerminalProtocol` is stateless; a
 * `TerminalDriver` lives exactly as long as one connection of a line. Expected failures are values; a rejected promise
 * is a fault, which the caller treats as `unknown`.
 */
import type {
  Continuity,
  LastRecord,
  OtherTerminal,
  PrintedLines,
  ProgressStep,
  RequiredAction,
  TerminalIdentity,
  TerminalRecord,
  TerminalTrait,
} from '../../contract/terminal.ts';
import type { ProtocolName } from '../../contract/protocols.ts';
import type { OperationStarted, OperationTimes } from '../../contract/journal-events.ts';
import type { Currency } from '../../contract/money.ts';
import type { LineConnection, Unsent } from '../lines/line.ts';
import type { CaptureForm, RequestForm, RequestTransport } from './framing/index.ts';

export interface TerminalProtocol {
  readonly name: ProtocolName;
  /**
   * How many characters (A–Z, 0–9) the number has under which the terminal keeps a sale or a void: a new one is drawn and
   * journaled for each of them before the first byte. Absent where the protocol carries none.
   */
  readonly terminalReferenceLength?: number;
  /**
   * It shows no last record by itself (it has none, or would print it each time): that none can be read says nothing of
   * what happened meanwhile.
   */
  readonly hasNoLastRecord?: true;
  /** It takes back by itself an approval that is not acknowledged. Absent: what it has approved stands, whatever we answer. */
  readonly undoesUnacknowledged?: true;
  /** Why a running sale cannot be stopped from here, and what to do instead: a sentence. Absent where it can. */
  readonly cannotCancel?: string;
  /** Why the terminal cannot be given this sale, as the second half of "amount: …"; null when it can. Pure. */
  refuseSale?(sale: { amountMinor: number; currency: Currency }): string | null;
  /**
   * Why the terminal cannot reverse this payment now, although the bridge would: a sentence; null when it can. `later`: what
   * it told of our payments after this one. Pure.
   */
  refuseVoid?(
    original: TerminalRecord,
    lastRecord: LastRecord,
    later?: readonly TerminalRecord[],
  ): string | null;
  /**
   * How `current` follows on `previous`. Pure. `unnumbered`: so many records of ours without a number came between, each
   * of which may have used one up; none when left out.
   */
  continuity(previous: LastRecord, current: LastRecord, unnumbered?: number): Continuity;
  /**
   * What the terminal's last record, or what it holds of this very operation where it was asked for that, proves about an
   * operation in doubt that was begun in this protocol. Pure; the rules are the protocol's.
   */
  reconcile(
    inDoubt: OperationInDoubt,
    terminal: TerminalIdentity,
    lastRecord: LastRecord,
  ): ReconciliationResult;
}

/** Told to the driver's owner at any time while the connection lives. Calls are synchronous and must not throw. */
export interface DriverWatch {
  /** What the terminal shows the customer or the cashier now ("Insert card"), for window and log. */
  progress(text: string, step: ProgressStep): void;
  /**
   * A result came while no operation of this driver was waiting for one (after a restart or after silence). True: it
   * belongs to the operation in doubt and is on disk now, so acknowledge it. False: never acknowledge it. `isKeptUnder`
   * tells whether it is that of this number of ours; left out where the terminal told none with it.
   */
  lateResult(result: TerminalRecord, isKeptUnder?: (terminalReference: string) => boolean): boolean;
  /** What is known of this terminal from before; empty while its id is not known. */
  traits(terminalId: string | null): ReadonlySet<TerminalTrait>;
  /**
   * Another terminal may be there from now on, though the connection has not ended. `reason`: what was seen, a sentence.
   * False: it could not be written, so nothing that moves money may be sent to it.
   */
  mayBeAnother(reason: string): boolean;
  /** The terminal turned out to be so; journaled once for each terminal. `explanation`: what was seen, a sentence. */
  learned(terminalId: string | null, trait: TerminalTrait, explanation: string): void;
}

/** Called during one operation. */
export interface OperationWatch {
  /** Puts a result on disk. False: it could not be written, so it must not be acknowledged to the terminal. */
  persistResult(result: TerminalRecord): boolean;
  /** An approving result does not fit what was ordered. It is about to be refused, so that the terminal undoes it. */
  resultRefused(result: TerminalRecord): void;
  /**
   * Payments that a close was to settle are not in the batch, or nothing says that they are. Told before the close is sent.
   * False: it could not be written, so it must not be sent.
   */
  notInBatch(found: NotInBatch): boolean;
  /**
   * Every acknowledgement that makes the approving result final has surely reached the terminal. Called at most once,
   * and not at all where the protocol never shows it before the operation ends, or the operation is done so soon
   * afterwards that its end says it.
   */
  acknowledged(): void;
  /** How long the terminal took, once it has answered the command; before the operation ends. The last call counts. */
  timed(times: OperationTimes): void;
}

/** Of the payments in `BatchOrder.unsettled` those that are not settled with the batch as they were approved. */
export interface NotInBatch {
  /** Undone at the terminal; `record` is that of what undid it. */
  undone: { terminalReference: string; record: TerminalRecord }[];
  /** They stand there, at another amount or in another currency by now; `record` is what it holds. */
  differing: { terminalReference: string; record: TerminalRecord }[];
  /** It did not tell of them, or was not asked. */
  untold: string[];
}

/** A terminal that can be spoken to, for as long as its connection lives. */
export interface TerminalConnection {
  readonly driver: TerminalDriver;
  /** Called once, with a reason for people, when the connection ends for any cause (also after `close()`). */
  onClose(handler: (reason: string) => void): void;
  readonly closed: boolean;
  /** Ends the connection; resolves when whatever it holds is free again. Never rejects. See `LineConnection.close`. */
  close(unsent?: Unsent): Promise<void>;
}

/** Makes a connection, tried with backoff until there is one; null once `signal` aborts. Moves no money. */
export type ConnectTerminal = (
  watch: DriverWatch,
  signal: AbortSignal,
  onFailure: (reason: string, nextTryMs: number) => void,
) => Promise<TerminalConnection | null>;

/** A protocol of requests, which has no line. `connect` also finds out anew what was true of the terminal before. */
export interface RequestProtocol extends TerminalProtocol {
  readonly connect: ConnectTerminal;
  /** How its requests are recorded, and played again. Absent: they are not. */
  readonly recordable?: {
    readonly form: RequestForm;
    /** The same protocol, whose requests go the way that this makes of its own. */
    through(change: (own: RequestTransport) => RequestTransport): RequestProtocol;
  };
}

/** Opens a line, tried with backoff until it is open; null once `signal` aborts. */
export type OpenLine = (
  signal: AbortSignal,
  onFailure: (reason: string, nextTryMs: number) => void,
) => Promise<LineConnection | null>;

/** A protocol of bytes on a line. */
export interface LineProtocol extends TerminalProtocol {
  /** Where the terminal may hang up between two commands: the line that `attach` gets, which is opened again then. */
  redialled?(first: LineConnection, openLine: OpenLine): LineConnection;
  /** How its lines are recorded. Absent: they are not. */
  readonly captureForm?: CaptureForm;
  attach(connection: LineConnection, watch: DriverWatch): TerminalDriver;
}

export interface TerminalDriver {
  /**
   * Registers with the terminal, asks whether it is ready, and reads its last record. Moves no money; carries no
   * amount. Also used again and again during recovery, until the terminal is idle.
   */
  prepare(): Promise<Readiness>;
  /** The idle heartbeat: still there, still ready, and its last record now. Carries no amount. */
  probe(): Promise<Readiness>;
  /**
   * Asks the terminal what became of one operation in doubt, where it can be asked for a single one: by the number that it
   * was ordered under, or in a list of all that it holds. The terminal answered a moment ago, be it that a person must do
   * something first. Carries no amount. Absent where the last record is all that it shows.
   */
  lookUp?(operation: OperationInDoubt): Promise<LookUp>;
  /** One copy of the sale on the wire (again only after a NAK). Ends when the terminal's own sequence has ended. */
  sale(order: SaleOrder, watch: OperationWatch): Promise<OperationAnswer>;
  void(order: VoidOrder, watch: OperationWatch): Promise<OperationAnswer>;
  closeBatch(order: BatchOrder, watch: OperationWatch): Promise<OperationAnswer>;
  /** Asks the terminal to stop the running sale, at the first moment the protocol allows. The sale's answer tells. */
  cancel(): void;
  /** Signs off (ZVT: 06 02) if idle, best effort and bounded. The connection is closed by the caller. */
  signOff(): Promise<void>;
}

export interface SaleOrder {
  amountMinor: number;
  /** The most that may be approved: more than `amountMinor` where tips are allowed. */
  maxAmountMinor: number;
  currency: Currency;
  /** The number under which the terminal is to keep it; absent where the protocol has none. */
  terminalReference?: string;
}
export interface VoidOrder {
  amountMinor: number;
  currency: Currency;
  receiptNumber: string;
  traceNumber: string | null;
  /** The terminal that took the payment: no other one's may be reversed for it. Null where it has told no id. */
  terminalId: string | null;
  /** The void's own number, and that of the payment which it reverses; absent where the protocol has none. */
  terminalReference?: string;
  originalTerminalReference?: string;
  /** Those of the payment; absent where the terminal told none. */
  originalApprovalCode?: string;
  originalBatchNumber?: string;
}
export interface BatchOrder {
  currency: Currency;
  /** The terminal whose batch is meant; null while it has not told its id. */
  terminalId: string | null;
  /** The number under which it keeps the newest payment of that batch; absent where there is none that it has told. */
  newest?: string | undefined;
  /** Its numbers of all payments that are to be settled, oldest first; left out where it keeps none under a number of ours. */
  unsettled?: readonly string[] | undefined;
  /** By those numbers: what was asked for each of them, and what was taken by its result. */
  amounts?: Readonly<Record<string, PaidAmount>> | undefined;
  /** There is no `newest`, and yet payments of ours are not settled: on another terminal, or approved by a person's word only. */
  othersUnsettled?: true;
}

export interface PaidAmount {
  askedMinor: number;
  takenMinor: number;
  currency: Currency;
}

export type Readiness =
  | {
      kind: 'ready';
      terminal: TerminalIdentity;
      lastRecord: LastRecord;
    }
  /** It answers, but is doing something by itself (a payment still running, maintenance): ask again soon. */
  | { kind: 'busy'; text: string }
  /**
   * It answers, but a person must do something first. `requiredAction` says what: close the batch (which we can), service at
   * the terminal, or a setting here (password, currency, protocol).
   */
  | {
      kind: 'attention';
      text: string;
      requiredAction: RequiredAction;
      terminal: TerminalIdentity;
      lastRecord: LastRecord;
    }
  /** No sensible answer in time, or the connection has ended. */
  | { kind: 'silent'; reason: string };

/** How an operation ended, as the terminal said. `reason` is a sentence for cashier and support. */
export type OperationAnswer =
  /** Done and final on the terminal. `record` was persisted through the watch before it was acknowledged. */
  | ({ kind: 'done'; record: TerminalRecord } & PrintedLines)
  /** Refused by card, issuer or terminal; `cancelled` when a person stopped it or time ran out at the terminal. */
  | ({ kind: 'declined'; reason: string; record: TerminalRecord | null } & PrintedLines)
  | ({
      kind: 'cancelled';
      by: 'cashier' | 'customer';
      reason: string;
      record: TerminalRecord | null;
    } & PrintedLines)
  /** Certainly nothing happened: no byte was written, or the terminal plainly refused the one copy sent. */
  | { kind: 'not_started'; refusedByTerminal: boolean; reason: string }
  | { kind: 'unknown'; reason: string };

/**
 * What the terminal says of one operation: what it holds of it, that it certainly holds nothing, that it could not tell;
 * or that it is still at it, so that nobody should decide yet.
 */
export type LookUp = LastRecord | { kind: 'pending'; text: string };

/** An operation in doubt, as `reconcile` takes it. */
export interface OperationInDoubt {
  operation: OperationStarted;
  /** A result that had been put on disk before contact was lost, if any. */
  result: TerminalRecord | null;
  /** That result's acknowledgement had surely reached the terminal. */
  acknowledged: boolean;
  /** It has ended, and is asked about once more: nothing of it is owed any more, and nothing should be printed for it. */
  decided?: true;
  /** This terminal has shown a record of its own before, so that it means something when it shows none. */
  showsRecords: boolean;
  /**
   * The terminal's numbers of payments of ours that its open batch holds as far as is known: where it holds one of them
   * still, that batch has not been closed meanwhile. The newest few; absent where nobody needs them.
   */
  unsettled?: readonly string[];
  /**
   * The terminal's number of a payment of ours that it certainly had when it was given this operation: a terminal that
   * knows it is that one. Absent where there is none.
   */
  anchor?: string;
  /**
   * Of a batch close: what the terminal itself said that the batch holds. A person's word is not in it, for it may be wrong,
   * and a batch that was empty before shows nothing. Absent: `operation.expected` is all that is known.
   */
  toldBefore?: { count: number; totalMinor: number };
}

export type ReconciliationResult =
  | { kind: 'done'; record: TerminalRecord; explanation: string }
  | { kind: 'not_done'; explanation: string }
  /** The evidence does not decide: a person must. */
  | { kind: 'needs_decision'; explanation: string }
  /** Certainly not the operation's terminal: nothing that it shows is evidence, and whether it is idle says nothing. */
  | { kind: 'other_terminal'; otherTerminal: OtherTerminal; explanation: string };
