/**
 * The same journal as `fillJournal` makes, several times as fast, for the bench's millions of payments. The rows are written
 * as they are in the end instead of step by step, in their order in time, so that the pages of the file come to be much as
 * they do in a shop; a payment is settled after its thousand, as there. A test compares every row with the other way.
 */
import { fsyncSync, openSync, closeSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { canonicalJson, chainHash, type ChainHead } from '../../src/bridge/journal/chain.ts';
import { openHighWaterMark } from '../../src/bridge/journal/high-water-mark.ts';
import { journalFiles } from '../../src/bridge/journal/journal-files.ts';
import { openStore } from '../../src/bridge/journal/open.ts';
import { headOf } from '../../src/bridge/journal/quick-check.ts';
import { openForWriting } from '../../src/bridge/journal/schema.ts';
import { silentLog } from '../../src/log/log.ts';
import type { JournalEventOf } from '../../src/contract/journal-events.ts';
import {
  batchFacts,
  paymentFacts,
  paymentOf,
  paymentsPerBatch,
  stampOf,
  terminal,
  type FilledPayment,
} from './fill-journal.ts';
import { createVirtualClock } from './virtual-clock.ts';

const paymentsPerTransaction = 20_000;

/** Makes a journal in `folder` with so many payments. `tell` hears how many there are, now and then. */
export function fillLargeJournal(
  folder: string,
  payments: number,
  tell: (done: number) => void = () => {},
): void {
  const clock = createVirtualClock();
  const result = openStore({ folder, clock, log: silentLog, version: '0.0.0-filled' });
  if (result.kind !== 'opened') throw new Error(result.message);
  result.journal.close();
  const { main } = journalFiles(folder);
  const database = openForWriting(main);
  let head: ChainHead;
  try {
    // Nobody needs what a crash would leave of it. What a transaction writes fits into memory.
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144');
    const writer = makeWriter(database);
    for (let from = 0; from < payments; from += paymentsPerTransaction) {
      database.exec('BEGIN');
      writer.write(from, Math.min(from + paymentsPerTransaction, payments));
      database.exec('COMMIT');
      tell(Math.min(from + paymentsPerTransaction, payments));
    }
    head = headOf(database);
    database.exec('PRAGMA journal_mode = WAL');
  } finally {
    database.close();
  }
  const mark = openHighWaterMark(`${main}-mark`);
  mark.write(head);
  mark.close();
  sync(main);
}

interface Writer {
  /** The payments `from` to `to` (not in it), and the closed day after each thousand. */
  write(from: number, to: number): void;
}

function makeWriter(database: DatabaseSync): Writer {
  const insertEvent = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)');
  const insertPayment = database.prepare(`INSERT INTO payments VALUES (?, ?, ?, '00', ?, 'EUR', 'approved', 1,
    '${canonicalJson(terminal)}', ?, ?, ?, ?, ?, ?, NULL)`);
  const settle =
    database.prepare(`UPDATE payments SET status = 'settled', updated_at = ?, reason = ?, batch_number = ?
    WHERE position >= ? AND status = 'approved'`);
  const insertOperation = database.prepare(
    `INSERT INTO operations VALUES (?, ?, ?, 'ended', ?, ?, ?, ?, ?, 0, 0, ?, ?)`,
  );
  const insertHour = database.prepare(`INSERT INTO payment_hours VALUES (?1, ?2, ?3)
    ON CONFLICT (hour) DO UPDATE SET last_position = excluded.last_position`);
  const closeBatch = database.prepare(
    'UPDATE state SET epoch = epoch + 1, batch_epoch = epoch + 1, closed_batches = closed_batches + 1',
  );
  const startBody = bodyMaker((payment) => paymentFacts(payment)[0]);
  const endBody = bodyMaker((payment) => paymentFacts(payment)[1]);
  const [, { reason: approved }] = paymentFacts(paymentOf(0));
  let { seq, hash } = headOf(database);
  let epoch = 0;
  let batchBegins = seq + 1;

  function event(at: string, type: string, operationId: string, body: string): number {
    seq += 1;
    hash = chainHash(hash, seq, at, body);
    insertEvent.run(seq, at, type, operationId, body, hash);
    return seq;
  }

  function payment(i: number, at: string): number {
    const made = paymentOf(i);
    const { operationId, reference, amountMinor } = made;
    const position = event(at, 'operation_started', operationId, startBody(made));
    const ended = event(at, 'operation_ended', operationId, endBody(made));
    insertPayment.run(position, operationId, reference, amountMinor, epoch, at, at, at, approved, ended);
    insertOperation.run(
      operationId,
      position,
      'sale',
      'approved',
      operationId,
      reference,
      ended,
      approved,
      at,
      at,
    );
    return position;
  }

  /** After `made` payments. */
  function batch(made: number, at: string): void {
    const [started, ended] = batchFacts(made);
    const { operationId } = started;
    const { reason, outcome } = ended;
    const position = event(at, started.type, operationId, canonicalJson(started));
    event(at, ended.type, operationId, canonicalJson(ended));
    insertOperation.run(operationId, position, started.kind, outcome, null, null, null, reason, at, at);
    settle.run(at, reason, ended.batch?.batchNumber ?? null, batchBegins);
    closeBatch.run();
    epoch += 1;
    batchBegins = seq + 1;
  }

  return {
    write(from, to) {
      let hour = '';
      let first = 0;
      let last = 0;
      for (let i = from; i < to; i += 1) {
        const at = stampOf(i);
        const position = payment(i, at);
        if (hour !== at.slice(0, 13)) {
          if (hour !== '') insertHour.run(hour, first, last);
          hour = at.slice(0, 13);
          first = position;
        }
        last = position;
        if ((i + 1) % paymentsPerBatch === 0) batch(i + 1, at);
      }
      insertHour.run(hour, first, last);
    },
  };
}

/** Makes canonical JSON of a payment's event: that of one payment, with each other's own values put into it. */
function bodyMaker(
  eventOf: (payment: FilledPayment) => JournalEventOf<'operation_started' | 'operation_ended'>,
): (payment: FilledPayment) => string {
  const marks: FilledPayment = {
    operationId: '<operation>',
    reference: '<reference>',
    amountMinor: 918_273_645,
    traceNumber: '<trace>',
    receiptNumber: '<receipt>',
  };
  const names = new Map(
    Object.entries(marks).map(([name, mark]) => [String(mark), name as keyof FilledPayment]),
  );
  const parts = canonicalJson(eventOf(marks)).split(new RegExp(`(${[...names.keys()].join('|')})`));
  return (payment) => {
    let body = '';
    for (const part of parts) {
      const name = names.get(part);
      body += name === undefined ? part : payment[name];
    }
    return body;
  };
}

function sync(file: string): void {
  const handle = openSync(file, 'r+');
  fsyncSync(handle);
  closeSync(handle);
}
