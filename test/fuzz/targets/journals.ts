/**
 * Journals with damage. An input is a list of damages, not a file: a file would be a hundred thousand bytes, of which
 * nearly all are the same.
 *
 *     byte 0: the journal to begin with │ then for each damage: kind, file, place (4 bytes), amount (2 bytes)
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  exportJournal,
  JournalWriteError,
  openJournal,
  openJournalReadOnly,
  verifyJournal,
} from '../../../src/bridge/journal/index.ts';
import { readHighWaterMark } from '../../../src/bridge/journal/high-water-mark.ts';
import { openStore } from '../../../src/bridge/journal/open.ts';
import { silentLog } from '../../../src/log/log.ts';
import type { JournalEvent } from '../../../src/contract/journal-events.ts';
import {
  batch,
  closed,
  ended,
  inDoubt,
  lastRecord,
  sale,
  terminal,
  voidOf,
} from '../../bridge/journal/sample-events.ts';
import { fillJournal, filledReference, filledTransactionId } from '../../support/fill-journal.ts';
import type { Random } from '../../support/random.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { damaged } from '../mutate.ts';
import type { FuzzTarget } from '../target.ts';

const suffixes = ['', '-wal', '-mark', '-shm'] as const;
type Files = Map<string, Buffer>;

/** One journal at four moments of its life, each with the files that a killed bridge or a copy leaves. */
interface Life {
  moments: Files[];
  /** Every fact there ever was, as an export has it. */
  facts: string[];
  /** What payments and operations say after so many facts. */
  rows: string[];
  terminals: string;
}

const damageLength = 8;
const maxDamages = 8;
const pageBytes = 4_096;

export const journals: FuzzTarget = {
  name: 'journals',
  rule: 'a damaged journal is told as one, or every fact and every payment of it is what was written',
  seeds: () => [
    Buffer.from([0]),
    Buffer.from([1]),
    ...kinds.map((_, kind) => recipe(1, [kind, 0, 9_000, 40])),
    ...kinds.map((_, kind) => recipe(1, [kind, 1, 5_000, 7])),
    ...edits.map((_, edit) => recipe(2, [kinds.indexOf(editRow), 0, edit, 3])),
    recipe(1, [kinds.indexOf(takeFromOther), 1, 0, 0]),
    recipe(2, [kinds.indexOf(takeFromOther), 0, 0, 2], [kinds.indexOf(takeFromOther), 2, 0, 2]),
  ],
  triesInTests: 60,
  triesInChunk: 500,
  make: (random, corpus) =>
    random.chance(0.3) ? damaged(random, corpus).slice(0, 1 + maxDamages * damageLength) : madeUp(random),
  open() {
    const root = tempFolder('fuzz-journal');
    const life = makeLife(path.join(root, 'life'));
    return {
      play: (input) => play(path.join(root, 'try'), life, input),
      close: () => rmSync(root, { recursive: true, force: true }),
    };
  },
};

function recipe(moment: number, ...damages: [kind: number, file: number, place: number, amount: number][]) {
  const bytes = Buffer.alloc(1 + damages.length * damageLength);
  bytes.writeUInt8(moment, 0);
  for (const [index, [kind, file, place, amount]] of damages.entries()) {
    const at = 1 + index * damageLength;
    bytes.writeUInt8(kind, at);
    bytes.writeUInt8(file, at + 1);
    bytes.writeUInt32BE(place, at + 2);
    bytes.writeUInt16BE(amount, at + 6);
  }
  return bytes;
}

function madeUp(random: Random): Uint8Array {
  const damages = Array.from(
    { length: random.integer(1, random.chance(0.7) ? 1 : 4) },
    (): [number, number, number, number] => [
      random.integer(0, kinds.length - 1),
      random.weighted([
        [6, 0],
        [4, 1],
        [2, 2],
        [1, 3],
      ]),
      random.integer(0, 400_000),
      random.integer(0, 65_535),
    ],
  );
  return recipe(random.integer(0, 3), ...damages);
}

// ---------------------------------------------------------------------------------------------------- a sound journal

const clock = createVirtualClock();

