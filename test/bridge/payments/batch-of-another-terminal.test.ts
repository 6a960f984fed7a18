/** A close that another terminal made, put on the line before anybody noticed: it holds nothing of ours. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { TerminalRecord } from '../../../src/contract/terminal.ts';
import { settlementOf } from '../../../src/bridge/payments/batch.ts';
import { createResolver } from '../../../src/bridge/payments/manual-decisions.ts';
import { batch, ended, inDoubt, record, sale, terminal } from '../journal/sample-events.ts';
import { newJournal } from '../journal/folder.ts';

const other = { ...terminal, terminalId: '68000002' };
const day = record({ kind: 'batch_close', amountMinor: null });

function closing() {
  const journal = newJournal();
  const paid = sale({ reference: 'A' });
  const close = batch();
  journal.append(
    { type: 'terminal_ready', terminal, lastRecord: { kind: 'empty' }, continuity: 'unknown' },
    paid,
    ended(paid, 'approved', { result: record({ receiptNumber: '0001', terminalId: terminal.terminalId }) }),
    close,
  );
  return { journal, close, paid };
}

/** A payment from before the terminal told its id: with this in its result, or by a person's word alone. */
function placed(result: Partial<TerminalRecord> | null) {
  const journal = newJournal();
  const nameless = { ...terminal, terminalId: null };
  const paid = sale({ reference: 'A', terminal: nameless });
  const close = batch();
  journal.append(
    { type: 'terminal_ready', terminal: nameless, lastRecord: { kind: 'empty' }, continuity: 'unknown' },
    paid,
    ended(paid, 'approved', {
      result: result === null ? null : record(result),
      resolvedBy: result === null ? { name: 'Kim', reason: 'the slip' } : null,
    }),
    { type: 'terminal_ready', terminal, lastRecord: { kind: 'empty' }, continuity: 'unknown' },
    close,
  );
  const row = journal.operation(close.operationId);
  if (row === null) throw new Error('there is no close');
  return { journal, row, paid };
}

describe('a batch close', () => {
  it('settles what the terminal that closed has made, whichever of its ids it tells', () => {
    const { journal, close, paid } = closing();
    const row = journal.operation(close.operationId);
    const settled = (terminalId: string | null) =>
      row === null ? null : settlementOf(journal, row, { ...day, terminalId })?.settled;
    expect(settled(terminal.terminalId)).toEqual([paid.operationId]);
    expect(settled(null)).toEqual([paid.operationId]);
    expect(settled('52500042')).toEqual([paid.operationId]);
  });

  it('settles no payment whose own result names another terminal', () => {
    const { journal, row } = placed({ terminalId: '68000001' });
    expect(settlementOf(journal, row, day)?.settled).toEqual([]);
  });

  it('leaves in question what a person called charged when no terminal had told its id', () => {
    const { journal, row } = placed(null);
    expect(settlementOf(journal, row, day)).toMatchObject({ settled: [], inQuestion: ['A'] });
  });

  it('counts that payment where the totals hold it', () => {
    const { journal, row, paid } = placed(null);
    const totals = { ...day, amountMinor: paid.amountMinor };
    expect(settlementOf(journal, row, totals)).toMatchObject({ settled: [], inQuestion: [] });
  });

  it('settles nothing by a person’s word once another terminal is on the line', () => {
    const { journal, close } = closing();
    journal.append(inDoubt(close), {
      type: 'terminal_ready',
      terminal: other,
      lastRecord: { kind: 'empty' },
      continuity: 'changed_terminal',
    });
    const word = { resolution: 'closed', by: 'Kim', reason: 'the slip', terminalUnreachable: true } as const;
    const resolver = createResolver(journal, randomUUID);
    expect(resolver.resolve({ operationId: close.operationId, ...word }).ok).toBe(true);
    expect(journal.paymentByReference('A')?.status).toBe('approved');
  });

  it('names what it leaves in question, also where a person says that it was closed', () => {
    const { journal, row } = placed(null);
    journal.append(inDoubt(row.started));
    const word = { resolution: 'closed', by: 'Kim', reason: 'the slip', terminalUnreachable: true } as const;
    expect(createResolver(journal, randomUUID).resolve({ operationId: row.operationId, ...word }).ok).toBe(
      true,
    );
    expect(journal.paymentByReference('A')?.status).toBe('approved');
    expect(journal.openDiscrepancies(10, 0)).toMatchObject([
      { kind: 'batch_differs', references: ['A'], record: null },
    ]);
  });

  it('names the payments that came after it, where a damaged journal had lost that it was done', () => {
    const { journal, close } = closing();
    const later = sale({ reference: 'B' });
    const result = record({ receiptNumber: '0002', terminalId: terminal.terminalId });
    journal.append(later, ended(later, 'approved', { result }), inDoubt(close));
    const word = { resolution: 'closed', by: 'Kim', reason: 'the slip', terminalUnreachable: true } as const;
    createResolver(journal, randomUUID).resolve({ operationId: close.operationId, ...word });
    expect(['A', 'B'].map((reference) => journal.paymentByReference(reference)?.status)).toEqual([
      'settled',
      'approved',
    ]);
    expect(journal.openDiscrepancies(10, 0)).toMatchObject([
      {
        kind: 'batch_differs',
        references: ['B'],
        message: expect.stringContaining('1 payment of ours came after it') as string,
      },
    ]);
  });
});
