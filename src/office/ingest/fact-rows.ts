/** Rows of the office's tables, as far as a journal's events fill them: the columns have the names that they have there. */
import type { Day } from '../database/days.ts';

export interface OpenOperation {
  operation_id: string;
  kind: 'sale' | 'void' | 'batch_close';
  payment_id: string | null;
  reference: string | null;
  amount_minor: number | null;
  currency: string | null;
  started_at: string;
  /** Since when nobody knows how it ended; null: nobody has reason to ask. */
  doubt_since: string | null;
  needs_person: boolean;
  reason: string;
}

/** What later events say of a payment; null: they say nothing of it, and it stays as it is. */
export interface PaymentChange {
  day: Day;
  payment_id: string;
  status: string | null;
  updated_at: string;
  completed_at: string | null;
  terminal_id: string | null;
  taken_minor: number | null;
  receipt_number: string | null;
  trace_number: string | null;
  approval_code: string | null;
  card_digits: string | null;
  card_scheme: string | null;
  reason: string | null;
  decided_by: string | null;
  batch_id: string | null;
  batch_number: string | null;
  last_seq: number;
}

/** A payment that began in this run, as it is at the end of it. */
export interface NewPayment extends PaymentChange {
  reference: string;
  condition_code: string;
  amount_minor: number;
  currency: string;
  status: string;
  created_at: string;
  protocol: string;
  reason: string;
  first_seq: number;
}

export interface BatchStart {
  batch_id: string;
  protocol: string;
  terminal_id: string | null;
  currency: string;
  started_at: string;
  /** When it arrived, where `started_at` cannot be true. */
  arrived_at: string | null;
  expected_count: number;
  expected_minor: number;
}

export interface BatchEnd {
  batch_id: string;
  ended_at: string;
  outcome: string;
  batch_number: string | null;
  count: number | null;
  total_minor: number | null;
  reconciled: boolean | null;
  settled_count: number;
  reason: string;
  told_currency: string | null;
  totals: { scheme: string; count: number; totalMinor: number }[];
}

/** What the terminal told of a close itself. */
export interface BatchRecord {
  batch_id: string;
  told_terminal_id: string | null;
  told_merchant_id: string | null;
  told_number: string | null;
}

export interface FoundDiscrepancy {
  discrepancy_id: string;
  seq: number;
  kind: string;
  message: string;
  operation_id: string | null;
  refs: string[];
  amount_minor: number | null;
  currency: string | null;
  found_at: string;
}

export interface Acknowledgement {
  discrepancy_id: string;
  acknowledged_at: string;
  acknowledged_by: string;
  acknowledged_reason: string;
}

export interface Decision {
  seq: number;
  kind: 'outcome' | 'discrepancy' | 'repair';
  decided_at: string;
  decided_by: string;
  reason: string;
  outcome: string | null;
  operation_id: string | null;
  payment_id: string | null;
  /** What was acknowledged. */
  discrepancy_id: string | null;
}

export interface TerminalNews {
  protocol: string | null;
  terminal_id: string | null;
  ready_at: string | null;
  lost_at: string | null;
  bridge_version: string | null;
  traits: string[];
}
