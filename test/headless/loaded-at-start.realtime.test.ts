/** What a bridge loads before it listens: a till waits for all of that. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bridgeOn, runProgram, type Program } from '../support/programs.ts';

const commandLine = path.join(import.meta.dirname, '../../src/headless/tillbridge.ts');
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

it('is neither Express nor the simulator of another protocol, and Express is there a little later', async () => {
  program = runProgram(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      `--import=data:text/javascript,${encodeURIComponent(witness)}`,
      commandLine,
      ...bridgeOn('simulator', dataDir),
    ],
    process.env,
  );
  await program.printed(/Stop it/);
  const [before = '', ...later] = program.output().split(listens);
  expect(before).toContain('/src/simulator/zvt/index.ts');
  expect(before).toContain('/src/bridge/listener/routes.ts');
  for (const notYet of [
    '/node_modules/express/',
    '/node_modules/body-parser/',
    '/src/simulator/kpay/',
    '/src/simulator/ecr17/',
  ])
    expect(before).not.toContain(notYet);
  expect(later.join('')).toContain('/node_modules/express/');
});
