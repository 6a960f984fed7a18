/** Query parameters: how lists are paged, and how text in an address becomes values and back. */
import { z } from 'zod';
import { allAssumed, documented, type Source } from './marks.ts';

/**
 * How many records a sandbox's list answers when nobody says, and at most. Bounds of the service are not documented, so that
 * a client leaves it to the service to refuse a count; OpenAPI has the sandbox's.
 */
export const defaultCount = 20;
export const maxCount = 100;

/** `token`: that of the last record seen; the list goes on behind it. `count`: how many records at most. */
const pagingShape = {
  token: documented(z.string().min(1).optional()),
  count: documented(z.int().min(1).meta({ maximum: maxCount }).optional()),
};

export type ListQuery<Filters extends z.ZodRawShape> = z.ZodObject<
  typeof pagingShape & { [Key in keyof Filters]: z.ZodOptional<Filters[Key]> }
>;

/** Every filter may be left out. `paging`: whether the document shows that this list has `token` and `count`. */
export function listQuery<Filters extends z.ZodRawShape>(
  filters: Filters,
  paging: Source,
): ListQuery<Filters> {
  const optionalFilters = Object.fromEntries(
    Object.entries(filters).map(([name, filter]) => {
      const schema = filter as z.ZodType;
      return [name, schema.optional().meta(schema.meta() ?? {})];
    }),
  );
  return z.object({
    ...(paging === 'documented' ? pagingShape : allAssumed(pagingShape)),
    ...optionalFilters,
  }) as unknown as ListQuery<Filters>;
}

/** The text of an address's query as values for `schema`: numbers and booleans where the schema has them. */
export function readQuery(
  schema: z.ZodObject,
  parameters: Iterable<[string, string]>,
): Record<string, unknown> {
  // By fromEntries, so that "__proto__" is a name like every other, and gets refused.
  return Object.fromEntries(
    [...parameters].map(([name, value]) => {
      const field = Object.hasOwn(schema.shape, name) ? (schema.shape[name] as z.ZodType) : undefined;
      return [name, field === undefined ? value : readValue(innermost(field), value)];
    }),
  );
}

function readValue(schema: z.ZodType, value: string): unknown {
  if (schema instanceof z.ZodBoolean && (value === 'true' || value === 'false')) return value === 'true';
  if (schema instanceof z.ZodNumber && /^-?\d{1,15}$/.test(value)) return Number(value);
  return value;
}

function innermost(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? innermost(schema.unwrap() as z.ZodType)
    : schema;
}

/** The other way: what is undefined or null is left out. */
export function writeQuery(values: Readonly<Record<string, unknown>>): string {
  const parameters = Object.entries(values).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [[name, String(value)]]
      : [],
  );
  return parameters.length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`;
}
