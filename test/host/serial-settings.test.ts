/** With which values the serial line to a terminal is opened, by what somebody gave and by its protocol. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, test, vi } from 'vitest';
import { protocolNames, protocolOf } from '../../src/contract/protocols.ts';
import { serialSettingsOf } from '../../src/contract/serial-settings.ts';
import { createTerminalLine } from '../../src/host/terminal-line.ts';
import { silentLog } from '../../src/log/log.ts';
import { loadConfiguration, type ConfigurationSources } from '../../src/host/settings/load-configuration.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

const opened = vi.hoisted((): unknown[] => []);
/** A port that cannot be opened, and tells with what it was to be. */
class NoPort {
  constructor(options: object) {
    opened.push(options);
  }
  on() {}
  destroy() {}
  open(done: (error: Error) => void) {
    done(new Error('there is none'));
  }
}
vi.mock('serialport', () => ({ SerialPort: NoPort }));

const folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-serial-settings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function configured(sources: Partial<ConfigurationSources>, protocol = 'transbank') {
  const loaded = loadConfiguration({
    flags: {},
    configFile: null,
    currentFolder: folder,
    defaultDataDir: folder,
    ...sources,
    environment: {
      TILLBRIDGE_TERMINAL: 'serial:/dev/ttyACM0',
      TILLBRIDGE_PROTOCOL: protocol,
      ...sources.environment,
    },
  });
  if (!loaded.ok) throw new Error(loaded.errors.join('\n'));
  return loaded.configuration;
}

function lineOf(sources: Partial<ConfigurationSources>, protocol?: string) {
  return serialSettingsOf(configured(sources, protocol));
}

const withLine = protocolNames.filter((name) => protocolOf(name).connections.serial !== undefined);

test.each(withLine)('%s has the usual line of its terminals where nobody gave another', (protocol) => {
  expect(lineOf({}, protocol)).toEqual(protocolOf(protocol).connections.serial);
});

describe('what somebody gave counts, and the rest is as usual:', () => {
  const usual = { baudRate: 115_200, dataBits: 8, parity: 'none', stopBits: 1 } as const;

  it.each<[string, Partial<ConfigurationSources>, object]>([
    ['nothing', {}, {}],
    ['a flag', { flags: { 'serial.baudRate': '19200' } }, { baudRate: 19_200 }],
    ['a variable', { environment: { TILLBRIDGE_PARITY: 'even' } }, { parity: 'even' }],
    ['an empty variable', { environment: { TILLBRIDGE_BAUD_RATE: '' } }, {}],
    // What is usual for another protocol is given all the same.
    [
      'what ZVT has',
      { flags: { 'serial.baudRate': '9600', 'serial.stopBits': '2' } },
      { baudRate: 9_600, stopBits: 2 },
    ],
  ])('%s', (_what, sources, given) => {
    expect(lineOf(sources)).toEqual({ ...usual, ...given });
  });

  it('a file', () => {
    const configFile = path.join(folder, 'till.json');
    writeFileSync(configFile, JSON.stringify({ serial: { dataBits: 7, stopBits: 2 } }));
    expect(lineOf({ configFile })).toEqual({ ...usual, dataBits: 7, stopBits: 2 });
    expect(lineOf({ configFile, flags: { 'serial.stopBits': '1' } })).toEqual({ ...usual, dataBits: 7 });
  });
});

test('the bridge opens the port with them', async () => {
  const configuration = configured({ flags: { 'serial.stopBits': '2' } });
  const { line } = await createTerminalLine({
    configuration,
    folder,
    clock: createVirtualClock(),
    log: silentLog,
  });
  await expect(line.open(new AbortController().signal)).rejects.toThrow('there is none');
  expect(opened).toMatchObject([
    { path: '/dev/ttyACM0', baudRate: 115_200, dataBits: 8, parity: 'none', stopBits: 2 },
  ]);
});
