/** Masks one serialized log line and keeps it JSON. */
import { maskCardNumbers } from './mask.ts';
import { holdsCardNumber } from './reference-check.ts';

/** The field as JSON has it, with a value of the form that references have. */
const reference = '"reference":"[A-Za-z0-9._-]{1,40}"';
/**
 * Bytes of a frame, which the protocol has masked field by field (`**`, and in captures of a line `*` with what stands there
 * instead); pairs of digits often look like more.
 */
const hexByte = '(?:\\*?[0-9a-f]{2}|\\*\\*)';
const hex = `"hex":"${hexByte}(?:[: ]${hexByte})*"`;
/** A line that names several payments. */
const references = '"references":\\["[A-Za-z0-9._-]{1,40}"(?:,"[A-Za-z0-9._-]{1,40}")*\\]';
const sparedFields = new RegExp(`${reference}|${references}|${hex}`, 'g');

/**
 * `line` (one JSON object) with its card numbers masked. A JSON number that is a card number becomes a string, since
 * stars are no number. A line that is not JSON comes back as one that carries its masked text.
 */
export function maskLine(line: string): string {
  const masked = maskAround(line);
  if (masked === line || isJson(masked)) return masked;
  const value = parseJson(line);
  if (value !== undefined) {
    const rebuilt = maskAround(JSON.stringify(maskValue(value)));
    if (isJson(rebuilt)) return rebuilt;
    // A row of numbers that are one together.
    const asTexts = maskAround(
      JSON.stringify(value, (_name, item) => (typeof item === 'number' ? String(item) : item)),
    );
    if (isJson(asTexts)) return asTexts;
  }
  return JSON.stringify({ level: 'error', msg: masked });
}

/**
 * The mask hides more than card numbers, such as one date and time in ten. A payment's reference must stay readable,
 * because the log is searched by it; one that can be a card number is never stored, and is masked here as well. A text
 * that looks like a field has a backslash before its quotes.
 */
function maskAround(line: string): string {
  let masked = '';
  let from = 0;
  for (const { 0: field, index } of line.matchAll(sparedFields)) {
    if (namesCardNumber(field)) continue;
    masked += maskCardNumbers(line.slice(from, index)) + field;
    from = index + field.length;
  }
  return masked + maskCardNumbers(line.slice(from));
}

function maskValue(value: unknown): unknown {
  if (typeof value === 'string') return maskCardNumbers(value);
  if (typeof value === 'number') {
    const text = JSON.stringify(value);
    const masked = maskCardNumbers(text);
    return masked === text ? value : masked;
  }
  if (Array.isArray(value)) return value.map(maskValue);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        maskCardNumbers(name),
        isSpared(name, item) ? item : maskValue(item),
      ]),
    );
  }
  return value;
}

function isSpared(name: string, value: unknown): boolean {
  const field = JSON.stringify({ [name]: value }).slice(1, -1);
  const [found] = field.match(sparedFields) ?? [];
  return found === field && !namesCardNumber(field);
}

/** Whether a reference in this field can be a card number. Of several each stands for itself. */
function namesCardNumber(field: string): boolean {
  if (field.startsWith('"hex"')) return false;
  return field.split('","').some(holdsCardNumber);
}

function isJson(text: string): boolean {
  return parseJson(text) !== undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
