/**
 * Records the days in `recorded/` anew, each from its simulated terminal, on this computer's clock: after a change of a driver
 * that is meant, `node test/bridge/capture/record-days.ts`, and a look at what changed in them.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { lineNames, startKpayRecording, startRecording, usualDay } from './recording.ts';

for (const name of [...lineNames, 'kpay'] as const) {
  const recording =
    name === 'kpay' ? await startKpayRecording(systemClock) : await startRecording(name, systemClock);
  await usualDay(recording);
  writeFileSync(join(import.meta.dirname, 'recorded', `${name}.jsonl`), await recording.end());
}