function makeLife(folder: string): Life {
  const kept = ['0001', '0002', '0003', '0004'].map((id) => `01a1fbff-0000-7000-8000-00000000${id}`);
  const [paid = '', doubtful = '', voiding = '', day = ''] = kept;
  const first = sale({ operationId: paid, reference: 'A-1' });
  const second = sale({ operationId: doubtful, reference: 'A-2' });
  const undo = voidOf(
    sale({ operationId: filledTransactionId(1), reference: filledReference(1), amountMinor: 1201 }),
    { operationId: voiding },
  );
  const close = batch({ operationId: day });
  const ready: JournalEvent = {
    type: 'terminal_ready',
    terminal,
    lastRecord: lastRecord('0007'),
    continuity: 'same',
  };
  const steps: JournalEvent[][] = [
    [ready, first, ended(first, 'approved')],
    [undo, ended(undo, 'voided'), second],
    [inDoubt(second), ended(second, 'declined'), close, closed(close, [paid, filledTransactionId(0)])],
  ];
  const moments: Files[] = [];
  mkdirSync(folder, { recursive: true });
  fillJournal(folder, 8, clock);
  moments.push(filesIn(folder));
  const opened = openStore({ folder, clock, log: silentLog, version: '1' });
  if (opened.kind !== 'opened') throw new Error(opened.message);
  for (const step of steps) {
    opened.journal.append(...step);
    moments.push(filesIn(folder));
  }
  opened.journal.close();
  const facts = factsIn(folder);
  return {
    moments: [filesIn(folder), ...moments],
    facts,
    rows: rowsAfterEach(path.join(folder, 'again'), facts),
    terminals: terminalsIn(path.join(folder, 'journal.sqlite')),
  };
}

function filesIn(folder: string): Files {
  const main = path.join(folder, 'journal.sqlite');
  const present = suffixes.filter((suffix) => existsSync(main + suffix));
  return new Map(present.map((suffix) => [suffix, readFileSync(main + suffix)]));
}

function factsIn(folder: string): string[] {
  const facts: string[] = [];
  exportJournal(folder, (line) => facts.push(line));
  return facts;
}

/** Plays the facts again, one by one. */
function rowsAfterEach(folder: string, facts: readonly string[]): string[] {
  const main = path.join(folder, 'journal.sqlite');
  const again = openStore({ folder, clock, log: silentLog, version: '0.0.0-filled' });
  if (again.kind !== 'opened') throw new Error(again.message);
  // Its own opening is the first fact of the first one as well.
  const rows = [rowsIn(main), rowsIn(main)];
  for (const fact of facts.slice(1)) {
    const { at, event } = JSON.parse(fact) as { at: string; event: JournalEvent };
    again.journal.appendAll([{ at, event }]);
    rows.push(rowsIn(main));
  }
  again.journal.close();
  return rows;
}

const tables = {
  payments: 'position',
  operations: 'position',
  state: 'id',
  discrepancies: 'position',
  discrepancy_references: 'position',
  payment_hours: 'hour',
};

/** All that is worked out from the facts, as text. */
function rowsIn(main: string): string {
  const database = new DatabaseSync(main, { readOnly: true });
  try {
    const found = Object.entries(tables).map(([table, order]) =>
      database.prepare(`SELECT * FROM ${table} NOT INDEXED ORDER BY ${order}`).all(),
    );
    return JSON.stringify(found);
  } finally {
    database.close();
  }
}

/** What is known of terminals. */
function terminalsIn(main: string): string {
  const database = new DatabaseSync(main, { readOnly: true });
  try {
    return database
      .prepare('SELECT * FROM terminals ORDER BY terminal')
      .all()
      .map((row) => Object.values(row).join(' '))
      .join('\n');
  } finally {
    database.close();
  }
}

// -------------------------------------------------------------------------------------------------------------- damage

interface Target {
  files: Files;
  life: Life;
  file: string;
  place: number;
  amount: number;
}

type Kind = (target: Target) => void;

