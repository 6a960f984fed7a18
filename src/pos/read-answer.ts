/** One answer to a command, as far as it is the bridge's: anything else says nothing about a payment. */
import type { HttpResult } from '../base/fetch-once.ts';
import { parseJson } from '../base/parse-json.ts';
import { amountPattern } from '../contract/request-forms.ts';
import type { ErrorCode, Issue, OpenEnum, Payment, TransactionStatus } from './answers.ts';

export type Answer =
  | { kind: 'success'; message: string; body: Fields }
  | {
      kind: 'failure';
      code: OpenEnum<ErrorCode>;
      message: string;
      issues: readonly Issue[];
      /** The bridge says that neither this request nor an earlier one moved money, or still can. */
      notStarted: boolean;
    }
  /** None, or one of somebody else. */
  | { kind: 'none'; message: string };

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

export function decided({ transaction_status: status }: Payment): boolean {
  return isDecided[status];
}

/** The money is the shop's. */
export function isTaken(status: TransactionStatus): boolean {
  return status === 'approved' || status === 'settled';
}

export function readAnswer(result: HttpResult): Answer {
  if (result.kind === 'failed')
    return { kind: 'none', message: `The bridge did not answer. ${result.detail}` };
  const parsed = parseJson(result.body);
  const body = parsed.ok ? fieldsOf(parsed.value) : null;
  const { success, message, code, payment_state: state, issues } = body ?? {};
  if (body !== null && typeof message === 'string') {
    if (success === true && result.status === 200) return { kind: 'success', message, body };
    if (success === false && typeof code === 'string') {
      // Only this word is a refusal. Whatever else a failure says, it says nothing about the money.
      const notStarted = state === 'not_started';
      return { kind: 'failure', code, message, notStarted, issues: Array.isArray(issues) ? issues : [] };
    }
  }
  return { kind: 'none', message: `What answered is not the bridge (HTTP status ${result.status}).` };
}

/** The payment of an answer; null where it is of none, or of another one. */
export function readPayment(answer: Answer, reference: string): Payment | null {
  if (answer.kind !== 'success') return null;
  const { body, message } = answer;
  const status = body['transaction_status'];
  if (!isStatus(status) || body['retrieval_reference_number'] !== reference) return null;
  // Nobody may guess how much was taken.
  if (isTaken(status) && !amountPattern.test(String(body['approved_amount']))) return null;
  // The rest is as the bridge's own schemas have it; CreatePayment tells neither receipt nor discrepancy.
  return { receipt: null, discrepancy: null, ...body, message } as unknown as Payment;
}

function isStatus(value: unknown): value is TransactionStatus {
  return typeof value === 'string' && Object.hasOwn(isDecided, value);
}

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}
