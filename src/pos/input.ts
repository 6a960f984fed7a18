/** What a till may ask for, checked before anything is sent. */
import {
  amountForm,
  amountPattern,
  conditionCodeForm,
  conditionCodePattern,
  referenceForm,
  referencePattern,
} from '../contract/request-forms.ts';

/** A fault of the calling program: nothing was sent, and the same call fails again. */
export class PosInputError extends Error {
  override readonly name = 'PosInputError';
  /** The field or option that is wrong. */
  readonly field: string;

  constructor(field: string, message: string) {
    super(`${field} ${message}`);
    this.field = field;
  }
}

/** Node's timers hold no more. */
const maxMs = 2_147_483_647;

/** Throws PosInputError, like the others. */
export function checkReference(reference: unknown): asserts reference is string {
  checkForm('reference', reference, referencePattern, referenceForm);
}

/** As the bridge writes it: without zeros before it. */
export function readAmount(amount: unknown): string {
  checkForm('amount', amount, amountPattern, amountForm);
  if (Number(amount) === 0) throw new PosInputError('amount', 'must be more than "0.00"');
  return amount.replace(/^0+(?=\d)/, '');
}

export function readConditionCode(code: unknown): string {
  if (code === undefined) return '00';
  checkForm('conditionCode', code, conditionCodePattern, conditionCodeForm);
  return code;
}

/** RFC 9562, 4. */
export function checkTransactionId(field: string, id: unknown): void {
  const form = 'must be the transactionId that onProgress gave';
  checkForm(field, id, /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, form);
}

/** Milliseconds, more than none. */
export function checkDuration(field: string, value: unknown): void {
  if (value === undefined || (typeof value === 'number' && value > 0 && value <= maxMs)) return;
  throw new PosInputError(field, `must be a number of milliseconds from 1 to ${maxMs}`);
}

export function checkSignal(signal: unknown): void {
  if (signal === undefined || signal instanceof AbortSignal) return;
  throw new PosInputError('signal', 'must be an AbortSignal');
}

/** RFC 9110, 5.5. Its value is not told: it may be a secret. */
export function checkHeader(field: string, value: unknown): void {
  if (value === undefined || (typeof value === 'string' && /^[\x21-\x7e]+$/.test(value))) return;
  throw new PosInputError(field, 'must be printable ASCII characters without blanks');
}

export function checkFunction(field: string, value: unknown): void {
  if (value === undefined || typeof value === 'function') return;
  throw new PosInputError(field, 'must be a function');
}

/** The address without the slash at its end. */
export function readAddress(url: unknown): string {
  const parsed = parseUrl(url);
  const isPlain =
    parsed !== null && parsed.username === '' && parsed.password === '' && !/[?#]/.test(parsed.href);
  if (!isPlain || !['http:', 'https:'].includes(parsed.protocol))
    throw new PosInputError('url', 'must be the address of the bridge, such as "http://localhost:8080"');
  return parsed.href.replace(/\/+$/, '');
}

/** Not each browser on a till has URL.canParse. */
function parseUrl(url: unknown): URL | null {
  try {
    return typeof url === 'string' ? new URL(url) : null;
  } catch {
    return null;
  }
}

function checkForm(field: string, value: unknown, pattern: RegExp, form: string): asserts value is string {
  if (typeof value !== 'string') throw new PosInputError(field, `${form}, not ${kindOf(value)}`);
  if (!pattern.test(value)) throw new PosInputError(field, form);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
