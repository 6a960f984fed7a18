/** What is reconciled, and what comes out of it: the same for the command line, a page and a test. */
import type { Currency } from '../contract/money.ts';
import type { SchemeTotal } from '../contract/terminal.ts';

/** A batch that a terminal has closed. */
export interface ClosedBatch {
  /** Of the operation that closed it. */
  id: string;
  /** Whose it is, where several shops are looked at together; left out: there is one. */
  shop?: string;
  /** The terminal's name in the bridge. */
  terminal: string;
  /** What the terminal and the acquirer call it. */
  terminalId: string | null;
  merchantId: string | null;
  /** Null where the terminal told none. */
  number: string | null;
  /** ISO 8601, by the computer's clock. */
  closedAt: string;
  /** That clock was wrong, and `closedAt` is when it became known instead; left out: no. */
  clockIsWrong?: boolean;
  currency: Currency;
  count: number | null;
  /** Minor units, as the terminal tells it; the journal's own sum where it tells none. Below zero: more was given back. */
  totalMinor: number;
  /** By scheme; empty where the terminal tells no more than the total. */
  totals: readonly SchemeTotal[];
}

/** One entry of an account, posted. */
export interface AccountEntry {
  /** No two entries of all accounts have the same. */
  id: string;
  account: string;
  /** When it was posted, in the account's own calendar: `YYYY-MM-DD`. */
  date: string;
  currency: Currency;
  /** Minor units; a credit is more than zero, a debit less. */
  amountMinor: number;
  remark: string;
  sender: string;
  code: string;
}

/** Days of which all posted entries of an account are known, both ends included: `YYYY-MM-DD`. */
export interface KnownSpan {
  account: string;
  from: string;
  until: string;
}

/** What a person has said of a batch's money. */
export interface Decision {
  /** `match`: exactly these entries are its money. `unmatch`: none of these is. */
  kind: 'match' | 'unmatch';
  batchId: string;
  /** The acquirer's name in the rules. */
  acquirer: string;
  entryIds: readonly string[];
  by: string;
  reason: string;
  /** ISO 8601 */
  at: string;
}

export type MoneyState = 'waiting' | 'arrived' | 'short' | 'over' | 'late' | 'unclear';

/**
 * What ties entries to batches. `number`: the remark names them. `amount`: exactly the gross amount. `net`: exactly the
 * amount minus the agreed fee. `sum`: exactly that of several batches. `person`: somebody has decided it.
 * `nothing-due`: the batch comes to zero.
 */
export type Evidence = 'number' | 'amount' | 'net' | 'sum' | 'person' | 'nothing-due';

/**
 * `certain`: two things agree that do not depend on each other, number and amount, or there is nothing to be wrong about.
 * `high`: one of them, and no other reading. `fair`: a sum of several, and no other reading.
 */
export type Certainty = 'certain' | 'high' | 'fair' | 'person';

/** Why nothing is said of where the money is. */
export type UnclearReason =
  /** An entry fits more than one batch, or a batch more than one entry. */
  | 'several-readings'
  /** The remark says one thing and the amount another. */
  | 'remark-contradicts'
  /** It arrived, and an entry of the opposite amount came after it. */
  | 'taken-back'
  /** It is overdue, and there are entries of the acquirer that nothing explains. */
  | 'unexplained-entries'
  /** It is overdue, and not all entries of the account are known until then. */
  | 'account-not-known'
  /** No rule says who pays it. */
  | 'no-acquirer'
  /** It cannot be told which part of the batch the acquirer pays: there are no totals by scheme that add up. */
  | 'no-totals'
  /** The fee cannot be told: there is no count, or rates differ and there are no totals by scheme. */
  | 'fee-unknown'
  /** An entry that a person has named is not among those that are known, or two decisions contradict each other. */
  | 'decision-unusable'
  /** The computer's clock was wrong, so nobody can say from when on its money may come. */
  | 'clock-wrong';

/** Why an entry is not the money of a batch. */
export type RuledOutReason =
  | 'other-amount'
  | 'names-another'
  | 'of-another'
  | 'before-the-close'
  | 'too-late'
  | 'not-of-the-acquirer'
  | 'by-a-person';

export interface MoneyMatch {
  /** All the batches that these entries pay together. */
  batchIds: string[];
  entryIds: string[];
  /** Minor units, of all of these batches; the fee is taken off where the acquirer keeps it. */
  expectedMinor: number;
  arrivedMinor: number;
  evidence: Evidence;
  certainty: Certainty;
  /** The last of the entries: `YYYY-MM-DD`; null where there is none. */
  arrivedOn: string | null;
  /** Banking days behind `dueBy`; 0: in time. */
  bankingDaysLate: number;
  decision: Decision | null;
}

/** What one acquirer owes for one batch. */
export interface Receivable {
  batchId: string;
  /** Null where no rule says who pays. */
  acquirer: string | null;
  /** The schemes in it; null: the whole batch. */
  schemes: string[] | null;
  /** Minor units; null where it cannot be told. */
  grossMinor: number | null;
  /** The agreed fee, kept back or not; null where it cannot be told. */
  feeMinor: number | null;
  /** What should come in, give or take `toleranceMinor`. */
  expectedMinor: number | null;
  toleranceMinor: number;
  /** `YYYY-MM-DD`; null without an acquirer. */
  closedOn: string | null;
  expectedOn: string | null;
  dueBy: string | null;
}

export interface ReceivableResult extends Receivable {
  state: MoneyState;
  /** Whom it is overdue for: a person should look at it now, and has not decided yet. */
  needsPerson: boolean;
  /** `dueBy` has passed. */
  pastDue: boolean;
  match: MoneyMatch | null;
  reason: UnclearReason | null;
  /** Entries that may be its money, the likeliest first; at most `maxListed`. */
  possible: string[];
  /** Entries of those days that are not, and why; at most `maxListed`. */
  ruledOut: { entryId: string; why: RuledOutReason }[];
}

export interface BatchMoney {
  batchId: string;
  /** The worst of its parts. */
  state: MoneyState;
  needsPerson: boolean;
  parts: ReceivableResult[];
}

export interface ReconcileInput {
  batches: readonly ClosedBatch[];
  entries: readonly AccountEntry[];
  known: readonly KnownSpan[];
  decisions: readonly Decision[];
  /** `YYYY-MM-DD` */
  today: string;
  /** Also why entries are not a batch's money (`ruledOut`); left out: yes. With many shops there are too many of them. */
  explain?: boolean;
}

export interface Reconciliation {
  /** In the order of closing. */
  batches: BatchMoney[];
  /** Entries of the acquirers that are nobody's money, as far as can be told: by day. */
  unexplained: AccountEntry[];
}

export const maxListed = 10;
