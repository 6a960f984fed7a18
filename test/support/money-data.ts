/** What was found of the money, as the host tells it: nothing of it is real. */
import type {
  FoundMoney,
  MoneyEntry,
  MoneyOfBatch,
  MoneyPart,
  MoneyRow,
} from '../../src/contract/console/index.ts';

type Batch = MoneyRow['batch'];
type Match = NonNullable<MoneyPart['match']>;

export const moneyBatchId = (number: number) => `01a1ffe8-3316-7291-ad76-0000000001${number}`;

/** Batch 41 was closed on the 7th of May, and the others a day apart. */
function dayOf(number: number): string {
  return `2026-05-${String(number - 34).padStart(2, '0')}`;
}

export function moneyEntry(id: string, change: Partial<MoneyEntry> = {}): MoneyEntry {
  return {
    id,
    account: 'giro',
    date: '2026-05-08',
    currency: 'EUR',
    amountMinor: 127_230,
    remark: 'ACME SETTLEMENT BATCH 41 TID 52500041',
    sender: 'Acme Payments AG',
    code: 'NTRF',
    possibleFor: [],
    decidedSince: false,
    ...change,
  };
}

function batch(number: number, change: Partial<Batch> = {}): Batch {
  return {
    id: moneyBatchId(number),
    terminal: 'main',
    terminalId: '52500041',
    number: String(number),
    closedAt: `${dayOf(number)}T19:30:00.000Z`,
    currency: 'EUR',
    totalMinor: 128_450,
    ...change,
  };
}

export function moneyMatch(number: number, change: Partial<Match> = {}): Match {
  return {
    batchIds: [moneyBatchId(number)],
    entryIds: [`c${number}`],
    expectedMinor: 127_230,
    arrivedMinor: 127_230,
    evidence: 'number',
    certainty: 'certain',
    arrivedOn: dayOf(number + 1),
    bankingDaysLate: 0,
    decision: null,
    ...change,
  };
}

export function moneyPart(number: number, change: Partial<MoneyPart> = {}): MoneyPart {
  return {
    batchId: moneyBatchId(number),
    acquirer: 'Acme',
    schemes: null,
    grossMinor: 128_450,
    feeMinor: 1_220,
    expectedMinor: 127_230,
    toleranceMinor: 0,
    closedOn: dayOf(number),
    expectedOn: dayOf(number + 1),
    dueBy: dayOf(number + 3),
    state: 'arrived',
    needsPerson: false,
    pastDue: false,
    match: null,
    reason: null,
    possible: [],
    ruledOut: [],
    ...change,
  };
}

export function moneyRow(
  number: number,
  change: Partial<MoneyPart> = {},
  more: Partial<MoneyRow> = {},
): MoneyRow {
  const { possible: _possible, ruledOut: _ruledOut, ...part } = moneyPart(number, change);
  return {
    batch: batch(number),
    part,
    arrivedMinor: part.match?.arrivedMinor ?? null,
    decidedSince: false,
    ...more,
  };
}

/** One row of each state, newest first. */
export const moneyRows: MoneyRow[] = [
  moneyRow(46, { state: 'waiting' }),
  moneyRow(45, { state: 'unclear', needsPerson: true, reason: 'several-readings' }),
  moneyRow(44, { state: 'late', needsPerson: true }),
  moneyRow(43, { state: 'over', match: moneyMatch(43, { arrivedMinor: 128_450, certainty: 'high' }) }),
  moneyRow(42, {
    state: 'short',
    needsPerson: true,
    match: moneyMatch(42, {
      arrivedMinor: 120_000,
      certainty: 'high',
      bankingDaysLate: 2,
      arrivedOn: '2026-05-14',
    }),
  }),
  moneyRow(41, { match: moneyMatch(41) }),
];

export function foundMoney(change: Partial<FoundMoney> = {}): FoundMoney {
  const rows = change.rows ?? moneyRows;
  const unexplained = change.unexplained ?? [
    moneyEntry('c90', { date: '2026-05-11', amountMinor: 51_020, remark: 'ACME SETTLEMENT' }),
  ];
  return {
    kind: 'found',
    at: '2026-05-12T06:30:00.000Z',
    rules: 'same',
    ruleErrors: [],
    sums: [...new Set(rows.map(({ part }) => part.state))].map((state) => {
      const own = rows.filter(({ part }) => part.state === state);
      const expectedMinor = own.reduce((sum, { part }) => sum + (part.expectedMinor ?? 0), 0);
      const differenceMinor = own.reduce(
        (sum, { part }) =>
          sum + (part.match === null ? 0 : part.match.arrivedMinor - part.match.expectedMinor),
        0,
      );
      return { state, currency: 'EUR', count: own.length, expectedMinor, differenceMinor };
    }),
    needsPerson: rows.filter(({ part }) => part.needsPerson).length,
    terminals: ['main'],
    acquirers: ['Acme'],
    rowCount: rows.length,
    unexplainedCount: unexplained.length,
    days: [
      { day: '2026-05-06', currency: 'EUR', arrivedMinor: 98_310, unexplainedMinor: 0 },
      { day: '2026-05-07', currency: 'EUR', arrivedMinor: 143_975, unexplainedMinor: 0 },
      { day: '2026-05-08', currency: 'EUR', arrivedMinor: 127_230, unexplainedMinor: 0 },
      { day: '2026-05-11', currency: 'EUR', arrivedMinor: 120_000, unexplainedMinor: 51_020 },
    ],
    ...change,
    rows,
    unexplained,
  };
}

export function moneyOfBatch(number: number, change: Partial<MoneyOfBatch> = {}): MoneyOfBatch {
  return {
    at: '2026-05-12T06:30:00.000Z',
    batch: { ...batch(number), merchantId: 'M1', count: 84, totals: [] },
    parts: [{ ...moneyPart(number, { match: moneyMatch(number) }), arrivedMinor: 127_230 }],
    entries: [moneyEntry(`c${number}`)],
    unexplained: [],
    companions: [],
    decisions: [],
    ...change,
  };
}
