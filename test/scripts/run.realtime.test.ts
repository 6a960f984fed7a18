/** scripts/run.mjs on a Node that is too old: the Node of the packages takes over, whether npm has linked it or not. */
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../support/programs.ts';

const runner = path.resolve(import.meta.dirname, '../../scripts/run.mjs');
const oldNode = [
  '--import',
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.1.0"}})',
];
const system = process.platform === 'win32' ? 'win' : process.platform;
const executable = process.platform === 'win32' ? 'node.exe' : 'node';
const bundled = path.resolve(
  import.meta.dirname,
  `../../node_modules/node-${system}-${process.arch}/bin/${executable}`,
);
/** Where the system has none among the packages, there is nothing to hand over to. */
const isThere = existsSync(bundled);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-run-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What `source`, a program in TypeScript, does when an old Node is asked to run it. */
function runInOldNode(source: string, ...args: string[]) {
  const program = path.join(folder, 'program.ts');
  writeFileSync(program, source);
  return runProgram(process.execPath, [...oldNode, runner, program, ...args], process.env);
}

describe.skipIf(!isThere)('an old Node', () => {
  it('hands arguments, TypeScript, the search path and the exit code on', async () => {
    const program = runInOldNode(
      `import { execFileSync } from 'node:child_process';
       const found: string = execFileSync('node', ['-p', 'process.execPath'], { encoding: 'utf8' }).trim();
       console.log(JSON.stringify({ runsIn: process.execPath, found, args: process.argv.slice(2) }));
       process.exitCode = 7;`,
      'one',
      'two words',
    );
    const [, seen = ''] = await program.printed(/^(\{.*\})$/m);
    expect(JSON.parse(seen)).toEqual({
      runsIn: realpathSync(bundled),
      found: realpathSync(bundled),
      args: ['one', 'two words'],
    });
    expect(await program.exited).toBe(7);
  });

  it.skipIf(process.platform === 'win32')('ends what it runs when npm has ended its shell', async () => {
    writeFileSync(
      path.join(folder, 'waits.ts'),
      `process.on('SIGTERM', () => { console.log('asked to stop'); process.exit(); });
       setInterval(() => {}, 1_000);
       console.log('at work');`,
    );
    const command = `"${process.execPath}" ${oldNode.map((word) => `'${word}'`).join(' ')} "${runner}" "${path.join(folder, 'waits.ts')}"; exit $?`;
    const shell = runProgram('sh', ['-c', command], { ...process.env, npm_lifecycle_event: 'start' });
    await shell.printed(/at work/);
    shell.process.kill('SIGKILL');
    await shell.exited;
    expect(shell.output()).toMatch(/asked to stop\n$/);
  });
});
