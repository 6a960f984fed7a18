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

function count(
  tests: Record<string, string>,
  codes: [string, string] = ['0', '0'],
  environment: NodeJS.ProcessEnv = {},
) {
  const report = path.join(folder, 'report.json');
  const assertionResults = Object.entries(tests).map(([fullName, status]) => ({ fullName, status }));
  writeFileSync(
    report,
    JSON.stringify({ testResults: [{ name: 'a.test.ts', status: 'passed', assertionResults }] }),
  );
  const { stdout, status } = run(...codes, report, environment);
  return { last: stdout.trim().split('\n').at(-1), status, stdout };
}

function run(checkCode: string, testCode: string, report: string, environment: NodeJS.ProcessEnv = {}) {
  const parameters = ['--disable-warning=ExperimentalWarning', script, checkCode, testCode, report];
  return spawnSync(process.execPath, parameters, {
    encoding: 'utf8',
    cwd: folder,
    env: { ...process.env, ...environment },
  });
}

describe('the count of the tests', () => {
  it('is good when all have passed', () => {
    expect(count({ one: 'passed', other: 'passed' })).toMatchObject({
      last: '2 passed, 0 failed',
      status: 0,
    });
  });

  // Windows looks in its own folder, whatever the path is.
  it.skipIf(process.platform === 'win32')(
    'names what was skipped for want of what does not come with the packages, which fails nothing',
    () => {
      const lines = [
        'a release 3 tests need git',
        'the tours of the documents 3 tests need bash and curl',
        'the example in the shell 3 tests need bash, curl and jq',
        'the example in Python 3 tests need python3',
        'the example in C# 3 tests need a C# compiler and Mono',
      ];
      const skipped = Object.fromEntries(lines.map((line) => [line, 'skipped']));
      const counted = count({ one: 'passed', ...skipped }, ['0', '0'], { PATH: folder });
      expect(counted).toMatchObject({ last: '1 passed, 0 failed', status: 0 });
      expect(counted.stdout.trim().split('\n').slice(0, -1)).toEqual(
        lines.map((line) => `skipped, as it may be: ${line}`),
      );
    },
  );

  it.skipIf(process.platform === 'win32')(
    'believes no title: what was skipped for want of something that is there is a failure',
    () => {
      const title = 'a release 3 tests need git';
      // Just enough of it to be asked for its version.
      writeFileSync(path.join(folder, 'git'), '#!/bin/sh\n', { mode: 0o755 });
      const counted = count({ one: 'passed', [title]: 'skipped' }, ['0', '0'], { PATH: folder });
      expect(counted).toMatchObject({ last: '1 passed, 1 failed', status: 1 });
      expect(counted.stdout).toContain(`skipped, which is a failure here: ${title}`);
    },
  );

  it('says how many tests of the office had no server', () => {
    const tests = {
      'on pglite a': 'passed',
      'on postgres a': 'passed',
      'on pglite b': 'passed',
      'on pglite c': 'passed',
    };
    const { stdout, last } = count(tests);
    expect(stdout).toContain('2 tests ran on PGlite alone, and not on a PostgreSQL server.');
    expect(last).toBe('4 passed, 0 failed');
    expect(count({ 'on pglite a': 'passed', 'on postgres a': 'passed' }).stdout).toBe('2 passed, 0 failed\n');
  });

  it('names what failed, and why, right above the count', () => {
    const report = path.join(folder, 'failed.json');
    const failureMessages = ['\u001B[31mexpected 1 to be 2\u001B[39m\n    at a.test.ts:3:1'];
    const results = [
      {
        name: 'a.test.ts',
        status: 'failed',
        message: '',
        assertionResults: [{ fullName: 'adds', status: 'failed', failureMessages }],
      },
      { name: 'b.test.ts', status: 'failed', message: 'Cannot find module "x"', assertionResults: [] },
    ];
    writeFileSync(report, JSON.stringify({ testResults: results }));
    expect(run('0', '1', report).stdout.trim().split('\n')).toEqual([
      'failed: adds (a.test.ts)',
      '  expected 1 to be 2',
      '      at a.test.ts:3:1',
      'failed: b.test.ts (b.test.ts)',
      '  Cannot find module "x"',
      '0 passed, 2 failed',
    ]);
  });

  it('says why a file failed all of whose tests passed', () => {
    const report = path.join(folder, 'hook.json');
    const assertionResults = [{ fullName: 'adds', status: 'passed', failureMessages: [] }];
    const results = [{ name: 'a.test.ts', status: 'failed', message: 'afterAll: boom', assertionResults }];
    writeFileSync(report, JSON.stringify({ testResults: results }));
    expect(run('0', '1', report).stdout.trim().split('\n')).toEqual([
      'failed outside of its tests: a.test.ts',
      '  afterAll: boom',
      'A run of the tests failed outside of its tests.',
      '1 passed, 1 failed',
    ]);
  });

  it('takes nothing that comes with the packages for missing', () => {
    const counted = count({ one: 'passed', 'the page 3 tests need chromium': 'skipped' });
    expect(counted).toMatchObject({ last: '1 passed, 1 failed', status: 1 });
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
