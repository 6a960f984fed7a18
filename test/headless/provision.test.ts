import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Chance } from '../../src/base/chance.ts';
import { readTokens } from '../../src/bridge/listener/tokens.ts';
import { acquireExclusiveLock } from '../../src/bridge/locks/index.ts';
import { fileSecrets, openSettingsStore } from '../../src/host/index.ts';
import { provisionFromMachine } from '../../src/host/provisioning/machine-file.ts';
import { seededChance } from '../support/random.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { run } from './test-context.ts';
import { withBridge } from './with-bridge.ts';

let folder: string;
let dataDir: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-provision-'));
  dataDir = path.join(folder, 'data');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const clock = createVirtualClock();
const secrets = fileSecrets();
const storeOf = () => openSettingsStore({ folder: dataDir, secrets, clock });
const tokensOf = () => {
  const read = readTokens(path.join(dataDir, 'tokens.json'));
  if (!read.ok) throw new Error(read.message);
  return read.tokens.map(({ name, sha256 }) => ({ name, sha256 }));
};
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

function writeTill(content: unknown, mode = 0o600): string {
  const file = path.join(folder, 'till.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content), { mode });
  return file;
}
const provisionTill = (...args: string[]) =>
  run(['provision', '--data-dir', dataDir, ...args], { currentFolder: folder });

const whole = {
  terminal: 'tcp:10.0.0.5:20007',
  port: 8081,
  allowedOrigins: ['https://pos.example'],
  zvt: { password: '123456' },
  app: { language: 'de', startWithSystem: true },
  tokens: [{ name: 'pos', file: 'pos-token.txt' }],
};

describe('tillbridge provision', () => {
  it('stores settings, what the app is told, and a token that only its file has', async () => {
    const { exitCode, output, errors } = await provisionTill(writeTill(whole));
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' });
    expect(output).toContain(
      'token pos, terminal, port, allowedOrigins, zvt.password, app.language, app.startWithSystem.',
    );
    const { app, bridge } = storeOf().stored;
    expect(app).toMatchObject({ language: 'de', startWithSystem: true, theme: 'system' });
    expect(Object.fromEntries(bridge)).toEqual({
      terminal: 'tcp:10.0.0.5:20007',
      port: 8081,
      allowedOrigins: ['https://pos.example'],
    });
    expect(storeOf().reading().values).toContainEqual(
      expect.objectContaining({ key: 'zvt.password', value: '123456' }),
    );
    const tokenFile = path.join(folder, 'pos-token.txt');
    const token = readFileSync(tokenFile, 'utf8').trimEnd();
    expect(tokensOf()).toEqual([{ name: 'pos', sha256: sha256(token) }]);
    expect(readFileSync(path.join(dataDir, 'tokens.json'), 'utf8')).not.toContain(token);
    if (process.platform !== 'win32') expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
  });

  it('changes nothing when it is run again, and leaves what it does not name', async () => {
    const file = writeTill(whole);
    await provisionTill(file);
    const token = readFileSync(path.join(folder, 'pos-token.txt'), 'utf8');
    expect(await provisionTill(file)).toMatchObject({
      exitCode: 0,
      output: `Everything is already set in ${dataDir}.`,
    });
    expect(readFileSync(path.join(folder, 'pos-token.txt'), 'utf8')).toBe(token);
    const { output } = await provisionTill('--port', '8090', '--theme', 'dark');
    expect(output).toContain(': port, app.theme.');
    expect(storeOf().stored.bridge.get('terminal')).toBe('tcp:10.0.0.5:20007');
    expect(storeOf().stored.app).toMatchObject({ language: 'de', theme: 'dark' });
    expect(tokensOf()).toHaveLength(1);
  });

  it('puts flags over the file', async () => {
    await provisionTill(writeTill(whole), '--port', '9000', '--start-with-system', 'no');
    expect(storeOf().stored.bridge.get('port')).toBe(9_000);
    expect(storeOf().stored.app.startWithSystem).toBe(false);
  });

  it('takes the token that a file holds, or its hash, so that a hundred tills may share one', async () => {
    writeFileSync(path.join(folder, 'known.txt'), 'a-token-of-the-shop-0001\n');
    await provisionTill(
      writeTill({ tokens: [{ name: 'by hash', sha256: sha256('another-token-of-0002') }] }),
      '--token',
      'by file=known.txt',
    );
    expect(tokensOf()).toEqual([
      { name: 'by hash', sha256: sha256('another-token-of-0002') },
      { name: 'by file', sha256: sha256('a-token-of-the-shop-0001') },
    ]);
  });

  it('only says what would change with --check', async () => {
    const { exitCode, output } = await provisionTill('--check', writeTill(whole));
    expect(exitCode).toBe(0);
    expect(output).toMatch(/^Would be set in .*: token pos, terminal, /);
    expect(existsSync(dataDir)).toBe(false);
    expect(existsSync(path.join(folder, 'pos-token.txt'))).toBe(false);
  });

  it.each([
    ['a setting that is none', { prot: 1 }, 'Did you mean port?'],
    ['a wrong value', { port: 99_999 }, '"port" in'],
    ['the data folder', { dataDir: '/x' }, '--data-dir'],
    ['a setting of the app that is none', { app: { langage: 'de' } }, 'Did you mean language?'],
    ['a language that is no code', { app: { language: 'German' } }, '"app.language" in'],
    [
      'a language that the window does not speak',
      { app: { language: 'fr' } },
      'It must be system, en or de.',
    ],
    ['a theme that is none', { app: { theme: 5 } }, 'is not right: 5. It must be system, light or dark.'],
    ['neither yes nor no', { app: { sounds: 'loud' } }, 'is not right: "loud". It must be true or false.'],
    ['an app that is no object', { app: 'de' }, 'must be an object'],
    ['tokens that are no list', { tokens: {} }, 'must be a list'],
    ['a token in plain', { tokens: [{ name: 'pos', token: 'secret-token-secret' }] }, 'entry 1'],
    [
      'a token that is named twice',
      { tokens: [1, 2].map(() => ({ name: 'pos', file: 'x' })) },
      'named twice',
    ],
    ['no JSON', '{"port": ', 'is not JSON: see line 1'],
  ])('stores nothing where there is %s', async (_, content, words) => {
    const mixed = typeof content === 'string' ? content : { terminal: 'simulator', ...content };
    const { exitCode, errors, output } = await provisionTill(writeTill(mixed));
    expect(exitCode).toBe(2);
    expect(errors).toContain(words);
    expect(errors).toContain('Nothing was stored.');
    expect(errors).not.toContain('secret-token-secret');
    expect(output).toBe('');
    expect(existsSync(dataDir)).toBe(false);
  });

  it('says which file holds no token, before any setting is stored', async () => {
    writeFileSync(path.join(folder, 'short.txt'), 'short\n');
    const { exitCode, errors } = await provisionTill('--port', '8085', '--token', 'pos=short.txt');
    expect(exitCode).toBe(1);
    expect(errors).toContain('holds no token');
    expect(storeOf().stored.bridge.size).toBe(0);
    expect(tokensOf()).toEqual([]);
  });

  it('stores nothing while a bridge runs that would write over it', async () => {
    await provisionTill('--port', '8085');
    await withBridge(dataDir, async () => {
      const { exitCode, errors } = await provisionTill('--port', '8086');
      expect(exitCode).toBe(1);
      expect(errors).toContain('Stop it first.');
      expect(await provisionTill('--check', '--port', '8086')).toMatchObject({ exitCode: 0 });
    });
    expect(storeOf().stored.bridge.get('port')).toBe(8_085);
  });

  it.skipIf(process.platform === 'win32')('warns of a password that everybody can read', async () => {
    const { errors } = await provisionTill(writeTill(whole, 0o644));
    expect(errors).toContain('Every user of this computer can read "zvt.password"');
  });
});

describe('the provision file of a computer', () => {
  const startApp = (file: string | null, store = storeOf(), chance: Chance = seededChance(clock)) => {
    const warnings = provisionFromMachine(file, dataDir, { clock, chance, store }, 0);
    return { store, warnings };
  };

  it('is carried out once, and what the user sets afterwards stays', () => {
    const file = writeTill(whole);
    expect(startApp(file).warnings).toEqual([]);
    const { store } = startApp(null);
    expect(store.stored.bridge.get('port')).toBe(8_081);
    store.save({ ...store.stored, bridge: new Map([...store.stored.bridge, ['port', 8_099]]) });
    expect(startApp(file).store.stored.bridge.get('port')).toBe(8_099);
  });

  it('is carried out again when it has changed', () => {
    startApp(writeTill(whole));
    const { store } = startApp(writeTill({ ...whole, port: 8_082 }));
    expect(store.stored.bridge.get('port')).toBe(8_082);
    expect(tokensOf()).toHaveLength(1);
  });

  it('is carried out by one of two starts at once, which both have read the settings before', () => {
    const file = writeTill(whole);
    const early = storeOf();
    const { store } = startApp(file);
    store.save({ ...store.stored, bridge: new Map([...store.stored.bridge, ['port', 8_099]]) });
    const late = startApp(file, early);
    expect([late.warnings, late.store.stored.bridge.get('port')]).toEqual([[], 8_099]);
    expect(storeOf().stored.bridge.get('port')).toBe(8_099);
  });

  it('is left to the other start while that carries it out', () => {
    const file = writeTill(whole);
    const other = acquireExclusiveLock(path.join(dataDir, 'provision.lock'));
    const { store, warnings } = startApp(file);
    expect(warnings).toEqual([`${file} is being carried out by another start of Tillbridge.`]);
    expect(store.stored.bridge.size).toBe(0);
    expect(existsSync(path.join(folder, 'pos-token.txt'))).toBe(false);
    if (other.kind === 'held') other.release();
    expect(startApp(file).store.stored.bridge.get('port')).toBe(8_081);
  });

  it('is carried out again whole after an end in the middle, with the tokens that were made', () => {
    const file = writeTill({ ...whole, tokens: [...whole.tokens, { name: 'second', file: 'second.txt' }] });
    const till = seededChance(clock);
    let made = 0;
    // The power is lost when the second token is made: the first one is stored.
    const ending: Chance = {
      ...till,
      bytes(count) {
        made += 1;
        if (made === 2) throw new Error('no power');
        return till.bytes(count);
      },
    };
    const { store } = startApp(file, storeOf(), ending);
    expect([store.stored.provisioned, tokensOf().length, store.stored.bridge.size]).toEqual([null, 1, 0]);
    const first = readFileSync(path.join(folder, 'pos-token.txt'), 'utf8');
    // And in the middle of writing.
    writeFileSync(path.join(dataDir, 'tokens.json.new'), '');
    writeFileSync(path.join(dataDir, 'settings.json.1.new'), '{"app"');
    expect(startApp(file).warnings).toEqual([]);
    expect(readFileSync(path.join(folder, 'pos-token.txt'), 'utf8')).toBe(first);
    expect(tokensOf().map(({ name }) => name)).toEqual(['pos', 'second']);
    expect(storeOf().stored).toMatchObject({ provisioned: expect.any(String), app: { language: 'de' } });
  });

  it('stops nothing when it is wrong, and is tried again once it is right', () => {
    const { store, warnings } = startApp(writeTill({ ...whole, port: -1 }));
    expect(warnings.join(' ')).toContain('Nothing of the file was used.');
    expect(store.stored.bridge.size).toBe(0);
    expect(startApp(writeTill(whole)).store.stored.bridge.get('port')).toBe(8_081);
  });

  it.skipIf(process.platform === 'win32')('is not used when others can change it', () => {
    const file = writeTill(whole);
    // Not by the mode it is made with: that depends on this process.
    chmodSync(file, 0o666);
    const { warnings, store } = startApp(file);
    expect(warnings.join(' ')).toContain('Every user of this computer can change');
    expect(store.stored.bridge.size).toBe(0);
  });
});
