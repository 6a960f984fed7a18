/**
 * Two journals in one process: `journal-worker.ts OURS PAYMENTS OTHER PAYMENTS`, folders that were filled with so many
 * payments. On a message that names a question it is asked of both in turn, and the pairs are the answer.
 */
import { openJournal, type Journal } from '../../src/bridge/journal/index.ts';
import { silentLog } from '../../src/bridge/log/log.ts';
import { systemClock } from '../../src/contract/clock.ts';
import { filledReference } from '../../test/support/fill-journal.ts';
import { alternate, type Pair } from '../measure/alternate.ts';

interface Filled {
  folder: string;
  payments: number;
}

export type Question = 'reference' | 'recent' | 'page' | 'append' | 'open';

const rounds = 31;
const queriesInARound = 1_000;
const pagesInARound = 50;
const rowsOfAPage = 50;
const appendsInARound = 20;
/** A till asks for what it has just sold. */
const recentPayments = 1_000;

const [ourFolder = '', ourPayments, otherFolder = '', otherPayments] = process.argv.slice(2);
const ours: Filled = { folder: ourFolder, payments: Number(ourPayments) };
const other: Filled = { folder: otherFolder, payments: Number(otherPayments) };
let appended = 0;

process.on('message', (message) => {
  void measure(message as Question).then((pairs) => process.send?.(pairs));
});
process.on('disconnect', () => process.exit());

async function measure(question: Question): Promise<Pair[]> {
  if (question === 'open') return inTurn((filled) => took(() => open(filled.folder).close()), ours, other);
  const journals = { ours: open(ours.folder), other: open(other.folder) };
  const ask = (filled: Filled) =>
    questions[question](filled === ours ? journals.ours : journals.other, filled.payments);
  // Once for the compiler and the caches.
  await inTurn(ask, ours, other);
  const pairs = await inTurn(ask, ours, other);
  journals.ours.close();
  journals.other.close();
  return pairs;
}

/** Each gives microseconds for one. */
const questions: Record<Exclude<Question, 'open'>, (journal: Journal, payments: number) => number> = {
  reference: (journal, payments) => query(journal, payments, payments),
  recent: (journal, payments) => query(journal, payments, Math.min(payments, recentPayments)),
  page(journal, payments) {
    const before = Array.from({ length: pagesInARound }, () => rowsOfAPage + chance(payments * 2));
    const tookMs = took(() => {
      for (const position of before) journal.payments({ limit: rowsOfAPage, before: position });
    });
    return (tookMs * 1_000) / pagesInARound;
  },
  append(journal) {
    let tookMs = 0;
    for (let count = 0; count < appendsInARound; count += 1) tookMs += append(journal);
    return (tookMs * 1_000) / appendsInARound;
  },
};

function query(journal: Journal, payments: number, among: number): number {
  const references = Array.from({ length: queriesInARound }, () =>
    filledReference(payments - 1 - chance(among)),
  );
  const tookMs = took(() => {
    for (const reference of references) {
      if (journal.paymentByReference(reference) === null) throw new Error(`${reference} is not there`);
    }
  });
  return (tookMs * 1_000) / queriesInARound;
}

/** The start of a payment, in milliseconds; its end is written as well, but not measured. */
function append(journal: Journal): number {
  appended += 1;
  const number = `${process.pid}${appended.toString().padStart(6, '0')}`;
  const operationId = `01900000-0000-7000-8000-${number.padStart(12, '0')}`;
  const { terminal, lastRecord } = journal.terminalState();
  const tookMs = took(() => {
    journal.append({
      type: 'operation_started',
      kind: 'sale',
      operationId,
      reference: `B-${number}`,
      conditionCode: '00',
      amountMinor: 1_200,
      currency: 'EUR',
      terminal: terminal ?? { protocol: 'zvt', terminalId: '52500041' },
      baseline: lastRecord,
      simulated: true,
    });
  });
  journal.append({
    type: 'operation_ended',
    operationId,
    outcome: 'failed',
    reason: 'Only for the benchmark.',
    result: null,
    evidence: null,
    receiptLines: [],
    resolvedBy: null,
    batch: null,
    settled: [],
  });
  return tookMs;
}

function inTurn(work: (filled: Filled) => number, first: Filled, second: Filled): Promise<Pair[]> {
  return alternate(
    rounds,
    () => Promise.resolve(work(first)),
    () => Promise.resolve(work(second)),
  );
}

function open(folder: string): Journal {
  const opened = openJournal({ folder, clock: systemClock, log: silentLog, version: '0.0.0-bench' });
  if (opened.kind !== 'opened') throw new Error(opened.message);
  return opened.journal;
}

function took(work: () => void): number {
  const startedMs = performance.now();
  work();
  return performance.now() - startedMs;
}

function chance(below: number): number {
  return Math.floor(Math.random() * below);
}
