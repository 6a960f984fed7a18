import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  dataDirOf,
  loadConfiguration,
  type ConfigurationSources,
} from '../../src/host/settings/load-configuration.ts';
import { settings } from '../../src/contract/configuration.ts';
import { readFlags } from '../../src/host/settings/configuration-sources.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-configuration-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function file(content: unknown): string {
  const name = path.join(folder, 'till.json');
  writeFileSync(name, typeof content === 'string' ? content : JSON.stringify(content));
  return name;
}

function load(sources: Partial<ConfigurationSources>) {
  return loadConfiguration({
    flags: {},
    configFile: null,
    environment: {},
    currentFolder: folder,
    defaultDataDir: '/default/data',
    ...sources,
  });
}

function configured(sources: Partial<ConfigurationSources>) {
  const loaded = load(sources);
  if (!loaded.ok) throw new Error(loaded.errors.join('\n'));
  return loaded.configuration;
}

function errors(sources: Partial<ConfigurationSources>): string[] {
  const loaded = load({ ...sources, flags: { terminal: 'simulator', ...sources.flags } });
  return loaded.ok ? [] : loaded.errors;
}

describe('a secret', () => {
  const secret = '246813';
  const write = (name: string, mode: number, content = `${secret}\n`) => {
    const file = path.join(folder, name);
    writeFileSync(file, content);
    chmodSync(file, mode);
    return file;
  };
  const passwordOf = (sources: Partial<ConfigurationSources>) => {
    const loaded = load({ ...sources, flags: { terminal: 'simulator', ...sources.flags } });
    return loaded.ok ? { password: loaded.configuration.zvt.password, warnings: loaded.warnings } : loaded;
  };
  const key = 'zvt.passwordFile';
  const variable = 'TILLBRIDGE_ZVT_PASSWORD_FILE';

  it('is read from a file that a flag or a variable names', () => {
    const file = write('password', 0o600);
    const read = { password: secret, warnings: [] };
    expect(passwordOf({ flags: { [key]: file } })).toEqual(read);
    expect(passwordOf({ flags: { [key]: 'password' } })).toEqual(read);
    expect(passwordOf({ environment: { [variable]: file } })).toEqual(read);
    expect(passwordOf({ environment: { TILLBRIDGE_ZVT_PASSWORD: secret, [variable]: '' } })).toEqual(read);
    symlinkSync(file, path.join(folder, 'link'));
    expect(passwordOf({ flags: { [key]: 'link' } })).toEqual(read);
    const windows = write('windows', 0o600, `\uFEFF${secret}\r\n`);
    expect(passwordOf({ flags: { [key]: windows } })).toEqual(read);
    const other = write('other', 0o600, '111111');
    const both = { flags: { [key]: file }, environment: { [variable]: other } };
    expect(passwordOf(both)).toEqual(read);
    expect(passwordOf({ ...both, flags: { 'zvt.password': '000000' } })).toMatchObject({
      password: '000000',
    });
  });

  it('that everybody can read is warned of, but not the password that every terminal has', () => {
    const warned = (sources: Partial<ConfigurationSources>) => {
      const read = passwordOf(sources);
      expect(read.warnings.join()).not.toContain(secret);
      return read.warnings;
    };
    expect(warned({ flags: { 'zvt.password': secret } })).toEqual([
      expect.stringMatching(
        /--zvt-password in the list of processes.*--zvt-password-file.*TILLBRIDGE_ZVT_PASSWORD/,
      ),
    ]);
    expect(warned({ flags: { 'zvt.password': '000000' } })).toEqual([]);
    expect(warned({ environment: { TILLBRIDGE_ZVT_PASSWORD: secret } })).toEqual([]);
    if (process.platform === 'win32') return;
    expect(warned({ flags: { [key]: write('open', 0o644) } })).toEqual([
      expect.stringContaining('chmod 600'),
    ]);
    const settingsWith = (mode: number) =>
      write('till.json', mode, JSON.stringify({ zvt: { password: secret } }));
    expect(warned({ configFile: settingsWith(0o644) })).toEqual([expect.stringContaining('"zvt.password"')]);
    expect(warned({ configFile: settingsWith(0o600) })).toEqual([]);
  });

  it('is not told when its file is wrong', () => {
    const wrong = [
      write('long', 0o600, secret.repeat(1_000)),
      write('two', 0o600, `${secret}\n${secret}\n`),
      write('empty', 0o600, ''),
      path.join(folder, 'missing'),
      folder,
      '/dev/zero',
    ];
    for (const file of wrong) {
      const found = errors({ flags: { [key]: file } });
      expect(found).toEqual([expect.stringContaining('--zvt-password-file')]);
      expect(found.join()).not.toContain(secret);
    }
    const file = write('password', 0o600);
    expect(errors({ flags: { [key]: file, 'zvt.password': secret } })).toEqual([
      '--zvt-password and --zvt-password-file give the same setting; leave one of them out.',
    ]);
  });
});

