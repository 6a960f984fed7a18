/**
 * Where a field comes from. The interface's document shows some fields and says of the rest that they are not shown;
 * those were decided here, once. Each field of each schema carries one of the two marks. They are kept in zod's
 * metadata, so that OpenAPI and the docs show them too.
 */
import { z } from 'zod';

export type Source = 'shown' | 'decided';
const sourceKey = 'x-source';
const valuesKey = 'x-known-values';
const shownValuesKey = 'x-shown-values';
const secretKey = 'x-secret';

/** The document shows this field. The mark must be the outermost thing about a schema: what wraps it loses the mark. */
export function shown<Schema extends z.ZodType>(schema: Schema): Schema {
  return marked(schema, { [sourceKey]: 'shown' });
}

/** The document is silent; this is our choice. */
export function decided<Schema extends z.ZodType>(schema: Schema): Schema {
  return marked(schema, { [sourceKey]: 'decided' });
}

/** A field that is written only: never in a record, a log or an error. */
export function secret<Schema extends z.ZodType>(schema: Schema): Schema {
  return marked(schema, { [secretKey]: true, writeOnly: true });
}

function marked<Schema extends z.ZodType>(schema: Schema, marks: Record<string, unknown>): Schema {
  return schema.meta({ ...schema.meta(), ...marks });
}

/** Fields in which a decided shape takes all its marks: for records that follow a shown pattern but are not shown. */
export function allDecided<Shape extends z.ZodRawShape>(shape: Shape): Shape {
  return Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [name, decided(field as z.ZodType)]),
  ) as unknown as Shape;
}

/** Null when nobody marked it, which a test forbids. */
export function sourceOf(schema: z.ZodType): Source | null {
  const source = schema.meta()?.[sourceKey];
  return source === 'shown' || source === 'decided' ? source : null;
}

export function isSecret(schema: z.ZodType): boolean {
  return schema.meta()?.[secretKey] === true;
}

/** A word out of a list that is not closed: the document gives values "seen", and others may come. */
export type OpenWord<Known extends string> = Known | (string & {});

/**
 * A string whose known values are `shownValues` (seen in the document) and `decidedValues`. Any other string is valid
 * and gets reported by `unknownsIn`: a client goes on, a sandbox refuses.
 */
export function openWord<const Shown extends string, const Decided extends string = never>(
  shownValues: readonly Shown[],
  decidedValues: readonly Decided[] = [],
): z.ZodType<OpenWord<Shown | Decided>, OpenWord<Shown | Decided>> {
  const schema = z
    .string()
    .meta({ [valuesKey]: [...shownValues, ...decidedValues], [shownValuesKey]: shownValues });
  return schema;
}

/** Null: any string is as good as another. */
export function knownValuesOf(schema: z.ZodType): readonly string[] | null {
  return (schema.meta()?.[valuesKey] as readonly string[] | undefined) ?? null;
}

/** The values that the document shows. */
export function shownValuesOf(schema: z.ZodType): readonly string[] {
  return (schema.meta()?.[shownValuesKey] as readonly string[] | undefined) ?? [];
}
