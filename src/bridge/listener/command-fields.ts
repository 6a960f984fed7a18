/** What is wrong with a command's fields, in sentences that show the right form and never repeat what was sent. */
import type { Refusal } from '../../contract/errors.ts';
import type { z } from 'zod';

/** Only with `invalid_request`. */
export type Issue = NonNullable<Refusal['issues']>[number];

export type CommandSchema = z.ZodObject<Record<string, z.ZodType>>;

export type Checked<T> = { ok: true; value: T } | { ok: false; issues: Issue[] };

/** Checks `body` against `schema`. Unknown fields are no issue. */
export function checkFields<S extends CommandSchema>(
  schema: S,
  body: Record<string, unknown>,
): Checked<z.output<S>> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, issues: parsed.error.issues.map((issue) => toIssue(schema, body, issue)) };
}

export function invalidRequest(issues: Issue[]): Refusal {
  const sentences = issues.map(({ message }) => `${message}.`).join(' ');
  return { code: 'invalid_request', message: `The request cannot be carried out: ${sentences}`, issues };
}

/** Names of the fields in `body` that the command does not know. */
export function unknownFields(schema: CommandSchema, body: Record<string, unknown>): string[] {
  return Object.keys(body).filter((name) => !Object.hasOwn(schema.shape, name));
}

function toIssue(schema: CommandSchema, body: Record<string, unknown>, issue: z.core.$ZodIssue): Issue {
  const path = issue.path.join('.');
  const form = formOf(schema, path) ?? issue.message;
  if (!Object.hasOwn(body, path)) return { path, message: `${path} is missing; it ${form}` };
  const value = body[path];
  // A string of the wrong form needs no more words; "12.00" sent as a number looks right to its sender.
  const was = typeof value === 'string' ? '' : `, not ${typeName(value)}`;
  return { path, message: `${path} ${form}${was}` };
}

/** The field's own sentence ("must be …"): what its schema says of a string that is certainly wrong. */
function formOf(schema: CommandSchema, path: string): string | undefined {
  return schema.shape[path]?.safeParse('').error?.issues[0]?.message;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
