/**
 * `node scripts/count-tests.ts CHECK TESTS REPORT…`: the last line of `.ci/run`. CHECK and TESTS are the exit codes of
 * `npm run check` and of the tests; each REPORT is a JSON report of Vitest. A test that did not run is a failure, unless
 * it is one of `maySkip`.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

/** Examples of the documents in languages that a computer may not have. */
const maySkip = [
  'the example in the shell pays, voids, cancels and closes the day',
  'the example in Python pays, voids, cancels and closes the day',
  'the example in C# pays, voids, cancels and closes the day',
  'the tour can be followed word for word',
  'the tour of the office can be followed word for word on PGlite',
  'the tour of the office can be followed word for word on a PostgreSQL server',
  'pay(), whose first request got in before the journal was damaged, learns what became of it in the shell',
  'pay(), whose first request got in before the journal was damaged, learns what became of it in Python',
  'pay(), whose first request got in before the journal was damaged, learns what became of it in C#',
];

const [checkCode = '1', testCode = '1', ...reportFiles] = process.argv.slice(2);
const tests = reportFiles.flatMap(readReport);
const passed = tests.filter(({ status }) => status === 'passed').length;
const notRun = tests.filter(({ status }) => status !== 'passed' && status !== 'failed');
const skipped = notRun.filter(({ name }) => maySkip.includes(name));
for (const { name } of skipped) console.log(`skipped, as it may be: ${name}`);
for (const { name, status } of notRun.filter((test) => !skipped.includes(test))) {
  console.log(`${status}, which is a failure here: ${name}`);
}
let failed = tests.length - passed - skipped.length;
if (checkCode !== '0') {
  console.log('"npm run check" failed.');
  failed += 1;
}
if (testCode !== '0' && !tests.some(({ status }) => status === 'failed')) {
  console.log('A run of the tests failed outside of its tests.');
  failed += 1;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

/** Every test that the run knows of. A file that could not even be loaded counts as one. */
function readReport(file: string): { name: string; status: string }[] {
  try {
    const report = reportSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    return report.testResults.flatMap(({ name, status, assertionResults }) =>
      assertionResults.length === 0 && status !== 'passed'
        ? [{ name, status: 'failed' }]
        : assertionResults.map((test) => ({ name: test.fullName, status: test.status })),
    );
  } catch (error) {
    console.log(
      `The report of the tests cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
    return [];
  }
}
