/** Secrets in the system's own store. */
import { safeStorage } from 'electron';
import { fileSecrets, type SecretBox } from '../host/index.ts';

const mark = 'system:';

/** Called when the app is ready. Where the system has no store, the settings file keeps secrets as it is. */
export function createSecrets(): SecretBox {
  const file = fileSecrets();
  if (!hasStore()) return file;
  return {
    kind: 'system',
    seal: (secret) => mark + safeStorage.encryptString(secret).toString('base64'),
    open(sealed) {
      // Kept before the system had a store, or by the headless bridge.
      if (!sealed.startsWith(mark)) return file.open(sealed);
      try {
        return safeStorage.decryptString(Buffer.from(sealed.slice(mark.length), 'base64'));
      } catch {
        // Another user, another computer, or a store that was emptied.
        return null;
      }
    },
  };
}

/** On Linux without a keyring Electron "encrypts" with a key that everybody knows; a plain file is more honest. */
function hasStore(): boolean {
  if (!safeStorage.isEncryptionAvailable()) return false;
  return process.platform !== 'linux' || safeStorage.getSelectedStorageBackend() !== 'basic_text';
}
