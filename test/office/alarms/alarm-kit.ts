/** An office with its alarms on a database: shops that get into trouble, processes that evaluate, and what they send. */
import { onTestFinished } from 'vitest';
import { createAlarms } from '../../../src/office/alarms/alarms.ts';
import { evaluate } from '../../../src/office/alarms/evaluate.ts';
import { createOutbox } from '../../../src/office/alarms/outbox.ts';
import { readAlarmSettings, type AlarmSettings } from '../../../src/office/alarms/settings.ts';
import type { Mail } from '../../../src/office/alarms/send.ts';
import type { Database } from '../../../src/office/database/database.ts';
import type { JournalEvent } from '../../../src/contract/journal-events.ts';
import type { Heartbeat } from '../../../src/contract/office.ts';
import { silentLog } from '../../../src/log/log.ts';
import { ended, inDoubt, sale } from '../../bridge/journal/sample-events.ts';
import { seededChance } from '../../support/random.ts';
import { officeOn } from '../support/office-kit.ts';
import { ShopJournal } from '../support/shop.ts';

export const secondMs = 1_000;
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;

/** A file's content with receivers of these names, and these rules. */
export function alarmFile(receivers: string[], ...rules: object[]) {
  return {
    rules,
    receivers: Object.fromEntries(
      receivers.map((name) => [
        name,
        {
          kind: 'email',
          from: 'alarms@chain.example',
          to: [`${name}@chain.example`],
          server: { host: 'localhost' },
        },
      ]),
    ),
  };
}

export function settingsOf(content: object): AlarmSettings {
  const reading = readAlarmSettings(JSON.stringify(content), { origin: 'alarms.json', secretOf: () => '' });
  if (!reading.ok) throw new Error(reading.errors.join('\n'));
  return reading.settings;
}

export interface SentMail extends Mail {
  receiver: string;
  /** Of the office's clock. */
  sentAt: number;
}

export async function alarmsOn(bare: Database, content: object) {
  let hold = () => () => {};
  const database = holdingTime(bare, () => hold());
  const office = await officeOn(database);
  const { clock } = office;
  hold = () => clock.hold();
  const chance = seededChance(clock, 5);
  const startedAt = clock.now();
  const mails: SentMail[] = [];
  const news: string[] = [];
  const server = {
    /** What becomes of a mail; an error is told to the office. */
    take: (_mail: SentMail): Promise<void> => Promise.resolve(),
  };

  async function live(shop: string, terminal = 'main') {
    const sender = { ...(await office.join(shop, terminal)), simulated: false };
    return shopOf(sender);
  }

  async function trial(shop: string) {
    return shopOf(await office.join(shop));
  }

  function shopOf(sender: Awaited<ReturnType<typeof office.join>>) {
    const journal = new ShopJournal();
    /** Milliseconds by which the till's clock is ahead. */
    let aheadMs = 0;
    const say = async (...events: JournalEvent[]) => {
      for (const event of events) journal.add(event, clock.now() + aheadMs);
      await office.send(sender, journal);
    };
    return {
      ...sender,
      journal,
      say,
      clockIsAhead: (byMs: number) => (aheadMs = byMs),
      /** An operation that is in doubt from now on. Gives what ends that. */
      async doubt(reference: string) {
        const started = sale({ operationId: chance.uuid(), reference });
        await say(started, inDoubt(started));
        return () => say(ended(started, 'approved'));
      },
      async discrepancy(message: string) {
        const discrepancyId = chance.uuid();
        await say({
          type: 'discrepancy_found',
          discrepancyId,
          kind: 'unseen_records',
          operationId: null,
          references: [],
          amountMinor: null,
          currency: null,
          record: null,
          message,
        });
        return () => say({ type: 'discrepancy_acknowledged', discrepancyId, by: 'Ada', reason: 'Looked.' });
      },
      /** It is heard, and no bridge runs there. */
      stopped: () =>
        office.bridges.heard(sender, {
          version: '0.1.0',
          at: new Date(clock.now() + aheadMs).toISOString(),
          listener: { listening: false, message: 'The bridge does not run.' },
          terminals: [],
        }),
      heard: (part: Partial<Heartbeat['terminals'][number]> = {}) =>
        office.bridges.heard(sender, {
          version: '0.1.0',
          at: new Date(clock.now() + aheadMs).toISOString(),
          listener: { listening: true, message: '' },
          terminals: [
            {
              name: sender.terminal,
              simulated: sender.simulated,
              protocol: 'zvt',
              terminalId: null,
              connection: 'connected',
              ready: true,
              message: '',
              journalWritable: true,
              inDoubt: 0,
              discrepancies: 0,
              ...part,
            },
          ],
        }),
    };
  }

  let processes = 0;
  /** A process of the office, until the end of the test. */
  function start(changed: { content?: object; database?: Database } = {}) {
    processes += 1;
    const alarms = createAlarms({
      database: changed.database === undefined ? database : holdingTime(changed.database, () => clock.hold()),
      settings: settingsOf(changed.content ?? content),
      clock,
      chance: seededChance(clock, 100 + processes),
      log: silentLog,
      onNews: (shopId) => news.push(shopId),
      fetch: () => Promise.reject(new Error('There is no webhook.')),
      async sendMail(_server, mail) {
        const [address = ''] = mail.to;
        const sent = { ...mail, receiver: address.split('@')[0] ?? '', sentAt: clock.now() };
        mails.push(sent);
        await server.take(sent);
        return { answer: '250 queued', refused: [] };
      },
    });
    onTestFinished(() => alarms.close());
    return alarms;
  }

  return {
    clock,
    office,
    database,
    mails,
    /** Ids of shops whose pages were told that something has changed. */
    news,
    server,
    live,
    trial,
    start,
    outbox: createOutbox(database, { clock, chance }),
    /** One evaluation, and nothing is sent. Gives what stands behind it: "Rule: shop". */
    async evaluate(changed: object = content, at = startedAt, of = database) {
      const parts = { settings: settingsOf(changed), clock, chance, startedAt: at };
      const { kind } = await evaluate(of, parts);
      return { kind, stands: await standing(database) };
    },
    standing: () => standing(database),
  };
}

async function standing(database: Database): Promise<string[]> {
  const rows = await database.query<{ rule: string; shop: string }>(
    `SELECT rule, shops.name AS shop FROM alarms JOIN shops USING (shop_id)
     WHERE cleared_at IS NULL ORDER BY rule, shop, since`,
  );
  return rows.map(({ rule, shop }) => `${rule}: ${shop}`);
}

/** While the database is asked, time stands still. */
function holdingTime(database: Database, hold: () => () => void): Database {
  const held = <T>(work: Promise<T>): Promise<T> => work.finally(hold());
  return {
    ...database,
    query: (sql, values) => held(database.query(sql, values)),
    run: (sql) => held(database.run(sql)),
    transaction: (work) => held(database.transaction(work)),
  };
}
