/**
 * `node scripts/count-tests.ts CHECK TESTS REPORT…`: the last line of `.ci/run`. CHECK and TESTS are the exit codes of
 * `npm run check` and of the tests; each REPORT is a JSON report of Vitest. A test that did not run is a failure, unless
 * its title says that it needs what does not come with the packages, and that is missing here, indeed.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { mayBeSkipped } from '../test/support/needs.ts';

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(''),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

interface Test {
  name: string;
  file: string;
  status: string;
  /** Why it failed. */
  messages: string[];
}

const maxMessageLines = 40;

const [checkCode = '1', testCode = '1', ...reportFiles] = process.argv.slice(2);
const tests = reportFiles.flatMap(readReport);
const passed = tests.filter(({ status }) => status === 'passed').length;
const notRun = tests.filter(({ status }) => status !== 'passed' && status !== 'failed');
const skipped = notRun.filter(({ name }) => mayBeSkipped(name));
for (const { name } of skipped) console.log(`skipped, as it may be: ${name}`);
for (const { name, status } of notRun.filter((test) => !skipped.includes(test))) {
  console.log(`${status}, which is a failure here: ${name}`);
}
// The test run that said it lies far above, and may be cut off where only the end of a log is kept.
for (const { name, file, messages } of tests.filter(({ status }) => status === 'failed')) {
  console.log(`failed: ${name} (${path.relative(process.cwd(), file)})`);
  for (const message of messages) console.log(indented(message));
}
const names = new Set(tests.map(({ name }) => name));
const onPgliteAlone = [...names].filter(
  (name) => name.startsWith('on pglite ') && !names.has(name.replace('on pglite ', 'on postgres ')),
).length;
if (onPgliteAlone > 0)
  console.log(`${onPgliteAlone} tests ran on PGlite alone, and not on a PostgreSQL server.`);
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

/** Its first lines tell what was expected; a test may be tried again, and each try says why it failed. */
function indented(message: string): string {
  const lines = stripVTControlCharacters(message).split('\n').slice(0, maxMessageLines);
  return lines.map((line) => `  ${line}`).join('\n');
}

/** Every test that the run knows of. A file that could not even be loaded counts as one. */
function readReport(file: string): Test[] {
  try {
    const report = reportSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    for (const { name, status, message, assertionResults } of report.testResults) {
      const inTests = assertionResults.some((test) => test.status === 'failed');
      if (status === 'failed' && assertionResults.length > 0 && !inTests && message !== '')
        console.log(
          `failed outside of its tests: ${path.relative(process.cwd(), name)}\n${indented(message)}`,
        );
    }
    return report.testResults.flatMap(({ name, status, message, assertionResults }) =>
      assertionResults.length === 0 && status !== 'passed'
        ? [{ name, file: name, status: 'failed', messages: [message] }]
        : assertionResults.map((test) => ({
            name: test.fullName,
            file: name,
            status: test.status,
            messages: test.failureMessages ?? [],
          })),
    );
  } catch (error) {
    console.log(
      `The report of the tests cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
    return [];
  }
}
