/** Batches, entries and rules of a small shop, for tests. */
import {
  reconcile,
  readRules,
  type AccountEntry,
  type ClosedBatch,
  type Decision,
  type ReceivableResult,
  type ReconcileInput,
  type Rules,
} from '../../src/reconcile/index.ts';

type Content = Record<string, unknown>;

/** One acquirer that keeps 1 per cent back and pays each batch by itself. */
export const oneAcquirer: Content = {
  name: 'Acme',
  account: 'giro',
  currency: 'EUR',
  entries: { remark: ['ACME PAY'] },
  names: ['BATCH {batch}'],
  delay: { usual: 1, latest: 3 },
  payout: 'net',
  fee: { percent: '1' },
};

export function rulesOf(acquirers: Content[] = [oneAcquirer], rest: Content = {}): Rules {
  const read = readRules({ timeZone: 'Europe/Berlin', acquirers, ...rest });
  if (!read.ok) throw new Error(read.errors.join('\n'));
  return read.rules;
}

/** Closed at 20:00 UTC on a day of March 2026; its total in minor units. */
export function batch(
  number: number,
  day: number,
  totalMinor: number,
  more: Partial<ClosedBatch> = {},
): ClosedBatch {
  return {
    id: `b${number}`,
    terminal: 'main',
    terminalId: 'T1',
    merchantId: 'M1',
    number: String(number),
    closedAt: `${march(day)}T20:00:00Z`,
    currency: 'EUR',
    count: 10,
    totalMinor,
    totals: [],
    ...more,
  };
}

export function entry(id: string, day: number, amountMinor: number, remark = 'ACME PAY'): AccountEntry {
  return {
    id,
    account: 'giro',
    date: march(day),
    currency: 'EUR',
    amountMinor,
    remark,
    sender: '',
    code: '',
  };
}

export function march(day: number): string {
  return `2026-03-${String(day).padStart(2, '0')}`;
}

export const wholeMarch = [{ account: 'giro', from: '2026-02-01', until: '2026-04-30' }];

/** What is said of each part of each batch, by the batch's id. */
export function partsOf(
  given: Partial<ReconcileInput>,
  rules = rulesOf(),
): Record<string, ReceivableResult[]> {
  const result = reconcile(
    { batches: [], entries: [], known: wholeMarch, decisions: [], today: march(31), ...given },
    rules,
  );
  return Object.fromEntries(result.batches.map(({ batchId, parts }) => [batchId, parts]));
}

/** `b1: arrived by net (high) with e1`, by the batch's id. */
export function told(given: Partial<ReconcileInput>, rules = rulesOf()): string[] {
  return Object.entries(partsOf(given, rules))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([id, parts]) => parts.map((part) => `${id}: ${words(part)}`));
}

function words({ state, match, reason, possible }: ReceivableResult): string {
  if (match !== null)
    return `${state} by ${match.evidence} (${match.certainty}) with ${match.entryIds.join(' ')}`.trim();
  return [state, reason, ...possible].filter((word) => word !== null).join(' ');
}

/** A person's word that the first entry is the first batch's money. */
export function decide(more: Partial<Decision> = {}): Decision {
  return {
    kind: 'match',
    batchId: 'b1',
    acquirer: 'Acme',
    entryIds: ['e1'],
    by: 'Ada',
    reason: 'the acquirer wrote so',
    at: '2026-03-20T10:00:00Z',
    ...more,
  };
}
