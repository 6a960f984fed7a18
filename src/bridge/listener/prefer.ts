/** `Prefer: wait=N` (RFC 7240 section 4.3): how long a caller would like the response to be held. */

const token = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const quoted = '"(?:[^"\\\\]|\\\\.)*"';
/** One preference with its parameters: `name`, `name=value` or `name="value"`, each perhaps with `; more`. */
const preferencePattern = new RegExp(
  `[ \\t]*(?:(${token})[ \\t]*(?:=[ \\t]*(${token}|${quoted})[ \\t]*)?` +
    `(?:;[ \\t]*(?:${token}[ \\t]*(?:=[ \\t]*(?:${token}|${quoted})[ \\t]*)?)?)*)?(,|$)`,
  'y',
);
const digitsPattern = /^\d{1,9}$/;

/**
 * Seconds that the caller asks to wait, or null when it says nothing (or nothing valid: RFC 7240 has preferences
 * that cannot be understood ignored). `header` is the value of all `Prefer` headers, joined by commas; of several
 * `wait` the first counts.
 */
export function parsePreferWait(header: string | undefined): number | null {
  if (header === undefined) return null;
  preferencePattern.lastIndex = 0;
  while (preferencePattern.lastIndex < header.length) {
    const match = preferencePattern.exec(header);
    if (match === null) return null;
    const [, name, value = ''] = match;
    if (name?.toLowerCase() === 'wait') {
      const text = value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
      return digitsPattern.test(text) ? Number(text) : null;
    }
  }
  return null;
}
