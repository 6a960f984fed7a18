/** What the terminal's answer about one very operation proves of it, row by row. */
import { describe, expect, it } from 'vitest';
import { reconcileOwnRecord } from '../../../src/bridge/terminals/own-record.ts';
import type { OperationStarted } from '../../../src/contract/journal-events.ts';
import type { LastRecord, TerminalRecord } from '../../../src/contract/terminal.ts';
import { batch, record, sale, terminal, voidOf } from '../journal/sample-events.ts';

const nothing: LastRecord = { kind: 'empty' };
const silence: LastRecord = { kind: 'unavailable', reason: 'It did not say.' };
const approved = record();
const refused = record({ approved: false, resultText: 'Card expired' });
const held = (shown: TerminalRecord): LastRecord => ({ kind: 'record', record: shown });

function kindOf(
  operation: OperationStarted,
  shown: LastRecord,
  result: TerminalRecord | null = null,
  now: typeof terminal | { protocol: 'zvt'; terminalId: string | null } = terminal,
): string {
  return reconcileOwnRecord({ operation, result, acknowledged: false, showsRecords: false }, now, shown).kind;
}

describe('what the terminal says of this very operation', () => {
  it.each<[string, LastRecord, TerminalRecord | null, string]>([
    ['holds it as approved', held(approved), null, 'done'],
    ['holds it as refused', held(refused), null, 'not_done'],
    ['holds nothing', nothing, null, 'not_done'],
    ['could not tell', silence, null, 'needs_decision'],
    ['holds it as approved, as it said', held(approved), approved, 'done'],
    ['holds it as refused after an approval', held(refused), approved, 'needs_decision'],
    ['holds nothing after an approval', nothing, approved, 'needs_decision'],
    ['could not tell after an approval', silence, approved, 'done'],
    ['holds it as approved after a refusal', held(approved), refused, 'needs_decision'],
    ['holds it as refused, as it said', held(refused), refused, 'not_done'],
    ['holds nothing after a refusal', nothing, refused, 'not_done'],
    [
      'could not tell after an approval of another amount',
      silence,
      record({ amountMinor: 1 }),
      'needs_decision',
    ],
    [
      'could not tell after an approval without an amount',
      silence,
      record({ amountMinor: null }),
      'needs_decision',
    ],
    ['could not tell after a refusal', silence, refused, 'not_done'],
  ])('%s', (_what, shown, result, expected) => {
    expect(kindOf(sale(), shown, result)).toBe(expected);
  });

  it.each<[string, OperationStarted, Partial<TerminalRecord>, string]>([
    ['a lower amount', sale(), { amountMinor: 1_199 }, 'needs_decision'],
    ['a higher amount', sale(), { amountMinor: 1_201 }, 'needs_decision'],
    ['a tip that is allowed', sale({ maxAmountMinor: 1_320 }), { amountMinor: 1_320 }, 'done'],
    ['more than the tip', sale({ maxAmountMinor: 1_320 }), { amountMinor: 1_321 }, 'needs_decision'],
    ['no amount', sale(), { amountMinor: null }, 'needs_decision'],
    ['a void without an amount', voidOf(sale()), { kind: 'reversal', amountMinor: null }, 'done'],
    ['another currency', sale(), { currency: 'CHF' }, 'needs_decision'],
    ['a reversal for a sale', sale(), { kind: 'reversal' }, 'needs_decision'],
    ['a payment for a void', voidOf(sale()), {}, 'needs_decision'],
    ['the void', voidOf(sale()), { kind: 'reversal' }, 'done'],
    ['a void of another amount', voidOf(sale()), { kind: 'reversal', amountMinor: 1 }, 'needs_decision'],
    ['the close', batch(), { kind: 'batch_close', amountMinor: null }, 'done'],
  ])('with %s', (_what, operation, part, expected) => {
    expect(kindOf(operation, held(record(part)))).toBe(expected);
  });

  it('keeps the totals that a close told before contact was lost', () => {
    const told = record({ kind: 'batch_close', amountMinor: 3_500 });
    const emptied = held(record({ kind: 'batch_close', amountMinor: null }));
    const inDoubt = { operation: batch(), acknowledged: false, showsRecords: false };
    const after = (result: TerminalRecord | null) =>
      reconcileOwnRecord({ ...inDoubt, result }, terminal, emptied);
    expect(after(told)).toMatchObject({ kind: 'done', record: { amountMinor: 3_500 } });
    expect(after(null)).toMatchObject({ kind: 'done', record: { amountMinor: null } });
  });

  it.each<[string | null, string | null, string]>([
    ['52500041', '52500041', 'done'],
    ['52500041', '68000002', 'other_terminal'],
    [null, '68000002', 'done'],
    ['52500041', null, 'done'],
  ])('ordered on terminal %s, asked of terminal %s', (ordered, now, expected) => {
    const operation = sale({ terminal: { protocol: 'zvt', terminalId: ordered } });
    expect(kindOf(operation, held(approved), null, { protocol: 'zvt', terminalId: now })).toBe(expected);
  });
});
