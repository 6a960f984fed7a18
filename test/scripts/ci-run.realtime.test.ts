/** `.ci/run` with a double of npm: whatever happens, its last line has the count, and its exit code is what that says. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findProgram } from '../support/find-program.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** What the script itself uses: no package manager, and none of the tools that tests may want. */
const used = ['bash', 'cat', 'dirname', 'grep', 'id', 'ls', 'mktemp', 'sh', 'tail', 'tee'];

let folder: string;
let programs: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-ci-'));
  programs = path.join(folder, 'programs');
  mkdirSync(programs);
  mkdirSync(path.join(folder, '.ci'));
  copyFileSync(path.join(root, '.ci/run'), path.join(folder, '.ci/run'));
  for (const name of ['scripts', 'test', 'src', 'node_modules']) {
    symlinkSync(path.join(root, name), path.join(folder, name));
  }
  for (const name of used) symlinkSync(findProgram([name]) ?? '', path.join(programs, name));
  symlinkSync(process.execPath, path.join(programs, 'node'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What the double of npm does is told in the words of a shell; `$*` is what it was asked for. */
function runWith(npm: string) {
  writeFileSync(path.join(programs, 'npm'), `#!/bin/sh\n${npm}\n`, { mode: 0o755 });
  const { stdout, status } = spawnSync('bash', [path.join(folder, '.ci/run')], {
    env: { PATH: programs, HOME: folder, TMPDIR: folder },
    encoding: 'utf8',
  });
  return { last: stdout.trimEnd().split('\n').at(-1), status, stdout };
}

/** Writes the report of one test, and of one for which there is no git. */
const reports = (() => {
  const assertionResults = [
    { fullName: 'one', status: 'passed' },
    { fullName: 'a release 3 tests need git', status: 'skipped' },
  ];
  const report = JSON.stringify({
    testResults: [{ name: 'a.test.ts', status: 'passed', assertionResults }],
  });
  return `if [ -n "$TEST_REPORT" ]; then echo '${report}' > "$TEST_REPORT"; fi`;
})();

describe.skipIf(process.platform === 'win32')('the run of all checks and tests', () => {
  it('counts the tests of its eight commands, and what is skipped for want of a tool fails nothing', () => {
    expect(runWith(reports)).toMatchObject({ last: '8 passed, 0 failed', status: 0 });
  });

  it('takes a skipped test for a failure where its tool is there', () => {
    writeFileSync(path.join(programs, 'git'), '#!/bin/sh\n', { mode: 0o755 });
    expect(runWith(reports)).toMatchObject({ last: '8 passed, 8 failed', status: 1 });
  });

  it.each([
    ['the check', `[ "$*" = "run check" ] && exit 1`, '8 passed, 1 failed'],
    ['a command of tests', `[ "$*" = "run test:office" ] && exit 1`, '8 passed, 1 failed'],
    ['the installation', `[ "$*" = ci ] && exit 1`, '0 passed, 1 failed'],
  ])('has a failure of %s in its last line', (_, fails, last) => {
    expect(runWith(`${reports}\n${fails}\nexit 0`)).toMatchObject({ last, status: 1 });
  });

  it('has a failure of the count itself in its last line', () => {
    rmSync(path.join(folder, 'scripts'));
    mkdirSync(path.join(folder, 'scripts'));
    writeFileSync(path.join(folder, 'scripts/run.mjs'), `throw new Error('broken');\n`);
    expect(runWith(reports)).toMatchObject({ last: '0 passed, 1 failed', status: 1 });
  });
});
