/**
 * Messages of Transbank POS Integrado: text that is divided by `|`, each part by its place (Transbank developer
 * documentation; the official SDKs for what it leaves open).
 *
 *     0200 | 000002500 | ABC123 |  |  | 0
 *
 * Never counts on a number of parts: newer terminals send more, some end with an empty one, some leave the last ones out.
 */
import type { BytePlace } from '../../../../contract/frame.ts';
import { maskCardNumbers } from '../../../../log/index.ts';
import { latin1 } from '../../framing/index.ts';
import { directionOf, formOf, type Direction, type FieldName } from './commands.ts';

const separator = '|';
export const keptCardDigits = 4;
/** More parts than any message has; those behind are counted, and not looked at. */
const maxParts = 64;

type Values = Partial<Record<FieldName, string>>;

export interface TransbankMessage {
  /** Four digits, or whatever stood in their place. */
  command: string;
  direction: Direction;
  /** For people; null: a command that is not known. */
  name: string | null;
  /**
   * By meaning, each exactly as sent; what did not come is absent. The account number is never here, and of the card no
   * more than its last four digits.
   */
  values: Values;
  /** Parts in all, with the command and an empty one at the end. */
  partCount: number;
  /** All parts, the command first; empty where one of them could be card data. */
  parts: readonly string[];
  /** Where each value stands in the message, in bytes; the account number, too. */
  places: ReadonlyMap<FieldName, BytePlace>;
}

/** Reads the text of a frame. Never fails. Without `direction`, it is what the command says. */
export function decodeMessage(data: Uint8Array, direction?: Direction): TransbankMessage {
  const sent = latin1(data).split(separator);
  const [command = ''] = sent;
  const way = direction ?? directionOf(sent);
  const form = formOf(command, way);
  const values: Values = {};
  const places = new Map<FieldName, BytePlace>();
  let from = command.length + 1;
  for (const [index, part] of sent.slice(1, maxParts).entries()) {
    const field = form?.fields[index] ?? null;
    if (field !== null) {
      places.set(field, { from, to: from + part.length });
      const value = readableValue(field, part);
      if (value !== null) values[field] = value;
    }
    from += part.length + 1;
  }
  return {
    command: maskCardNumbers(command),
    direction: way,
    name: form?.name ?? null,
    values,
    partCount: sent.length,
    parts: places.has('accountNumber') ? [] : sent.slice(0, maxParts).map(maskCardNumbers),
    places,
  };
}

/** Null: it is dropped. */
function readableValue(field: FieldName, part: string): string | null {
  // Masked or filled up with zeros, but not by every terminal.
  if (field === 'accountNumber') return null;
  if (field === 'last4') return part.length > keptCardDigits ? part.trim().slice(-keptCardDigits) : part;
  return maskCardNumbers(part);
}

export interface MessageParts {
  command: string;
  direction: Direction;
  values?: Values;
  /** Ends with a separator, as the documentation's own examples; both forms are understood by both sides. */
  trailingSeparator?: boolean;
}

export type Encoding = { ok: true; data: Uint8Array } | { ok: false; error: string };

/** Neither a separator nor what frames are made of; there is no escape for them. */
// oxlint-disable-next-line no-control-regex -- the control characters of frames are what this is about
const unsendable = /[^\u0020-\u007e]|\|/;

/**
 * The text of a message, for both sides of the line. Values are sent as they are; what is missing is sent empty. Refuses a
 * command that there is not, a value that the command has no place for, and one that a frame cannot carry.
 */
export function encodeMessage({
  command,
  direction,
  values = {},
  trailingSeparator = false,
}: MessageParts): Encoding {
  const form = formOf(command, direction);
  if (form === null) return { ok: false, error: `there is no command ${JSON.stringify(command)}` };
  for (const [field, value] of Object.entries(values)) {
    if (!form.fields.some((one) => one === field))
      return { ok: false, error: `command ${command} has no field ${field}` };
    if (unsendable.test(value)) return { ok: false, error: `${field} has a character that cannot be sent` };
  }
  const parts = form.fields.map((field) => (field === null ? '' : (values[field] ?? '')));
  const text = [command, ...parts].join(separator) + (trailingSeparator ? separator : '');
  return { ok: true, data: new Uint8Array(Buffer.from(text, 'latin1')) };
}
