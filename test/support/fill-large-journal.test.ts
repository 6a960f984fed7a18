import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it } from 'vitest';
import { verifyJournal } from '../../src/bridge/journal/index.ts';
import { readHighWaterMark } from '../../src/bridge/journal/high-water-mark.ts';
import { fillJournal } from './fill-journal.ts';
import { fillLargeJournal } from './fill-large-journal.ts';
import { tempFolder } from './temp-folder.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function filled(fill: (folder: string, payments: number) => void, payments: number): string {
  const folder = tempFolder('fill-large');
  folders.push(folder);
  fill(folder, payments);
  return folder;
}

/** All rows of all tables, and how many pages each of them and of the indexes has. */
function content(folder: string): Record<string, unknown> {
  const database = new DatabaseSync(join(folder, 'journal.sqlite'), { readOnly: true });
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const rows = tables.map(({ name }) => [
    String(name),
    database.prepare(`SELECT * FROM ${String(name)}`).all(),
  ]);
  const pages = database.prepare('SELECT name, count(*) FROM dbstat GROUP BY name').all();
  database.close();
  const mark = readHighWaterMark(join(folder, 'journal.sqlite-mark'));
  return { ...Object.fromEntries(rows), pages, mark };
}

// One day is closed, and the next one has begun; so has the second hour.
it.each([0, 1, 2_140])('makes of %i payments what the journal itself makes of them', (payments) => {
  const folder = filled(fillLargeJournal, payments);
  expect(content(folder)).toEqual(content(filled(fillJournal, payments)));
  expect(verifyJournal(folder)).toMatchObject({ ok: true });
});
