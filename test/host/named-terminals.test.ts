/** What a configuration says of several terminals, and what is wrong with it. */
import { describe, expect, it } from 'vitest';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { namedTerminals } from '../../src/host/settings/named-terminals.ts';
import { serialSettingsOf } from '../../src/contract/serial-settings.ts';
import { secretsOfTerminals, terminalsWithoutSecrets } from '../../src/host/settings/terminal-secrets.ts';

function of(terminals: unknown, main: Record<string, unknown> = {}) {
  return namedTerminals(
    configurationSchema.parse({ terminal: 'tcp:10.0.0.1:20007', dataDir: '/data', ...main, terminals }),
  );
}

function errorsOf(terminals: unknown, main: Record<string, unknown> = {}): string[] {
  const named = of(terminals, main);
  return named.ok ? [] : named.errors;
}

const bar = { terminal: 'tcp:10.0.0.2:20007' };

describe('terminals', () => {
  it('are the main one alone where no others are named', () => {
    const named = of(undefined);
    expect(named.ok && named.terminals.map(({ name }) => name)).toEqual(['main']);
  });

  it('have settings of their own, and the main one’s for the rest', () => {
    const named = of(
      {
        bar: { ...bar, currency: 'CHF', zvt: { password: '123456' } },
        roof: { terminal: 'serial:/dev/ttyS0' },
      },
      { maxTipPercent: 10, zvt: { receipts: 'pos' }, serial: { baudRate: 115_200 } },
    );
    if (!named.ok) throw new Error(named.errors.join(' '));
    expect(
      named.terminals.map(({ name, configuration: { terminal, currency, maxTipPercent, zvt, serial } }) => [
        name,
        terminal.kind,
        currency,
        maxTipPercent,
        zvt.password,
        zvt.receipts,
        serial.baudRate,
      ]),
    ).toEqual([
      ['main', 'tcp', 'EUR', 10, '000000', 'pos', 115_200],
      ['bar', 'tcp', 'CHF', 10, '123456', 'pos', 115_200],
      ['roof', 'serial', 'EUR', 10, '000000', 'pos', 115_200],
    ]);
  });

  it('are on the line that is usual for their own protocol, as far as neither they nor the main one say otherwise', () => {
    const roof = { terminal: 'serial:/dev/ttyS0', protocol: 'transbank', currency: 'CLP' };
    const lineOf = (own: object, main: Record<string, unknown>) => {
      const named = of({ roof: { ...roof, ...own } }, main);
      if (!named.ok) throw new Error(named.errors.join(' '));
      return named.terminals.slice(1).map(({ configuration }) => {
        const { baudRate, stopBits } = serialSettingsOf(configuration);
        return [baudRate, stopBits];
      });
    };
    expect(lineOf({}, {})).toEqual([[115_200, 1]]);
    expect(lineOf({ serial: { stopBits: 2 } }, {})).toEqual([[115_200, 2]]);
    expect(lineOf({ serial: { stopBits: 1 } }, { serial: { baudRate: 9_600, stopBits: 2 } })).toEqual([
      [9_600, 1],
    ]);
  });

  it('can be a list of names with addresses, as flags and variables give it', () => {
    const named = of(['bar=tcp:10.0.0.2:20007', 'roof=serial:/dev/tty=S0']);
    if (!named.ok) throw new Error(named.errors.join(' '));
    expect(named.terminals.map(({ name, configuration }) => [name, configuration.terminal])).toEqual([
      ['main', { kind: 'tcp', host: '10.0.0.1', port: 20007 }],
      ['bar', { kind: 'tcp', host: '10.0.0.2', port: 20007 }],
      ['roof', { kind: 'serial', path: '/dev/tty=S0' }],
    ]);
  });

  it.each([
    [
      'one address twice',
      { bar: { terminal: 'tcp:10.0.0.1:20007' } },
      /"main" and "bar" have the same address/,
    ],
    ['one name twice', ['bar=tcp:10.0.0.2:1', 'bar=tcp:10.0.0.3:1'], /two terminals "bar"/],
    ['no address', { bar: { currency: 'CHF' } }, /"bar" needs "terminal"/],
    ['the main name', { main: bar }, /another name than "main"/],
    ['a name that is a path', { '../bar': bar }, /must be 1 to 32 of/],
    ['a name of Windows', { com1: bar }, /must be 1 to 32 of/],
    [
      'a setting of the bridge',
      { bar: { ...bar, port: 8081 } },
      /"port" in the terminal "bar" is a setting of/,
    ],
    ['no setting at all', { bar: { ...bar, curency: 'CHF' } }, /is no setting. Did you mean currency/],
    ['a wrong value', { bar: { ...bar, currency: 'XYZ' } }, /"currency" in the terminal "bar" is not right/],
    [
      'a wrong address',
      { bar: { terminal: 'com3' } },
      /"terminal" in the terminal "bar" is not right; it must be/,
    ],
    [
      'a simulator among real ones',
      { bar: { terminal: 'simulator' } },
      /simulator \("bar"\) and real terminals/,
    ],
  ])('with %s are refused in words', (_, terminals, message) => {
    expect(errorsOf(terminals).join(' ')).toMatch(message);
  });

  it('have what their protocol cannot do without, of their own or of the main one', () => {
    const kpay = { terminal: 'http:10.0.0.5:18080', protocol: 'kpay', currency: 'HKD' };
    const errors = errorsOf({ roof: kpay });
    expect(errors.join(' ')).toMatch(/"roof": KPay needs the setting "kpay.appId"/);
    expect(errors.join(' ')).toMatch(/"roof": KPay needs the setting "kpay.appSecret"/);
    expect(errorsOf({ roof: { ...kpay, kpay: { appId: 'shop', appSecret: 'secret' } } })).toEqual([]);
    expect(errorsOf({ roof: kpay }, { kpay: { appId: 'shop', appSecret: 'secret' } })).toEqual([]);
  });

  it('can all be simulated', () => {
    expect(errorsOf({ bar: { terminal: 'simulator' } }, { terminal: 'simulator' })).toEqual([]);
  });

  it('show their secrets to nobody', () => {
    const terminals = { bar: { ...bar, zvt: { password: '246813', receipts: 'pos' } } };
    expect(terminalsWithoutSecrets(terminals)).toEqual({ bar: { ...bar, zvt: { receipts: 'pos' } } });
    expect(secretsOfTerminals(terminals)).toEqual(['terminals.bar.zvt.password']);
    expect(errorsOf({ bar: { ...bar, zvt: { password: '24681x' } } }).join(' ')).not.toContain('24681x');
  });
});
