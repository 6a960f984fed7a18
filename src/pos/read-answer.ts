/** One answer to a command, as far as it is the bridge's own: anything else says nothing about a payment. */
import type { HttpResult } from '../base/fetch-once.ts';
import { parseJson } from '../base/parse-json.ts';
import { amountPattern } from '../contract/request-forms.ts';
import type { ErrorCode, HeardPayment, Issue, OpenEnum, TransactionStatus } from './answers.ts';

export type Answer =
  | { kind: 'success'; simulated: boolean; message: string; body: Fields }
  | {
      kind: 'failure';
      /** The terminal is the simulator: no money. */
      simulated: boolean;
      code: OpenEnum<ErrorCode>;
      message: string;
      issues: readonly Issue[];
      /** The bridge says that neither this request nor an earlier one moved money, or still can. */
      notStarted: boolean;
    }
  /** None, or one of somebody else. */
  | { kind: 'none'; simulated: false; message: string };

type Fields = { readonly [name: string]: unknown };

/** Whether a status is one that no waiting changes. */
const isDecided: Record<TransactionStatus, boolean> = {
  in_progress: false,
  approved: true,
  declined: true,
  cancelled: true,
  failed: true,
  unknown: false,
  voiding: false,
  voided: true,
  settled: true,
};

export function decided({ transaction_status: status }: HeardPayment): boolean {
  return isDecided[status];
}

/** The money is the shop's. */
export function isTaken(status: TransactionStatus): boolean {
  return status === 'approved' || status === 'settled';
}

/** `requestId`: which the request had; the bridge gives it back. Null where it had none. */
export function readAnswer(result: HttpResult, requestId: string | null): Answer {
  if (result.kind === 'failed') return nobody(`The bridge did not answer. ${result.detail}`);
  const { headers } = result;
  // Not of the bridge, or the answer to another request.
  const isEchoed = requestId === null || headers.get('x-request-id') === requestId;
  const simulated = headers.get('x-simulated') === 'true';
  const parsed = parseJson(result.body);
  const body = parsed.ok ? fieldsOf(parsed.value) : null;
  const { success, message, code, payment_state: state, issues } = body ?? {};
  if (body !== null && isEchoed && typeof message === 'string') {
    if (success === true && result.status === 200) return { kind: 'success', simulated, message, body };
    if (success === false && typeof code === 'string') {
      // Only this word is a refusal. Whatever else a failure says, it says nothing about the money.
      const notStarted = state === 'not_started';
      const said = Array.isArray(issues) ? (issues as Issue[]) : [];
      return { kind: 'failure', simulated, code, message, notStarted, issues: said };
    }
  }
  return nobody(`What answered is not the bridge (HTTP status ${result.status}).`);
}

function nobody(message: string): Answer {
  return { kind: 'none', simulated: false, message };
}

/** The payment of an answer; null where it is of none, or of another one. */
export function readPayment(answer: Answer, reference: string): HeardPayment | null {
  if (answer.kind !== 'success') return null;
  const { body, message } = answer;
  const status = body['transaction_status'];
  if (!isStatus(status) || body['retrieval_reference_number'] !== reference) return null;
  if (typeof body['transaction_id'] !== 'string' || typeof body['created_at'] !== 'string') return null;
  // Nobody may guess how much was taken.
  if (isTaken(status) && !amountPattern.test(String(body['approved_amount']))) return null;
  // The rest is as the bridge's own schemas have it.
  return { ...body, message } as unknown as HeardPayment;
}

function isStatus(value: unknown): value is TransactionStatus {
  return typeof value === 'string' && Object.hasOwn(isDecided, value);
}

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}
