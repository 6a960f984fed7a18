import { describe, expect, it } from 'vitest';
import {
  canonicalText,
  isSignatureOf,
  publicKeyOf,
  signText,
  workingKeysOf,
} from '../../../../../src/bridge/terminals/kpay/wire/index.ts';
import { kpayKeys } from '../kpay-keys.ts';

const { appPrivateKey, platformPublicKey } = kpayKeys;
const text = canonicalText({
  method: 'POST',
  uri: '/v2/pos/sales/close',
  timestamp: '1774832407000',
  nonceStr: '9MDPayYriiiTNhMJukpT1O3e8kwbo1o8',
  body: Buffer.from('{}'),
});

describe('the text that is signed', () => {
  const parts = { method: 'GET', uri: '/a?b=c', timestamp: '1', nonceStr: 'n' };
  it.each([
    ['no body', null, 'GET\n/a?b=c\n1\nn\n'],
    ['an empty body', new Uint8Array(), 'GET\n/a?b=c\n1\nn\n'],
    ['a body', Buffer.from('{"x":1}'), 'GET\n/a?b=c\n1\nn\n{"x":1}\n'],
    ['a body that ends with a line feed', Buffer.from('{}\n'), 'GET\n/a?b=c\n1\nn\n{}\n\n'],
    ['a body with blanks and other scripts', Buffer.from('{ "枱": 3 }'), 'GET\n/a?b=c\n1\nn\n{ "枱": 3 }\n'],
  ])('of a request with %s', (_what, body, expected) => {
    expect(Buffer.from(canonicalText({ ...parts, body })).toString()).toBe(expected);
  });
});

describe('the keys of a sign-in', () => {
  const pem = (base64: string, name: string) =>
    `-----BEGIN ${name}-----\n${base64.replace(/(.{64})/g, '$1\n')}\n-----END ${name}-----\n`;
  const twice = (base64: string) =>
    base64.replaceAll('=', '\\u003d').replaceAll('+', '\\u002B').replaceAll('/', '\\u002f');

  it.each([
    ['as they should be', (key: string) => key],
    ['with the lines of PEM', (key: string, name: string) => pem(key, name)],
    ['with the lines of PEM, escaped', (key: string, name: string) => pem(key, name).replaceAll('\n', '\\n')],
    ['with padding that was escaped twice', twice],
    ['without padding', (key: string) => key.replace(/=+$/, '')],
    ['with line ends of Windows', (key: string) => key.replace(/(.{76})/g, '$1\r\n')],
  ])('work %s', (_how, written) => {
    const keys = workingKeysOf({
      appPrivateKey: written(appPrivateKey, 'PRIVATE KEY'),
      platformPublicKey: written(platformPublicKey, 'PUBLIC KEY'),
    });
    if (keys === null) throw new Error('no keys');
    const signature = signText(text, keys.appPrivateKey);
    expect(isSignatureOf(signature, text, publicKeyOf(keys.appPrivateKey))).toBe(true);
    expect(isSignatureOf(signature, text, keys.platformPublicKey)).toBe(false);
  });

  it.each([
    ['a missing key', { appPrivateKey }],
    ['no data', undefined],
    ['the keys in the other place', { appPrivateKey: platformPublicKey, platformPublicKey: appPrivateKey }],
    ['a damaged key', { appPrivateKey: appPrivateKey.slice(0, 900), platformPublicKey }],
    ['a key that is no base64', { appPrivateKey: `${appPrivateKey}!`, platformPublicKey }],
    ['a text of many MB', { appPrivateKey: 'A'.repeat(9_000), platformPublicKey }],
    ['a key of another kind', { appPrivateKey: kpayKeys.ed25519, platformPublicKey }],
    ['a key that is too short', { appPrivateKey: kpayKeys.rsa512, platformPublicKey }],
  ])('are none with %s', (_what, data) => {
    expect(workingKeysOf(data)).toBeNull();
  });
});
