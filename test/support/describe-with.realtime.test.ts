/** What a machine says that has nothing but Node and npm. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { languages } from '../docs/guide-kit.ts';
import { countTestFilesWith } from './describe-with.ts';

const root = path.resolve(import.meta.dirname, '../..');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-bare-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

// Windows looks in its own folder, whatever the path is.
it.skipIf(process.platform === 'win32')(
  'tests without their tool are one skipped test with their number',
  () => {
    const report = path.join(folder, 'report.json');
    const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
    const file = 'test/scripts/release.realtime.test.ts';
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [vitest, 'run', '--project', 'quick', file],
      {
        cwd: root,
        env: { ...process.env, PATH: folder, TEST_REPORT: report },
        encoding: 'utf8',
      },
    );
    expect(status).toBe(0);
    const printed = `${stdout}\n${stderr}`.split('\n');
    expect(printed.filter((line) => line.includes('SKIPPED'))).toEqual([
      expect.stringContaining('SKIPPED: a release: 3 tests need git: missing here. To get it: '),
    ]);
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      testResults: { assertionResults: { fullName: string; status: string }[] }[];
    };
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    expect(tests).toMatchObject([{ fullName: 'a release 3 tests need git', status: 'skipped' }]);
  },
);

it('a machine without any tool skips no more than ten', () => {
  const inOneFile = countTestFilesWith(/^describeWith\(/m);
  const ofManyFiles = countTestFilesWith(/^skippedWithout\(/m) + languages.length;
  expect(inOneFile).toBeGreaterThan(3);
  expect(inOneFile + ofManyFiles).toBeLessThanOrEqual(10);
});
