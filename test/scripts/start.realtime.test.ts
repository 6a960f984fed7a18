/** `npm start` as a process, on a machine where no window can be opened, and with a stand-in for Electron's runtime. */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { invoke, enteredBy } from '../headless/console/console-browser.ts';
import { waitFor } from '../support/real-time.ts';
import { runProgram, type Program } from '../support/programs.ts';
import { bridgeProcessId, endStray } from '../support/stray-bridges.ts';

const repository = path.resolve(import.meta.dirname, '../..');
const start = path.join(repository, 'scripts/run.mjs');

let built: string;
let folder: string;
let programs: Program[];
/** Bridges that must have ended with what started them; a failed test must not leave them behind. */
let strays: number[];
beforeAll(() => {
  built = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-start-dist-'));
});
afterAll(() => rmSync(built, { recursive: true, force: true }));
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-start-'));
  programs = [];
  strays = [];
});
afterEach(async () => {
  for (const program of programs) await program.end('SIGKILL');
  for (const stray of strays) endStray(stray);
  rmSync(folder, { recursive: true, force: true });
});

/** A display that nobody opens, and an Electron that is nowhere. */
function surroundings(): NodeJS.ProcessEnv {
  const { npm_lifecycle_event: _, ...rest } = process.env;
  return {
    ...rest,
    DISPLAY: ':0',
    BROWSER: 'none',
    ELECTRON_OVERRIDE_DIST_PATH: path.join(folder, 'no-electron'),
    TILLBRIDGE_DATA_DIR: path.join(folder, 'data'),
    TILLBRIDGE_DIST: built,
    TILLBRIDGE_PORT: '0',
  };
}

function run(command: string, args: string[], environment: NodeJS.ProcessEnv): Program {
  const program = runProgram(command, args, environment);
  programs.push(program);
  return program;
}

function npmStart(args: string[] = [], environment: NodeJS.ProcessEnv = {}): Program {
  const all = ['--disable-warning=ExperimentalWarning', start, 'start', ...args];
  return run(process.execPath, all, { ...surroundings(), ...environment });
}

/** The headless bridge answers, on the simulator, and its console opens with the printed link. */
async function isAtWork(program: Program): Promise<void> {
  const [, port = ''] = await program.printed(/Listening on http:\/\/127\.0\.0\.1:(\d+)/);
  expect(await (await fetch(`http://127.0.0.1:${port}/health`)).json()).toMatchObject({
    terminal: { simulated: true },
  });
  const [link] = await program.printed(/http:\/\/127\.0\.0\.1:\d+\/#link=[\w-]+/);
  const consolePort = Number(new URL(link).port);
  const page = await invoke(consolePort, '/');
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('<div id="root">') });
  const headers = { authorization: await enteredBy(link), 'content-type': 'application/json' };
  expect((await invoke(consolePort, '/api/state', { method: 'POST', body: '{}', headers })).status).toBe(200);
}

