/** A till for tests whose ids are made as a bridge makes them, so that each payment lies in the day of its time. */
import type { JournalEvent } from '../../../src/contract/journal-events.ts';
import { ended, record, sale } from '../../bridge/journal/sample-events.ts';
import { seededChance } from '../../support/random.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { ShopJournal } from './shop.ts';

/** `start` is in milliseconds since 1970; every event comes a second after the one before. */
export function tillAt(start = Date.UTC(2026, 10, 2, 9), seed = 7) {
  const clock = createVirtualClock();
  clock.jump(start - clock.now());
  const chance = seededChance(clock, seed);
  const journal = new ShopJournal();
  const add = (...events: JournalEvent[]) => {
    for (const event of events) {
      clock.jump(1_000);
      journal.add(event, clock.now());
    }
  };
  /** A payment that is approved, unless `end` says otherwise; null: it goes on. */
  const pay = (reference: string, end: 'approved' | 'declined' | null = 'approved') => {
    const started = sale({ operationId: chance.uuid(), reference });
    add(started);
    if (end !== null) add(ended(started, end, { result: record({ receiptNumber: '0042' }) }));
    return started;
  };
  add({ type: 'journal_opened', version: '0.1.0' });
  return { clock, chance, journal, add, pay };
}
