/**
 * `npm run check:time`: fails where the machine's clock or chance is used although both are to be given. The files of
 * `scripts/time/not-yet.ts` are the ones that still do.
 */
import path from 'node:path';
import { describeFinding, machineUseInSource, machineUseInTests } from './time/check.ts';
import { notYet } from './time/not-yet.ts';

const root = path.resolve(import.meta.dirname, '..');
const all = [...machineUseInSource(root), ...machineUseInTests(root)];
const findings = all.filter(({ file }) => !notYet.includes(file));
for (const finding of findings) console.error(describeFinding(finding));
const done = notYet.filter((listed) => !all.some(({ file }) => file === listed));
for (const file of done) console.error(`${file}: no longer uses it, and is still in scripts/time/not-yet.ts`);
if (findings.length > 0) {
  console.error(
    `${findings.length} use(s) of the machine's clock or chance. In src/ they are injected; a test takes a clock of its ` +
      'own (test/support), or is one of the real-time group and named *.realtime.test.ts.',
  );
  process.exitCode = 1;
}
