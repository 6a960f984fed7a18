/** What a client and a call may be told, checked before anything is sent: a wrong number would show much later. */
import { z } from 'zod';
import { notSent, type RemoteErrorKind } from './errors.ts';

/** Node's timers hold no more. */
const maxMs = 2_147_483_647;
const milliseconds = z.int().min(0).max(maxMs);
const timeoutMs = z.int().min(1).max(maxMs);
const retry = z.strictObject({
  maxAttempts: z.int().min(1).max(100).optional(),
  firstPauseMs: milliseconds.optional(),
  maxPauseMs: milliseconds.optional(),
  maxRetryAfterMs: milliseconds.optional(),
});
/** RFC 9110, 5.1 and 5.5. */
const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'is no name of a header');
const headerValue = z.string().regex(/^[\x20-\x7e]*$/, 'must be printable ASCII characters');
/** Those that the client sets. */
const ownHeaders = ['authorization', 'content-type', 'accept', 'if-match', 'x-service-api-version'];
const headers = z.record(
  headerName.refine((name) => !ownHeaders.includes(name.toLowerCase()), 'is set by the client'),
  headerValue,
);
const aFunction = z.custom<() => void>((value) => typeof value === 'function', 'must be a function');

const clientOptionsSchema = z.object({
  retry: retry.optional(),
  timeoutMs: timeoutMs.optional(),
  headers: headers.optional(),
  idempotencyHeader: headerName.optional(),
  userAgent: headerValue.optional(),
  allowUndocumented: z.boolean().optional(),
  onUnknown: aFunction.optional(),
  onRequest: aFunction.optional(),
  onResponse: aFunction.optional(),
  onRetry: aFunction.optional(),
});

const callOptionsSchema = z.strictObject({
  signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal, 'must be an AbortSignal').optional(),
  timeoutMs: timeoutMs.optional(),
  retry: retry.optional(),
  headers: headers.optional(),
  idempotencyKey: headerValue.min(1).optional(),
});

/** Throws RemoteError "configuration". */
export function checkClientOptions(options: unknown): void {
  check(clientOptionsSchema, options, 'configuration', '');
}

/** Throws RemoteError "invalid-request". */
export function checkCallOptions(options: unknown, title: string): void {
  check(callOptionsSchema, options, 'invalid-request', `${title}: `);
}

function check(schema: z.ZodType, options: unknown, kind: RemoteErrorKind, before: string): void {
  const parsed = schema.safeParse(options);
  if (parsed.success) return;
  const issues = parsed.error.issues.map((issue) => ({
    path: issue.path.join('.'),
    message: wordsOf(issue),
  }));
  const words = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
  throw notSent(kind, `${before}${words}`, { issues });
}

/** Without the value: an option may be a secret in the wrong place. */
function wordsOf(issue: z.core.$ZodIssue): string {
  return issue.code === 'unrecognized_keys' ? `there is no option ${issue.keys.join(', ')}` : issue.message;
}

/** `more` over `base`, where it says something. */
export function over<T extends object>(base: T, more: { [Key in keyof T]?: T[Key] | undefined } = {}): T {
  const said = Object.entries(more).filter(([, value]) => value !== undefined);
  return { ...base, ...Object.fromEntries(said) };
}
