/** What was logged just before a process ends is in the file, however it ends by itself. */
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runProgram } from '../support/programs.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder('process-end');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const source = path.resolve(import.meta.dirname, '../../src');

it.each([
  ['a fault that nobody has caught', 'throw new Error("a fault")', 1],
  ['an end at once', 'process.exit(3)', 3],
])('%s', async (name, ending, exitCode) => {
  const logs = path.join(folder, name);
  const program = `
    const { createLog } = await import(${JSON.stringify(path.join(source, 'log/index.ts'))});
    const { systemClock } = await import(${JSON.stringify(path.join(source, 'base/clock.ts'))});
    const { log } = createLog({ folder: ${JSON.stringify(logs)}, level: 'info', clock: systemClock });
    log.info('the last word');
    ${ending}`;
  const run = runProgram(process.execPath, ['--input-type=module', '-e', program], process.env);
  expect(await run.exited).toBe(exitCode);
  expect(readFileSync(path.join(logs, 'tillbridge.log'), 'utf8')).toContain('the last word');
});
