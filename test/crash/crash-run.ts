/**
 * Kills bridge and terminal again and again at moments that a seed chooses, and holds the bridge's belief against the
 * terminal's ledger. The terminal is a simulator in a process of its own.
 */
import { compareAll } from './books.ts';
import type { Row } from '../support/protocol-rows.ts';
import { readJournal } from './journal-export.ts';
import { planRound } from './plan.ts';
import { createPos, type Pos } from './pos.ts';
import { playRound, settle, type RoundResult } from './round.ts';
import { openShop, type Shop } from './shop.ts';
import { wireOf } from './wires/index.ts';

export interface CrashRunOptions {
  /** The same seed gives the same plan; timing is the machine's. */
  seed: number;
  rounds: number;
  row: Row;
  /** The first round to play, for looking at a later one again; rounds count from 1. */
  from?: number;
  /** Told one line for each round, and all that is wrong. */
  say?: (line: string) => void;
}

export interface CrashReport {
  seed: number;
  /** Of the row. */
  name: string;
  rounds: number;
  kills: { bridge: number; simulator: number };
  actions: Record<RoundResult['action'], number>;
  /** How many sales ended how, as QueryPayment says. */
  outcomes: Record<string, number>;
  /** Days that the terminal closed, and charges, auto-reversals and voids in its ledger. */
  ledger: Record<string, number>;
  /** How often something was left to a person because nobody could tell. */
  leftToPerson: number;
  /** What was left to a person without such a reason, with the facts. */
  doubts: string[];
  /** Every disagreement, in words. A good run has none. */
  mismatches: string[];
  slowestRecoveryMs: number;
  /** Where journal, log and ledger of a run with mismatches or doubts were left; null after a good one. */
  folder: string | null;
}

/** The simulator's own pace: a payment takes about 0.2 s. */
const pace = 0.2;

export async function crashRun(options: CrashRunOptions): Promise<CrashReport> {
  const { seed, rounds, row, from = 1, say = () => {} } = options;
  const shop = await openShop(row, pace);
  const pos = createPos(`R${seed}`, row.currency);
  const report: CrashReport = {
    seed,
    name: row.name,
    rounds: 0,
    kills: { bridge: 0, simulator: 0 },
    actions: { sale: 0, cancelled_sale: 0, void: 0, batch: 0, nothing: 0 },
    outcomes: {},
    ledger: {},
    leftToPerson: 0,
    doubts: [],
    mismatches: [],
    slowestRecoveryMs: 0,
    folder: null,
  };
  const { moments } = wireOf(row);
  try {
    shop.start('simulator');
    shop.start('bridge');
    await settle(shop, await shop.till(), []);
    // A close does not settle what only a person's word places at a terminal that has not told its id yet.
    if (row.protocol.leavesToPerson.sale !== undefined)
      await pos.create(await shop.till(), pos.ring('00'), 60);
    for (let round = from; round < from + rounds; round += 1) {
      const result = await playRound({ shop, pos, protocol: row.protocol }, planRound(seed, round, moments));
      add(report, result);
      say(`${round}: ${result.words}`);
      for (const doubt of result.doubts) say(`   DOUBT ${doubt}`);
      for (const mismatch of result.mismatches) say(`   MISMATCH ${mismatch}`);
    }
    await closeBooks(shop, pos, report);
  } catch (error) {
    // A run that gets stuck is a finding as well, and what it left is worth a look.
    report.mismatches.push(`broken off: ${String(error)}`, ...shop.ownEnds());
  } finally {
    const keep = report.mismatches.length + report.doubts.length > 0;
    if (keep) report.folder = shop.folder;
    await shop.close(keep);
  }
  return report;
}

function add(report: CrashReport, result: RoundResult): void {
  report.rounds += 1;
  report.kills.bridge += result.kills.bridge;
  report.kills.simulator += result.kills.simulator;
  report.actions[result.action] += 1;
  report.leftToPerson += result.leftToPerson;
  report.doubts.push(...result.doubts);
  report.mismatches.push(...result.mismatches);
  report.slowestRecoveryMs = Math.max(report.slowestRecoveryMs, result.recoveryMs);
}

async function closeBooks(shop: Shop, pos: Pos, report: CrashReport): Promise<void> {
  const till = await shop.till();
  for (const sale of pos.sales) {
    await pos.query(till, sale, 60);
    const status = sale.status ?? 'never known';
    report.outcomes[status] = (report.outcomes[status] ?? 0) + 1;
  }
  const ledger = shop.ledger();
  for (const { event } of ledger) report.ledger[event] = (report.ledger[event] ?? 0) + 1;
  const all = compareAll({
    sales: pos.sales.map(({ reference, amount, status }) => ({ reference, amount, status })),
    ledger,
    journal: await readJournal(shop),
    commands: shop.cable.moneyCommands,
  });
  const salesHeard = shop.cable.moneyCommands.filter(({ kind }) => kind === 'sale').length;
  const { charged = 0 } = report.ledger;
  // Else nothing is counted on the cable, and nothing is killed at what is said.
  if (salesHeard < charged)
    all.push(`${salesHeard} sales were heard on the cable, but ${charged} were charged`);
  // What a round has told already is not told again.
  report.mismatches.push(...all.filter((mismatch) => !report.mismatches.includes(mismatch)));
  const verified = await shop.command('journal', 'verify');
  if (verified.exitCode !== 0) report.mismatches.push(`journal verify: ${verified.output}`);
  report.mismatches.push(...shop.ownEnds());
}

/** The report for people. */
export function summary(report: CrashReport): string {
  const { seed, name, rounds, kills, actions, outcomes, ledger, doubts, mismatches } = report;
  const list = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, count]) => `${count} ${name.replaceAll('_', ' ')}`)
      .join(', ') || 'none';
  return [
    `${name}, seed ${seed}: ${rounds} rounds (${list(actions)})`,
    `  killed: bridge ${kills.bridge} times, simulator ${kills.simulator} times`,
    `  sales:  ${list(outcomes)}`,
    `  ledger: ${list(ledger)}`,
    `  slowest recovery: ${report.slowestRecoveryMs} ms`,
    `  left to a person because nobody could tell: ${report.leftToPerson}; for no good reason: ${doubts.length}`,
    `  mismatches: ${mismatches.length}`,
    ...(report.folder === null ? [] : [`  left to look at: ${report.folder}`]),
  ].join('\n');
}
