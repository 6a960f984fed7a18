/** Answers are kept across writes. Whatever was asked before a write, afterwards the file itself would say the same. */
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { makeQueryCache } from '../../../src/bridge/journal/query-cache.ts';
import { journalFiles } from '../../../src/bridge/journal/journal-files.ts';
import type { Journal } from '../../../src/bridge/journal/index.ts';
import { prepareFresh, publishFresh } from '../../../src/bridge/journal/open.ts';
import { makeQueries, type JournalQueries } from '../../../src/bridge/journal/journal-queries.ts';
import { querySql, tablesReadBy, type QueryName } from '../../../src/bridge/journal/query-sql.ts';
import { migrate, openForReading, openForWriting } from '../../../src/bridge/journal/schema.ts';
import { makeStore } from '../../../src/bridge/journal/store.ts';
import { silentLog } from '../../../src/log/log.ts';
import type { JournalEvent } from '../../../src/contract/journal-events.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import {
  batch,
  closed,
  ended,
  evidenceOf,
  inDoubt,
  lastRecord,
  record,
  resultOf,
  sale,
  terminal,
  voidOf,
} from './sample-events.ts';
import { dataFolder, newJournal } from './folder.ts';

const [paid, doubtful, other] = [
  sale({ reference: 'PAID' }),
  sale({ reference: 'DOUBTFUL' }),
  sale({ reference: 'OTHER' }),
];
const refused = voidOf(paid);
const reversed = voidOf(other);
const close = batch();
const discrepancyId = randomUUID();
const operations = [paid, doubtful, other, refused, reversed, close].map(({ operationId }) => operationId);

/** One write each, of every kind of event that there is. */
const writes: JournalEvent[][] = [
  [{ type: 'terminal_ready', terminal, lastRecord: { kind: 'empty' }, continuity: 'unknown' }],
  [paid],
  [{ type: 'cancel_requested', operationId: paid.operationId }],
  [resultOf(paid)],
  [{ type: 'result_acknowledged', operationId: paid.operationId }],
  [ended(paid, 'approved', { result: record({ receiptNumber: '0001' }) })],
  [{ type: 'record_seen', lastRecord: lastRecord('0001'), continuity: 'next', source: 'result' }],
  [doubtful],
  [inDoubt(doubtful)],
  [inDoubt(doubtful, 'Another sentence.')],
  [evidenceOf(doubtful, true)],
  [{ type: 'terminal_lost', reason: 'The line was lost.' }],
  [{ type: 'record_seen', lastRecord: lastRecord('0007'), continuity: 'gap', source: 'terminal' }],
  [
    {
      type: 'discrepancy_found',
      discrepancyId,
      kind: 'unexplained_payment',
      operationId: null,
      references: ['PAID'],
      amountMinor: 1200,
      currency: 'EUR',
      record: record({ receiptNumber: '0007' }),
      message: 'Nobody asked for it.',
    },
  ],
  [{ type: 'terminal_trait_learned', terminal, trait: 'shows_no_records', explanation: 'It shows none.' }],
  [{ type: 'discrepancy_acknowledged', discrepancyId, by: 'Ada', reason: 'Looked into.' }],
  [ended(doubtful, 'failed')],
  [
    {
      type: 'late_result_received',
      operationId: doubtful.operationId,
      result: record(),
      accepted: false,
    },
  ],
  [refused],
  [ended(refused, 'not_voided')],
  [other, ended(other, 'approved')],
  [reversed],
  [ended(reversed, 'voided')],
  [close],
  [closed(close, [paid.operationId])],
  [{ type: 'journal_opened', version: '1.0.0' }],
];

/** Everything that is remembered, and more. */
function everything(journal: JournalQueries): unknown {
  return {
    byReference: ['PAID', 'DOUBTFUL', 'OTHER', 'NONE'].map((one) => journal.paymentByReference(one)),
    payments: operations.map((id) => journal.payment(id)),
    operations: operations.map((id) => journal.operation(id)),
    voids: operations.map((id) => journal.voidsOf(id)),
    events: operations.map((id) => journal.eventsOf(id)),
    open: journal.openOperations(),
    unsettled: [undefined, 0, 1, 2].map((epoch) => journal.unsettledPayments(epoch)),
    closed: journal.closedBatches(),
    state: journal.terminalState(),
    knowledge: [terminal, { ...terminal, terminalId: '7' }].map((one) => journal.terminalKnowledge(one)),
    openDiscrepancies: journal.openDiscrepancies(10),
    count: journal.openDiscrepancyCount(),
    discrepancy: journal.discrepancy(discrepancyId),
    discrepancies: ['PAID', 'OTHER'].map((one) => journal.discrepanciesOf(one)),
    last: journal.lastSeq(),
  };
}

