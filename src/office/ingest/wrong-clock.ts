/**
 * Closes whose time, as the till has told it, cannot be true. A bridge that was offline, or that joins with the journal of
 * years, sends old ones by right: those are believed.
 */
import type { SentEvent } from './read-batch.ts';

export interface Arrival {
  /** Milliseconds since 1970. */
  arrivedAt: number;
  /** How far the bridge's clock was ahead when it was heard last; null: never heard, or not known any more. */
  clockAheadMs: number | null;
}

const dayMs = 86_400_000;
/** Clocks differ. */
const toleranceMs = 2 * dayMs;
/** Whose money was due so long ago is not looked for any more; and no till rests so long between two events. */
const oldMs = 800 * dayMs;
/** What happens at a till comes in few events at once; so many are a journal that was there before, or a part of it. */
const manyEvents = 100;

/** Their ids. `events` follow each other. */
export function closesAtWrongTime(
  events: readonly SentEvent[],
  { arrivedAt, clockAheadMs }: Arrival,
): Set<string> {
  const wrong = new Set<string>();
  const isOff = Math.abs(clockAheadMs ?? 0) > toleranceMs;
  // Behind many events there may be more, which have not come yet.
  let next = events.length < manyEvents ? arrivedAt : null;
  /** Event by event it goes on from here to the present. */
  let goesOn = true;
  for (const { at, event } of events.toReversed()) {
    const moment = Date.parse(at);
    if (Number.isNaN(moment)) continue;
    const isOld = arrivedAt - moment > oldMs;
    if (!isOld) goesOn = true;
    else if (next !== null && next - moment > oldMs) goesOn = false;
    next = moment;
    if (event['type'] !== 'operation_started' || event['kind'] !== 'batch_close') continue;
    if (isOff || moment - arrivedAt > toleranceMs || !goesOn) wrong.add(String(event['operationId']));
  }
  return wrong;
}
