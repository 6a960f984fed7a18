/**
 * What the bridge answers, in its own words (docs/http-api.md). By hand, because the client's types must ask for no package;
 * a test holds them to the schemas that the bridge itself checks with.
 */

/** Further values may come with later versions of the bridge. */
export type OpenEnum<Known extends string> = Known | (string & {});

/** Decided is everything but `in_progress`, `unknown` and `voiding`. */
export type TransactionStatus =
  | 'in_progress'
  | 'approved'
  | 'declined'
  | 'cancelled'
  | 'failed'
  | 'unknown'
  | 'voiding'
  | 'voided'
  | 'settled';

/** Each code of a failure, with its meaning: "Errors" in docs/http-api.md. */
export type ErrorCode =
  | 'invalid_json'
  | 'invalid_request'
  | 'api_version_missing'
  | 'api_version_unsupported'
  | 'unknown_terminal'
  | 'unauthorized'
  | 'host_not_allowed'
  | 'origin_not_allowed'
  | 'not_found'
  | 'payment_not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'reference_conflict'
  | 'reference_on_other_terminal'
  | 'terminal_busy'
  | 'payment_unresolved'
  | 'reference_mismatch'
  | 'no_payment_in_progress'
  | 'cancel_too_late'
  | 'cancel_not_possible'
  | 'payment_not_voidable'
  | 'payment_already_settled'
  | 'void_declined'
  | 'withdrawn'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'headers_too_large'
  | 'internal_error'
  | 'terminal_error'
  | 'terminal_unavailable'
  | 'request_expired'
  | 'journal_unavailable'
  | 'too_many_streams'
  | 'terminal_timeout';

/** What of a payment stands on its receipt; null where the terminal told nothing of it. */
export interface Receipt {
  /** What was really approved: "12.00". */
  amount: string | null;
  currency: string | null;
  approval_code: string | null;
  masked_card_number: string | null;
  card_scheme: string | null;
  entry_mode: OpenEnum<'chip' | 'contactless' | 'magnetic_stripe'> | null;
  signature_required: boolean | null;
  terminal_id: string | null;
  merchant_id: string | null;
  trace_number: string | null;
  receipt_number: string | null;
  batch_number: string | null;
  host_response_code: string | null;
  host_response_text: string | null;
  /** ISO 8601, UTC, by the clock of the bridge. */
  completed_at: string | null;
  /** What the till has to print where the terminal does not. */
  lines: string[] | null;
}

/** Terminal and journal disagree about a payment, and nobody has acknowledged it yet. */
export interface Discrepancy {
  id: string;
  kind: string;
  message: string;
  found_at: string;
}

/** A payment as CreatePayment tells it, and QueryPayment with more. */
export interface HeardPayment {
  retrieval_reference_number: string;
  condition_code: string;
  transaction_id: string;
  transaction_status: TransactionStatus;
  /** What the terminal took: "12.00". Absent while no money was taken. */
  approved_amount?: string | undefined;
  /** When it was first asked for: ISO 8601, UTC, by the clock of the bridge. */
  created_at: string;
  /** A sentence that a cashier can read. */
  message: string;
  /** Null while the terminal has told nothing; absent: nobody has asked for it yet. */
  receipt?: Receipt | null | undefined;
  /** Null where there is none; absent: nobody has asked for it yet. */
  discrepancy?: Discrepancy | null | undefined;
  /** Its name, where the bridge has several. */
  terminal?: string | undefined;
}

/** A payment as the bridge has it: what QueryPayment tells. */
export interface Payment extends HeardPayment {
  receipt: Receipt | null;
  discrepancy: Discrepancy | null;
}

/** A day that the terminal closed. */
export interface Batch {
  batch_number: string;
  count: number | null;
  total: string | null;
  currency: string;
  /** The terminal's totals equal the journal's. */
  reconciled: boolean;
  differences: {
    scheme: string;
    terminal_count: number | null;
    terminal_total: string;
    journal_count: number;
    journal_total: string;
  }[];
}

/** What is wrong with a field of a request. */
export interface Issue {
  path: string;
  message: string;
}
