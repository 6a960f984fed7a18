/**
 * Where a field comes from. The interface's document shows some fields and says of the rest that they are not shown:
 * these are assumptions, made here once. Each field of each schema carries one of the two marks. They are kept in zod's
 * metadata, so that OpenAPI and the docs have them too.
 */
import { z } from 'zod';

export type Source = 'documented' | 'assumed';
const sourceKey = 'x-source';
const valuesKey = 'x-known-values';
const documentedValuesKey = 'x-documented-values';
const secretKey = 'x-secret';

/** The document shows this field. The mark must be the outermost thing about a schema: what wraps it loses the mark. */
export function documented<Schema extends z.ZodType>(schema: Schema): Schema {
  return marked(schema, { [sourceKey]: 'documented' });
}

/** The document is silent; this is our assumption. */
export function assumed<Schema extends z.ZodType>(schema: Schema): Schema {
  return marked(schema, { [sourceKey]: 'assumed' });
}

/** A field that is written only: never in a record, a log or an error. */
export function secret<Schema extends z.ZodType>(schema: Schema): Schema {
  return marked(schema, { [secretKey]: true, writeOnly: true });
}

function marked<Schema extends z.ZodType>(schema: Schema, marks: Record<string, unknown>): Schema {
  return schema.meta({ ...schema.meta(), ...marks });
}

/** The same fields, all marked as assumed: for records that follow a documented pattern but are not documented. */
export function allAssumed<Shape extends z.ZodRawShape>(shape: Shape): Shape {
  return Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [name, assumed(field as z.ZodType)]),
  ) as unknown as Shape;
}

/** Null when nobody marked it, which a test forbids. */
export function sourceOf(schema: z.ZodType): Source | null {
  const source = schema.meta()?.[sourceKey];
  return source === 'documented' || source === 'assumed' ? source : null;
}

export function isSecret(schema: z.ZodType): boolean {
  return schema.meta()?.[secretKey] === true;
}

/** The values of the fields of `body` that `schema` marks as secret. */
export function secretsOf(schema: z.ZodObject | null, body: unknown): string[] {
  if (schema === null || typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) => {
    const field = schema.shape[name] as z.ZodType | undefined;
    return field !== undefined && isSecret(field) && typeof value === 'string' ? [value] : [];
  });
}

/** A value out of a list that is not closed: the document gives values "seen", and others may come. */
export type OpenEnum<Known extends string> = Known | (string & {});

/**
 * A string whose known values are `documentedValues` (seen in the document) and `assumedValues`. Any other string is valid
 * and gets reported by `unknownsIn`: a client goes on, a sandbox refuses.
 */
export function openEnum<const Documented extends string, const Assumed extends string = never>(
  documentedValues: readonly Documented[],
  assumedValues: readonly Assumed[] = [],
): z.ZodType<OpenEnum<Documented | Assumed>, OpenEnum<Documented | Assumed>> {
  const schema = z
    .string()
    .meta({ [valuesKey]: [...documentedValues, ...assumedValues], [documentedValuesKey]: documentedValues });
  return schema;
}

/** Null: any string is as good as another. */
export function knownValuesOf(schema: z.ZodType): readonly string[] | null {
  return (schema.meta()?.[valuesKey] as readonly string[] | undefined) ?? null;
}

/** The values that the document shows. */
export function documentedValuesOf(schema: z.ZodType): readonly string[] {
  return (schema.meta()?.[documentedValuesKey] as readonly string[] | undefined) ?? [];
}
