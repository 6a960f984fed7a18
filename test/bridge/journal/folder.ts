/** A data folder for one test, journals on it, and hands to damage what is in it. */
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect } from 'vitest';
import {
  openJournal,
  repairJournal,
  verifyJournal,
  type Journal,
  type OpenResult,
} from '../../../src/bridge/journal/index.ts';
import { silentLog } from '../../../src/log/log.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import type { Clock } from '../../../src/base/clock.ts';

const folders: string[] = [];
const journals: Journal[] = [];

afterEach(() => {
  for (const journal of journals.splice(0)) journal.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function dataFolder(): string {
  const folder = tempFolder('journal');
  folders.push(folder);
  return folder;
}

export function options(folder: string, clock: Clock = createVirtualClock()) {
  return { folder, clock, log: silentLog, version: '0.0.0-test' };
}

/** Opens and keeps it in mind, so that it is closed after the test. */
export function tryOpen(folder: string, clock: Clock = createVirtualClock()): OpenResult {
  const result = openJournal(options(folder, clock));
  if (result.kind === 'opened') journals.push(result.journal);
  return result;
}

export function open(folder: string, clock: Clock = createVirtualClock()): Journal {
  const result = tryOpen(folder, clock);
  if (result.kind !== 'opened') throw new Error(result.message);
  return result.journal;
}

/** A journal in a folder of its own. */
export function newJournal(): Journal {
  return open(dataFolder());
}

/** What a person with a database tool can do: the triggers go first. */
export function tamper(folder: string, sql: string): void {
  const database = new DatabaseSync(join(folder, 'journal.sqlite'));
  const triggers = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${String(name)}`);
  database.exec(sql);
  for (const trigger of triggers) database.exec(String(trigger['sql']));
  database.close();
}

/** Every row of a table, to compare two journals. */
export function tableRows(file: string, table: string): unknown[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare(`SELECT * FROM ${table} ORDER BY 1`).all();
  database.close();
  return rows.map((row) => ({ ...row }));
}

/** Turns over the bits of the byte at `offset`; a negative one counts from the end. */
export function flipByte(file: string, offset: number): void {
  const handle = openSync(file, 'r+');
  const place = offset < 0 ? fstatSync(handle).size + offset : offset;
  const byte = Buffer.alloc(1);
  readSync(handle, byte, 0, 1, place);
  byte[0] = (byte[0] ?? 0) ^ 0xff;
  writeSync(handle, byte, 0, 1, place);
  closeSync(handle);
}

/** Opens, and expects to be told of damage, now and again; gives the message. */
export function expectDamaged(folder: string): string {
  const first = tryOpen(folder);
  if (first.kind !== 'damaged') throw new Error(`It was ${first.kind}`);
  expect(first.message).toContain(first.setAside);
  expect(tryOpen(folder)).toMatchObject({ kind: 'damaged', setAside: first.setAside });
  expect(existsSync(join(folder, 'journal.sqlite'))).toBe(false);
  expect(verifyJournal(folder)).toMatchObject({ ok: false, seq: 0 });
  return first.message;
}

/** A person's choice, of which a journal must come that verifies. */
export function repair(folder: string) {
  const result = repairJournal({
    ...options(folder),
    by: 'Ada',
    reason: 'The disk was replaced.',
    uuid: randomUUID,
  });
  if (result.kind !== 'repaired') throw new Error(`It was ${result.kind}: ${result.message}`);
  expect(verifyJournal(folder)).toMatchObject({ ok: true });
  return result;
}
