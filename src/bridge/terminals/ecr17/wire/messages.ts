/** Messages of ECR17: fixed places of ASCII characters, both ways. The layouts are in `layouts.ts`. */
import type { BytePlace } from '../../../../contract/frame.ts';
import { maskCardNumbers } from '../../../../log/index.ts';
import { latin1 } from '../../framing/index.ts';
import { directionOf, layoutOf, type Direction, type Field, type FieldName, type Layout } from './layouts.ts';

const headLength = 10;
const keptCardDigits = 4;
const doneResult = '00';

type Values = Partial<Record<FieldName, string>>;

export interface Ecr17Message {
  /** One letter, or '' where the message is too short for it. */
  code: string;
  direction: Direction;
  terminalId: string;
  /** Characters in all. */
  length: number;
  /** For people; null: a code that is not read by its fields. */
  name: string | null;
  /** It is as long as its fields need, and head and result are what they can be. Nothing is decided by another one. */
  complete: boolean;
  /** Without the blanks that fill them up; digits keep their zeros. Of the card no more than its last four digits. */
  values: Values;
  /** Where each value stands in the message, in bytes, with what fills it up. */
  places: ReadonlyMap<FieldName, BytePlace>;
}

/** Reads the text of an application packet. Never fails. Without `direction`, it is what code and length say. */
export function decodeMessage(data: Uint8Array, direction?: Direction): Ecr17Message {
  const text = latin1(data);
  const code = text.slice(headLength - 1, headLength);
  const way = direction ?? directionOf(code, text);
  const layout = layoutOf(code, way, text.length);
  const values: Values = {};
  const places = new Map<FieldName, BytePlace>();
  for (const field of fieldsIn(layout, text)) {
    const from = field.position - 1;
    const to = field.length === null ? text.length : from + field.length;
    if (to > text.length) continue;
    places.set(field.name, { from, to });
    const value = readValue(field, text.slice(from, to));
    if (value !== null) values[field.name] = value;
  }
  return {
    code,
    direction: way,
    terminalId: maskCardNumbers(text.slice(0, 8)),
    length: text.length,
    name: layout?.name ?? null,
    complete: layout !== null && isComplete(layout, text),
    values,
    places,
  };
}

function fieldsIn(layout: Layout | null, text: string): readonly Field[] {
  const not = text.slice(headLength, headLength + 2) === doneResult ? 'not_done' : 'done';
  return layout?.fields.filter(({ when }) => when !== not) ?? [];
}

function isComplete(layout: Layout, text: string): boolean {
  if (!/^\d{8}0/.test(text)) return false;
  if (layout.direction === 'to_terminal') return text.length === layout.length;
  const hasResult = layout.fields.some(({ name }) => name === 'result');
  if (hasResult && !/^\d\d/.test(text.slice(headLength))) return false;
  // A close that is done has totals up to its end, one that is not is shorter.
  return (
    text.length >= layout.minLength &&
    fieldsIn(layout, text).every(({ position, length }) => position - 1 + (length ?? 0) <= text.length)
  );
}

/** Null: it is dropped. */
function readValue({ name, length }: Field, text: string): string | null {
  if (name === 'panLast4') return /^.*(\d{4})$/.exec(text.trimEnd())?.[1] ?? null;
  if (name === 'description') return maskCardNumbers(withoutDigits(text)).trim();
  // A part of a ticket is as long as it is: its blanks are its layout.
  const value = name === 'text' && length === null ? text : text.trim();
  // Totals have as many digits as a card number, and are none.
  return name === 'text' || name === 'software' ? maskCardNumbers(value) : value;
}

/** Some terminals answer 05 and 09 in the form of 00, with the card number where we have the text of a refusal. */
const cardInText = /[\d*]{9,}(?=[\d*]{4})/g;

function withoutDigits(text: string): string {
  return text.replace(cardInText, (digits) => '*'.repeat(digits.length));
}

/** The bytes that nobody is to see: all of a card number but its last four digits. */
export function hiddenPlaces(message: Ecr17Message, data: Uint8Array): BytePlace[] {
  const pan = message.places.get('panLast4');
  const description = message.places.get('description');
  const inText =
    description === undefined
      ? []
      : latin1(data).slice(description.from, description.to).matchAll(cardInText);
  return [
    ...(pan === undefined ? [] : [{ from: pan.from, to: pan.to - keptCardDigits }]),
    ...Array.from(inText, ({ index, 0: digits }) => {
      const from = (description?.from ?? 0) + index;
      return { from, to: from + digits.length };
    }),
  ];
}

export interface MessageParts {
  code: string;
  direction: Direction;
  /** 8 digits; `00000000` is any terminal. */
  terminalId: string;
  /** Of an answer that comes in several lengths; the shortest where nothing is said. */
  length?: number;
  values?: Values;
}

export type Encoding = { ok: true; data: Uint8Array } | { ok: false; error: string };

/**
 * The text of a message, for both sides of the line. Values are filled up to their length; what is missing is zeros or
 * blanks. Refuses a code that there is not, a value that has no place in it, and one that does not fit.
 */
export function encodeMessage({ code, direction, terminalId, length, values = {} }: MessageParts): Encoding {
  const layout = layoutOf(code, direction, length ?? 0);
  if (layout === null) return refuse(`there is no message ${JSON.stringify(code)}`);
  if (!/^\d{8}$/.test(terminalId)) return refuse('a terminal id has 8 digits');
  let text = `${terminalId}0${code}`.padEnd(layout.length, '0');
  const fields = fieldsIn(layout, `${terminalId}0${code}${values.result ?? doneResult}`);
  for (const name of Object.keys(values))
    if (!fields.some((field) => field.name === name)) return refuse(`${layout.name} has no field ${name}`);
  for (const field of fields) {
    const value = values[field.name] ?? '';
    // oxlint-disable-next-line no-control-regex -- 1B ends a ticket; the rest of the control characters is for packets
    if (!/^[\u001b\u0020-\u007f]*$/.test(value))
      return refuse(`${field.name} has a character that cannot be sent`);
    if (field.length !== null && value.length > field.length)
      return refuse(`${field.name} is longer than ${field.length}`);
    const before = text.slice(0, field.position - 1);
    text =
      field.length === null
        ? before + value
        : before + filled(value, field.length, field.fill) + text.slice(before.length + field.length);
  }
  return { ok: true, data: new Uint8Array(Buffer.from(text, 'latin1')) };
}

function filled(value: string, length: number, fill: Field['fill']): string {
  if (fill === 'blanks_behind') return value.padEnd(length);
  return value.padStart(length, fill === 'zeros' ? '0' : ' ');
}

function refuse(error: string): Encoding {
  return { ok: false, error };
}
