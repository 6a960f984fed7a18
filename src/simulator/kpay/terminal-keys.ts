/** The keys that a terminal hands out when somebody signs in. */
import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

export interface TerminalKeys {
  /** Checks the till's requests. */
  appPublicKey: KeyObject;
  /** As the answer to a sign-in carries them, base64 of DER. */
  appPrivateKey: string;
  platformPublicKey: string;
}

const newPair = promisify(generateKeyPair);

/** Two fresh pairs of 2048 bits, which takes a moment. */
export async function freshKeys(): Promise<TerminalKeys> {
  const app = await newPair('rsa', { modulusLength: 2_048 });
  const platform = await newPair('rsa', { modulusLength: 2_048 });
  return {
    appPublicKey: app.publicKey,
    appPrivateKey: app.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    platformPublicKey: platform.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  };
}
