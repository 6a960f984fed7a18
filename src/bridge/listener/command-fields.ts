/** What is wrong with a command's fields, in sentences that show the right form and never repeat what was sent. */
import type { Refusal } from '../../contract/errors.ts';
import { z } from 'zod';

/** Only with `invalid_request`. */
export type Issue = NonNullable<Refusal['issues']>[number];

export type CommandSchema = z.ZodObject<Record<string, z.ZodType>>;

type Checked<T> = { ok: true; value: T } | { ok: false; issues: Issue[] };

/** The fields of one body, and the names of those that the command does not know; these are no issue. */
export type Fields<T> = Checked<T> & { unknown: readonly string[] };

/** Reads a body once: the plain request is recognised at sight, and the schema itself has the word on every other. */
export function fieldReader<S extends CommandSchema>(
  schema: S,
): (body: Record<string, unknown>) => Fields<z.output<S>> {
  const plain = plainReader(schema);
  return (body) => {
    const value = plain(body);
    if (value !== null) return { ok: true, value, unknown: [] };
    return { ...checkFields(schema, body), unknown: unknownFields(schema, body) };
  };
}

/**
 * Recognises a body that has the fields of `schema` and no others, all as they should be; null: ask the schema. Its rules
 * are taken from the schema, which has to be made of strings with patterns, perhaps optional: for anything else it throws.
 */
export function plainReader<S extends CommandSchema>(
  schema: S,
): (body: Record<string, unknown>) => z.output<S> | null {
  const patterns = new Map<string, readonly RegExp[]>();
  const demanded: string[] = [];
  for (const [name, field] of Object.entries(schema.shape)) {
    patterns.set(name, patternsOf(name, field));
    if (!(field instanceof z.ZodOptional)) demanded.push(name);
  }
  return (body) => {
    for (const name of Object.keys(body)) {
      const value = body[name];
      const rules = patterns.get(name);
      if (rules === undefined || typeof value !== 'string') return null;
      for (const rule of rules) if (!rule.test(value)) return null;
    }
    for (const name of demanded) if (!Object.hasOwn(body, name)) return null;
    return body as z.output<S>;
  };
}

function patternsOf(name: string, field: z.core.$ZodType): RegExp[] {
  const inner = field instanceof z.ZodOptional ? field.unwrap() : field;
  const checks = inner instanceof z.ZodString && inner.def.coerce !== true ? (inner.def.checks ?? []) : [];
  const patterns = checks.flatMap(({ _zod: { def } }) =>
    'pattern' in def && def.pattern instanceof RegExp && !def.pattern.global && !def.pattern.sticky
      ? [def.pattern]
      : [],
  );
  if (patterns.length === 0 || patterns.length < checks.length)
    throw new Error(
      `The field ${name} is more than a string with a pattern: a plain request cannot be recognised.`,
    );
  return patterns;
}

/** Checks `body` against `schema`, and says what is wrong with it. */
function checkFields<S extends CommandSchema>(
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
function unknownFields(schema: CommandSchema, body: Record<string, unknown>): string[] {
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
