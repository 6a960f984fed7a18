/** Three weeks of a made-up shop for the picture of the page Money: what is found there is found by the engine itself. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { resultsSince } from '../src/host/reconcile/kept-results.ts';
import { moneyFolder, rulesFileName } from '../src/host/money-place.ts';
import { keepResults, readRulesFile } from '../src/host/reconcile/money-files.ts';
import { dateOf, reconcile, type AccountEntry, type ClosedBatch } from '../src/reconcile/index.ts';

const dayMs = 86_400_000;
const account = 'DE02120300000000202051';
const rules = {
  timeZone: 'UTC',
  weekend: [],
  holidays: { calendar: 'none' },
  acquirers: [
    {
      name: 'Acme',
      account,
      currency: 'EUR',
      entries: { remark: ['ACME SETTLEMENT'] },
      names: ['BATCH {batch}'],
      delay: { usual: 1, latest: 3 },
      payout: 'net',
      fee: { percent: '0.95' },
    },
  ],
};
/** What each day came to, in minor units; the last one is yesterday. */
const days = [
  128_450, 97_320, 143_015, 88_790, 161_240, 204_875, 75_130, 119_960, 132_405, 91_680, 149_935, 187_220,
  68_515, 124_380, 108_745, 137_090, 156_820, 192_655, 82_940, 116_275, 129_310,
];
const short = days.length - 9;
const missing = days.length - 6;

/** Beside the simulator's journal of `dataDir`, as if it had just been looked for. */
export function keepMoney(dataDir: string, nowMs: number): void {
  const file = path.join(dataDir, rulesFileName);
  writeFileSync(file, JSON.stringify(rules));
  const read = readRulesFile(file);
  if (!read.ok) throw new Error(read.errors.join(' '));
  const today = Math.floor(nowMs / dayMs);
  const closed = days.map((totalMinor, at): ClosedBatch => {
    const number = String(at + 41).padStart(6, '0');
    return {
      id: `batch-${number}`,
      terminal: 'main',
      terminalId: '52500041',
      merchantId: null,
      number,
      closedAt: `${dateOf(today - days.length + at)}T20:04:00.000Z`,
      currency: 'EUR',
      count: 40 + at,
      totalMinor,
      totals: [],
    };
  });
  const paid = closed.map(({ number, totalMinor }, at) =>
    credit(
      at,
      dateOf(today - days.length + at + 1),
      totalMinor - Math.round(totalMinor * 0.0095) - (at === short ? 5_000 : 0),
      `ACME SETTLEMENT BATCH ${number}`,
    ),
  );
  const entries = paid.filter((_, at) => at !== missing && at !== days.length - 1);
  const known = [{ account, from: dateOf(today - 60), until: dateOf(today) }];
  const found = reconcile(
    { batches: closed, entries, known, decisions: [], today: dateOf(today) },
    read.rules,
  );
  keepResults(moneyFolder({ dataDir, simulated: true }), {
    at: new Date(nowMs).toISOString(),
    rulesVersion: read.version,
    ...resultsSince(dateOf(today - days.length), found, { closed, entries }),
  });
}

function credit(at: number, date: string, amountMinor: number, remark: string): AccountEntry {
  return {
    id: `entry-${at}`,
    account,
    date,
    currency: 'EUR',
    amountMinor,
    remark,
    sender: 'Acme Payments AG',
    code: 'PMNT-RCDT-ESCT',
  };
}
