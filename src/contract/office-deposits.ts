/** Where the money of the closed batches is, as `/office/v1/deposits` has it. */
import { z } from 'zod';
import type { MoneyState } from './console/index.ts';

/** What one acquirer owes for one closed batch. */
export interface DepositView {
  batch_id: string;
  /** Empty: no rule says who pays. */
  acquirer: string;
  merchant: string;
  shop_id: string;
  shop: string;
  terminal: string;
  simulated: boolean;
  batch_number: string | null;
  closed_at: string;
  closed_on: string;
  account: string | null;
  currency: string;
  state: MoneyState;
  /** Somebody should look at it, and nobody has settled it yet. */
  needs_person: boolean;
  /** `due_by` has passed. */
  past_due: boolean;
  /** Of `unclear`: why, by the name that docs/reconcile.md's `--json` has. */
  reason: string | null;
  gross_minor: number | null;
  fee_minor: number | null;
  expected_minor: number | null;
  /** For this batch alone. */
  arrived_minor: number | null;
  arrived_on: string | null;
  due_by: string | null;
  banking_days_late: number;
  evidence: string | null;
  /** Entries that are its money, and those that may be. */
  entry_ids: string[];
  possible_ids: string[];
  decided_by: string | null;
  decided_reason: string | null;
  decided_at: string | null;
  since: string;
}

export interface DepositEntryView {
  merchant: string;
  entry_id: string;
  account: string;
  booked_on: string;
  currency: string;
  amount_minor: number;
  remark: string;
  sender: string;
  unexplained: boolean;
  since: string;
  /** Who has said that it is no batch's money; null: nobody. */
  settled_by: string | null;
  settled_reason: string | null;
  settled_at: string | null;
}

export interface DepositAccountView {
  merchant: string;
  simulated: boolean;
  account: string;
  /** Of which days there are statements; null: of none. */
  from: string | null;
  until: string | null;
}

export interface DepositLookView {
  merchant: string;
  looked_at: string;
  /** Why nothing could be found, as a sentence. */
  trouble: string | null;
}

/** `GET /deposits` */
export interface DepositList {
  /** `missing`: nobody has given the office rules. */
  rules: 'there' | 'missing';
  deposits: DepositView[];
  /** Entries that nobody can explain, and those that may be the money of `deposits`. */
  entries: DepositEntryView[];
  accounts: DepositAccountView[];
  looks: DepositLookView[];
  /** How many there are in each state, of all that was asked for; amounts are never added up over currencies. */
  sums: { state: MoneyState; currency: string; count: number; expected_minor: number }[];
  /** There are more than are listed. */
  more: boolean;
}

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
export const depositQuerySchema = z.strictObject({
  /** A shop's id or its name. */
  shop: z.string().min(1).max(200).optional(),
  /** Only what somebody should look at. */
  late: flag.default(false),
  simulated: flag.default(false),
});

const word = {
  /** Not asked of somebody whom the OpenID provider has named. */
  by: z.string().trim().min(1).max(200).optional(),
  reason: z.string().trim().min(1).max(2_000),
};

/**
 * `batches`: these entries are their money; without entries nothing more will come. `entry`: it is no batch's money.
 */
export const settleDepositSchema = z.union([
  z.strictObject({
    batchIds: z.array(z.uuid()).min(1).max(50),
    acquirer: z.string().min(1).max(100),
    entryIds: z.array(z.string().min(1).max(200)).max(100).default([]),
    ...word,
  }),
  z.strictObject({
    merchant: z.string().min(1).max(100),
    entryId: z.string().min(1).max(200),
    ...word,
  }),
]);
export type SettleDeposit = z.output<typeof settleDepositSchema>;

/**
 * What a person has settled is taken back. `batch`: with it all that were settled together with it. `entry`: that it is no
 * batch's money.
 */
export const unsettleDepositSchema = z.union([
  z.strictObject({ batchId: z.uuid(), acquirer: z.string().min(1).max(100), ...word }),
  z.strictObject({
    merchant: z.string().min(1).max(100),
    entryId: z.string().min(1).max(200),
    ...word,
  }),
]);
export type UnsettleDeposit = z.output<typeof unsettleDepositSchema>;

/** A statement of some ten thousand entries. */
export const maxStatementFileBytes = 8 * 1024 * 1024;
const maxStatementText = Math.ceil(maxStatementFileBytes / 3) * 4;
export const addStatementSchema = z.strictObject({
  /** What the bank calls the file. */
  name: z.string().min(1).max(255),
  /** In base64. */
  content: z.base64().max(maxStatementText),
  /** It corrects statements that are there: those of days that it has all of count no more. */
  corrects: z.boolean().default(false),
});
/** Of such a request. */
export const maxAddStatementBytes = maxStatementText + 8 * 1024;

/** `POST /statements` */
export interface AddedStatement {
  /** False: the same file was there before, and counts. */
  isNew: boolean;
  accounts: string[];
  /** How many statements it has taken the place of. */
  replaced: number;
  /** Sentences. */
  notes: string[];
}
