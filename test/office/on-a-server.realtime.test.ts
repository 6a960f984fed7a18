/** Where there is no PostgreSQL server, this says how much ran on PGlite alone. */
import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { countTestFilesWith, skippedWithout } from '../support/describe-with.ts';

const files = countTestFilesWith(/\b(onBothEngines|enginesHere)\(/);

/** vitest.config.ts leaves them out. */
const whole = globSync('**/*.server.realtime.test.ts', { cwd: path.resolve(import.meta.dirname) }).length;

it('the tests of the office are known that run on a server, too', () => {
  expect(files).toBeGreaterThan(10);
  expect(whole).toBeGreaterThan(2);
});

skippedWithout(
  'PostgreSQL',
  'the office on a server',
  `the tests of ${files} files, which ran on PGlite alone, and all of ${whole} files`,
);
