/**
 * A process that appends events until it is killed: `appender.ts FOLDER [COUNT [restless]]`. It prints the number of each event and
 * the reference once `append` has returned; after COUNT payments and a moment of rest it kills itself, as a power switch
 * would.
 */
import { writeSync } from 'node:fs';
import { openJournal } from '../../../src/bridge/journal/index.ts';
import { silentLog } from '../../../src/log/log.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { ended, resultOf, sale } from './sample-events.ts';

const folder = process.argv[2] ?? '';
const count = Number(process.argv[3] ?? Infinity);
const clock = createVirtualClock();
const result = openJournal({ folder, clock, log: silentLog, version: '0.0.0-test' });
if (result.kind !== 'opened') throw new Error(result.message);
const { journal } = result;
const first = journal.lastSeq();

/** Through the file system at once: what is printed has happened. */
function say(seq: number | undefined, word: string): void {
  writeSync(1, `${seq} ${word}\n`);
}

for (let made = 0; made < count; made += 1) {
  const started = sale({ reference: `C-${first}-${made}` });
  say(journal.append(started)[0]?.seq, started.reference);
  say(journal.append(resultOf(started))[0]?.seq, 'result');
  say(journal.append(ended(started, 'approved'))[0]?.seq, 'approved');
}
if (process.argv[4] !== 'restless') await clock.advance(200);
process.kill(process.pid, 'SIGKILL');
