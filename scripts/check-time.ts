/** `npm run check:time`: fails where the machine's clock or chance is used although both are to be given. */
import path from 'node:path';
import { describeFinding, machineUseInSource, machineUseInTests } from './time/check.ts';

const root = path.resolve(import.meta.dirname, '..');
const findings = [...machineUseInSource(root), ...machineUseInTests(root)];
for (const finding of findings) console.error(describeFinding(finding));
if (findings.length > 0) {
  console.error(
    `${findings.length} use(s) of the machine's clock or chance. In src/ they are injected; a test takes a clock of its ` +
      'own (test/support), or is one of the real-time group and named *.realtime.test.ts.',
  );
  process.exitCode = 1;
}
