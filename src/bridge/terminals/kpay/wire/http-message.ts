/**
 * One whole HTTP/1.1 message as it was captured, for `tillbridge decode`. On a line Node reads HTTP; this reads what
 * somebody copied from there, and refuses what is not complete to the byte.
 */

/** Start line and headers together; terminals and clients send less than 1 kB. */
const maxHeadBytes = 16_384;
/** A body in either direction; the answer to a sign-in, the longest one known, has 2 kB. */
export const maxBodyBytes = 262_144;
const maxHeaders = 100;

export type HttpMessage = (
  { kind: 'request'; method: string; uri: string } | { kind: 'response'; status: number }
) & {
  /** By their names in lower case. */
  headers: ReadonlyMap<string, string>;
  body: Uint8Array;
};

export type ReadHttpMessage = { ok: true; message: HttpMessage } | { ok: false; error: string };

const requestLine = /^([A-Z]{1,10}) (\/[!-~]*) HTTP\/1\.1$/;
const statusLine = /^HTTP\/1\.1 ([1-5]\d\d)(?: [^\r\n]*)?$/;
const headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([ -~\t\x80-\xff]*?)[ \t]*$/;

/** Reads exactly one message; an error is a sentence for people. Never throws. */
export function readHttpMessage(bytes: Uint8Array): ReadHttpMessage {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headEnd = all.subarray(0, maxHeadBytes).indexOf('\r\n\r\n');
  if (headEnd < 0)
    return failed(all.length < maxHeadBytes ? 'truncated: the head has no end' : 'the head is too long');
  const [start = '', ...lines] = all.toString('latin1', 0, headEnd).split('\r\n');
  const headers = readHeaders(lines);
  if (typeof headers === 'string') return failed(headers);
  const body = all.subarray(headEnd + 4);
  const wrong = lengthError(headers, body.length, requestLine.test(start));
  if (wrong !== null) return failed(wrong);
  const [, method, uri] = requestLine.exec(start) ?? [];
  if (method !== undefined && uri !== undefined)
    return { ok: true, message: { kind: 'request', method, uri, headers, body } };
  const [, status] = statusLine.exec(start) ?? [];
  if (status === undefined) return failed('the first line is none of HTTP/1.1');
  return { ok: true, message: { kind: 'response', status: Number(status), headers, body } };
}

function readHeaders(lines: readonly string[]): Map<string, string> | string {
  if (lines.length > maxHeaders) return `more than ${maxHeaders} headers`;
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name = '', value = ''] = headerLine.exec(line) ?? [];
    if (name === '') return 'a line of the head is no header';
    // Of two equal ones nobody could tell which was signed.
    if (headers.has(name.toLowerCase())) return `the header ${name} is there twice`;
    headers.set(name.toLowerCase(), value);
  }
  return headers;
}

function lengthError(headers: ReadonlyMap<string, string>, found: number, isRequest: boolean): string | null {
  if (found > maxBodyBytes) return `the body is longer than ${maxBodyBytes} bytes`;
  if (headers.has('transfer-encoding')) return 'a body in chunks is not read';
  const length = headers.get('content-length');
  if (length === undefined)
    return isRequest && found > 0 ? `${found} bytes behind a request without a body` : null;
  if (!/^\d{1,9}$/.test(length)) return 'Content-Length is no number';
  if (found === Number(length)) return null;
  const what = found < Number(length) ? 'truncated' : 'length mismatch';
  return `${what}: Content-Length announces ${Number(length)} bytes, found ${found}`;
}

function failed(error: string): ReadHttpMessage {
  return { ok: false, error };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** What the JSON of a body says, or undefined when it is none, also where it is no UTF-8. */
export function readJsonBody(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body)) as unknown;
  } catch {
    return undefined;
  }
}
