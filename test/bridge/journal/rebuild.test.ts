/** Whatever happens, the rows are what the events add up to: worked out as they came, all at once, or from a ruin. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { repairJournal } from '../../../src/bridge/journal/index.ts';
import { openStore } from '../../../src/bridge/journal/open.ts';
import type { JournalEvent } from '../../../src/contract/journal-events.ts';
import { makeTill } from './random-till.ts';
import { dataFolder, open, options, tableRows, tryOpen } from './folder.ts';

const tables = ['payments', 'operations', 'state', 'payment_hours'];

it('rows are the same worked out step by step, all at once, and from a ruin; and they are what they should be', () => {
  const choice = fc.nat(1_000_000);
  fc.assert(
    fc.property(
      fc.array(choice, { minLength: 5, maxLength: 250 }),
      fc.array(choice, { minLength: 1 }),
      (choices, cuts) => {
        let taken = 0;
        const till = makeTill((count) => (choices[taken++ % choices.length] ?? 0) % count);
        const events: JournalEvent[] = [];
        while (taken < choices.length) events.push(till.next());
        const clock = { ...options('').clock, now: () => 0 };

        const folder = dataFolder();
        const journal = open(folder, clock);
        for (let from = 0, cut = 0; from < events.length; cut += 1) {
          const to = from + 1 + ((cuts[cut % cuts.length] ?? 0) % 6);
          journal.append(...events.slice(from, to));
          from = to;
        }
        const expected = till.expected();
        for (const payment of expected.payments) {
          const { reference, amountMinor } = payment.sale;
          const { status, epoch, batchNumber } = payment;
          const row = journal.paymentByReference(reference);
          expect(row).toMatchObject({ reference, amountMinor, status, epoch, batchNumber });
          expect(journal.payment(payment.sale.operationId)).toEqual(row);
        }
        const newest = expected.payments.toReversed().map((payment) => payment.sale.reference);
        expect(journal.payments({ limit: 1000 }).map((row) => row.reference)).toEqual(newest);
        expect(journal.openOperations().map((row) => row.operationId)).toEqual(expected.open);
        expect(journal.closedBatches()).toBe(expected.closedBatches);
        expect(journal.terminalState().epoch).toBe(expected.epoch);
        journal.close();
        const rows = tables.map((table) => tableRows(join(folder, 'journal.sqlite'), table));

        const second = dataFolder();
        const store = openStore(options(second, clock));
        if (store.kind !== 'opened') throw new Error(store.message);
        store.journal.appendAll(events.map((event) => ({ at: new Date(0).toISOString(), event })));
        store.journal.close();
        expect(tables.map((table) => tableRows(join(second, 'journal.sqlite'), table))).toEqual(rows);

        writeFileSync(join(folder, 'journal.sqlite'), 'a ruin of a file', { flag: 'r+' });
        expect(tryOpen(folder).kind).toBe('damaged');
        const repaired = repairJournal({
          ...options(folder, clock),
          by: 'Ada',
          reason: 'A ruin.',
          uuid: randomUUID,
        });
        expect(repaired).toMatchObject({ eventsKept: events.length + 1, eventsLost: 0 });
        expect(tables.map((table) => tableRows(join(folder, 'journal.sqlite'), table))).toEqual(rows);
      },
    ),
    { numRuns: 25 },
  );
});