describe('settings', () => {
  it('each have a flag and a variable of their own', () => {
    expect(new Set(settings.map((setting) => setting.flag)).size).toBe(settings.length);
    expect(settings.find((setting) => setting.key === 'zvt.password')?.variable).toBe(
      'TILLBRIDGE_ZVT_PASSWORD',
    );
  });

  it('can all be given by flag, by variable and in the file', () => {
    const samples: Record<string, string> = {
      terminal: 'tcp:[::1]:20007',
      terminals: 'bar=simulator',
      host: '0.0.0.0',
      allowedHosts: 'till:8080',
      allowedOrigins: 'https://pos.example',
      dataDir: '/data',
      'zvt.password': '123456',
      'zvt.configurationByte': 'BE',
      'updates.feed': 'https://updates.example/tillbridge/',
      'updates.key': `${'A'.repeat(43)}=`,
      'updates.hours': '22:00-06:00',
      'serial.baudRate': '19200',
      office: 'https://office.example',
      officeCode: 'ABCD-EFGH-JKLM-NPQR',
    };
    for (const setting of settings) {
      const text = samples[setting.key] ?? String(setting.choices?.at(-1) ?? setting.fallback);
      const flags = { terminal: 'simulator', [setting.key]: setting.kind === 'list' ? [text] : text };
      const byFlag = configured({ flags });
      const byVariable = configured({
        environment: { TILLBRIDGE_TERMINAL: 'simulator', [setting.variable]: text },
      });
      const value = readFlags(flags).values.find(({ key }) => key === setting.key)?.value;
      const names = setting.key.split('.').toReversed();
      const content = names.reduce<unknown>((below, name) => ({ [name]: below }), value) as object;
      const byFile = configured({ configFile: file({ terminal: 'simulator', ...content }) });
      expect(byVariable, setting.key).toEqual(byFlag);
      expect(byFile, setting.key).toEqual(byFlag);
    }
  });

  it('have the value of the flag, then the environment, then the file, then the default', () => {
    const configFile = file({ terminal: 'simulator', port: 1, pace: 2, currency: 'CHF' });
    const configuration = configured({
      configFile,
      environment: { TILLBRIDGE_PORT: '3', TILLBRIDGE_PACE: '4' },
      flags: { port: '5' },
    });
    expect(configuration).toMatchObject({ port: 5, pace: 4, currency: 'CHF', logLevel: 'info' });
  });

  it('take the file that TILLBRIDGE_CONFIG names, and --config before it', () => {
    const environment = { TILLBRIDGE_CONFIG: file({ terminal: 'simulator', port: 1 }) };
    expect(configured({ environment }).port).toBe(1);
    const other = path.join(folder, 'other.json');
    writeFileSync(other, JSON.stringify({ terminal: 'simulator', port: 2 }));
    expect(configured({ environment, configFile: 'other.json' }).port).toBe(2);
  });

  it('take an empty variable for none', () => {
    expect(configured({ environment: { TILLBRIDGE_TERMINAL: 'simulator', TILLBRIDGE_PORT: '' } }).port).toBe(
      8080,
    );
  });

  it('take lists from the environment with commas or blanks', () => {
    const environment = {
      TILLBRIDGE_TERMINAL: 'simulator',
      TILLBRIDGE_ALLOW_ORIGIN: 'https://a.example, https://b.example',
    };
    expect(configured({ environment }).allowedOrigins).toEqual(['https://a.example', 'https://b.example']);
  });

  it('take a flag without a value as yes, and no as no', () => {
    expect(configured({ flags: { terminal: 'simulator', makeReferences: true } }).makeReferences).toBe(true);
    const environment = { TILLBRIDGE_MAKE_REFERENCES: 'yes' };
    expect(
      configured({ environment, flags: { terminal: 'simulator', makeReferences: 'no' } }).makeReferences,
    ).toBe(false);
  });
});

describe('the data folder', () => {
  it('is the default one when nobody says', () => {
    expect(configured({ flags: { terminal: 'simulator' } }).dataDir).toBe('/default/data');
  });
  it('is relative to the current folder, and in a file to the file', () => {
    expect(configured({ flags: { terminal: 'simulator', dataDir: 'd' } }).dataDir).toBe(
      path.join(folder, 'd'),
    );
    const configFile = file({ terminal: 'simulator', dataDir: 'd' });
    expect(configured({ configFile, currentFolder: '/elsewhere' }).dataDir).toBe(path.join(folder, 'd'));
  });
  it('is found without the rest of the configuration', () => {
    const base = {
      environment: {},
      currentFolder: folder,
      defaultDataDir: '/default/data',
      configFile: null,
      dataDir: null,
    };
    expect(dataDirOf(base)).toEqual({ ok: true, dataDir: '/default/data' });
    expect(dataDirOf({ ...base, environment: { TILLBRIDGE_DATA_DIR: '/v' } })).toEqual({
      ok: true,
      dataDir: '/v',
    });
    expect(dataDirOf({ ...base, configFile: file({ dataDir: 'f', port: 'no port' }) })).toEqual({
      ok: true,
      dataDir: path.join(folder, 'f'),
    });
    expect(dataDirOf({ ...base, dataDir: '/flag', environment: { TILLBRIDGE_DATA_DIR: '/v' } })).toEqual({
      ok: true,
      dataDir: '/flag',
    });
    expect(dataDirOf({ ...base, configFile: 'missing.json' })).toMatchObject({ ok: false });
  });
});

