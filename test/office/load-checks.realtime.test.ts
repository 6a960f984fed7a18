/** What `npm run office:load` checks in the end does find what is not as it should be. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPglite } from '../../src/office/index.ts';
import type { Database } from '../../src/office/database/database.ts';
import { checkCounts, checkJournals } from '../../bench/office/checks.ts';
import { dayOfShop, type PaymentOfDay } from '../../bench/office/day-of-shop.ts';
import { officeOn } from './support/office-kit.ts';

let database: Database;
const made = { payments: 0, events: 0 };
const statuses = new Map<PaymentOfDay['status'], number>();

beforeAll(async () => {
  database = await openPglite(null);
});
beforeEach(async () => {
  await database.run('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  const office = await officeOn(database);
  const shop = { ...(await office.join('Berlin')), simulated: false };
  made.payments = 0;
  made.events = 0;
  statuses.clear();
  const day = { shop: 1, payments: 40, from: Date.UTC(2026, 10, 2, 8) };
  const count = ({ status }: PaymentOfDay) => {
    made.payments += 1;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };
  for (const { after, lines, events } of dayOfShop(day, count)) {
    await office.takeText(shop, `${JSON.stringify({ chain: null, after })}\n${lines}`);
    made.events += events;
  }
});
afterAll(() => database.close());

const silent = () => {};

test('what was taken passes', async () => {
  await expect(checkCounts(database, made, statuses)).resolves.toBeUndefined();
  await expect(checkJournals(database, silent)).resolves.toBeUndefined();
});

test('an event that is missing is named', async () => {
  await database.run('DELETE FROM events WHERE seq = 17');
  await expect(checkJournals(database, silent)).rejects.toThrow(
    'the event after 16 of journal 1: 18 and not 17',
  );
  await expect(checkCounts(database, made, statuses)).rejects.toThrow('events');
});

test('an event that was changed is named', async () => {
  await database.run("UPDATE events SET body = replace(body, 'EUR', 'CHF') WHERE seq = 3");
  await expect(checkJournals(database, silent)).rejects.toThrow('the hash of event 3 of journal 1');
});

test('a journal that ends too early is named', async () => {
  await database.run('DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)');
  await expect(checkJournals(database, silent)).rejects.toThrow('the end of journal 1');
});

test('a payment with another status is counted', async () => {
  await database.run(
    "UPDATE payments SET status = 'approved' WHERE payment_id = (SELECT payment_id FROM payments WHERE status = 'settled' LIMIT 1)",
  );
  await expect(checkCounts(database, made, statuses)).rejects.toThrow('payments settled');
});
