/** A charge of another amount than was asked, and a terminal that tells who it is only later. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { applyInputs } from '../../../src/bridge/payments/journal-writer.ts';
import { createResolver } from '../../../src/bridge/payments/manual-decisions.ts';
import { dialects } from '../../../src/simulator/dialects.ts';
import { closeRigsAfterEach, payment, rigUp } from '../../support/rigs.ts';
import { inDoubt, record, resultOf, sale } from '../journal/sample-events.ts';
import { newJournal } from '../journal/folder.ts';

closeRigsAfterEach();

const sight = { continuityOf: () => 'next' as const, uuid: randomUUID };

describe('a charge of another amount than was asked', () => {
  const charged = (amountMinor: number, maxAmountMinor?: number) => {
    const journal = newJournal();
    const started = sale({
      reference: 'A',
      amountMinor: 1200,
      ...(maxAmountMinor === undefined ? {} : { maxAmountMinor }),
    });
    journal.append(started);
    const answer = { kind: 'done' as const, record: record({ amountMinor }), receiptLines: [] };
    applyInputs(journal, started.operationId, [{ kind: 'answer', answer, settlement: null }], sight);
    return journal.openDiscrepancies(10);
  };

  it('is named at once, with what was charged', () => {
    expect(charged(1320)).toMatchObject([
      {
        kind: 'amount_differs',
        references: ['A'],
        amountMinor: 1320,
        currency: 'EUR',
        record: { amountMinor: 1320 },
      },
    ]);
    expect(charged(1199)).toMatchObject([{ kind: 'amount_differs', amountMinor: 1199 }]);
  });

  it('is none where it is exactly that, or a tip that is allowed', () => {
    expect(charged(1200)).toEqual([]);
    expect(charged(1320, 1320)).toEqual([]);
    expect(charged(1321, 1320)).toMatchObject([{ kind: 'amount_differs' }]);
  });

  it('is named also when a person says that it was charged, and the stored result has another amount', () => {
    const journal = newJournal();
    const started = sale({ reference: 'A', amountMinor: 1200 });
    journal.append(started, resultOf(started, record({ amountMinor: 1320 })), inDoubt(started));
    const word = { resolution: 'charged', by: 'Kim', reason: 'slip', terminalUnreachable: true } as const;
    const resolver = createResolver(journal, randomUUID);
    expect(resolver.resolve({ operationId: started.operationId, ...word }).ok).toBe(true);
    expect(journal.openDiscrepancies(10)).toMatchObject([{ kind: 'amount_differs', amountMinor: 1320 }]);
  });
});

describe.each(['late-id', 'never-used'] as const)('a terminal with the dialect %s', (name) => {
  const dialect =
    name === 'late-id' ? dialects[name] : { ...dialects[name], terminalIdIn: 'records' as const };

  it('is one terminal from its first payment to the closed day, over restarts', async () => {
    const rig = await rigUp({ simulator: { dialect } });
    expect(await rig.sale('12.00', 'A')).toBe('approved');
    await rig.ready();
    expect(await rig.sale('13.00', 'B')).toBe('approved');
    await rig.ready();
    await rig.crash();
    rig.restart();
    await rig.ready();
    expect(rig.journal.terminalState().terminal?.terminalId).toBe('68000001');
    expect(await rig.payments.voidPayment('A', 60_000)).toMatchObject({ ok: true });
    await rig.ready();
    expect(await rig.payments.submitBatch(60_000)).toMatchObject({
      ok: true,
      value: { batch: { reconciled: true } },
    });
    expect(payment(rig, 'B').status).toBe('settled');
    const changes = rig.journal
      .eventsAfter(0, 1_000)
      .filter(({ event }) => 'continuity' in event && event.continuity === 'changed_terminal');
    expect(changes).toEqual([]);
    expect(rig.payments.discrepancies()).toEqual([]);
  });

  it('is known from its first payment in the place of another one, so what is undone there by hand is told', async () => {
    const rig = await rigUp({ simulator: { dialect } });
    expect(await rig.sale('11.00', 'OF-ANOTHER')).toBe('approved');
    await rig.ready();
    rig.simulator.replaceTerminal('69000002');
    await rig.clock.advance(30_000);
    await rig.ready();
    expect(await rig.sale('12.00', 'A')).toBe('approved');
    expect(rig.journal.terminalState().terminal?.terminalId).toBe('69000002');
    await rig.ready();
    expect(await rig.sale('13.00', 'B')).toBe('approved');
    await rig.ready();
    rig.simulator.reverseManually(payment(rig, 'A').result?.receiptNumber ?? '');
    await rig.crash();
    rig.restart();
    await rig.ready();
    const changes = rig.journal
      .eventsAfter(0, 1_000)
      .filter(({ event }) => event.type === 'terminal_ready' && event.continuity === 'changed_terminal');
    expect(changes).toHaveLength(1);
    expect(rig.payments.discrepancies().map(({ kind, references }) => [kind, references])).toContainEqual([
      'unexplained_reversal',
      ['A'],
    ]);
  });
});