/** A store on a connection that the test can make fail, and what its file says. */
function storeAndFile() {
  const files = journalFiles(dataFolder());
  prepareFresh(files);
  publishFresh(files);
  const database = openForWriting(files.main);
  const clock = createVirtualClock();
  const store = makeStore({ database, files, clock, log: silentLog, onClosed: () => {} });
  const inFile = () => {
    const reader = openForReading(files.main);
    try {
      return everything(makeQueries(reader, (query) => query()));
    } finally {
      reader.close();
    }
  };
  return { database, store, inFile };
}

function failAtCommit(database: DatabaseSync): void {
  database.exec(`PRAGMA foreign_keys = ON;
    CREATE TABLE parent (id INTEGER PRIMARY KEY);
    CREATE TABLE child (parent REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
    CREATE TEMP TRIGGER fail_at_commit AFTER INSERT ON main.events BEGIN INSERT INTO child VALUES (7); END`);
}

describe('what is remembered', () => {
  it('is what the file says, after each kind of event', () => {
    const { store, inFile } = storeAndFile();
    expect(everything(store)).toEqual(inFile());
    for (const events of writes) {
      store.append(...events);
      expect(everything(store), events[0]?.type).toEqual(inFile());
    }
    store.close();
  });

  it('is what the file says, however the writes fall together', () => {
    const { store, inFile } = storeAndFile();
    for (let at = 0; at < writes.length; at += 3) {
      everything(store);
      store.append(...writes.slice(at, at + 3).flat());
      expect(everything(store)).toEqual(inFile());
    }
    store.close();
  });

  it.each([
    ['in the middle', 'asked before'],
    ['in the middle', 'first asked in the middle'],
    ['at its commit', 'asked before'],
    ['at its commit', 'first asked in the middle'],
  ])('is what the file says after a write that was lost %s, when %s', (where, when) => {
    for (const [index, events] of writes.entries()) {
      const { database, store, inFile } = storeAndFile();
      for (const before of writes.slice(0, index)) store.append(...before);
      const asking = function* () {
        for (const event of events) yield { at: '2031-01-02T03:04:05.006Z', event };
        everything(store);
        if (where === 'in the middle') throw new Error('lost');
      };
      if (where === 'at its commit') failAtCommit(database);
      if (when === 'asked before') everything(store);
      expect(() => store.appendAll(asking())).toThrow(/lost|FOREIGN KEY/);
      expect(everything(store), events[0]?.type).toEqual(inFile());
      if (where === 'at its commit') database.exec('DROP TRIGGER fail_at_commit');
      store.append(...events);
      expect(everything(store), events[0]?.type).toEqual(inFile());
      store.close();
    }
  });

  it('is not changed by whoever was told', () => {
    const journal: Journal = newJournal();
    journal.append(paid);
    journal.openOperations().pop();
    expect(journal.openOperations()).toHaveLength(1);
  });

  it('is asked for again once there is too much of it', () => {
    const { cached } = makeQueryCache();
    let asked = 0;
    const ask = (reference: string) => cached('payment', [reference], () => (asked += 1));
    for (let i = 0; i < 5_000; i += 1) ask(`R${i}`);
    ask('R4999');
    expect(asked).toBe(5_000);
    ask('R0');
    expect(asked).toBe(5_001);
  });
});

describe('what a question reads', () => {
  const database = new DatabaseSync(':memory:');
  migrate(database);

  /** As SQLite sees it; an event that a row refers to never changes. */
  function tablesOf(name: QueryName): string[] {
    const tables = new Set<string>();
    database.setAuthorizer((action, table) => {
      if (action === readAction && table !== null && table !== '') tables.add(table);
      return 0;
    });
    database.prepare(querySql[name]);
    database.setAuthorizer(null);
    return [...tables];
  }
  const readAction = 20;

  it.each(Object.keys(querySql) as QueryName[])('%s is known by its tables', (name) => {
    const joinsFacts = /JOIN events/.test(querySql[name]);
    const read = tablesOf(name).filter((table) => !(joinsFacts && table === 'events'));
    expect([...new Set(tablesReadBy(name))].toSorted()).toEqual(read.toSorted());
  });
});
