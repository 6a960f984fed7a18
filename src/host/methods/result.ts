/** The result of a method: a value, or a refusal with the reason and what to do. */
import type { Result } from '../../contract/errors.ts';
import type { ConsoleRefusal, ConsoleResult } from '../../contract/console/index.ts';

export function done<T>(value: T): ConsoleResult<T> {
  return { ok: true, value };
}

export function refused(
  code: ConsoleRefusal['code'],
  message: string,
  issues?: NonNullable<ConsoleRefusal['issues']>,
): { ok: false; refusal: ConsoleRefusal } {
  return { ok: false, refusal: { code, message, ...(issues === undefined ? {} : { issues }) } };
}

/** A result of `payments`, its value as the console wants it. */
export function consoleResultOf<T, U>(answer: Result<T>, read: (value: T) => U): ConsoleResult<U> {
  if (answer.ok) return done(read(answer.value));
  const { code, message, issues } = answer.refusal;
  return refused(code, message, issues);
}
