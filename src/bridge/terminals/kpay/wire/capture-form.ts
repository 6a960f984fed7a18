/** Captures of the requests to a KPay terminal. */
import { generateKeyPairSync } from 'node:crypto';
import type { RequestForm } from '../../framing/index.ts';
import { pathOf } from './commands.ts';
import { maskedCardNumber } from './fields.ts';
import { readJsonBody } from './http-message.ts';
import { maskedJson, type HideField } from './masked-json.ts';
import { readPrivateKey, readPublicKey } from './signatures.ts';
import { requestName } from './trace-fields.ts';

/** In place of a secret, and of a key that can be used. */
const hiddenSign = '***';
/** In place of a key with which nobody could do anything: the driver has to find out the same again. */
const uselessSign = '*';

/** `appSecret`, `appPrivateKey`, `platformPublicKey`, `managerPassword`, and whatever is named like one of them. */
const secretName = /secret|password|key$|^signature$/i;
/** No text that a driver reads is longer; a key is. */
const maxTextCharacters = 512;

const hide: HideField = (name, value) => {
  if (name === 'appPrivateKey') return readPrivateKey(value) === null ? uselessSign : hiddenSign;
  if (name === 'platformPublicKey') return readPublicKey(value) === null ? uselessSign : hiddenSign;
  if (secretName.test(name) || value.length > maxTextCharacters) return hiddenSign;
  // A build might not mask it.
  return name === 'cardNo' ? (maskedCardNumber(value) ?? hiddenSign) : null;
};

function maskUri(uri: string): string {
  const path = pathOf(uri);
  const shownPath = String(maskedJson(path, hide));
  if (path === uri) return shownPath;
  const query = Array.from(new URLSearchParams(uri.slice(path.length + 1)), ([name, value]) =>
    [maskedJson(name), maskedJson(value, hide, name)]
      .map((part) => encodeURIComponent(String(part)))
      .join('='),
  );
  return `${shownPath}?${query.join('&')}`;
}

let throwaway: Readonly<Record<string, string>> | null = null;

/** Keys of nobody, for a driver whose signatures nobody reads: as short as they may be. */
function throwawayKeys(): Readonly<Record<string, string>> {
  if (throwaway === null) {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 });
    throwaway = {
      appPrivateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
      platformPublicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    };
  }
  return throwaway;
}

export const requestForm: RequestForm = {
  nameOf: requestName,
  maskUri,
  maskBody(body) {
    const json = readJsonBody(body);
    return json === undefined ? undefined : maskedJson(json, hide);
  },
  restored: (masked) =>
    JSON.parse(JSON.stringify(masked), (name, value: unknown) =>
      value === hiddenSign ? (throwawayKeys()[name] ?? value) : value,
    ) as unknown,
  unchecked: 'Keys and signatures are not in the recording: what was signed is taken as right.',
};
