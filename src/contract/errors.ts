/** The one table of error codes that the bridge's HTTP interface can answer, with their HTTP status. */
import { z } from 'zod';

export const errorStatus = {
  invalid_json: 400,
  invalid_request: 400,
  api_version_missing: 400,
  api_version_unsupported: 400,
  unknown_terminal: 400,
  unauthorized: 401,
  host_not_allowed: 403,
  origin_not_allowed: 403,
  not_found: 404,
  payment_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  reference_conflict: 409,
  reference_on_other_terminal: 409,
  terminal_busy: 409,
  payment_unresolved: 409,
  reference_mismatch: 409,
  no_payment_in_progress: 409,
  cancel_too_late: 409,
  cancel_not_possible: 409,
  payment_not_voidable: 409,
  payment_already_settled: 409,
  void_declined: 409,
  withdrawn: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  headers_too_large: 431,
  internal_error: 500,
  terminal_error: 502,
  terminal_unavailable: 503,
  request_expired: 503,
  journal_unavailable: 503,
  too_many_streams: 503,
  terminal_timeout: 504,
} as const;

export type ErrorCode = keyof typeof errorStatus;
export const errorCodes = Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]];
export const errorCodeSchema = z.enum(errorCodes);

/** When each code is answered; the source of the table in the docs and in OpenAPI. */
export const errorMeaning: Record<ErrorCode, string> = {
  invalid_json: 'The body is not one JSON object in UTF-8.',
  invalid_request: 'A field is missing or has the wrong form; `issues` names each one.',
  api_version_missing: 'The header x-api-version is missing.',
  api_version_unsupported: 'The header x-api-version names a version that this bridge does not speak.',
  unknown_terminal: 'The header x-terminal names a terminal that this bridge does not have.',
  unauthorized: 'POS tokens are in use and the request carries none that is valid.',
  host_not_allowed: 'The Host header is not a name of this listener.',
  origin_not_allowed: 'A web page from an origin that is not on the allow-list made the request.',
  not_found: 'There is no such path.',
  payment_not_found: 'No payment has this reference.',
  method_not_allowed: 'The path exists, but not with this method.',
  request_timeout: 'The request did not arrive in time; the connection is closed.',
  reference_conflict: 'The reference was used before with another amount or condition code.',
  reference_on_other_terminal:
    'The reference is of a payment on another terminal of this bridge; nothing was started.',
  terminal_busy: 'Another operation is running on the terminal.',
  payment_unresolved:
    'An operation is in doubt, or a discrepancy holds this payment back; nothing starts until a person has seen to it. From QueryPayment: the journal has lost events, so nobody can tell whether there was such a payment.',
  reference_mismatch: 'The payment on the terminal is another one; nothing was sent.',
  no_payment_in_progress: 'No payment is in progress that could be cancelled.',
  cancel_too_late: 'The terminal went on and approved the payment.',
  cancel_not_possible: 'This terminal can only be stopped at its own keys; the payment goes on.',
  payment_not_voidable: 'The payment is not approved, or no longer safely known to the terminal.',
  payment_already_settled: 'The payment is in a submitted batch.',
  void_declined: 'The terminal refused to reverse the payment; it stays approved.',
  withdrawn: 'The payment was cancelled before anything was sent to the terminal.',
  body_too_large: 'The body is larger than 64 KiB.',
  unsupported_media_type: 'The Content-Type is not application/json.',
  headers_too_large: 'The headers are larger than 16 KiB; the connection is closed.',
  internal_error: 'An internal error; the log has the details under the request id.',
  terminal_error: 'The terminal refused or failed; the message has its own text.',
  terminal_unavailable: 'The terminal is not connected, or not ready.',
  request_expired:
    'The caller was gone, or the request more than 10 s old, before the payment could start; nothing was sent.',
  journal_unavailable:
    'The journal is damaged or cannot be written; no payment starts until a person has chosen.',
  too_many_streams: 'As many event streams are open as the bridge serves.',
  terminal_timeout: 'The terminal did not decide in time; the operation goes on. Query it.',
};

/**
 * On each failure of a command that moves money. `not_started`: neither this request nor an earlier one with its
 * reference has moved money or can still do so. `unknown`: ask again; never take it for a refusal.
 */
export const paymentStateSchema = z.enum(['not_started', 'unknown']);
export type PaymentState = z.infer<typeof paymentStateSchema>;

/** A command that was refused: expected, never an exception. */
export interface Refusal {
  code: ErrorCode;
  /** A sentence that a cashier can read and that says what to do. */
  message: string;
  /** With `invalid_request`: what is wrong with which field. */
  issues?: { path: string; message: string }[];
  /** Where the journal alone does not say it: what is to be said of the money. */
  paymentState?: PaymentState;
}

/** What a command came to: a value, or a refusal, which is expected and never an exception. */
export type Result<T, R = Refusal> = { ok: true; value: T } | Refused<R>;

export interface Refused<R = Refusal> {
  ok: false;
  refusal: R;
}

export function refuse(code: ErrorCode, message: string): Refused {
  return { ok: false, refusal: { code, message } };
}

/** `payment_unresolved` of a reference that the journal does not know, and that may have been paid all the same. */
export function refuseAsMaybePaid(message: string): Refused {
  return { ok: false, refusal: { code: 'payment_unresolved', message, paymentState: 'unknown' } };
}

/** `invalid_request` for one field. */
export function refuseField(path: string, message: string): Refused {
  return {
    ok: false,
    refusal: { code: 'invalid_request', message: `${path}: ${message}`, issues: [{ path, message }] },
  };
}

const ordinaryRefusals: ReadonlySet<string> = new Set<ErrorCode>([
  'payment_not_found',
  'terminal_busy',
  'reference_mismatch',
  'no_payment_in_progress',
  'cancel_too_late',
  'cancel_not_possible',
  'payment_not_voidable',
  'payment_already_settled',
  'withdrawn',
  'request_expired',
]);

/** Said in the course of business. Each other refusal is a warning: till, settings, terminal or journal need somebody. */
export function isOrdinaryRefusal(code: string): boolean {
  return ordinaryRefusals.has(code);
}
