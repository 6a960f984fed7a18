/** Secrets where the system offers no store of its own: as they are, in the settings file that only its owner can read. */
import type { SecretBox } from '../host-api.ts';

const plainPrefix = 'plain:';

export function fileSecrets(): SecretBox {
  return {
    kind: 'file',
    seal: (secret) => plainPrefix + secret,
    open: (sealed) => (sealed.startsWith(plainPrefix) ? sealed.slice(plainPrefix.length) : null),
  };
}
