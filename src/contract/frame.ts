/** A frame on the terminal's line as the wire trace logs it, and as the console shows it. */
import { z } from 'zod';

/**
 * The bytes of a frame that a field stands in, from the first one to the one behind the last, with its number and its
 * length where it has them. Card data in them is masked, in the bytes as in the field.
 */
const bytePlaceSchema = z.object({
  from: z.number().int().nonnegative(),
  to: z.number().int().nonnegative(),
});
export type BytePlace = z.infer<typeof bytePlaceSchema>;

/**
 * What a frame says: name and value, in English (`["amount", "12.00"]`), and where. The place is missing in lines of
 * older versions, and where there is none.
 */
export const frameFieldSchema = z.union([
  z.tuple([z.string(), z.string(), bytePlaceSchema]),
  z.tuple([z.string(), z.string()]),
]);
export type FrameField = z.infer<typeof frameFieldSchema>;

/** More than the wire trace writes. */
const maxFields = 110;

/** The fields of a line of the log that tells of a frame. */
export const loggedFrameSchema = z.object({
  direction: z.enum(['to_terminal', 'from_terminal']),
  frame: z.string().optional(),
  /** ZVT: class and instruction, four hex digits. */
  ctrl: z.string(),
  length: z.number().int(),
  /** Two digits a byte with a colon between them; `**` for a masked byte. Null: it could not be read. */
  hex: z.string().nullable().default(null),
  fields: z.array(frameFieldSchema).max(maxFields).catch([]),
});
