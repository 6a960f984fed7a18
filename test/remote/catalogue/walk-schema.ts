/** Walks a schema of the catalogue field by field. */
import { z } from 'zod';
import { sourceOf } from '../../../src/remote/catalogue/index.ts';

export interface FieldSeen {
  path: string;
  schema: z.ZodType;
  /** All objects around it are documented. */
  parentDocumented: boolean;
}

/** Each field of each object in `schema`; "know_your_customer[cms].detail" for a variant's. */
export function fieldsOf(schema: z.ZodType, path = '', parentDocumented = true): FieldSeen[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return fieldsOf(schema.unwrap() as z.ZodType, path, parentDocumented);
  }
  if (schema instanceof z.ZodArray) return fieldsOf(schema.element as z.ZodType, path, parentDocumented);
  if (schema instanceof z.ZodDiscriminatedUnion) {
    return (schema.options as z.ZodObject[]).flatMap((option) => {
      const word = option.shape['type'] as unknown as z.ZodLiteral;
      return fieldsOf(option, `${path}[${String(word.value)}]`, parentDocumented);
    });
  }
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
    const fieldPath = path === '' ? name : `${path}.${name}`;
    const documented = parentDocumented && sourceOf(field) === 'documented';
    return [{ path: fieldPath, schema: field, parentDocumented }, ...fieldsOf(field, fieldPath, documented)];
  });
}

/** In the document's words; "?": or null. */
export function typeOf(schema: z.ZodType): string {
  if (schema instanceof z.ZodOptional) return typeOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodNullable) return `${typeOf(schema.unwrap() as z.ZodType)}?`;
  if (schema instanceof z.ZodArray) return `array of ${typeOf(schema.element as z.ZodType)}`;
  if (schema instanceof z.ZodGUID) return 'id';
  if (schema instanceof z.ZodISODateTime) return 'timestamp';
  if (schema instanceof z.ZodISODate) return 'date';
  if (schema instanceof z.ZodNumber) return 'integer';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  if (schema instanceof z.ZodString || schema instanceof z.ZodLiteral) return 'string';
  return 'object';
}
