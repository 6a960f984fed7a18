/** Values that fit a schema, for fields about which nobody said anything. */
import { z } from 'zod';
import { knownValuesOf } from '../catalogue/index.ts';
import type { Fields } from './store/records.ts';

/** What a new record's status is, if it knows the word; else the first word that it knows. */
const usualWords = ['active', 'accepted', 'verified', 'completed', 'given', 'clear'];

const plainValues: readonly unknown[] = [
  'sandbox',
  '2026-03-26T12:00:00.000Z',
  '1990-01-31',
  'EUR',
  'text/plain',
  'DE',
  '1.00',
  '0'.repeat(64),
  '5a2d0c1e-0000-4000-8000-000000000000',
  'c2FuZGJveA==',
  1,
  0,
  false,
  {},
];

/** Always a valid value; the smallest one that is easily found: null, an empty array, plain words. Throws for schemas of a new kind. */
export function sampleOf(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodOptional) return undefined;
  if (schema instanceof z.ZodNullable) return null;
  if (schema instanceof z.ZodObject) {
    return Object.fromEntries(
      Object.entries(schema.shape).flatMap(([name, field]) => {
        const value = sampleOf(field as z.ZodType);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  }
  if (schema instanceof z.ZodDiscriminatedUnion) return sampleOf(schema.options[0] as z.ZodType);
  if (schema instanceof z.ZodArray) {
    return schema.safeParse([]).success ? [] : [sampleOf(schema.element as z.ZodType)];
  }
  if (schema instanceof z.ZodLiteral) return schema.def.values[0];
  const words = knownValuesOf(schema) ?? [];
  const word = usualWords.find((usual) => words.includes(usual)) ?? words[0];
  const value = [...(word === undefined ? [] : [word]), ...plainValues].find(
    (candidate) => schema.safeParse(candidate).success,
  );
  if (value === undefined) throw new Error('no sample value fits this schema');
  return value;
}

/** What the conventions give every record; the store has these. */
const conventions = new Set(['id', 'create_time', 'update_time', 'token', 'etag']);

/** The fields of a new record: from `source` what fits, null where that is allowed, a sample for the rest. */
export function newFields(schema: z.ZodObject, source: Fields): Fields {
  const fields: Fields = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    if (conventions.has(name)) continue;
    const given = source[name];
    const fits = given !== undefined && (field as z.ZodType).safeParse(given).success;
    const value = fits ? given : sampleOf(field as z.ZodType);
    fields[name] = value ?? null;
  }
  return fields;
}
