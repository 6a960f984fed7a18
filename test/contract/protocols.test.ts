/** The protocols by their descriptors: what each says of itself fits what is in its folders. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { seededChance } from '../support/random.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { configurationSchema, settings } from '../../src/contract/configuration.ts';
import { connectionProblem, protocolNames, protocolOf } from '../../src/contract/protocols.ts';
import type { SettingRow } from '../../src/contract/setting-row.ts';
import { loadProtocol } from '../../src/bridge/terminals/protocols.ts';
import type { FrameDecoder } from '../../src/bridge/terminals/framing/index.ts';
import { languages } from '../../src/locales/index.ts';
import { silentLog } from '../../src/log/index.ts';
import { loadSimulator } from '../../src/simulator/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

const source = path.resolve(import.meta.dirname, '../../src');
const configuration = configurationSchema.parse({ terminal: 'simulator', dataDir: '-' });

test('every folder with a descriptor is in the registry, under its own name', () => {
  const terminals = path.join(source, 'bridge/terminals');
  const folders = readdirSync(terminals).filter((name) =>
    existsSync(path.join(terminals, name, 'descriptor.ts')),
  );
  expect(folders).toEqual(protocolNames);
});

describe.each(protocolNames)('%s', (name) => {
  const descriptor = protocolOf(name);
  const rows = Object.entries<SettingRow>(descriptor.settings);

  test('has settings of its own only, each with its texts in every language', () => {
    for (const [key, { flag, console }] of rows) {
      expect(key).toMatch(new RegExp(`^${name}\\.`));
      expect(flag).toMatch(new RegExp(`^--${name}-`));
      const { choices } = settings.find((setting) => setting.key === key) ?? {};
      for (const { code } of console?.texts === undefined ? [] : languages) {
        const texts = console?.texts?.[code];
        expect(texts?.label, `${key} in ${code}`).toMatch(/\S/);
        expect(texts?.choices === undefined ? choices : Object.keys(texts.choices)).toEqual(choices);
      }
    }
  });

  test('is connected in at least one way', () => expect(Object.keys(descriptor.connections)).not.toEqual([]));

  test('has a driver', async () => {
    const { host, port } = { host: '127.0.0.1', port: 1 };
    const { connections } = descriptor;
    const protocol = await loadProtocol(name, {
      connection: connections.http === undefined ? { kind: 'serial' } : { kind: 'http', host, port },
      settings: configuration,
      clock: createVirtualClock(),
      chance: seededChance(createVirtualClock()),
      log: silentLog,
      onHeard() {},
    });
    expect(protocol.name).toBe(name);
    expect('attach' in protocol).toBe(connections.http === undefined);
  });

  test.runIf(descriptor.decode !== undefined)(
    'has a decoder that reads what the descriptor names',
    async () => {
      const { decoder } = (await import(`../../src/bridge/terminals/${name}/wire/index.ts`)) as {
        decoder: FrameDecoder;
      };
      expect(decoder).toMatchObject(descriptor.decode ?? {});
      for (const framing of decoder.framings)
        expect(decoder.decode(Uint8Array.of(0x7f), { framing })).toHaveProperty('ok');
    },
  );

  test.each(descriptor.hasSimulator ? ['in the app'] : [])('has a simulator %s', async () => {
    const { createSimulator, dialectNames, terminalIds, usualCurrency, ...rest } = await loadSimulator(name);
    for (const dialect of dialectNames) {
      const simulator = createSimulator({
        ledgerFile: path.join(tempFolder('protocols'), 'ledger.jsonl'),
        settings: { ...configuration, currency: usualCurrency },
        dialect,
        clock: createVirtualClock(),
        log: silentLog,
      });
      // It is on the network where its terminals are, and at a line where they have one.
      expect('serve' in simulator).toBe(descriptor.connections.http !== undefined);
      if ('serve' in simulator) continue;
      expect(simulator.accepting).toBe(true);
      await simulator.close();
    }
    expect(descriptor.currencies ?? [usualCurrency]).toContain(usualCurrency);
    expect(rest.refuseCurrency?.(usualCurrency) ?? null).toBe(null);
    expect(/"(.*)"/.exec(terminalIds.form)?.[1]).toMatch(terminalIds.pattern);
  });
});

test('a terminal that cannot be where the address says is refused in words', () => {
  expect(connectionProblem('zvt', { kind: 'tcp' })).toBe(null);
  expect(connectionProblem('kpay', { kind: 'http' })).toBe(null);
  expect(connectionProblem('zvt', { kind: 'http' })).toBe(
    'The terminal must be serial:PATH or tcp:HOST:PORT: ZVT is not spoken over http:HOST:PORT.',
  );
  expect(connectionProblem('kpay', { kind: 'serial' })).toBe(
    'The terminal must be http:HOST:PORT: KPay is not spoken over serial:PATH.',
  );
  expect(connectionProblem('kpay', { kind: 'simulator' })).toBe(null);
});
