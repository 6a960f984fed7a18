/** Where there is no PostgreSQL server, this says how much ran on PGlite alone. */
import { expect, it } from 'vitest';
import { countTestFilesWith, skippedWithout } from '../support/describe-with.ts';

const files = countTestFilesWith(/\b(onBothEngines|enginesHere)\(/);

it('the tests of the office are known that run on a server, too', () => {
  expect(files).toBeGreaterThan(10);
});

skippedWithout(
  'PostgreSQL',
  'the office on a server',
  `the tests of ${files} files, which ran on PGlite alone,`,
);