describe('errors of the configuration', () => {
  it.each<[what: string, sources: () => Partial<ConfigurationSources>, message: string]>([
    [
      'a number that is out of its range, by its flag',
      () => ({ flags: { port: '70000' } }),
      '--port: 70000 is not right; it must be a whole number from 0 to 65535.',
    ],
    [
      'a word that is no choice',
      () => ({ flags: { logLevel: 'loud' } }),
      '--log-level: "loud" is not right; it must be one of debug, info, warn, error.',
    ],
    [
      'text for a number, by its variable',
      () => ({ environment: { TILLBRIDGE_PACE: 'slow' } }),
      'TILLBRIDGE_PACE: "slow" is not right; it must be a number from 0 to 100.',
    ],
    [
      'a number that is no choice, by its key',
      () => ({ configFile: file({ serial: { stopBits: 3 } }) }),
      '"serial.stopBits" in FOLDER/till.json is not right; it must be one of 1, 2.',
    ],
    [
      'an entry of a list, by the list',
      () => ({ flags: { allowedOrigins: ['https://good.example', '*'] } }),
      '--allow-origin: ["https://good.example","*"] is not right; ' +
        'it must be a list; each entry must be a whole origin, such as "https://pos.example".',
    ],
    [
      'a password, which is not repeated',
      () => ({ flags: { 'zvt.password': '98765' } }),
      '--zvt-password: (its value is not shown) is not right; it must be six digits, such as "000000".',
    ],
  ])('name %s', (_what, sources, message) => {
    expect(errors(sources())).toEqual([message.replace('FOLDER', folder)]);
  });
  it('name the connections that a protocol takes', () => {
    expect(errors({ flags: { terminal: 'http:10.0.0.5:18080' } })).toEqual([
      'The terminal must be serial:PATH or tcp:HOST:PORT: ZVT is not spoken over http:HOST:PORT.',
    ]);
  });
  it('are all said at once', () => {
    expect(
      errors({ flags: { port: 'a', pace: 'b' }, environment: { TILLBRIDGE_CURRENCY: 'XXX' } }),
    ).toHaveLength(3);
  });
  it('name unknown keys of the file and the nearest right one', () => {
    const configFile = file({
      prot: 1,
      zvt: { pasword: '1' },
      zvtt: {},
      entirelyUnknownThing: 1,
      baudRate: 9600,
    });
    expect(errors({ configFile })).toEqual([
      `"prot" in ${configFile} is no setting. Did you mean port?`,
      `"zvt.pasword" in ${configFile} is no setting. Did you mean zvt.password?`,
      `"zvtt" in ${configFile} is no setting. Did you mean zvt?`,
      `"entirelyUnknownThing" in ${configFile} is no setting.`,
      `"baudRate" in ${configFile} is no setting. Did you mean serial.baudRate?`,
    ]);
  });
  it('say what is wrong with the file itself', () => {
    expect(errors({ configFile: 'missing.json' })[0]).toContain('cannot be read');
    expect(errors({ configFile: file('{"port": 1,}') })[0]).toContain('is not JSON');
    expect(errors({ configFile: file('[1]') })[0]).toContain('one JSON object');
    expect(errors({ configFile: file({ zvt: 'yes' }) })[0]).toContain('"zvt"');
    expect(errors({ configFile: file('\uFEFF{}') })).toEqual([]);
  });
  it('warn of a variable that is no setting, and go on', () => {
    const loaded = load({ environment: { TILLBRIDGE_TERMINAL: 'simulator', TILLBRIDGE_PROT: '1' } });
    expect(loaded).toMatchObject({
      ok: true,
      warnings: ['The environment has TILLBRIDGE_PROT, which is no setting. Did you mean TILLBRIDGE_PORT?'],
    });
  });
  it('tell a missing terminal from a wrong one', () => {
    expect(load({})).toMatchObject({ ok: false, noTerminal: true, errors: [] });
    expect(load({ flags: { terminal: 'usb' } })).toMatchObject({ ok: false, noTerminal: false });
    // It may name one.
    expect(load({ configFile: path.join(folder, 'no-such-file.json') })).toMatchObject({
      ok: false,
      noTerminal: false,
      errors: [expect.stringContaining('no-such-file.json')],
    });
    expect(load({ flags: { port: 'x' } })).toMatchObject({ ok: false, noTerminal: true });
  });
});
