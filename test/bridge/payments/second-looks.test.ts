import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { JournalEvent } from '../../../src/contract/journal-events.ts';
import { createHistory } from '../../../src/bridge/payments/history.ts';
import { createSecondLooks } from '../../../src/bridge/payments/second-looks.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { ended, inDoubt, record, sale } from '../journal/sample-events.ts';
import { dataFolder, open } from '../journal/folder.ts';

it('a contradiction that could not be written is found again', () => {
  const clock = createVirtualClock();
  const journal = open(dataFolder(), clock);
  const started = sale({ terminalReference: 'ABC123' });
  const byKim = { name: 'Kim', reason: 'the customer says so', terminalUnreachable: true };
  journal.append(started, inDoubt(started), ended(started, 'failed', { resolvedBy: byKim }));
  const written: JournalEvent[] = [];
  let diskIsFull = true;
  const looks = createSecondLooks({
    journal,
    protocol: { name: started.terminal.protocol },
    history: createHistory(journal),
    clock,
    uuid: randomUUID,
    append(...events) {
      if (!diskIsFull) written.push(...events);
      return !diskIsFull;
    },
  });
  const look = () => {
    const due = looks.due();
    if (due === null) return null;
    const shown = { kind: 'record' as const, record: record({}) };
    return looks.looked(due.operationId, shown, () => ({
      kind: 'done',
      record: shown.record,
      explanation: 'it has it',
    }));
  };
  expect(look()).toBe(false);
  diskIsFull = false;
  expect(look()).toBe(true);
  expect(written).toMatchObject([
    { type: 'discrepancy_found', kind: 'contradicted_outcome', references: [started.reference] },
  ]);
});
