/**
 * The text that a signature is made of ("KPay Official API Specification" v2.0; the form is the one of KPay's own
 * signing tool). Each line ends with LF, the last one, too:
 *
 *     POST                               the method
 *     /v2/pos/sales                      path and query, exactly as sent
 *     1774832400000                      header timestamp
 *     KzUETJOSySu3oSR97sp6mxEM5XS2dN5I   header nonceStr
 *     {"outTradeNo":"TB000001",…}        only if there is a body: its bytes as they are sent
 */
export interface SignedParts {
  method: string;
  /** Path with the query. */
  uri: string;
  /** UTC milliseconds in digits. */
  timestamp: string;
  nonceStr: string;
  /** Null or empty: there is none, and no line of it. */
  body: Uint8Array | null;
}

const lineFeed = Buffer.from('\n');

/** The bytes to be signed. Those of the body are taken as they are: what is signed is what is sent. */
export function canonicalText({ method, uri, timestamp, nonceStr, body }: SignedParts): Uint8Array {
  const head = Buffer.from([method, uri, timestamp, nonceStr, ''].join('\n'));
  return body === null || body.length === 0 ? head : Buffer.concat([head, body, lineFeed]);
}

const canonicalPattern = /^[A-Z]+\n\/[^\n]*\n\d{1,20}\n[0-9A-Za-z]{1,64}\n(?:[^]+\n)?$/;

/** Whether `text` has the form of a text to be signed. */
export function isCanonicalText(text: string): boolean {
  return canonicalPattern.test(text);
}
