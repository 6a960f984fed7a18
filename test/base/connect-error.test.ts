import { describe, expect, it } from 'vitest';
import { connectErrorMessage } from '../../src/base/connect-error.ts';
import { bridgeSentence } from '../../src/locales/index.ts';

/** As the system reports it; `tried` is the address that a name stood for. */
const failed = (code: string, tried?: string) => Object.assign(new Error(code), { code, address: tried });
const say = (code: string, host: string, platform: NodeJS.Platform, tried?: string) =>
  connectErrorMessage(failed(code, tried), { host, address: `${host}:20007`, platform });

describe('a connection that cannot be made', () => {
  const denied = /^macOS does not let Tillbridge into the local network, or there is no way to/;

  it.each([
    ['192.168.1.20', undefined],
    ['10.0.0.5', undefined],
    ['172.31.0.1', undefined],
    ['169.254.7.7', undefined],
    ['fe80::1', 'fe80::1%en0'],
    ['fd00::17', undefined],
    ['terminal.local', undefined],
    ['terminal', undefined],
    ['terminal.shop.example', '192.168.1.20'],
  ])('to %s in the local network may be denied by macOS', (host, tried) => {
    for (const code of ['EHOSTUNREACH', 'ENETUNREACH'])
      expect(say(code, host, 'darwin', tried)).toMatch(denied);
    expect(say('EHOSTUNREACH', host, 'win32', tried)).toBe(`there is no way to ${host} on this network`);
  });

  it.each(['203.0.113.9', '172.32.0.1', '2001:db8::1', 'terminal.shop.example'])(
    'to %s somewhere else is a fault of the network',
    (host) => expect(say('EHOSTUNREACH', host, 'darwin')).toBe(`there is no way to ${host} on this network`),
  );

  it('is a fault of the terminal where that refuses, also on macOS', () => {
    expect(say('ECONNREFUSED', '192.168.1.20', 'darwin')).toMatch(/refuses the connection/);
  });

  it.each(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ETIMEDOUT'])(
    'has a German sentence for %s',
    (code) => {
      for (const platform of ['darwin', 'linux'] as const) {
        const german = bridgeSentence(say(code, '192.168.1.20', platform), 'de');
        expect(german).toContain('192.168.1.20');
        expect(german).not.toMatch(/\b(the|this|network|does)\b/);
      }
    },
  );
});
