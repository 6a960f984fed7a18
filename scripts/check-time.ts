/** The part of `npm run check:layers` that looks at the clock in tests, alone. */
import path from 'node:path';
import { describeViolation } from './layers/check.ts';
import { machineTimeInTests } from './layers/globals.ts';
import { readSourceTree } from './layers/source-tree.ts';

const found = machineTimeInTests(readSourceTree(path.resolve(import.meta.dirname, '..')));
for (const violation of found) console.error(describeViolation(violation));
if (found.length > 0) process.exitCode = 1;
