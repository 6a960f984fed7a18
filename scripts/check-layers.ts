/** `npm run check:layers`: fails on an import that the table of rooms does not allow, and on a file in no room. */
import path from 'node:path';
import { checkLayers, describeViolation } from './layers/check.ts';
import { rooms } from './layers/rooms.ts';

const root = path.resolve(import.meta.dirname, '..');
const violations = checkLayers(root, rooms);
for (const violation of violations) console.error(describeViolation(violation));
if (violations.length > 0) {
  console.error(`${violations.length} import(s) or file(s) that the rooms do not allow.`);
  process.exitCode = 1;
}
