/** What a value has that its schema does not know: fields, and values of words whose list is open. */
import { z } from 'zod';
import { knownValuesOf } from './marks.ts';

export interface Unknown {
  kind: 'unknown-field' | 'unknown-value';
  /** Where, from the body's root: "external_account.type". */
  path: string;
  value: unknown;
}

/** A server that does not guess refuses what this finds; a client that lives with newer servers reports it. */
export function unknownsIn(schema: z.ZodType, value: unknown, path = ''): Unknown[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return unknownsIn(schema.unwrap() as z.ZodType, value, path);
  }
  if (value === null || value === undefined) return [];
  if (schema instanceof z.ZodArray) {
    if (!Array.isArray(value)) return [];
    return value.flatMap((element, index) =>
      unknownsIn(schema.element as z.ZodType, element, below(path, String(index))),
    );
  }
  if (schema instanceof z.ZodDiscriminatedUnion) return unknownsInUnion(schema, value, path);
  if (schema instanceof z.ZodObject) return isObject(value) ? unknownsInObject(schema, value, path) : [];
  const known = knownValuesOf(schema);
  if (known === null || known.length === 0 || typeof value !== 'string' || known.includes(value)) return [];
  return [{ kind: 'unknown-value', path, value }];
}

function unknownsInObject(schema: z.ZodObject, value: Record<string, unknown>, path: string): Unknown[] {
  return Object.entries(value).flatMap(([name, field]): Unknown[] => {
    const fieldSchema = Object.hasOwn(schema.shape, name) ? (schema.shape[name] as z.ZodType) : undefined;
    const fieldPath = below(path, name);
    return fieldSchema === undefined
      ? [{ kind: 'unknown-field', path: fieldPath, value: field }]
      : unknownsIn(fieldSchema, field, fieldPath);
  });
}

function unknownsInUnion(schema: z.ZodDiscriminatedUnion, value: unknown, path: string): Unknown[] {
  if (!isObject(value)) return [];
  const name = schema.def.discriminator;
  const word = value[name];
  const option = (schema.options as z.ZodObject[]).find(
    (candidate) => (candidate.shape[name] as z.ZodType | undefined)?.safeParse(word).success === true,
  );
  if (option !== undefined) return unknownsInObject(option, value, path);
  return typeof word === 'string' ? [{ kind: 'unknown-value', path: below(path, name), value: word }] : [];
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
