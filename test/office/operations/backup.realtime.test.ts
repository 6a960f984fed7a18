/**
 * A back-up that is taken while bridges send, put back into another database, as docs/office-operations.md says: what the
 * bridges' own senders then do with an office that is behind them.
 */
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished } from 'vitest';
import { systemChance } from '../../../src/base/chance.ts';
import { systemClock } from '../../../src/base/clock.ts';
import type { JournalTail } from '../../../src/bridge/journal/index.ts';
import { createJournalSender } from '../../../src/host/office/journal-sender.ts';
import { createOfficeClient } from '../../../src/host/office/office-client.ts';
import { createTroubles } from '../../../src/host/office/troubles.ts';
import { silentLog } from '../../../src/log/log.ts';
import { createPostgres, type Database } from '../../../src/office/index.ts';
import { describeWith } from '../../support/describe-with.ts';
import { postgresPrograms, startPostgres } from '../../support/postgres-server.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { runningOffice } from '../support/running-office.ts';
import { chainStart, textOf, type ShopJournal } from '../support/shop.ts';
import { tillAt } from '../support/till.ts';

const chance = systemChance(systemClock);
const start = promisify(execFile);

/** A journal in memory as a sender reads it from the disk. */
function tailOf(journal: ShopJournal): JournalTail {
  const placeAt = (seq: number) => (seq > journal.lines.length ? null : journal.placeAt(seq));
  return {
    head: () => journal.head(),
    placeAt,
    placesAt: (seqs) => seqs.map(placeAt).filter((place) => place !== null),
    lines(after, maxEvents) {
      const some = journal.lines.slice(after, after + Math.min(maxEvents, 50));
      const lines = textOf({ chain: null, after: chainStart }, some).split('\n').slice(1, -1);
      const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
      return { lines, bytes, lastSeq: after + some.length };
    },
  };
}

describeWith('PostgreSQL', 'a back-up', (test) => {
  test('taken while bridges send, and put back: they go on from there, nothing lost, nothing twice, nobody alarmed', async () => {
    const programs = postgresPrograms() ?? '';
    const server = await startPostgres(programs);
    onTestFinished(() => server.stop());
    const folder = tempFolder('back-up');
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const connect = (url: string) => {
      const database = createPostgres(url, { clock: systemClock, chance, log: silentLog });
      onTestFinished(() => database.close());
      return database;
    };
    const database = connect(server.url);
    const office = await runningOffice(database, { clock: systemClock, chance });
    let origin = office.origin;

    const tills = await Promise.all(
      ['Berlin', 'Potsdam'].map(async (name, index) => {
        const { key } = await office.join(name);
        const till = tillAt(Date.now(), index + 1);
        const stop = new AbortController();
        const client = createOfficeClient({
          url: 'http://office.example',
          version: '2.0.0',
          clock: systemClock,
          fetch: (url, init) => fetch(`${origin}${new URL(url).pathname}`, init),
        });
        const sender = createJournalSender({
          journal: { terminal: 'main', simulated: true },
          part: name,
          tail: tailOf(till.journal),
          isBusy: () => false,
          office: client.as(key, stop.signal),
          clock: systemClock,
          chance,
          log: silentLog,
          compress: (text) => Promise.resolve(new Uint8Array(gzipSync(text))),
          troubles: createTroubles(silentLog),
          onKeyRefused: () => {},
        });
        onTestFinished(() => {
          stop.abort();
          sender.stop();
        });
        const pay = (reference: string) => {
          till.pay(`${name}-${reference}`);
          sender.written();
        };
        return { name, journal: till.journal, pay };
      }),
    );
    const headsIn = async (where: Database) => {
      const rows = await where.query<{ name: string; head_seq: number }>(
        'SELECT name, head_seq FROM chains JOIN shops USING (shop_id) ORDER BY name',
      );
      return rows.map(({ head_seq }) => head_seq);
    };
    const all = () => tills.map(({ journal }) => journal.lines.length);
    const untilSent = async (where: Database) => {
      await expect.poll(() => headsIn(where)).toEqual(all());
    };

    for (let i = 0; i < 200; i += 1) for (const { pay } of tills) pay(`before-${i}`);
    await untilSent(database);

    const done = new AbortController();
    const file = path.join(folder, 'office.dump');
    const dumping = start(path.join(programs, 'pg_dump'), [
      '--format=custom',
      `--file=${file}`,
      server.url,
    ]).finally(() => done.abort());
    for (let i = 0; !done.signal.aborted; i += 1) {
      for (const { pay } of tills) pay(`meanwhile-${i}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await dumping;
    for (let i = 0; i < 30; i += 1) for (const { pay } of tills) pay(`after-${i}`);
    await untilSent(database);
    await office.close();

    await database.query('CREATE DATABASE copy');
    const copyUrl = server.url.replace('/postgres?', '/copy?');
    await start(path.join(programs, 'pg_restore'), [
      '--no-owner',
      '--exit-on-error',
      `--dbname=${copyUrl}`,
      file,
    ]);
    const copy = connect(copyUrl);
    const behind = await headsIn(copy);
    for (const [index, length] of all().entries()) expect(behind[index]).toBeLessThan(length);

    const restored = await runningOffice(copy, { clock: systemClock, chance });
    onTestFinished(() => restored.close());
    ({ origin } = restored);
    for (const { pay } of tills) pay('at last');
    await untilSent(copy);

    for (const { name, journal } of tills) {
      const events = await copy.query<{ seq: number; hash: string }>(
        `SELECT seq, encode(hash, 'hex') AS hash FROM events JOIN chains USING (chain) JOIN shops USING (shop_id)
         WHERE name = $1 ORDER BY seq`,
        [name],
      );
      expect(events).toEqual(journal.lines.map(({ seq, hash }) => ({ seq, hash })));
    }
    const payments = await copy.query('SELECT status FROM payments');
    expect(payments).toHaveLength(
      tills.reduce((sum, { journal }) => sum + (journal.lines.length - 1) / 2, 0),
    );
    expect(payments.every(({ status }) => status === 'approved')).toBe(true);
    expect(await copy.query('SELECT kind FROM findings')).toEqual([]);
    expect(await copy.query('SELECT chain FROM chains')).toHaveLength(2);
  });
});
