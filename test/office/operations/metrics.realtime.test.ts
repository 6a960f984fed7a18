/** What watches the office sees: by HTTP, on both databases. */
import { expect, onTestFinished, test } from 'vitest';
import { systemChance } from '../../../src/base/chance.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { eventsType, officePaths } from '../../../src/contract/office.ts';
import type { Database } from '../../../src/office/database/database.ts';
import { readDatabase } from '../../../src/office/operations/database-numbers.ts';
import { ended, inDoubt, sale } from '../../bridge/journal/sample-events.ts';
import { onBothEngines } from '../support/databases.ts';
import { officeOn } from '../support/office-kit.ts';
import { administratorKey, runningOffice } from '../support/running-office.ts';
import { ShopJournal } from '../support/shop.ts';
import { tillAt } from '../support/till.ts';

const metricsKey = 'the-key-of-prometheus';

onBothEngines((on) => {
  async function start(database: Database = on.database()) {
    const chance = systemChance(systemClock);
    const office = await runningOffice(database, { clock: systemClock, chance, metricsKey });
    onTestFinished(() => office.close());
    const read = async () => {
      const answer = await office.ask('/metrics', { authorization: `Bearer ${metricsKey}` });
      expect(answer.status).toBe(200);
      return answer.text;
    };
    return { ...office, read };
  }
  const valueOf = (text: string, name: string) => {
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    return line === undefined ? null : Number(line.slice(name.length + 1));
  };

  test('what was taken and refused is counted, and nothing names a shop', async () => {
    const office = await start();
    const shop = await office.join('Berlin, Kastanienallee');
    const journal = new ShopJournal();
    const paid = sale();
    journal.add(paid, Date.now());
    journal.add(ended(paid, 'approved'), Date.now());
    const doubtful = sale({ simulated: false });
    journal.add(doubtful, Date.now());
    journal.add(inDoubt(doubtful), Date.now());
    expect((await shop.send(journal)).status).toBe(200);
    expect((await shop.send(journal)).status).toBe(200);
    const path = officePaths.events({ terminal: 'main', simulated: false });
    const typed = { 'content-type': eventsType };
    const own = { ...typed, authorization: `Bearer ${shop.key}` };
    await office.post(path, 'no head', own);
    await office.post(path, '', { ...typed, authorization: 'Bearer of nobody' });
    await office.signIn('support');

    const text = await office.read();
    const total = (name: string) => valueOf(text, `tillbridge_office_${name}`);
    expect(total('events_taken_total')).toBe(4);
    expect(total('batches_taken_total')).toBe(2);
    expect(total('batches_refused_total{reason="invalid_request"}')).toBe(1);
    expect(total('batches_refused_total{reason="key_unknown"}')).toBe(1);
    expect(total('batches_refused_total{reason="chain_broken"}')).toBe(0);
    expect(total('database_up')).toBe(1);
    expect(total('bridges')).toBe(1);
    expect(total('bridges_silent')).toBe(1);
    expect(total('people_signed_in')).toBe(1);
    expect(total('open_items{kind="doubt"}')).toBe(1);
    expect(total('outbox_waiting')).toBe(0);
    expect(total('last_event_age_seconds{quantile="0.5"}')).toBeGreaterThanOrEqual(0);
    // It was never heard.
    expect(total('heartbeat_age_seconds{quantile="0.5"}')).toBeNull();
    expect(total('database_size_bytes')).toBeGreaterThan(1_000_000);
    expect(total('database_connections')).toBeGreaterThan(0);
    expect(total('http_requests_total{path="/bridge/v1/journals/events",status="200"}')).toBe(2);
    expect(text).not.toContain('Kastanienallee');
    expect(text).not.toContain(shop.shop.id);
    expect(text).toContain('process_cpu_seconds_total');
  });

  test('ages are shares of all bridges', async () => {
    const office = await officeOn(on.database());
    for (let minutes = 0; minutes <= 100; minutes += 10) {
      const bridge = await office.join(`Shop ${minutes}`);
      const at = new Date(office.clock.now() - minutes * 60_000).toISOString();
      await on
        .database()
        .query('UPDATE bridges SET heard_at = $2 WHERE bridge_id = $1', [bridge.bridgeId, at]);
    }
    const shop = await office.join('of the last event');
    const { journal, pay } = tillAt();
    pay('R-1');
    await office.send(shop, journal);
    office.clock.jump(60_000);
    const { heartbeatAges, eventAges, bridges, silent } = await readDatabase(
      on.database(),
      office.clock.now(),
    );
    expect(heartbeatAges).toEqual([60, 3_060, 5_460, 6_060, 6_060]);
    expect(eventAges).toEqual([60, 60, 60, 60, 60]);
    // The last one was never heard.
    expect({ bridges, silent }).toEqual({ bridges: 12, silent: 11 });
  });

  test('nobody reads the numbers without a key, also from this computer', async () => {
    const office = await start();
    for (const headers of [{}, { authorization: 'Bearer wrong' }]) {
      const answer = await office.ask('/metrics', headers);
      expect(answer.status).toBe(401);
      expect(answer.text).not.toContain('tillbridge_office_');
    }
    const byAdministrator = { authorization: `Bearer ${administratorKey}` };
    expect((await office.ask('/metrics', byAdministrator)).status).toBe(200);
    // And the key of the numbers opens nothing else.
    const other = await office.ask('/office/v1/shops', { authorization: `Bearer ${metricsKey}` });
    expect(other.status).toBe(401);
  });

  test('a balancer hears whether the database answers, the process itself runs all the same', async () => {
    let broken = false;
    const database: Database = {
      ...on.database(),
      query: (sql, values) => (broken ? Promise.reject(new Error('gone')) : on.database().query(sql, values)),
    };
    const office = await start(database);
    expect((await office.ask('/ready', { host: '10.0.0.7:8070' })).status).toBe(200);
    broken = true;
    expect((await office.ask('/ready')).status).toBe(503);
    expect((await office.ask('/health')).status).toBe(200);
    const text = await office.read();
    expect(valueOf(text, 'tillbridge_office_database_up')).toBe(0);
    expect(valueOf(text, 'tillbridge_office_bridges')).toBeNull();
    broken = false;
    expect(valueOf(await office.read(), 'tillbridge_office_bridges')).toBe(0);
  });
});
