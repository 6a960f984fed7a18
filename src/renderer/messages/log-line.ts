/** A line of the log in the words and figures of the window. Whoever shows a line's message takes it from here. */
import type { TFunction } from 'i18next';
import type { LogLine } from '../../contract/console/index.ts';
import { currencyExponent, currencySchema } from '../../contract/money.ts';
import type { Formats } from './formats.ts';

/** Most lines say one of a few sentences; looking one up in a table of patterns takes longer than drawing it. */
const maxKnownMessages = 1_000;
const knownMessages = new WeakMap<Formats, Map<string, string>>();

/** What happened. Of a frame its name alone: where it went is `lineDirection`. */
export function lineMessage(line: LogLine, formats: Formats): string {
  const { frame } = line.fields;
  const said = typeof frame === 'string' && lineDirection(line) !== null ? frame : line.message;
  const known = knownMessages.get(formats) ?? new Map<string, string>();
  knownMessages.set(formats, known);
  const before = known.get(said);
  if (before !== undefined) return before;
  const text = formats.sentence(said);
  if (known.size >= maxKnownMessages) known.clear();
  known.set(said, text);
  return text;
}

/** Which way a frame went; null: the line is of no frame. */
export function lineDirection({ fields }: LogLine): 'to_terminal' | 'from_terminal' | null {
  const { direction } = fields;
  return direction === 'to_terminal' || direction === 'from_terminal' ? direction : null;
}

const knownFigures = new WeakMap<Formats, WeakMap<LogLine, string | null>>();

/** The amount that a line tells of, or else how long something took: "12,00 €", "59 ms". */
export function lineFigure(line: LogLine, formats: Formats): string | null {
  const known = knownFigures.get(formats) ?? new WeakMap<LogLine, string | null>();
  knownFigures.set(formats, known);
  const before = known.get(line);
  if (before !== undefined) return before;
  const figure = figureOf(line, formats);
  known.set(line, figure);
  return figure;
}

function figureOf({ fields }: LogLine, formats: Formats): string | null {
  const pairs = pairsOf(fields['fields']);
  const amount = fields['amount'] ?? valueOf(pairs, 'amount');
  if (typeof amount === 'string' && /^\d{1,12}\.\d{2}$/.test(amount)) {
    const currency = currencySchema.safeParse(fields['currency'] ?? valueOf(pairs, 'currency'));
    return currency.success
      ? formats.money(Math.round(Number(amount) * 10 ** currencyExponent(currency.data)), currency.data)
      : formats.decimal(Number(amount), 2);
  }
  const { duration_ms: durationMs } = fields;
  return typeof durationMs === 'number' ? formats.duration(durationMs) : null;
}

/** The fields of a frame as the protocol names them: name and value. */
export function pairsOf(fields: unknown): [string, string][] {
  if (!Array.isArray(fields)) return [];
  return fields.flatMap((pair: unknown): [string, string][] =>
    Array.isArray(pair) && pair.length === 2 ? [[String(pair[0]), String(pair[1])]] : [],
  );
}

function valueOf(pairs: [string, string][], wanted: string): string | undefined {
  return pairs.find(([name]) => name === wanted)?.[1];
}

/** So much of a value is shown around what was found in it, in characters. */
const shownBefore = 12;
const shownInAll = 60;

export interface HiddenMatch {
  /** Of the line's JSON, such as `request_id`; `msg` is its English message. */
  field: string;
  /** As much of its value as tells where. */
  text: string;
}

/**
 * Where a line has `needle` (lower case) when what is `shown` of it has it not. Null: it is in sight, or in the name of a
 * level or a source.
 */
export function hiddenMatch(
  line: LogLine,
  needle: string,
  shown: readonly (string | null)[],
): HiddenMatch | null {
  if (shown.some((text) => text !== null && text.toLowerCase().includes(needle))) return null;
  for (const [field, value] of Object.entries({ ...line.fields, msg: line.message, time: line.time })) {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    const at = text.toLowerCase().indexOf(needle);
    if (at >= 0) return { field, text: around(text, at) };
    if (field.toLowerCase().includes(needle)) return { field, text: around(text, 0) };
  }
  return null;
}

function around(text: string, at: number): string {
  const from = Math.max(0, at - shownBefore);
  const to = from + shownInAll;
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
}

/** The part of the program that a line is from; one without a name of its own keeps that of the file. */
export function sourceName(source: string, t: TFunction): string {
  // Any source, for which this one stands.
  return t(`log.sourceNames.${source as 'bridge'}`, { defaultValue: source });
}

/** A field that has no name of its own keeps the one that it has in the file, with blanks for underscores. */
export function lineFieldName(name: string, t: TFunction): string {
  // Any name of a field, for which this one stands.
  return t(`log.fieldNames.${name as 'request_id'}`, { defaultValue: name.replaceAll('_', ' ') });
}
