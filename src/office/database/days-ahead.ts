/**
 * The partitions of today and the days to come, made while nobody needs them yet. To attach one takes all others off the
 * partition of other days for a moment, so it waits for whoever reads that for long (a copy of the database, retention); at
 * midnight every bridge would wait with it.
 */
import { pause, type Clock } from '../../base/clock.ts';
import { errorText } from '../../base/error-text.ts';
import type { LineLog } from '../../log/index.ts';
import type { Database } from './database.ts';
import { dayAfter, dayOf } from './days.ts';
import { daysAhead, dividedTables, makeMissing } from './partitions.ts';

export interface DaysAheadParts {
  database: Database;
  clock: Clock;
  log: LineLog;
  signal: AbortSignal;
}

const pauseMs = 3 * 60 * 60_000;
/** After one that somebody else stood in the way of: many fit into the two days that there are. */
const pauseAfterFailureMs = 5 * 60_000;
/** Others queue behind whoever waits for the lock, so it is not waited for any longer, in milliseconds. */
const lockTimeoutMs = 1_000;

/** Does so until `signal`. Mostly they are there, which takes a look at the catalog. */
export async function keepDaysAhead({ database, clock, log, signal }: DaysAheadParts): Promise<void> {
  let failed = false;
  while (!signal.aborted) {
    const failure = await makeDaysAhead(database, clock).then(
      () => null,
      (error: unknown) => errorText(error),
    );
    // Once for a row of them.
    if (failure !== null && !failed && !signal.aborted)
      log.warn(`the days to come could not be made in the database yet: ${failure}`);
    failed = failure !== null;
    await pause(clock, failed ? pauseAfterFailureMs : pauseMs, signal);
  }
}

/** Rejects with DatabaseError; what was made until then stays. */
export async function makeDaysAhead(database: Database, clock: Pick<Clock, 'now'>): Promise<void> {
  const today = dayOf(clock.now());
  for (let ahead = 0; ahead <= daysAhead; ahead += 1)
    for (const table of dividedTables)
      await makeMissing(database, table, dayAfter(today, ahead), lockTimeoutMs);
}
