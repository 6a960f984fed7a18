/** Batches whose money is overdue: what is told of them, and when. */
import { mkdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { moneyFolder } from '../../src/host/money-place.ts';
import { createOverdueBatches } from '../../src/host/reconcile/index.ts';
import { keepResults } from '../../src/host/reconcile/money-files.ts';
import type { ClosedBatch, ReceivableResult } from '../../src/reconcile/index.ts';
import { createNotingLog } from '../support/noting-log.ts';
import { tempFolder } from '../support/temp-folder.ts';

const batch = (id: string, number: string): ClosedBatch => ({
  id,
  terminal: 'bar',
  terminalId: null,
  merchantId: null,
  number,
  closedAt: '2026-03-02T20:00:00Z',
  currency: 'EUR',
  count: 1,
  totalMinor: 10_000,
  totals: [],
});
const closed = [batch('b1', '1'), batch('b2', '2')];

const part = (batchId: string, change: Partial<ReceivableResult> = {}): ReceivableResult => ({
  batchId,
  acquirer: 'Acme',
  schemes: null,
  grossMinor: 10_000,
  feeMinor: 100,
  expectedMinor: 9_900,
  toleranceMinor: 0,
  closedOn: '2026-03-02',
  expectedOn: '2026-03-03',
  dueBy: '2026-03-04',
  state: 'waiting',
  needsPerson: false,
  pastDue: false,
  match: null,
  reason: null,
  possible: [],
  ruledOut: [],
  ...change,
});
const late = { state: 'late', needsPerson: true, pastDue: true } as const;
const unclear = { ...late, state: 'unclear', reason: 'unexplained-entries' } as const;

function watched() {
  const place = { dataDir: tempFolder('overdue'), simulated: true };
  mkdirSync(moneyFolder(place), { recursive: true });
  const lines: object[] = [];
  const log = createNotingLog((level, message, fields) => lines.push({ level, message, ...fields }));
  let looks = 0;
  return {
    overdue: createOverdueBatches({ place: () => place, log }),
    lines,
    /** What a look has found of `b1`, and of `b2`. */
    keep(...found: Partial<ReceivableResult>[]) {
      looks += 1;
      const parts = closed.map(({ id }, at) => part(id, found[at]));
      keepResults(moneyFolder(place), {
        at: new Date(Date.UTC(2026, 2, 5, 6, looks)).toISOString(),
        rulesVersion: 'r',
        batches: parts.map((each) => ({
          batchId: each.batchId,
          state: each.state,
          needsPerson: each.needsPerson,
          parts: [each],
        })),
        closed,
        entries: [],
        unexplained: [],
      });
    },
  };
}

it('are told in the log once each, and are so until the money comes', () => {
  const { overdue, lines, keep } = watched();
  expect(overdue.look()).toBe(false);
  keep(late);
  expect(overdue.look()).toBe(true);
  expect(overdue.ids).toEqual(['b1']);
  keep(late, late);
  expect(overdue.look()).toBe(true);
  expect(overdue.look()).toBe(false);
  const line = { level: 'warn', message: 'the money of a batch is overdue', terminal: 'bar' };
  expect(lines).toEqual([
    { ...line, batch_number: '1', closed_at: '2026-03-02T20:00:00Z' },
    { ...line, batch_number: '2', closed_at: '2026-03-02T20:00:00Z' },
  ]);
  keep({}, late);
  expect(overdue.look()).toBe(true);
  expect(overdue.ids).toEqual(['b2']);
  expect(lines).toHaveLength(2);
});

it('stay so when it becomes unclear whether the money has come', () => {
  const { overdue, lines, keep } = watched();
  keep(late);
  overdue.look();
  keep(unclear);
  expect(overdue.look()).toBe(false);
  expect(overdue.ids).toEqual(['b1']);
  expect(lines).toHaveLength(1);
  keep({ state: 'short', pastDue: true });
  expect(overdue.look()).toBe(true);
  expect(overdue.ids).toEqual([]);
});

it('are those of which a part is missing, or nobody can say, once the last day has passed', () => {
  const { overdue, lines, keep } = watched();
  const noAcquirer = { acquirer: null, dueBy: null, reason: 'no-acquirer' } as const;
  keep({ ...unclear, pastDue: false }, { ...unclear, pastDue: false, ...noAcquirer });
  expect(overdue.look()).toBe(false);
  keep(unclear, { ...late, state: 'short' });
  expect(overdue.look()).toBe(true);
  expect(overdue.ids).toEqual(['b1', 'b2']);
  expect(lines).toMatchObject([
    { message: 'the money of a batch is overdue, and it is unclear whether it has come' },
    { message: 'a part of the money of a batch is overdue' },
  ]);
});
