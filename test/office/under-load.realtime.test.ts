/**
 * Processes of the office on one PostgreSQL, behind a balancer, while shops send: they are killed, the database starts anew
 * as after a power cut, connections break and answers are lost. In the end everything is there, once and in order.
 */
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { systemChance } from '../../src/base/chance.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createJournalSender, type JournalSender } from '../../src/host/office/journal-sender.ts';
import { createOfficeClient } from '../../src/host/office/office-client.ts';
import { createTroubles } from '../../src/host/office/troubles.ts';
import { silentLog } from '../../src/log/log.ts';
import { createPostgres } from '../../src/office/index.ts';
import { createBridges } from '../../src/office/bridges.ts';
import { makeTill } from '../bridge/journal/random-till.ts';
import { atEnd, temporaryFolder } from '../remote/sandbox/rig.ts';
import { describeWith } from '../support/describe-with.ts';
import { postgresPrograms, startPostgres } from '../support/postgres-server.ts';
import { runTillbridge, type Program } from '../support/programs.ts';
import { createRandom } from '../support/random.ts';
import { ShopJournal } from './support/shop.ts';

const shops = 5;
const eventsOfShop = 4_000;
const chance = systemChance(systemClock);
const name = { terminal: 'main', simulated: true };
/** Generous: it starts a dozen programs. */
const longestMs = 600_000;

describeWith('PostgreSQL', 'offices that die and a database that starts anew', (test) => {
  test('while shops send: all is there, once and in order', { timeout: longestMs }, async () => {
    const server = await startPostgres(postgresPrograms() ?? '');
    atEnd(() => server.stop());
    const offices: { program: Program; port: string }[] = [];
    const startOffice = async (place: number) => {
      const folder = temporaryFolder();
      const where = ['--database', server.url, '--data-dir', folder];
      const program = runTillbridge(['office', ...where, '--port', '0']);
      atEnd(async () => void (await program.end('SIGKILL')));
      const [, port = ''] = await program.printed(/istening on http:\/\/127\.0\.0\.1:(\d+)/);
      offices[place] = { program, port };
    };
    await startOffice(0);
    await startOffice(1);

    const database = createPostgres(server.url, { clock: systemClock, chance, log: silentLog });
    atEnd(() => database.close());
    const bridges = createBridges(database, { clock: systemClock, chance });

    /** What goes wrong, one after the other, each in the middle of some request. */
    const kill = (place: number) => async () => {
      const { program } = offices[place] ?? {};
      // It has outlived its database, too.
      expect(program?.process.exitCode).toBeNull();
      await program?.end('SIGKILL');
      await startOffice(place);
    };
    const accidents = [kill(0), () => server.restart(), kill(1), () => server.restart(), kill(0), kill(1)];
    const everyRequests = 4;
    let requests = 0;
    let answers = 0;
    let accident: Promise<void> = Promise.resolve();
    let isBusy = false;
    let answersLost = 0;

    /** A balancer: the offices in turn, whether they live or not. */
    const balanced: typeof fetch = async (input, init) => {
      requests += 1;
      const { port = '' } = offices[requests % offices.length] ?? {};
      const url = new URL(input instanceof Request ? input.url : input);
      url.port = port;
      if (requests % everyRequests === 0 && !isBusy) {
        const next = accidents.shift();
        if (next !== undefined) {
          isBusy = true;
          accident = next().finally(() => (isBusy = false));
        }
      }
      const answer = await fetch(url, init);
      answers += 1;
      if (answers % 7 !== 0) return answer;
      answersLost += 1;
      await answer.body?.cancel();
      throw new TypeError('the answer is lost');
    };

    const senders: { sender: JournalSender; journal: ShopJournal; shopId: string; pay: () => void }[] = [];
    for (let n = 0; n < shops; n += 1) {
      const random = createRandom(500 + n);
      const till = makeTill((choices) => random.integer(0, choices - 1));
      const journal = new ShopJournal();
      const pay = () => {
        journal.add(till.next(), Date.UTC(2026, 10, 1) + journal.lines.length * 1_000);
      };
      for (let i = 0; i < eventsOfShop; i += 1) pay();
      const { code } = await bridges.makeCode({ shop: `Shop ${n}`, by: 'Ada' });
      const enrolled = await bridges.enrol({ code, computer: 'till', version: '0.1.0' });
      if (enrolled === null) throw new Error('The code was refused.');
      const client = createOfficeClient({
        url: 'http://127.0.0.1:1',
        version: '0.1.0',
        clock: systemClock,
        fetch: balanced,
      });
      const sender = createJournalSender({
        journal: name,
        part: 'journal',
        tail: journal.tail(),
        isBusy: () => false,
        office: client.as(enrolled.key, new AbortController().signal),
        clock: systemClock,
        chance,
        log: silentLog,
        compress: (text) => Promise.resolve(new Uint8Array(gzipSync(text))),
        troubles: createTroubles(silentLog),
        onKeyRefused() {},
      });
      atEnd(() => Promise.resolve(sender.stop()));
      senders.push({ sender, journal, shopId: enrolled.shop.id, pay });
    }
    // An office that is quick has taken all before everything has gone wrong: the shops go on until it has.
    const isLeft = () => accidents.length > 0 || isBusy || answersLost < 3;
    await expect
      .poll(
        () => {
          const behind = senders.filter(({ sender, journal }) => sender.sent?.seq !== journal.lines.length);
          if (!isLeft()) return behind.length;
          for (const { sender, pay } of senders) {
            pay();
            sender.written();
          }
          return senders.length;
        },
        { timeout: longestMs / 2, interval: 200 },
      )
      .toBe(0);
    await accident;

    for (const { journal, shopId } of senders) {
      const rows = await database.query<{ seq: number; hash: string }>(
        `SELECT seq, encode(hash, 'hex') AS hash FROM events JOIN chains USING (chain) WHERE shop_id = $1 ORDER BY seq`,
        [shopId],
      );
      expect(rows).toEqual(journal.lines.map(({ seq, hash }) => ({ seq, hash })));
    }
    const told = await database.query('SELECT kind, message FROM findings');
    expect(told).toEqual([]);
  });
});
