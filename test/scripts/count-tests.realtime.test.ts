/** The last line of `.ci/run`, and its exit code. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const script = path.join(import.meta.dirname, '../../scripts/count-tests.ts');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-count-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function count(tests: Record<string, string>, codes: [string, string] = ['0', '0']) {
  const report = path.join(folder, 'report.json');
  const assertionResults = Object.entries(tests).map(([fullName, status]) => ({ fullName, status }));
  writeFileSync(
    report,
    JSON.stringify({ testResults: [{ name: 'a.test.ts', status: 'passed', assertionResults }] }),
  );
  const parameters = ['--disable-warning=ExperimentalWarning', script, ...codes, report];
  const { stdout, status } = spawnSync(process.execPath, parameters, { encoding: 'utf8' });
  return { last: stdout.trim().split('\n').at(-1), status, stdout };
}

describe('the count of the tests', () => {
  it('is good when all have passed', () => {
    expect(count({ one: 'passed', other: 'passed' })).toMatchObject({
      last: '2 passed, 0 failed',
      status: 0,
    });
  });

  it('names what was skipped and may be, which fails nothing', () => {
    const allowed = 'the example in Python pays, voids, cancels and closes the day';
    const counted = count({ one: 'passed', [allowed]: 'skipped' });
    expect(counted).toMatchObject({ last: '1 passed, 0 failed', status: 0 });
    expect(counted.stdout).toContain(`skipped, as it may be: ${allowed}`);
  });

  it.each([
    ['any other that was skipped', { one: 'passed', other: 'skipped' }, ['0', '0']],
    ['one that failed', { one: 'passed', other: 'failed' }, ['0', '1']],
    ['the check', { one: 'passed' }, ['1', '0']],
    ['a run that failed outside of its tests', { one: 'passed' }, ['0', '1']],
  ] as const)('counts %s as failed', (_, tests, codes) => {
    expect(count(tests, [...codes])).toMatchObject({ last: '1 passed, 1 failed', status: 1 });
  });
});
