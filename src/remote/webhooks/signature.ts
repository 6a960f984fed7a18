/**
 * How a receiver knows that a delivery is from who holds the secret, and new: HMAC-SHA256 over the time and the body. By the
 * Web Crypto API, so that it runs wherever a receiver does.
 */

/** Seconds since 1970, as digits. */
export const timestampHeader = 'x-tillbridge-timestamp';
/** `v1=` and 64 hexadecimal digits. */
export const signatureHeader = 'x-tillbridge-signature';

/** HMAC-SHA256 with the subscription's secret over `<timestamp>.<body>`. */
export async function sign(secret: string, timestamp: string, body: string | Uint8Array): Promise<string> {
  const key = await keyOf(secret, 'sign');
  const mac = await crypto.subtle.sign('HMAC', key, signedBytes(timestamp, body));
  return `v1=${Array.from(new Uint8Array(mac), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Whether `signature` is that of one of `secrets`; there are two while a secret is exchanged. In constant time for each. */
export async function isSignedByOne(
  secrets: readonly string[],
  { timestamp, signature }: { timestamp: string; signature: string },
  body: string | Uint8Array,
): Promise<boolean> {
  const [, digits] = /^v1=([0-9a-f]{64})$/.exec(signature) ?? [];
  if (digits === undefined) return false;
  const mac = Uint8Array.from({ length: 32 }, (_none, index) =>
    Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16),
  );
  const fits = await Promise.all(
    secrets.map(async (secret) =>
      crypto.subtle.verify('HMAC', await keyOf(secret, 'verify'), mac, signedBytes(timestamp, body)),
    ),
  );
  return fits.includes(true);
}

function keyOf(secret: string, use: 'sign' | 'verify'): ReturnType<typeof crypto.subtle.importKey> {
  const bytes = new TextEncoder().encode(secret);
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [use]);
}

function signedBytes(timestamp: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${timestamp}.`);
  const rest = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const all = new Uint8Array(head.byteLength + rest.byteLength);
  all.set(head);
  all.set(rest, head.byteLength);
  return all;
}
