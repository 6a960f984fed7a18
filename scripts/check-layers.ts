/**
 * `npm run check:layers`: fails on an import and on a global that the table of modules does not allow, on a file in no
 * module, on a row that allows more than is used, on files that import each other in a circle, and on the machine's
 * clock in tests outside the real-time group.
 */
import path from 'node:path';
import { describeViolation, forbiddenImports, staleAllowances } from './layers/check.ts';
import { importCircles } from './layers/circles.ts';
import { forbiddenGlobals, machineTimeInTests, staleMachineUsers } from './layers/globals.ts';
import { layers } from './layers/modules.ts';
import { readSourceTree } from './layers/source-tree.ts';

const tree = readSourceTree(path.resolve(import.meta.dirname, '..'));
const violations = [
  ...forbiddenImports(tree, layers),
  ...forbiddenGlobals(tree, layers),
  ...machineTimeInTests(tree),
];
const findings = [
  ...violations.map(describeViolation),
  ...staleAllowances(tree, layers),
  ...staleMachineUsers(tree, layers.machine),
  ...importCircles(tree).map((circle) => `a circle of imports: ${circle.join(' -> ')}`),
];
for (const finding of findings) console.error(finding);
if (findings.length > 0) {
  console.error(`${findings.length} finding(s). scripts/layers/modules.ts has the table and what it means.`);
  process.exitCode = 1;
}
