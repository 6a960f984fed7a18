/** Whoever reads of a payment is in the audit log: by whichever route, and before the answer. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemChance } from '../../../src/base/chance.ts';
import { systemClock } from '../../../src/base/clock.ts';
import type { AuditEntry } from '../../../src/contract/office-page.ts';
import type { Database } from '../../../src/office/database/database.ts';
import { alarmRoutes } from '../../../src/office/http/alarm-routes.ts';
import { depositRoutes } from '../../../src/office/http/deposit-routes.ts';
import { officeRoutes } from '../../../src/office/http/office-routes.ts';
import { peopleRoutes } from '../../../src/office/http/people-routes.ts';
import { openPglite } from '../../../src/office/index.ts';
import { ended, record, sale } from '../../bridge/journal/sample-events.ts';
import { alarmFile, settingsOf } from '../alarms/alarm-kit.ts';
import { runningOffice, type Browser, type RunningOffice } from '../support/running-office.ts';
import { ShopJournal } from '../support/shop.ts';

let aheadMs = 0;
const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
const chance = systemChance(clock);
const minuteMs = 60_000;

let database: Database;
let office: RunningOffice;
/** To whom mails of alarms went. */
let sent: string[];

beforeEach(async () => {
  aheadMs = 0;
  database = await openPglite(null);
  sent = [];
  const alarms = {
    settings: settingsOf(alarmFile(['support'], { name: 'Doubts', watch: 'doubt' })),
    fetch: () => Promise.reject(new Error('There is no webhook.')),
    sendMail(_server: unknown, { to }: { to: string[] }) {
      sent.push(to.join());
      return Promise.resolve({ answer: '250 queued', refused: [] });
    },
  };
  office = await runningOffice(database, { clock, chance, alarms });
});

afterEach(async () => {
  await office.close();
  await database.close();
});

/** What each GET route writes; null: what it shows names no payment. */
const readings: Record<string, AuditEntry['act'] | null> = {
  '/sign-in': null,
  '/session': null,
  '/changes': null,
  '/overview': null,
  '/versions': null,
  '/shops': null,
  '/shops/:id': null,
  '/shops/:id/batches': null,
  '/audit': 'audit_read',
  '/open': 'open_read',
  '/decisions': 'decisions_read',
  '/payments': 'searched',
  '/payments/:id': 'payment_read',
  '/alarms': 'alarms_read',
  '/deposits': 'deposits_read',
};
const audited = Object.entries(readings).flatMap(([route, act]) => (act === null ? [] : [{ route, act }]));

/** A payment that is there, for the routes that show one. */
async function paid(): Promise<string> {
  const berlin = await office.join('Berlin');
  const started = sale({ operationId: chance.uuid(), reference: 'R-1' });
  const journal = new ShopJournal();
  journal.add(started, Date.now());
  journal.add(ended(started, 'approved', { result: record({ receiptNumber: '42' }) }), Date.now());
  expect((await berlin.send(journal)).status).toBe(200);
  return started.operationId;
}

async function entriesOf(act: AuditEntry['act']): Promise<Pick<AuditEntry, 'person' | 'act' | 'about'>[]> {
  return database.query('SELECT person, act, about FROM audit WHERE act = $1 ORDER BY entry', [act]);
}

const away = () => database.run('ALTER TABLE audit RENAME TO audit_away');
const back = () => database.run('ALTER TABLE audit_away RENAME TO audit');

test('each route that is read is known here', () => {
  const nothing = {} as never;
  const routers = [
    peopleRoutes(nothing),
    officeRoutes(nothing),
    alarmRoutes(nothing),
    depositRoutes(nothing),
  ];
  const paths = routers.flatMap(({ stack }) =>
    stack.flatMap(({ route }) =>
      route?.stack.some(({ method }) => method === 'get') === true ? [route.path] : [],
    ),
  );
  expect(paths.toSorted()).toEqual(Object.keys(readings).toSorted());
});

describe.each(audited)('$route', ({ route, act }) => {
  test('writes who has read, and answers nothing where that cannot be written', async () => {
    const path = `/office/v1${route.replace(':id', await paid())}`;
    const grace = await office.signIn('manager', 'Grace');
    await away();
    // The first failure does not let the second one through.
    expect((await grace.get(path)).status).toBe(503);
    expect((await grace.get(path)).status).toBe(503);
    await back();
    expect((await grace.get(path)).status).toBe(200);
    expect(await entriesOf(act)).toMatchObject([{ person: 'Grace', act }]);
  });
});

test('who has had a receiver of alarms tried is in the log as well, and nothing is sent without that', async () => {
  const root = await office.signIn('administrator', 'Root');
  const tried = () => root.post('/office/v1/alarms/test', { receiver: 'support' });
  await away();
  expect((await tried()).status).toBe(503);
  expect(sent).toEqual([]);
  await back();
  expect((await tried()).status).toBe(200);
  expect(sent).toHaveLength(1);
  expect(await entriesOf('alarm_tested')).toEqual([
    { person: 'Root', act: 'alarm_tested', about: { receiver: 'support' } },
  ]);
});

test('a page that asks again with each change has read once, for a while and in one session', async () => {
  const ask = (browser: Browser) => browser.get('/office/v1/open');
  const ada = await office.signIn('support', 'Ada');
  await ask(ada);
  await ask(ada);
  expect(await entriesOf('open_read')).toHaveLength(1);
  // Of one shop is another reading.
  const { shop } = await office.join('Berlin');
  await ada.get(`/office/v1/open?shopId=${shop.id}`);
  expect((await entriesOf('open_read')).at(-1)?.about).toEqual({ shopId: shop.id });
  aheadMs = 2 * minuteMs;
  await ask(await office.signIn('support', 'Ada'));
  expect(await entriesOf('open_read')).toHaveLength(3);
  aheadMs = 16 * minuteMs;
  await ask(ada);
  expect(await entriesOf('open_read')).toHaveLength(4);
});