const kinds: Kind[] = [
  function flipBit(target) {
    change(target, (bytes, at) => (bytes[at] = (bytes[at] ?? 0) ^ (1 << (target.amount & 7))));
  },
  function zero(target) {
    change(target, (bytes, at) => bytes.fill(0, at, Math.min(bytes.length, at + 1 + (target.amount % 600))));
  },
  function overwrite(target) {
    change(target, (bytes, at) =>
      bytes.fill(target.amount & 0xff, at, Math.min(bytes.length, at + 1 + (target.amount >> 8))),
    );
  },
  function cutOff({ files, file, place }) {
    const bytes = files.get(file);
    if (bytes !== undefined) files.set(file, bytes.subarray(0, place % (bytes.length + 1)));
  },
  function repeatPage(target) {
    change(target, (bytes, at) => pageOf(bytes, target.amount).copy(bytes, at - (at % pageBytes)));
  },
  function swapPages(target) {
    change(target, (bytes, at) => {
      const one = pageOf(bytes, Math.floor(at / pageBytes));
      const kept = Buffer.from(one);
      const other = pageOf(bytes, target.amount);
      if (one.length !== other.length) return;
      other.copy(one);
      kept.copy(other);
    });
  },
  function pageOfAnotherMoment(target) {
    const { life, file, amount } = target;
    const other = life.moments[amount % life.moments.length]?.get(file);
    if (other === undefined) return;
    change(target, (bytes, at) =>
      pageOf(other, Math.floor(at / pageBytes)).copy(bytes, at - (at % pageBytes)),
    );
  },
  takeFromOther,
  function remove({ files, file }) {
    files.delete(file);
  },
  function append({ files, file, amount, place }) {
    const bytes = files.get(file);
    if (bytes !== undefined) files.set(file, Buffer.concat([bytes, Buffer.alloc(amount, place & 0xff)]));
  },
  editRow,
];

/** The whole file as it was at another moment: a write-ahead file of another time, or a mark of another. */
function takeFromOther({ files, life, file, amount }: Target): void {
  const other = life.moments[amount % life.moments.length]?.get(file);
  if (other === undefined) files.delete(file);
  else files.set(file, Buffer.from(other));
}

/** What somebody with a database tool does, who does not work the chain out again. */
const edits = [
  `UPDATE events SET body = replace(body, '1200', '9900') WHERE seq = $row`,
  `UPDATE events SET at = '2020-01-01T00:00:00.000Z' WHERE seq = $row`,
  `UPDATE events SET operation_id = NULL WHERE seq = $row`,
  `DELETE FROM events WHERE seq = $row`,
  `DELETE FROM events WHERE seq > $row`,
  `UPDATE payments SET status = 'declined' WHERE position = $row`,
  `UPDATE payments SET status = 'approved' WHERE position >= $row`,
  `UPDATE payments SET amount_minor = 1 WHERE position = $row`,
  `UPDATE payments SET ended_seq = 3 WHERE position >= $row`,
  `UPDATE payments SET batch_number = '9' WHERE position >= $row`,
  `UPDATE payments SET epoch = 7 WHERE position >= $row`,
  `UPDATE payments SET reason = 'because' WHERE position >= $row`,
  `UPDATE payments SET reference = reference || '-' WHERE position = $row`,
  `DELETE FROM payments WHERE position >= $row`,
  `UPDATE operations SET phase = 'ended', outcome = 'declined' WHERE position >= $row`,
  `UPDATE operations SET phase = 'started', outcome = NULL WHERE position >= $row`,
  `UPDATE operations SET payment_id = NULL WHERE position >= $row`,
  `UPDATE operations SET result_seq = 2 WHERE position >= $row`,
  `DELETE FROM operations WHERE position >= $row`,
  `UPDATE state SET epoch = epoch + 1 WHERE $row = $row`,
  `UPDATE state SET last_record = '{"kind":"empty"}' WHERE $row = $row`,
  `DELETE FROM payment_hours WHERE $row = $row`,
  `UPDATE terminals SET traits = '["no_records"]' WHERE $row = $row`,
  `INSERT INTO terminals SELECT 'zvt:' || $row, 1, '[]'`,
];

