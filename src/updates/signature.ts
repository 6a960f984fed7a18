/**
 * The signature of a feed's list of versions: Ed25519, detached, base64, in a file beside it (`latest-linux.yml.sig`). The
 * list's name is signed with it, so that nobody can offer the list of another channel or system in its place.
 */
import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

export function signatureFileOf(listFile: string): string {
  return `${listFile}.sig`;
}

/** The content of the signature's file. */
export function signList(listFile: string, list: Uint8Array, privateKey: KeyObject): string {
  return `${sign(null, signedBytes(listFile, list), privateKey).toString('base64')}\n`;
}

/** Whether `signature`, as its file has it, is of this list and this key (32 bytes, base64). Never throws. */
export function isSigned(listFile: string, list: Uint8Array, signature: string, publicKey: string): boolean {
  const bytes = Buffer.from(signature.trim(), 'base64');
  if (bytes.length !== signatureBytes) return false;
  try {
    return verify(null, signedBytes(listFile, list), keyOf(publicKey), bytes);
  } catch {
    // What is no point on the curve is no key.
    return false;
  }
}

/** The setting `updates.key` for what `privateKey` signs. */
export function publicKeyText(privateKey: KeyObject): string {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  return Buffer.from(x ?? '', 'base64url').toString('base64');
}

const signatureBytes = 64;

function signedBytes(listFile: string, list: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`tillbridge update list\n${listFile}\n`, 'utf8'), list]);
}

function keyOf(publicKey: string): KeyObject {
  const x = Buffer.from(publicKey, 'base64').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}
