/**
 * A journal with a million payments against one with a thousand: nothing may grow with it. The day was closed after all
 * of them, as a terminal does by itself: what is open is today's.
 */
import { join } from 'node:path';
import { openJournal } from '../../src/bridge/journal/index.ts';
import { silentLog } from '../../src/log/log.ts';
import { systemClock } from '../../src/base/clock.ts';
import { fillJournal } from '../../test/support/fill-journal.ts';
import type { Pair } from '../measure/alternate.ts';
import { compare, type Comparison } from '../measure/comparison.ts';
import type { Question } from '../servers/journal-worker.ts';
import type { Bench } from '../world/bench.ts';
import { invoke, repositoryFile, run } from '../world/processes.ts';
import { throughBridges, type Filled } from './journal-through-bridges.ts';
import type { Section } from './section.ts';

const few = 1_000;
const many = 1_000_000;

const questions: readonly { question: Question; what: string }[] = [
  { question: 'reference', what: 'journal: any payment by reference, µs' },
  { question: 'recent', what: 'journal: one of the newest 1,000 by reference, µs' },
  { question: 'page', what: 'journal: page of 50 by position, µs' },
  { question: 'append', what: 'journal: start of a payment, synced, µs' },
  { question: 'open', what: 'journal: open and close, ms' },
];

export const journalSection: Section = {
  name: 'journal',
  title: 'A journal with 1,000,000 payments against one with 1,000',
  ours: '1,000,000',
  other: '1,000',
  ratio: 'times 1,000',
  measure,
};

async function measure(bench: Bench): Promise<Comparison[]> {
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
  for (const { question, what } of questions) {
    bench.say(what);
    const pairs = (await invoke(worker, question)) as Pair[];
    comparisons.push(compare({ what, pairs, ratio: 'cost', values: 'costs' }));
  }
  await worker.end();
  return [...comparisons, ...(await throughBridges(bench, large, small))];
}

function fill(bench: Bench, payments: number): Filled {
  const dataDir = bench.folder();
  const folder = join(dataDir, 'simulator');
  bench.say(`writing ${payments.toLocaleString('en-US')} payments`);
  const startedMs = performance.now();
  fillJournal(folder, payments);
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
