/** How a receiver knows that a delivery is from us, and new: HMAC-SHA256 over the time and the body. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Seconds since 1970, as digits. */
export const timestampHeader = 'x-tillbridge-timestamp';
/** `v1=` and 64 hexadecimal digits. */
export const signatureHeader = 'x-tillbridge-signature';

/** HMAC-SHA256 with the subscription's secret over `<timestamp>.<body>`. */
export function sign(secret: string, timestamp: string, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

/** For receivers. `toleranceSeconds`: how old a delivery may be, so that an old one cannot be played again. */
export function isSigned(
  secret: string,
  headers: { timestamp: string; signature: string },
  body: string,
  nowSeconds: number,
  toleranceSeconds = 300,
): boolean {
  const expected = Buffer.from(sign(secret, headers.timestamp, body));
  const given = Buffer.from(headers.signature);
  if (given.byteLength !== expected.byteLength || !timingSafeEqual(given, expected)) return false;
  return Math.abs(nowSeconds - Number(headers.timestamp)) <= toleranceSeconds;
}
