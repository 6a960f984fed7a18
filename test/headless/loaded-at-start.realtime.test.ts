/** What a bridge loads before it listens: a till waits for all of that. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { builtApp } from '../support/built-app.ts';
import { bridgeOn, runProgram, type Program } from '../support/programs.ts';

const sourceFile = path.join(import.meta.dirname, '../../src/headless/tillbridge.ts');
const listens = '--- listens ---';

/** Run before the program: writes the address of each module that is loaded, and when a port is opened. */
const witness = `
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  import { Server } from 'node:net';
  registerHooks({
    load(url, context, next) {
      writeSync(2, 'loads ' + url + '\\n');
      return next(url, context);
    },
  });
  const { listen } = Server.prototype;
  Server.prototype.listen = function (...where) {
    writeSync(2, '${listens}\\n');
    return listen.apply(this, where);
  };
`;

let dataDir: string;
let program: Program | null;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-loaded-'));
  program = null;
});
afterEach(async () => {
  await program?.end('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

/** What a bridge on the simulator loads before it listens, and after that until it says that it can be stopped. */
async function loadedBy(
  commandLine: string,
  ...flags: string[]
): Promise<{ before: string[]; later: string[] }> {
  program = runProgram(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      `--import=data:text/javascript,${encodeURIComponent(witness)}`,
      commandLine,
      ...bridgeOn('simulator', dataDir, ...flags),
    ],
    process.env,
  );
  await program.printed(/Stop it/);
  const [before = '', ...later] = program.output().split(listens);
  const loads = (text: string) => [...text.matchAll(/^loads (.*)$/gm)].map(([, address = '']) => address);
  return { before: loads(before), later: loads(later.join('')) };
}

it('is neither Express nor the simulator of another protocol, and Express is there a little later', async () => {
  const { before, later } = await loadedBy(sourceFile);
  const isIn = (part: string) => (address: string) => address.includes(part);
  expect(before.some(isIn('/src/simulator/zvt/'))).toBe(true);
  expect(before.some(isIn('/src/bridge/listener/'))).toBe(true);
  const notYet = [
    '/node_modules/express/',
    '/src/contract/console/api.ts',
    '/src/simulator/kpay/',
    '/src/bridge/capture/',
  ];
  for (const part of notYet) expect(before.filter(isIn(part))).toEqual([]);
  expect(later.some(isIn('/node_modules/express/'))).toBe(true);
});

it('is complete a little later, also without a console: an update may take the files away', async () => {
  const { before, later } = await loadedBy(sourceFile, '--no-console');
  for (const part of [
    '/express-app.ts',
    '/host/reconcile/index.ts',
    '/capture/index.ts',
    '/methods/invoke.ts',
    '/saved-files/make-file.ts',
    '/saved-files/bundle-on-disk.ts',
  ]) {
    expect(before.filter((address) => address.endsWith(part))).toEqual([]);
    expect(later.filter((address) => address.endsWith(part))).toHaveLength(1);
  }
});

it('is in a few files, once it is built', async () => {
  const { before } = await loadedBy(path.join(builtApp(), 'dist/tillbridge.js'));
  const parts = before
    .filter((address) => address.includes('/dist/tillbridge/'))
    .map((address) => path.basename(address));
  const [start = '', ...more] = parts.filter((name) => name.startsWith('start-'));
  expect(more).toEqual([]);
  // One character beyond ASCII, and Node gives V8 all of its text with two bytes a character.
  expect(/[^\0-\x7f]/.exec(readFileSync(path.join(builtApp(), 'dist/tillbridge', start), 'latin1'))).toBe(
    null,
  );
  expect(parts.length).toBeLessThan(25);
});
