/** The system's store for secrets: a key in a file beside the app's own. `ELECTRON_DOUBLE_KEYRING=none` takes it away. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { app } from './app.ts';
import { records } from './records.ts';

const hasKeyring = process.env['ELECTRON_DOUBLE_KEYRING'] !== 'none';
const nonceBytes = 12;
const tagBytes = 16;

function key(): Buffer {
  const file = path.join(app.getPath('userData'), 'double-keyring');
  try {
    return readFileSync(file);
  } catch {
    mkdirSync(path.dirname(file), { recursive: true });
    const made = randomBytes(32);
    writeFileSync(file, made);
    return made;
  }
}

export const safeStorage = {
  isEncryptionAvailable: () => app.isReady(),
  isAsyncEncryptionAvailable(): Promise<boolean> {
    records.keyStoreQuestions += 1;
    return Promise.resolve(hasKeyring);
  },
  async encryptStringAsync(text: string): Promise<Buffer> {
    records.keyStoreQuestions += 1;
    return safeStorage.encryptString(text);
  },
  async decryptStringAsync(sealed: Buffer): Promise<{ result: string; shouldReEncrypt: boolean }> {
    records.keyStoreQuestions += 1;
    return { result: safeStorage.decryptString(sealed), shouldReEncrypt: false };
  },
  getSelectedStorageBackend: () => (hasKeyring ? 'gnome_libsecret' : 'basic_text'),
  encryptString(text: string): Buffer {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', key(), nonce);
    return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  },
  decryptString(sealed: Buffer): string {
    const decipher = createDecipheriv('aes-256-gcm', key(), sealed.subarray(0, nonceBytes));
    decipher.setAuthTag(sealed.subarray(-tagBytes));
    return decipher.update(sealed.subarray(nonceBytes, -tagBytes)).toString() + decipher.final().toString();
  },
};
