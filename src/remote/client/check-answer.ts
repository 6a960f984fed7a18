/** Looks at an answer with the catalogue's eyes, and reports what it does not know. Never changes or drops anything. */
import type { z } from 'zod';
import { unknownsIn } from '../catalogue/index.ts';

export interface Surprise {
  /** unexpected: a field that is known has another form than the catalogue says, or is missing. */
  kind: 'unknown-field' | 'unknown-value' | 'unexpected';
  /** From the body's root: "external_account.type", "3.status" in the fourth record of a list. */
  path: string;
  value: unknown;
  /** For people. */
  message: string;
}

/** A page of a hundred records may surprise a hundred times with the same field. */
const maxSurprises = 50;

export function surprisesIn(schema: z.ZodType, body: unknown): Surprise[] {
  const unknowns = unknownsIn(schema, body).map((unknown): Surprise => ({
    ...unknown,
    message:
      unknown.kind === 'unknown-field'
        ? `${unknown.path}: the catalogue does not know this field.`
        : `${unknown.path}: the catalogue does not know this value.`,
  }));
  const parsed = schema.safeParse(body);
  const told = new Set(unknowns.map(({ path }) => path));
  const misfits = (parsed.success ? [] : parsed.error.issues).flatMap((issue): Surprise[] => {
    const path = issue.path.join('.');
    if (told.has(path)) return [];
    return [
      { kind: 'unexpected', path, value: valueAt(body, issue.path), message: `${path}: ${issue.message}` },
    ];
  });
  return [...unknowns, ...misfits].slice(0, maxSurprises);
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    body,
  );
}
