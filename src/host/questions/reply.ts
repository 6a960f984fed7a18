/** What a question is answered with: a value, or a refusal that says why and what to do. */
import type { Answer } from '../../contract/errors.ts';
import type { Refusal, Reply } from '../../contract/console/index.ts';

export function done<T>(value: T): Reply<T> {
  return { ok: true, value };
}

export function refused(
  code: Refusal['code'],
  message: string,
  issues?: NonNullable<Refusal['issues']>,
): { ok: false; refusal: Refusal } {
  return { ok: false, refusal: { code, message, ...(issues === undefined ? {} : { issues }) } };
}

/** The answer of the payments room, its value as the console wants it. */
export function replyOf<T, U>(answer: Answer<T>, read: (value: T) => U): Reply<U> {
  if (answer.ok) return done(read(answer.value));
  const { code, message, issues } = answer.failure;
  return refused(code, message, issues);
}
