/** The package as it is installed: the bundle, and the launcher in bin/ that finds the right Node for it. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { builtApp } from '../support/built-app.ts';
import { isPrivatePath } from '../../src/base/private-files.ts';
import { bridgeOn, runProgram } from '../support/programs.ts';
import { bridgeProcessId, endStray } from '../support/stray-bridges.ts';
import packageFacts from '../../package.json' with { type: 'json' };

const repository = path.resolve(import.meta.dirname, '../..');
const frame = '1002060006123456ba0978100324c3';
/** Makes the launcher believe in a Node that is too old, so that it has to look for another. */
const oldNode = [
  '--import',
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.1.0"}})',
];
const bundledNode = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

let folder: string;
let installed: string;
let alone: string;
/** Bridges that must have ended with their launcher; a failed test must not leave them behind. */
const strays: number[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-package-'));
  // The tests' own would be used instead.
  vi.stubEnv('NODE_COMPILE_CACHE', undefined);
  // Where Linux has the user's cache.
  vi.stubEnv('XDG_CACHE_HOME', path.join(folder, 'cache'));
  installed = path.join(folder, 'installed');
  cpSync(path.join(builtApp(), 'dist'), path.join(installed, 'dist'), { recursive: true });
  symlinkSync(path.join(repository, 'node_modules'), path.join(installed, 'node_modules'), 'junction');
  copyFileSync(path.join(repository, 'package.json'), path.join(installed, 'package.json'));
  putLauncher(installed);
  alone = path.join(folder, 'alone');
  mkdirSync(path.join(alone, 'dist'), { recursive: true });
  copyFileSync(path.join(installed, 'dist/tillbridge.js'), path.join(alone, 'dist/tillbridge.js'));
  putLauncher(alone);
});
afterAll(() => {
  for (const stray of strays) endStray(stray);
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function putLauncher(place: string): void {
  cpSync(path.join(repository, 'bin'), path.join(place, 'bin'), { recursive: true });
}

function launch(place: string, nodeFlags: string[], ...commandLine: string[]) {
  const launcher = path.join(place, 'bin/tillbridge.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [...nodeFlags, launcher, ...commandLine], {
    encoding: 'utf8',
    cwd: folder,
  });
  return { status, stdout, stderr };
}

const nodes: [string, string[]][] = [['the Node that started it', []]];
if (existsSync(path.join(repository, 'node_modules', bundledNode)))
  nodes.push(['the Node that came with it', oldNode]);

describe.each(nodes)('the installed package, on %s,', (_, nodeFlags) => {
  it('tells its version and helps', () => {
    expect(launch(installed, nodeFlags, '--version')).toEqual({
      status: 0,
      stdout: `${packageFacts.version}\n`,
      stderr: '',
    });
    expect(launch(installed, nodeFlags, '--help')).toMatchObject({ status: 0, stderr: '' });
  });

  it('decodes, and hands the exit code on', () => {
    const decoded = launch(installed, nodeFlags, 'decode', 'zvt', frame);
    expect(decoded).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(decoded.stdout)).toMatchObject({ name: 'registration' });
    expect(launch(installed, nodeFlags, 'decode', 'zvt', frame.slice(2))).toMatchObject({
      status: 1,
      stdout: '',
    });
    expect(launch(installed, nodeFlags, 'bridge').status).toBe(2);
  });

  it('runs a bridge, which stops with it', async () => {
    const { launcher, text } = await launchBridge(nodeFlags);
    const ended = new Promise<number | null>((resolve) => launcher.once('close', resolve));
    launcher.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(text()).toMatch(/Stopped\.\n$/);
  });

  it.skipIf(process.platform === 'win32')('leaves no bridge behind when it is killed', async () => {
    const { launcher, text } = await launchBridge(nodeFlags);
    const closed = new Promise((resolve) => launcher.once('close', resolve));
    launcher.kill('SIGKILL');
    // The bridge has the same output, so this comes only when both are gone.
    await closed;
    const stoppedByItself = text().endsWith('Stopped.\n');
    expect(stoppedByItself).toBe(nodeFlags.length > 0);
  });
});

/** A bridge with the simulator under the launcher, once it listens. */
async function launchBridge(nodeFlags: string[]): Promise<{ launcher: ChildProcess; text: () => string }> {
  const dataDir = mkdtempSync(path.join(folder, 'data-'));
  const launcher = spawn(
    process.execPath,
    [...nodeFlags, path.join(installed, 'bin/tillbridge.mjs'), ...bridgeOn('simulator', dataDir)],
    // Not as a script of npm, where a bridge watches its parent in another way.
    { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, npm_lifecycle_event: undefined } },
  );
  let text = '';
  await new Promise<void>((resolve, reject) => {
    launcher.stdout.on('data', (piece: Buffer) => {
      text += piece.toString();
      if (text.includes('The terminal is ready')) resolve();
    });
    launcher.once('close', () => reject(new Error(`ended before it was ready:\n${text}`)));
  });
  strays.push(await bridgeProcessId(path.join(dataDir, 'simulator')));
  return { launcher, text: () => text };
}

