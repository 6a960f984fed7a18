/**
 * What a run leaves behind for the checker, beside the terminal's ledger file and the journal: what was said and done,
 * and when. Plain data; nothing of it comes from the core but the answers that it gave.
 */

/** One answer to a till, as the HTTP interface gives it. */
export interface AnswerRecord {
  kind: 'answer';
  /** Grows with everything that is recorded. */
  order: number;
  atMs: number;
  /** When the request went out. */
  askedOrder: number;
  command: 'CreatePayment' | 'QueryPayment' | 'CancelPayment' | 'VoidPayment' | 'SubmitBatch';
  reference: string | null;
  amountMinor: number | null;
  success: boolean;
  /** Of a failure. */
  code: string | null;
  paymentState: string | null;
  /** Of a success. */
  status: string | null;
  approvedAmount: string | null;
  repeated: boolean | null;
  /** Of a successful SubmitBatch; null where there was nothing to settle. Its figures are null where the terminal told none. */
  batch: { count: number | null; total: string | null; reconciled: boolean } | null;
  /** How many times a journal had been restored from a backup, or lost facts, before. */
  era: number;
}

/** A till's client sent CreatePayment. */
export interface SentRecord {
  kind: 'sent';
  order: number;
  atMs: number;
  /** The sale in hand, by the reference that its cashier gave. */
  given: string | null;
  reference: string;
  era: number;
}

export type MoneyCommand = 'sale' | 'void' | 'batch_close';

/** A command of the bridge that moves money, at the moment when the terminal has it whole. */
export interface CommandRecord {
  kind: 'command';
  order: number;
  atMs: number;
  what: MoneyCommand;
  /** Size of the ledger file then: what was written behind it came later. */
  ledgerBytes: number;
  /** The newest operation of that kind in the journal file then, read by the simulation itself. */
  operationId: string | null;
  reference: string | null;
  /** No command had come for that operation before, and it was not over, unless a person had said so. */
  owed: boolean;
  era: number;
}

/** `operation_started` of a sale reached the journal. */
export interface StartRecord {
  kind: 'start';
  order: number;
  atMs: number;
  reference: string;
  operationId: string;
  amountMinor: number;
  /** A request for it was waiting whose caller was there, and which was not too old by either clock. */
  wanted: boolean;
  /** The order of the newest request for it. */
  askedOrder: number;
  era: number;
}

/** A batch close began, or was called closed, in the journal. */
export interface CloseRecord {
  kind: 'close';
  order: number;
  atMs: number;
  step: 'begun' | 'closed';
  operationId: string;
  ledgerBytes: number;
  era: number;
}

/** Somebody did something at the terminal by hand, or the terminal by itself. */
export interface HandRecord {
  kind: 'hand';
  order: number;
  atMs: number;
  what: 'payment' | 'reversal' | 'refund' | 'batch_close' | 'replacement';
  /** Where the ledger file ended before and after. */
  ledgerFrom: number;
  ledgerTo: number;
  /** `seq` of the journal's newest event then; 0 when the journal could not be read. */
  journalSeq: number;
  era: number;
}

/** The idle terminal has shown its last record to the bridge, whose disk worked. */
export interface LookRecord {
  kind: 'look';
  order: number;
  atMs: number;
  era: number;
}

/** A person decided an operation in doubt. */
export interface DecisionRecord {
  kind: 'decision';
  order: number;
  atMs: number;
  operationId: string;
  reference: string | null;
  resolution: string;
  /** As the ledger had it at that moment. */
  right: boolean;
  terminalUnreachable: boolean;
  /** The terminal was at work on a command that moves money. */
  terminalAtWork: boolean;
  /** It had not decided yet, or a customer was about to pay after all: nobody could tell rightly. */
  tooEarly: boolean;
  /** The bridge took it. */
  taken: boolean;
  ledgerBytes: number;
  journalSeq: number;
  era: number;
}

/** `discrepancy_found` reached the journal. */
export interface FoundRecord {
  kind: 'found';
  order: number;
  atMs: number;
  discrepancyId: string;
  what: string;
  operationId: string | null;
  references: string[];
  amountMinor: number | null;
  era: number;
}

/** A named person has seen a discrepancy. */
export interface AcknowledgedRecord {
  kind: 'acknowledged';
  order: number;
  atMs: number;
  discrepancyId: string;
  era: number;
}

/** An approving result reached the journal. */
export interface ResultRecord {
  kind: 'result';
  order: number;
  atMs: number;
  operationId: string;
  ledgerBytes: number;
  era: number;
}

/** The journal went back in time: a backup was put in its place, or facts were lost in a repair. */
export interface LossRecord {
  kind: 'loss';
  order: number;
  atMs: number;
  what: 'restored' | 'repaired';
  ledgerBytes: number;
  /** The newest `seq` that was left. */
  journalSeq: number;
}

/**
 * On a serial line an answer goes out again: the bridge had no ACK for it, or heard the same question twice. The frames have no numbers: a terminal
 * that has asked something else meanwhile takes it for the answer to that.
 */
interface ResentRecord {
  kind: 'resent';
  order: number;
  atMs: number;
  ledgerBytes: number;
  era: number;
}

/** The disk took nothing, or not all. */
interface DiskRecord {
  kind: 'disk';
  order: number;
  atMs: number;
  /** Where the ledger file ended when it began, and when the disk was well again. */
  ledgerFrom: number;
  ledgerTo: number;
}

/** Something that no bridge may do, seen by the simulation itself. */
interface MisdeedRecord {
  kind: 'misdeed';
  order: number;
  atMs: number;
  text: string;
}

/** Both terminal and people could be reached for a long time, and nothing more was asked. */
interface CalmRecord {
  kind: 'calm';
  order: number;
  atMs: number;
  ready: boolean;
  /** What `doubts()` still listed. */
  doubts: number;
  text: string;
}

export type Record =
  | AnswerRecord
  | SentRecord
  | CommandRecord
  | StartRecord
  | CloseRecord
  | HandRecord
  | LookRecord
  | DecisionRecord
  | FoundRecord
  | AcknowledgedRecord
  | ResultRecord
  | ResentRecord
  | DiskRecord
  | LossRecord
  | MisdeedRecord
  | CalmRecord;

export interface Evidence {
  records: Record[];
  ledgerFile: string;
  journalFile: string;
  /** For rules that depend on what a terminal shows. */
  shows: TerminalShows;
  maxTipPercent: number;
  /** How many of the ledger's minor units are one of the currency's own. */
  minorPerUnit: number;
}

/** What a terminal shows of what happened at it. The words of the first six are those of the simulator's dialects. */
export interface TerminalShows {
  shownRecord: 'status' | 'nothing' | 'print_lines';
  firstRecord: 'closed_day' | 'nothing';
  refusals: 'forgotten' | 'numbered' | 'stored' | 'stored_without_number';
  numberedVoids: 'answer_and_record' | 'record' | 'neither';
  dayHasTotals: boolean;
  afterPowerLoss: 'last_record' | 'record_before';
  /** Its last record tells of a batch that was closed without the till. */
  showsClose: boolean;
  /** What makes a result final: that the till acknowledges it, or that the terminal has decided. */
  finalOn: 'acknowledgement' | 'decision';
  /** It refuses a command for a field that it does not know; the same is said once more without it. */
  refusesFields: boolean;
  /** It keeps a payment under a number of the till's, so that no other can be taken for it. */
  namesOurs: boolean;
  /** Before a close of ours it tells of each payment in the batch whether that still stands. */
  tellsEachBeforeClose: boolean;
}

/** A rule that does not hold. */
export interface Finding {
  rule: string;
  text: string;
}