describe('npm start', () => {
  it('says in one line that Electron is not there, runs the bridge with its console, and ends on SIGTERM', async () => {
    const program = npmStart();
    await isAtWork(program);
    const about = program
      .output()
      .split('\n')
      .filter((line) => line.includes('Electron'));
    expect(about).toEqual([
      expect.stringMatching(/^Electron's runtime is not installed .*; starting without the window\.$/),
    ]);
    expect(await program.end('SIGTERM')).toBe(0);
    expect(program.output()).toMatch(/Stopped\.\n$/);
  });

  it.skipIf(process.platform === 'win32')(
    'opens the console in a browser, which is not given the link itself',
    async () => {
      const browser = path.join(folder, 'browser');
      const seen = path.join(folder, 'seen');
      const script = `const fs = require('node:fs'); const [, , url] = process.argv;
        fs.writeFileSync(${JSON.stringify(`${seen}.new`)}, url + '\\n' + fs.readFileSync(new URL(url), 'utf8'));
        fs.renameSync(${JSON.stringify(`${seen}.new`)}, ${JSON.stringify(seen)});`;
      writeFileSync(browser, `#!${process.execPath}\n${script}\n`, { mode: 0o755 });
      const program = npmStart([], { BROWSER: browser, HOME: folder });
      await isAtWork(program);
      const [url = '', page] = (
        await waitFor(
          () => (existsSync(seen) ? readFileSync(seen, 'utf8') : null),
          'the browser to be opened',
        )
      ).split('\n');
      expect(url).toMatch(/^file:.*open\.html$/);
      expect(page).toMatch(/url=http:\/\/127\.0\.0\.1:\d+\/#link=[\w-]+"/);
      expect(await program.end('SIGTERM')).toBe(0);
      expect(existsSync(new URL(url))).toBe(false);
    },
  );

  it('needs no window when it is told so, and hands arguments on', async () => {
    const headless = npmStart(['--headless', '--currency', 'CHF']);
    await isAtWork(headless);
    expect(headless.output()).not.toContain('Electron');
    expect(await headless.end('SIGINT')).toBe(0);
    const wrong = npmStart(['--no-such-flag']);
    expect(await wrong.exited).toBe(2);
    expect(wrong.output()).toContain('--no-such-flag');
  });

  it('says where there is no display', async () => {
    const program = npmStart([], { DISPLAY: '', WAYLAND_DISPLAY: '' });
    await program.printed(/there is no display.*starting without the window/);
    await program.printed(/Listening on/);
    expect(await program.end()).toBe(0);
  });

  it.skipIf(process.platform === 'win32')('leaves nothing behind when npm ends its shell', async () => {
    // The second command keeps the shell from becoming the script itself.
    const command = `"${process.execPath}" "${start}" start; true`;
    const shell = run('sh', ['-c', command], { ...surroundings(), npm_lifecycle_event: 'start' });
    await shell.printed(/The terminal is ready/);
    strays.push(await bridgeProcessId(path.join(folder, 'data', 'simulator')));
    await shell.end('SIGTERM');
    // The shell's output closes when the bridge has gone, too.
    expect(shell.output()).toMatch(/Stopped\.\n$/);
  });

  it('tells an old Node that it is too old, where no other came with the packages', async () => {
    for (const part of ['bin', 'scripts/run.mjs']) {
      cpSync(path.join(repository, part), path.join(folder, 'alone', part), { recursive: true });
    }
    const alone = path.join(folder, 'alone/scripts/run.mjs');
    const old =
      'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.1.0"}})';
    const program = run(process.execPath, ['--import', old, alone, 'start'], surroundings());
    expect(await program.exited).toBe(1);
    expect(program.output()).toContain('Tillbridge needs Node 24 or newer');
  });
});

describe.skipIf(process.platform === 'win32')('npm start with Electron', () => {
  function electron(script: string): NodeJS.ProcessEnv {
    const runtime = path.join(folder, 'electron');
    mkdirSync(runtime);
    writeFileSync(path.join(runtime, 'electron'), `#!${process.execPath}\n${script}\n`);
    chmodSync(path.join(runtime, 'electron'), 0o755);
    return { ELECTRON_OVERRIDE_DIST_PATH: runtime };
  }

  it('opens the app, passes signals on and ends as it does', async () => {
    // Not a shell script: a shell can miss a signal that comes while it starts another command.
    const app = `process.on('SIGTERM', () => { console.log('app ends'); process.exit(7); });
      setInterval(() => {}, 1_000);
      console.log('app of ' + process.argv[2]);`;
    const program = npmStart([], electron(app));
    const [, opened] = await program.printed(/app of (.*)\n/);
    expect(opened).toBe(repository);
    expect(await program.end('SIGTERM')).toBe(7);
    expect(program.output()).toContain('app ends');
    expect(program.output()).not.toContain('Listening');
  });

  it('goes without the window when the app does not come up', async () => {
    const program = npmStart([], electron('process.exit(1)'));
    await program.printed(
      /The window could not be opened \(Electron ended with 1\); starting without the window\.\n/,
    );
    await program.printed(/Listening on/);
    expect(await program.end()).toBe(0);
  });
});
