/** Takes secrets out of whatever is logged or thrown. */

export interface Secrets {
  /** For good: what the client was set up with. */
  keep(secret: string): void;
  /** For as long as it may turn up: an access token. */
  add(secret: string): void;
  /** The same with `more` secrets that are not kept. */
  with(more: readonly string[]): Scrub;
}
export type Scrub = (text: string) => string;

/** Tokens of the past that are still looked for; a token lives for minutes, an error about it for less. */
const maxKept = 50;
const mask = '[secret]';

export function createSecrets(): Secrets {
  const always = new Set<string>();
  const kept = new Set<string>();
  return {
    keep: (secret) => void always.add(secret),
    add(secret) {
      kept.delete(secret);
      kept.add(secret);
      const [oldest] = kept;
      if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
    },
    with: (more) => (text) => scrub(text, [...always, ...kept, ...more]),
  };
}

function scrub(text: string, secrets: readonly string[]): string {
  // The longest first: one may be a part of another.
  const forms = secrets.flatMap(formsOf).sort((a, b) => b.length - a.length);
  return forms.reduce((rest, form) => rest.replaceAll(form, mask), text);
}

/** As it is, in an address, in JSON, in base64. */
function formsOf(secret: string): string[] {
  if (secret === '') return [];
  const base64 = btoa(
    Array.from(new TextEncoder().encode(secret), (byte) => String.fromCharCode(byte)).join(''),
  );
  return [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ s: secret }).toString().slice(2),
    JSON.stringify(secret).slice(1, -1),
    base64,
    base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
  ];
}

/** Every string in a JSON value scrubbed. */
export function scrubValue(value: unknown, scrub: Scrub): unknown {
  if (typeof value === 'string') return scrub(value);
  if (Array.isArray(value)) return value.map((element) => scrubValue(element, scrub));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [scrub(name), scrubValue(field, scrub)]),
  );
}
