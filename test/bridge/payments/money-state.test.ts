import { expect, it } from 'vitest';
import type { DiscrepancyKind, DiscrepancyView } from '../../../src/contract/discrepancy.ts';
import { discrepancyToTell } from '../../../src/bridge/payments/money-state.ts';

const acknowledgement = { at: '2026-03-02T10:00:00.000Z', by: 'Kim', reason: 'seen' };

/** Oldest first; a `-` in front: it has been acknowledged. */
const toldOf = (...marked: (DiscrepancyKind | `-${DiscrepancyKind}`)[]) => {
  const all = marked.map((mark) => ({
    kind: mark.replace('-', '') as DiscrepancyKind,
    acknowledged: mark.startsWith('-') ? acknowledgement : null,
  }));
  return discrepancyToTell(all as DiscrepancyView[])?.kind ?? null;
};

it('tells of a payment first what contradicts how it ended, whatever its day brought after it', () => {
  expect(toldOf('contradicted_outcome', 'amount_differs', 'batch_differs')).toBe('contradicted_outcome');
  expect(toldOf('late_result_refused', 'unseen_records')).toBe('late_result_refused');
  expect(toldOf('unexplained_reversal', 'unexplained_batch_close', 'batch_differs')).toBe(
    'unexplained_reversal',
  );
});

it('tells the newest of those that say as much, and none that somebody has seen', () => {
  expect(toldOf('unexplained_batch_close', 'batch_differs')).toBe('batch_differs');
  expect(toldOf('-contradicted_outcome', 'batch_differs')).toBe('batch_differs');
  expect(toldOf('-contradicted_outcome')).toBeNull();
  expect(toldOf()).toBeNull();
});
