/**
 * Two journals in one process: `journal-worker.ts OURS PAYMENTS OTHER PAYMENTS`, folders that were filled with so many
 * payments. On a message that names a question it is asked of both in turn, and the pairs are the answer. What is read
 * is read without the memory that an open bridge has for payments that were asked for just before.
 */
import {
  openJournal,
  openJournalReadOnly,
  type Journal,
  type ReadOnlyJournal,
} from '../../src/bridge/journal/index.ts';
import { silentLog } from '../../src/log/log.ts';
import { systemClock } from '../../src/base/clock.ts';
import { filledReference } from '../../test/support/fill-journal.ts';
import { alternate, type Pair } from '../measure/alternate.ts';

interface Filled {
  folder: string;
  payments: number;
}

export type Question = 'reference' | 'recent' | 'list' | 'page' | 'append' | 'open';

const rounds = 31;
const queriesInARound = 1_000;
const pagesInARound = 50;
const rowsOfAPage = 50;
const rowsOfTheList = 100;
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

function measure(question: Question): Promise<Pair[]> {
  switch (question) {
    case 'open':
      return inTurn((filled) => took(() => openForWriting(filled.folder).close()), ours, other);
    case 'append':
      return withJournals(openForWriting, appends);
    case 'list':
      return withJournals(openForReading, firstPages);
    case 'page':
      return withJournals(openForReading, pages);
    case 'reference':
      return withJournals(openForReading, (journal, payments) => queries(journal, payments, payments));
    case 'recent':
      return withJournals(openForReading, (journal, payments) => queries(journal, payments, recentPayments));
  }
}

/** Asks both in turn; once more before that, for the compiler and the caches. */
async function withJournals<J extends { close(): void }>(
  open: (folder: string) => J,
  invoke: (journal: J, payments: number) => number,
): Promise<Pair[]> {
  const journals = new Map([ours, other].map((filled) => [filled, open(filled.folder)]));
  const askOne = (filled: Filled) => {
    const journal = journals.get(filled);
    if (journal === undefined) throw new Error('there is no such journal');
    return invoke(journal, filled.payments);
  };
  await inTurn(askOne, ours, other);
  const pairs = await inTurn(askOne, ours, other);
  for (const journal of journals.values()) journal.close();
  return pairs;
}

/** This and the next three: microseconds for one. `among`: how many of the newest it may be. */
function queries(journal: ReadOnlyJournal, payments: number, among: number): number {
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

/** As the console's page Payments asks when it is opened. */
function firstPages(journal: ReadOnlyJournal): number {
  const everything = { span: null, status: null, text: null, before: null, limit: rowsOfTheList };
  const tookMs = took(() => {
    for (let page = 0; page < pagesInARound; page += 1) journal.searchPayments(everything);
  });
  return (tookMs * 1_000) / pagesInARound;
}

function pages(journal: ReadOnlyJournal, payments: number): number {
  const before = Array.from({ length: pagesInARound }, () => rowsOfAPage + chance(payments));
  const tookMs = took(() => {
    for (const position of before) journal.payments({ limit: rowsOfAPage, before: position });
  });
  return (tookMs * 1_000) / pagesInARound;
}

function appends(journal: Journal): number {
  let tookMs = 0;
  for (let count = 0; count < appendsInARound; count += 1) tookMs += append(journal);
  return (tookMs * 1_000) / appendsInARound;
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

function openForWriting(folder: string): Journal {
  const opened = openJournal({ folder, clock: systemClock, log: silentLog, version: '0.0.0-bench' });
  if (opened.kind !== 'opened') throw new Error(opened.message);
  return opened.journal;
}

function openForReading(folder: string): ReadOnlyJournal {
  const opened = openJournalReadOnly(folder);
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
