/**
 * A journal with ten million payments (or as many as `--payments` says) against one with a thousand: nothing may grow
 * with it. The day was closed after all of them, as a terminal does by itself: what is open is today's.
 */
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJournal } from '../../src/bridge/journal/index.ts';
import { silentLog } from '../../src/log/log.ts';
import { systemClock } from '../../src/base/clock.ts';
import { fillLargeJournal } from '../../test/support/fill-large-journal.ts';
import type { Pair } from '../measure/alternate.ts';
import { compare, type Aim, type Comparison } from '../measure/comparison.ts';
import type { Question } from '../servers/journal-worker.ts';
import type { Bench } from '../world/bench.ts';
import { invoke, repositoryFile, run } from '../world/processes.ts';
import { growthAim, throughBridges, type Filled } from './journal-through-bridges.ts';
import type { Section } from './section.ts';

const few = 1_000;
const bytesOfAPayment = 2_100;
/** Lines of the large journal's filling. */
const tellEvery = 1_000_000;

const questions: readonly { question: Question; what: string; aim?: Aim }[] = [
  { question: 'reference', what: 'journal: any payment by reference, µs' },
  { question: 'recent', what: 'journal: one of the newest 1,000 by reference, µs' },
  { question: 'list', what: "journal: first page of the console's list, µs", aim: growthAim },
  { question: 'page', what: 'journal: any page of 50 by position, µs' },
  { question: 'append', what: 'journal: start of a payment, synced, µs' },
  { question: 'open', what: 'journal: open and close, ms' },
];

export function journalSection(payments: number): Section {
  const many = inWords(payments);
  return {
    name: 'journal',
    title: `A journal with ${many} payments against one with ${inWords(few)}`,
    ours: many,
    other: inWords(few),
    ratio: `times ${inWords(few)}`,
    measure: (bench) => measure(bench, payments),
  };
}

async function measure(bench: Bench, many: number): Promise<Comparison[] | string> {
  const { bavail, bsize } = statfsSync(tmpdir());
  const neededBytes = many * bytesOfAPayment;
  if (bavail * bsize < neededBytes) {
    return `${tmpdir()} has no room for ${inGigabytes(neededBytes)}; --payments 1000000 takes a tenth of it.`;
  }
  const small = fill(bench, few);
  const large = fill(bench, many);
  const worker = run(bench, [
    repositoryFile('bench/servers/journal-worker.ts'),
    large.folder,
    large.payments.toString(),
    small.folder,
    small.payments.toString(),
  ]);
  const comparisons: Comparison[] = [];
  for (const { question, what, aim } of questions) {
    bench.say(what);
    const pairs = (await invoke(worker, question)) as Pair[];
    const measured = { what, pairs, ratio: 'cost', values: 'costs' } as const;
    comparisons.push(compare(aim === undefined ? measured : { ...measured, aim }));
  }
  await worker.end();
  return [...comparisons, ...(await throughBridges(bench, large, small))];
}

function fill(bench: Bench, payments: number): Filled {
  const dataDir = bench.folder();
  const folder = join(dataDir, 'simulator');
  bench.say(`writing ${inWords(payments)} payments`);
  const startedMs = performance.now();
  fillLargeJournal(folder, payments, (done) => {
    if (done % tellEvery === 0) bench.say(`${inWords(done)} are written`);
  });
  closeDay(folder);
  bench.say(`written in ${((performance.now() - startedMs) / 1_000).toFixed(0)} s`);
  return { dataDir, folder, payments };
}

function closeDay(folder: string): void {
  const opened = openJournal({ folder, clock: systemClock, log: silentLog, version: '0.0.0-bench' });
  if (opened.kind !== 'opened') throw new Error(opened.message);
  const terminal = { protocol: 'zvt', terminalId: '52500041' } as const;
  const lastRecord = { kind: 'empty' } as const;
  opened.journal.append({ type: 'terminal_ready', terminal, lastRecord, continuity: 'batch' });
  opened.journal.close();
}

function inWords(count: number): string {
  return count.toLocaleString('en-US');
}

function inGigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(0)} GB`;
}
