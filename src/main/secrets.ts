/** Secrets in the system's own store. It is asked only for a secret, and may ask a person for a password first. */
import { safeStorage } from 'electron';
import { fileSecrets, type SecretBox } from '../host/index.ts';

const mark = 'system:';

/** Called when the app is ready. Where the system has no store, the settings file keeps secrets as it is. */
export function createSecrets(): SecretBox {
  const file = fileSecrets();
  let kind: SecretBox['kind'] = seemsToHaveStore() ? 'system' : 'file';
  return {
    get kind() {
      return kind;
    },
    async seal(secret) {
      kind = seemsToHaveStore() && (await safeStorage.isAsyncEncryptionAvailable()) ? 'system' : 'file';
      if (kind === 'file') return file.seal(secret);
      const sealed = await safeStorage.encryptStringAsync(secret);
      return mark + sealed.toString('base64');
    },
    async open(sealed) {
      // Kept before the system had a store, or by the headless bridge.
      if (!sealed.startsWith(mark)) return file.open(sealed);
      try {
        const { result } = await safeStorage.decryptStringAsync(
          Buffer.from(sealed.slice(mark.length), 'base64'),
        );
        return result;
      } catch {
        // Another user, another computer, or a store that was emptied.
        return null;
      }
    },
  };
}

/**
 * As far as can be told without asking it. On Linux without a keyring Electron "encrypts" with a key that everybody knows;
 * a plain file is more honest.
 */
function seemsToHaveStore(): boolean {
  return (
    process.platform !== 'linux' ||
    !['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend())
  );
}