// An update that is put in place of a running bridge takes its files away.
describe.skipIf(process.platform === 'win32')('a bridge whose files have gone', () => {
  const dataDir = () => path.join(folder, 'data');

  /** A bridge that runs, and what it has said; its files are gone. */
  async function updated(says: RegExp, ...flags: string[]) {
    const place = path.join(folder, 'updated');
    cpSync(path.join(installed, 'dist'), path.join(place, 'dist'), { recursive: true });
    symlinkSync(path.join(repository, 'node_modules'), path.join(place, 'node_modules'), 'junction');
    copyFileSync(path.join(repository, 'package.json'), path.join(place, 'package.json'));
    const command = [path.join(place, 'dist/tillbridge.js'), ...bridgeOn('simulator', dataDir(), ...flags)];
    const bridge = runProgram(process.execPath, command, process.env);
    const said = await bridge.printed(says);
    rmSync(place, { recursive: true });
    return { bridge, said };
  }

  it('answers what tills and monitoring seldom ask, also without a console', async () => {
    const { bridge, said } = await updated(/Listening on (http:\/\/[\w.:]+)[^]*Stop it/, '--no-console');
    const [, address = ''] = said;
    // What "tillbridge reconcile" of the new version leaves, as far as this one can tell.
    writeFileSync(path.join(dataDir(), 'simulator/reconcile-results.json'), '{}');
    const metrics = await fetch(`${address}/metrics`);
    expect([metrics.status, await metrics.text()]).toEqual([200, expect.stringContaining('tillbridge_info')]);
    expect((await fetch(`${address}/health`, { method: 'HEAD' })).status).toBe(200);
    expect(await bridge.end('SIGTERM')).toBe(0);
  });

  it('answers its console, also when nobody had opened it before', async () => {
    const { bridge, said } = await updated(/Console: (http:\/\/[\w.:]+)\/#link=([\w-]+)/);
    const [, address = '', link = ''] = said;
    const ask = async (method: string, request: unknown, secret = '') => {
      const response = await fetch(`${address}/api/${method}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: address, Authorization: `Bearer ${secret}` },
        body: JSON.stringify(request),
      });
      return (await response.json()) as { ok: boolean; value?: { secret?: string } };
    };
    const entered = await ask('enter', { link });
    expect(await ask('state', {}, entered.value?.secret)).toMatchObject({
      ok: true,
      value: { bridge: { kind: 'running' } },
    });
    expect(await bridge.end('SIGTERM')).toBe(0);
  });
});

describe.skipIf(process.platform !== 'linux')('compiled code', () => {
  const compiled = () => path.join(folder, 'cache/tillbridge/compiled');
  const kept = () => readdirSync(compiled(), { recursive: true });

  it('is kept in the cache of the user', () => {
    rmSync(path.join(folder, 'cache'), { recursive: true, force: true });
    expect(launch(installed, [], '--version').status).toBe(0);
    expect(kept().length).toBeGreaterThan(2);
  });

  it('is kept for its owner alone where a group may write to all that its members make', () => {
    rmSync(path.join(folder, 'cache'), { recursive: true, force: true });
    const before = process.umask(0o002);
    try {
      expect(launch(installed, [], '--version').status).toBe(0);
    } finally {
      process.umask(before);
    }
    expect(kept().length).toBeGreaterThan(2);
    // What the next start looks at before it takes any of it.
    expect(isPrivatePath(realpathSync(path.join(compiled(), readdirSync(compiled())[0] ?? '')))).toBe(true);
  });

  it('is not kept, nor taken, where others can write', () => {
    rmSync(compiled(), { recursive: true });
    mkdirSync(compiled());
    chmodSync(compiled(), 0o777);
    expect(launch(installed, [], '--version').status).toBe(0);
    expect(kept()).toEqual([]);
  });
});

describe('the launcher', () => {
  it('says in one line that there is no Node for it', () => {
    const { status, stdout, stderr } = launch(alone, oldNode, '--version');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^Tillbridge needs Node 24 or newer, and this is .*\n$/);
  });

  it('says in one line that nothing was built', () => {
    const unbuilt = path.join(folder, 'unbuilt');
    putLauncher(unbuilt);
    const { status, stderr } = launch(unbuilt, [], '--version');
    expect(status).toBe(1);
    expect(stderr).toMatch(/^.*is missing.*npm run tillbridge.*\n$/);
  });
});
