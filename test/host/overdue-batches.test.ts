/** Batches whose money is overdue: what is told of them, and when. */
import { mkdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { moneyFolder } from '../../src/host/money-place.ts';
import { createOverdueBatches } from '../../src/host/reconcile/index.ts';
import { keepResults } from '../../src/host/reconcile/money-files.ts';
import type { ClosedBatch } from '../../src/reconcile/index.ts';
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

it('are told in the log once each, and are so until the money comes', () => {
  const place = { dataDir: tempFolder('overdue'), simulated: true };
  mkdirSync(moneyFolder(place), { recursive: true });
  const lines: unknown[] = [];
  const log = createNotingLog((level, message, fields) => lines.push({ level, message, ...fields }));
  const overdue = createOverdueBatches({ place: () => place, log });
  const keep = (at: string, ...late: string[]) =>
    keepResults(moneyFolder(place), {
      at,
      rulesVersion: 'r',
      batches: closed.map(({ id }) => ({
        batchId: id,
        state: late.includes(id) ? ('late' as const) : ('waiting' as const),
        needsPerson: late.includes(id),
        parts: [],
      })),
      closed,
      entries: [],
      unexplained: [],
    });

  expect(overdue.look()).toBe(false);
  keep('2026-03-05T06:00:00Z', 'b1');
  expect(overdue.look()).toBe(true);
  expect(overdue.ids).toEqual(['b1']);
  keep('2026-03-06T06:00:00.000Z', 'b1', 'b2');
  expect(overdue.look()).toBe(true);
  expect(overdue.look()).toBe(false);
  const line = { level: 'warn', message: 'the money of a batch is overdue', terminal: 'bar' };
  expect(lines).toEqual([
    { ...line, batch_number: '1', closed_at: '2026-03-02T20:00:00Z' },
    { ...line, batch_number: '2', closed_at: '2026-03-02T20:00:00Z' },
  ]);
  keep('2026-03-07T06:00:00Z', 'b2');
  expect(overdue.look()).toBe(true);
  expect(overdue.ids).toEqual(['b2']);
  expect(lines).toHaveLength(2);
});
