/**
 * A captured message as one JSON object, for `tillbridge decode`. Key names are the same as in the project's test
 * vectors; a key that the message does not have is left out.
 */
import { descriptor } from '../descriptor.ts';
import type { KeyObject } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { maskCardNumbers } from '../../../../log/index.ts';
import type { DecodeReading, FrameDecoder } from '../../framing/index.ts';
import { workingKeysOf } from './answers.ts';
import { canonicalText, isCanonicalText } from './canonical-text.ts';
import { callOf } from './commands.ts';
import { type HttpMessage, readHttpMessage, readJsonBody } from './http-message.ts';
import { maskedJson } from './masked-json.ts';
import {
  isSignatureOf,
  publicKeyOf,
  readPrivateKey,
  readPrivateKeyDer,
  readPublicKey,
  sha256,
  signText,
} from './signatures.ts';

/** What `tillbridge decode kpay` reads: a whole HTTP message, a text to be signed, a private key. */
export const kpayDecoder: FrameDecoder = {
  ...descriptor.decode,
  decode(bytes, { framing, keys }) {
    const read = keys === undefined ? {} : readDecodeKeys(keys);
    return read === null
      ? { ok: false, error: 'the file with keys has none that can be used' }
      : decodeBytes(bytes, framing, read);
  },
};

/** What is known of the keys that sign. */
interface DecodeKeys {
  /** Signs the till's requests. */
  appPrivateKey?: KeyObject | undefined;
  /** Checks what the terminal sends by itself. */
  platformPublicKey?: KeyObject | undefined;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Signatures are checked and made with the keys that are given, and left out without them. Never throws. */
function decodeBytes(bytes: Uint8Array, framing: string, keys: DecodeKeys): DecodeReading {
  if (framing === 'canonical') return describeCanonical(bytes, keys);
  if (framing === 'der') return describeKey(bytes);
  const read = readHttpMessage(bytes);
  return read.ok ? describeHttp(read.message, keys) : read;
}

function describeHttp(message: HttpMessage, keys: DecodeKeys): DecodeReading {
  const body = message.body.length === 0 ? undefined : readJsonBody(message.body);
  const shownBody = body === undefined ? {} : { body: maskedJson(body) };
  const isJson = message.body.length === 0 || body !== undefined;
  if (message.kind === 'response') {
    // A server that fails may say so in a page.
    if (!isJson && message.status === 200) return { ok: false, error: 'the body is no JSON in UTF-8' };
    return { ok: true, decoded: { kind: 'response', status: message.status, ...shownBody } };
  }
  if (!isJson) return { ok: false, error: 'the body is no JSON in UTF-8' };
  const { method, uri, headers } = message;
  const timestamp = headers.get('timestamp');
  const nonceStr = headers.get('noncestr');
  const appId = headers.get('appid');
  const isCallback = !uri.startsWith('/v1/pos/') && !uri.startsWith('/v2/pos/');
  const decoded = {
    kind: isCallback ? 'callback' : 'request',
    method,
    uri,
    ...(appId === undefined ? {} : { appId }),
    ...(timestamp === undefined ? {} : { timestamp }),
    ...(nonceStr === undefined ? {} : { nonceStr }),
  };
  // The one command without a signature: its answer brings the keys.
  if (callOf(method, uri) === 'sign_in' || timestamp === undefined || nonceStr === undefined)
    return { ok: true, decoded: { ...decoded, ...shownBody } };
  const text = canonicalText({ method, uri, timestamp, nonceStr, body: message.body });
  const key = isCallback ? keys.platformPublicKey : keys.appPrivateKey && publicKeyOf(keys.appPrivateKey);
  const signature = headers.get('signature') ?? '';
  return {
    ok: true,
    decoded: {
      ...decoded,
      canonical: shownText(text, body),
      ...(key === undefined ? {} : { signatureValid: isSignatureOf(signature, text, key) }),
      ...shownBody,
    },
  };
}

/** The signed text; its timestamp and numbers often look like more than they are, so only what a person wrote is masked. */
function shownText(text: Uint8Array, body: unknown): string {
  const shown = Buffer.from(text).toString('utf8');
  if (body === undefined || isDeepStrictEqual(maskedJson(body), body)) return shown;
  const head = shown.split('\n', 4).join('\n').length;
  return shown.slice(0, head) + maskCardNumbers(shown.slice(head));
}

function describeCanonical(bytes: Uint8Array, { appPrivateKey }: DecodeKeys): DecodeReading {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { ok: false, error: 'the text is no UTF-8' };
  }
  if (!isCanonicalText(text))
    return {
      ok: false,
      error: 'not a text to be signed: method, path, timestamp and nonce, each with its LF',
    };
  return {
    ok: true,
    decoded: {
      lines: text.split('\n').length - 1,
      sha256: sha256(bytes),
      ...(appPrivateKey === undefined ? {} : { signature: signText(bytes, appPrivateKey) }),
    },
  };
}

/** The platform key of the test vectors, which everybody can have: it is told from keys that must be kept. */
const testKeySha256 = '10ba7c6d746e4701ddf060421ffe440ed12b33dc4fb6dee1971e86a0e303377e';

function describeKey(bytes: Uint8Array): DecodeReading {
  if (readPrivateKeyDer(bytes) === null) return { ok: false, error: 'not an RSA key in PKCS#8' };
  const format = 'PKCS#8 DER';
  if (sha256(bytes) !== testKeySha256) return { ok: true, decoded: { kind: 'private key', format } };
  return {
    ok: true,
    decoded: { kind: 'test key', format, use: 'simulator signs callbacks with it' },
  };
}

/**
 * Keys from the text of a file: the answer to a sign-in (whole, or its `data`), or one key in base64 or
 * PEM. Null when there is none in it.
 */
function readDecodeKeys(text: string): DecodeKeys | null {
  const json = readJsonBody(Buffer.from(text));
  if (typeof json === 'object' && json !== null) return workingKeysOf('data' in json ? json.data : json);
  const appPrivateKey = readPrivateKey(text) ?? undefined;
  const platformPublicKey = readPublicKey(text) ?? undefined;
  return appPrivateKey === undefined && platformPublicKey === undefined
    ? null
    : { appPrivateKey, platformPublicKey };
}
