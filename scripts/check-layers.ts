/** `npm run check:layers`: fails on an import that the table of modules does not allow, and on a file in no module. */
import path from 'node:path';
import { checkLayers, describeViolation } from './layers/check.ts';
import { modules } from './layers/modules.ts';

const root = path.resolve(import.meta.dirname, '..');
const violations = checkLayers(root, modules);
for (const violation of violations) console.error(describeViolation(violation));
if (violations.length > 0) {
  console.error(`${violations.length} import(s) or file(s) that the modules do not allow.`);
  process.exitCode = 1;
}
