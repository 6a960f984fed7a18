/** Every change of a payment's status, tried from every status. */
import { describe, expect, it } from 'vitest';
import { JournalRuleError, type Journal } from '../../../src/bridge/journal/index.ts';
import { mayBecome } from '../../../src/bridge/journal/projection.ts';
import type { JournalEvent, SaleStarted } from '../../../src/contract/journal-events.ts';
import { transactionStatusSchema, type TransactionStatus } from '../../../src/contract/operation.ts';
import { batch, closed, ended, inDoubt, sale, voidOf } from './sample-events.ts';
import { newJournal } from './folder.ts';

/** Brings a payment into each status, by the shortest way. */
const ways: Record<TransactionStatus, (journal: Journal, started: SaleStarted) => void> = {
  in_progress: (journal, started) => void journal.append(started),
  unknown: (journal, started) => void journal.append(started, inDoubt(started)),
  approved: (journal, started) => void journal.append(started, ended(started, 'approved')),
  declined: (journal, started) => void journal.append(started, ended(started, 'declined')),
  cancelled: (journal, started) => void journal.append(started, ended(started, 'cancelled')),
  failed: (journal, started) => void journal.append(started, ended(started, 'failed')),
  voiding: (journal, started) => {
    ways.approved(journal, started);
    journal.append(voidOf(started));
  },
  voided: (journal, started) => {
    ways.approved(journal, started);
    const reversal = voidOf(started);
    journal.append(reversal, ended(reversal, 'voided'));
  },
  settled: (journal, started) => {
    ways.approved(journal, started);
    const close = batch();
    journal.append(close, closed(close, [started.operationId]));
  },
};

/** Events that ask for a change of status: of the open operation, or by a new one. */
function asking(status: TransactionStatus, started: SaleStarted, journal: Journal): JournalEvent[] {
  const [open] = journal.openOperations();
  switch (status) {
    case 'in_progress':
      return [sale({ reference: started.reference })];
    case 'unknown':
      return [inDoubt(started)];
    case 'approved':
      return [open?.kind === 'void' ? ended(open, 'not_voided') : ended(started, 'approved')];
    case 'declined':
    case 'cancelled':
    case 'failed':
      return [ended(open ?? started, status)];
    case 'voiding':
      return [voidOf(started)];
    case 'voided':
      return [ended(open?.kind === 'void' ? open : started, 'voided')];
    case 'settled': {
      const close = batch();
      return [close, closed(close, [started.operationId])];
    }
  }
}

describe('status of a payment', () => {
  const all = transactionStatusSchema.options;
  const pairs = all.flatMap((from) => all.map((to) => ({ from, to })));

  it.each(pairs)('$from → $to is kept or refused as the interface says', ({ from, to }) => {
    const journal = newJournal();
    const started = sale();
    ways[from](journal, started);
    expect(journal.payment(started.operationId)?.status).toBe(from);
    const before = { events: journal.lastSeq(), payment: journal.payment(started.operationId) };
    const events = asking(to, started, journal);
    // Doubt may be told again; it changes the sentence, not the status.
    if (mayBecome[from].includes(to) || (from === 'unknown' && to === 'unknown')) {
      journal.append(...events);
      expect(journal.payment(started.operationId)?.status).toBe(to);
    } else {
      expect(() => journal.append(...events)).toThrow(JournalRuleError);
      expect({ events: journal.lastSeq(), payment: journal.payment(started.operationId) }).toEqual(before);
    }
  });

  it('has the table of the interface', () => {
    expect(mayBecome).toEqual({
      in_progress: ['approved', 'declined', 'cancelled', 'failed', 'unknown'],
      approved: ['voiding', 'settled'],
      declined: [],
      cancelled: [],
      failed: [],
      unknown: ['approved', 'declined', 'cancelled', 'failed'],
      voiding: ['voided', 'approved'],
      voided: [],
      settled: [],
    });
  });
});