function editRow({ files, place, amount }: Target): void {
  const folder = tempFolder('fuzz-edit');
  const main = path.join(folder, 'journal.sqlite');
  try {
    for (const [suffix, bytes] of files) writeFileSync(main + suffix, bytes);
    const database = new DatabaseSync(main);
    try {
      const triggers = database.prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`).all();
      for (const { name } of triggers) database.exec(`DROP TRIGGER ${String(name)}`);
      database.prepare(edits[place % edits.length] ?? '').run({ $row: amount % 40 });
      for (const { sql } of triggers) database.exec(String(sql));
    } finally {
      database.close();
    }
    const mark = files.get('-mark');
    files.clear();
    for (const [suffix, bytes] of filesIn(folder)) files.set(suffix, bytes);
    if (mark !== undefined) files.set('-mark', mark);
  } catch (error) {
    // The file was damaged before; then nobody can edit it either.
    if (!(error instanceof Error && 'errcode' in error)) throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function change({ files, file, place }: Target, work: (bytes: Buffer, at: number) => unknown): void {
  const bytes = Buffer.from(files.get(file) ?? '');
  if (bytes.length === 0) return;
  work(bytes, place % bytes.length);
  files.set(file, bytes);
}

function pageOf(bytes: Buffer, page: number): Buffer {
  const from = (page % Math.max(1, Math.ceil(bytes.length / pageBytes))) * pageBytes;
  return bytes.subarray(from, Math.min(from + pageBytes, bytes.length));
}

// --------------------------------------------------------------------------------------------------------------- a try

function play(folder: string, life: Life, input: Uint8Array): string {
  const files = filesOf(life, Buffer.from(input));
  const main = path.join(folder, 'journal.sqlite');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  for (const [suffix, bytes] of files) writeFileSync(main + suffix, bytes, { mode: 0o600 });
  const marked = readHighWaterMark(`${main}-mark`)?.seq ?? 0;

  const verified = verifyJournal(folder);
  if (verified.ok) demandTrue(life, main, factsIn(folder), marked, 'verified');
  else assert.ok(verified.problem.length > 0);
  const read = inWords(() => {
    const opened = openJournalReadOnly(folder);
    if (opened.kind === 'opened') opened.journal.close();
    return opened.kind;
  });
  const written = inWords(() => {
    const opened = openJournal({ folder, clock, log: silentLog, version: '2' });
    if (opened.kind !== 'opened') return opened.kind;
    opened.journal.close();
    // The last one is its opening.
    demandTrue(life, main, factsIn(folder).slice(0, -1), marked, 'opened');
    return verified.ok || opened.kind;
  });
  if (verified.ok) assert.equal(written, true, 'verified, and cannot be opened');
  return `${verified.ok ? 'sound' : 'told'}, read: ${read}, written: ${written === true ? 'opened' : written}`;
}

function filesOf(life: Life, input: Buffer): Files {
  const files = new Map(life.moments[(input[0] ?? 0) % life.moments.length]);
  for (let at = 1; at + damageLength <= input.length; at += damageLength) {
    const kind = kinds[input.readUInt8(at) % kinds.length];
    const file = suffixes[input.readUInt8(at + 1) % suffixes.length] ?? '';
    kind?.({ files, life, file, place: input.readUInt32BE(at + 2), amount: input.readUInt16BE(at + 6) });
  }
  return files;
}

/** What folder, disk or file refuse is said in a sentence; anything else is a fault of ours. */
function inWords<T>(work: () => T): T | 'refused' {
  try {
    return work();
  } catch (error) {
    if (error instanceof JournalWriteError) return 'refused';
    throw error;
  }
}

/** All that was written, or a part from the beginning that nothing in the folder knows to be longer. */
function demandTrue(life: Life, main: string, facts: string[], marked: number, what: string): void {
  const rows = rowsIn(main);
  const terminals = terminalsIn(main);
  assert.ok(facts.length >= marked, `${what}: ${facts.length} facts, and the mark says ${marked}`);
  assert.deepEqual(facts, life.facts.slice(0, facts.length), `${what}: other facts`);
  assert.equal(rows, life.rows[facts.length], `${what}: other rows`);
  // What is known of terminals may be less than there was, never more.
  assert.ok(terminals === '' || terminals === life.terminals, `${what}: other terminals`);
}
