/**
 * RSA keys as a terminal hands them out, and signatures with them (RSASSA-PKCS1-v1_5 with SHA-256, in base64; "KPay
 * Official API Specification" v2.0). Keys are key objects, whose content no log can print by mistake.
 */
import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

/** The longest text of a key that is looked at; one of 2048 bits has 1,700 characters. */
const maxKeyCharacters = 8_192;
/** A key is 2048 bits long; others are usable within these bounds, so that one signature takes a bounded time. */
const minKeyBits = 1_024;
const maxKeyBits = 4_096;

/**
 * The base64 of a key without what some builds put around it: PEM lines, line ends, and characters that were escaped
 * twice (`\u003d`, as six characters, for the padding; seen at live terminals by KSP-Forwarder and Odoo).
 */
function repairedKey(text: string): string {
  return text
    .replace(/\\u([0-9a-fA-F]{4})/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\[rn]/g, '')
    .replace(/-----[A-Z ]+-----/g, '')
    .replace(/\s/g, '');
}

function keyBytes(text: string): Uint8Array | null {
  if (text.length > maxKeyCharacters) return null;
  const base64 = repairedKey(text);
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length > 0 && withoutPadding(bytes.toString('base64')) === withoutPadding(base64)
    ? bytes
    : null;
}

function withoutPadding(base64: string): string {
  return base64.replace(/={0,2}$/, '');
}

function rsaKey(create: () => KeyObject): KeyObject | null {
  try {
    const key = create();
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    return key.asymmetricKeyType === 'rsa' && bits >= minKeyBits && bits <= maxKeyBits ? key : null;
  } catch {
    return null;
  }
}

/** `appPrivateKey` of a sign-in (PKCS#8 in base64); null when it is none that can sign. */
export function readPrivateKey(text: string): KeyObject | null {
  const bytes = keyBytes(text);
  return bytes === null ? null : readPrivateKeyDer(bytes);
}

/** A PKCS#8 key as bytes; null when it is none that can sign. */
export function readPrivateKeyDer(bytes: Uint8Array): KeyObject | null {
  return rsaKey(() => createPrivateKey({ key: Buffer.from(bytes), format: 'der', type: 'pkcs8' }));
}

/** `platformPublicKey` of a sign-in (X.509 in base64); null when it is none that can check. */
export function readPublicKey(text: string): KeyObject | null {
  const bytes = keyBytes(text);
  if (bytes === null) return null;
  return rsaKey(() => createPublicKey({ key: Buffer.from(bytes), format: 'der', type: 'spki' }));
}

/** The key that checks what `privateKey` signs. */
export function publicKeyOf(privateKey: KeyObject): KeyObject {
  return createPublicKey(privateKey);
}

/** Base64 of the signature. The same text and key always give the same. */
export function signText(text: Uint8Array, privateKey: KeyObject): string {
  return sign('sha256', text, privateKey).toString('base64');
}

/** Whether `signature` is the one of `text`, written in the one way that base64 has for it. */
export function isSignatureOf(signature: string, text: Uint8Array, publicKey: KeyObject): boolean {
  const bytes = Buffer.from(signature, 'base64');
  return bytes.toString('base64') === signature && verify('sha256', text, publicKey, bytes);
}

/** SHA-256 in hex, as the vectors have it. */
export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
