/** The forms of single values, as the document's conventions give them. */
import { z } from 'zod';

/** "UUID-shaped": 8-4-4-4-12 hexadecimal digits, whatever version and variant they name. */
export const uuid = z.guid();
export const text = z.string();
/** ISO 8601 with fractional seconds, in UTC, written with `Z` or `+00:00`. */
export const timestamp = z.iso
  .datetime({ offset: true })
  .regex(/\.\d+(?:Z|\+00:00)$/, 'must have fractional seconds and be UTC, written with Z or +00:00');
/** RFC 9110, 8.8.3: an entity tag in its double quotes, perhaps weak. */
export const entityTag = z
  .string()
  .regex(/^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/, 'must be an entity tag in double quotes');
export const date = z.iso.date();

/** Text that may not be empty. */
export const name = z.string().min(1).max(140);
/** What a customer writes for itself, or for the other side to read. */
export const remark = z.string().max(500);
/** Money above zero: up to 18 digits, a point, up to 18 more (crypto assets). Never a JSON number. */
export const amount = z
  .string()
  .regex(/^(?=.*[1-9])\d{1,18}(?:\.\d{1,18})?$/, 'must be a decimal number above zero, as a string');
/** Money that may be zero or below it. */
export const signedAmount = z
  .string()
  .regex(/^-?\d{1,18}(?:\.\d{1,18})?$/, 'must be a decimal number, as a string');
/** How much of one currency one unit of another one buys. */
export const rate = amount;
/** ISO 4217, or the ticker of a crypto asset. */
export const currencyCode = z.string().regex(/^[A-Z][A-Z0-9]{2,9}$/, 'must be a currency code, as "EUR"');
/** ISO 3166-1 alpha-2. */
export const countryCode = z.string().regex(/^[A-Z]{2}$/, 'must be two capital letters, as "DE"');
/** An object about which nothing is known. */
export const anyObject = z.record(z.string(), z.unknown());

/** May be left out of a request, or be null. In a record it is null then. */
export function optional<Schema extends z.ZodType>(schema: Schema): z.ZodOptional<z.ZodNullable<Schema>> {
  return schema.nullable().optional();
}
