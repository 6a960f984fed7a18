/** PGlite's folder, copied while the office is stopped and put back, as docs/office-operations.md says. */
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openPglite } from '../../../src/office/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { officeOn } from '../support/office-kit.ts';
import { tillAt } from '../support/till.ts';

test('a folder that was put back has all again once the bridges have sent', async () => {
  const dataDir = tempFolder('back-up');
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const [folder, copy] = ['database', 'copy'].map((name) => path.join(dataDir, name)) as [string, string];
  const { journal, pay } = tillAt();

  const first = await openPglite(folder);
  const before = await officeOn(first);
  const shop = await before.join('Berlin');
  pay('before');
  const chain = await before.send(shop, journal);
  await first.close();
  cpSync(folder, copy, { recursive: true });

  const second = await openPglite(folder);
  const meanwhile = await officeOn(second, 2);
  pay('meanwhile');
  await meanwhile.send(shop, journal);
  await second.close();
  rmSync(folder, { recursive: true });
  cpSync(copy, folder, { recursive: true });

  const third = await openPglite(folder);
  onTestFinished(() => third.close());
  const restored = await officeOn(third, 3);
  const [head] = await restored.ingest.heads(shop);
  expect(head?.seq).toBe(3);
  pay('after');
  expect(await restored.send(shop, journal)).toBe(chain);
  expect(await restored.kept(chain)).toMatchObject(journal.lines.map(({ seq, hash }) => ({ seq, hash })));
  const payments = await third.query('SELECT reference FROM payments ORDER BY created_at');
  expect(payments.map(({ reference }) => reference)).toEqual(['before', 'meanwhile', 'after']);
  expect(await restored.findings()).toEqual([]);
});
