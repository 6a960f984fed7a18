import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { createSandbox, SandboxStoreError } from '../../../src/remote/library/sandbox.ts';
import { temporaryFolder } from './rig.ts';

const page = 4096;

it.each([
  ['two pages overwritten', (whole: Buffer) => Buffer.from(whole).fill(0xaa, page, 3 * page)],
  ['zeros in the middle', (whole: Buffer) => Buffer.from(whole).fill(0, page, whole.length - page)],
  ['half of it gone', (whole: Buffer) => whole.subarray(0, Math.floor(whole.length / 2 / page) * page)],
  ['something else', () => Buffer.alloc(10_000, 'no database ')],
])('a damaged file is refused in words: %s', async (_name, damage) => {
  const dataDir = temporaryFolder();
  await (await createSandbox({ dataDir, seed: true })).close();
  const file = path.join(dataDir, 'sandbox.sqlite');
  const damaged = damage(readFileSync(file));
  writeFileSync(file, damaged);
  await expect(createSandbox({ dataDir })).rejects.toBeInstanceOf(SandboxStoreError);
  // Whoever can repair it still has it.
  expect(readFileSync(file).equals(damaged)).toBe(true);
});

it('a file of the first version is taken over, with what waited in it', async () => {
  const dataDir = temporaryFolder();
  const first = await createSandbox({ dataDir });
  await first.close();
  const sql = new DatabaseSync(path.join(dataDir, 'sandbox.sqlite'));
  sql.exec(`
    DROP TABLE delivery;
    CREATE TABLE delivery (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      subscription_id TEXT NOT NULL,
      event TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      next_ms INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX delivery_by_time ON delivery (next_ms);
    INSERT INTO delivery (subscription_id, event, attempts, next_ms) VALUES ('s', '{}', 3, 0);
    PRAGMA user_version = 1;
  `);
  sql.close();
  const next = await createSandbox({ dataDir });
  await next.close();
  const after = new DatabaseSync(path.join(dataDir, 'sandbox.sqlite'));
  expect(after.prepare('SELECT state, attempts FROM delivery').all()).toMatchObject([
    { state: 'waiting', attempts: 3 },
  ]);
  expect(after.prepare('PRAGMA user_version').get()).toMatchObject({ user_version: 2 });
  after.close();
});
