/** Masks one serialized log line and keeps it JSON. */
import { maskCardNumbers } from './mask.ts';

/**
 * `line` (one JSON object) with its card numbers masked. A JSON number that is a card number becomes a string, since
 * stars are no number. A line that is not JSON comes back as one that carries its masked text.
 */
export function maskLine(line: string): string {
  const masked = maskCardNumbers(line);
  if (masked === line || isJson(masked)) return masked;
  const value = parseJson(line);
  if (value !== undefined) {
    const rebuilt = JSON.stringify(maskValue(value));
    if (maskCardNumbers(rebuilt) === rebuilt) return rebuilt;
  }
  return JSON.stringify({ level: 'error', msg: masked });
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
      Object.entries(value).map(([name, item]) => [maskCardNumbers(name), maskValue(item)]),
    );
  }
  return value;
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
