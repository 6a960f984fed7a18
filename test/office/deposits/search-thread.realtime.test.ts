/** The search for money on a thread of its own: what it gives, who goes on meanwhile, and what becomes of one that dies. */
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemChance } from '../../../src/base/chance.ts';
import { systemClock, type Clock } from '../../../src/base/clock.ts';
import type { DepositList } from '../../../src/contract/office-deposits.ts';
import { migrate } from '../../../src/office/database/migrate.ts';
import type { LookHead } from '../../../src/office/deposits/find-money.ts';
import {
  SearchBrokenError,
  searchOnThread,
  type OpenMoneySearch,
  type ThreadData,
} from '../../../src/office/deposits/money-search.ts';
import { createNotingLog } from '../../support/noting-log.ts';
import { onBothEngines } from '../support/databases.ts';
import { administratorKey, heartbeatOf, runningOffice } from '../support/running-office.ts';
import { ShopJournal } from '../support/shop.ts';
import { acme, chain, chainOn, closeEvents, dayMs, rulesOf } from './deposit-kit.ts';
import { gateStates } from './held-gate.ts';
import { searchHere } from './search-here.ts';
import { statementsOfDays } from './statement.ts';

const chance = systemChance(systemClock);
const byKey = { authorization: `Bearer ${administratorKey}` };
/** Far longer than anything takes, also on a machine that has much else to do. */
const patience = { timeout: 90_000, interval: 50 };
const noon = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2;
const dayBefore = (days: number) => new Date(noon - days * dayMs).toISOString().slice(0, 10);
const everyDay = { timeZone: 'UTC', weekend: [], holidays: { calendar: 'none' } };
const depositRules = rulesOf({ ...chain, ...everyDay, acquirers: [acme] });

const threadOf = (file: string) => (data: ThreadData) =>
  new Worker(path.join(import.meta.dirname, file), { workerData: data });

/** Searches on a thread and here, which have to say the same. `pieces` counts those that came. */
function searchTwice() {
  const onThread = searchOnThread(systemClock);
  const counted = { pieces: 0 };
  const open: OpenMoneySearch = (signal) => {
    const [there, here] = [onThread(signal), searchHere(signal)];
    return {
      give(rows) {
        there.give(rows);
        here.give(rows);
      },
      async find(head) {
        const found = await there.find(head);
        expect(found).toEqual(await here.find(head));
        return found;
      },
      async next() {
        const piece = await there.next();
        expect(piece).toEqual(await here.next());
        if (piece !== null) counted.pieces += 1;
        return piece;
      },
      end: () => there.end(),
    };
  };
  return { open, counted };
}

/** Threads that stand still where their search begins. */
function heldSearch() {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const open = searchOnThread(
    systemClock,
    (data) => new Worker(path.join(import.meta.dirname, 'held-thread.ts'), { workerData: { ...data, gate } }),
  );
  return {
    open,
    async reached() {
      await expect.poll(() => Atomics.load(gate, 0), patience).toBe(gateStates.reached);
    },
    release() {
      Atomics.store(gate, 0, gateStates.open);
      Atomics.notify(gate, 0);
    },
  };
}

/** A journal with one batch that was closed ten days ago. */
function journalWithABatch(batchId = chance.uuid()): ShopJournal {
  const journal = new ShopJournal();
  for (const event of closeEvents(batchId, { number: '000001', totalMinor: 100_000 }))
    journal.add(event, noon - 10 * dayMs);
  return journal;
}

onBothEngines((on) => {
  test('gives what the engine gives that is called directly', async () => {
    const office = await chainOn(on.database());
    const shops = [];
    for (const name of ['Berlin', 'Potsdam', 'Jena']) shops.push(await office.shop(name));
    for (let day = 0; day < 4; day += 1) {
      for (const [place, shop] of shops.entries()) {
        const terminalId = `5250004${place}`;
        await shop.close({ number: `${day + 1}`, totalMinor: 100_000 + 1_000 * place + day, terminalId });
      }
      office.clock.jump(dayMs);
    }
    await office.addDays('2026-11-08', '2026-11-13', {
      '2026-11-10': [
        { minor: 99_000, remark: 'ACME BATCH 1 TID 52500040' },
        { minor: 90_000, remark: 'ACME BATCH 1 TID 52500041' },
      ],
      '2026-11-11': [
        { minor: 99_001, remark: 'ACME 4111 1111 1111 1111' },
        { minor: 5_000, remark: 'ACME who knows' },
      ],
    });
    office.clock.jump(4 * dayMs);
    const { open, counted } = searchTwice();
    expect(await office.look(undefined, undefined, open)).toEqual(['looked']);
    expect(counted.pieces).toBe(2);
    const { deposits, entries } = await office.list();
    expect(deposits).toHaveLength(12);
    expect(new Set(deposits.map(({ state }) => state)).size).toBeGreaterThan(1);
    expect(entries.map(({ remark }) => remark)).toContain('ACME who knows');
  });

  test('goes on beside the office, which answers everybody meanwhile', async () => {
    const database = on.database();
    const search = heldSearch();
    const office = await runningOffice(database, {
      clock: systemClock,
      chance,
      depositRules,
      openMoneySearch: search.open,
    });
    onTestFinished(async () => {
      search.release();
      await office.close();
    });
    const looks = async () => await database.query('SELECT FROM deposit_looks');
    const list = async () => (await office.ask('/office/v1/deposits', byKey)).json() as DepositList;
    await search.reached();
    // All of this is answered while the search has begun and has not ended.
    expect((await list()).deposits).toEqual([]);
    const berlin = await office.join('Berlin');
    expect((await berlin.heartbeat(heartbeatOf())).status).toBe(200);
    expect((await berlin.send(journalWithABatch())).status).toBe(200);
    for (const { name, content } of statementsOfDays(dayBefore(14), dayBefore(1), {})) {
      const body = { name, content: content.toString('base64') };
      expect((await office.post('/office/v1/statements', body, byKey)).status).toBe(200);
    }
    expect(await looks()).toEqual([]);
    search.release();
    await expect
      .poll(async () => (await list()).deposits.map(({ state, shop }) => `${shop} ${state}`), patience)
      .toEqual(['Berlin late']);
    expect(await looks()).toHaveLength(1);
  });

  test('ends with an office that is closed, and leaves nothing behind', async () => {
    const database = on.database();
    const search = heldSearch();
    const parts = { clock: systemClock, chance, depositRules };
    const first = await runningOffice(database, { ...parts, openMoneySearch: search.open });
    await search.reached();
    const berlin = await first.join('Berlin');
    expect((await berlin.send(journalWithABatch())).status).toBe(200);
    for (const { name, content } of statementsOfDays(dayBefore(14), dayBefore(1), {})) {
      const body = { name, content: content.toString('base64') };
      expect((await first.post('/office/v1/statements', body, byKey)).status).toBe(200);
    }
    await first.close();
    expect(await database.query('SELECT FROM deposit_looks')).toEqual([]);
    const next = await runningOffice(database, parts);
    onTestFinished(() => next.close());
    await expect
      .poll(async () => await database.query('SELECT state FROM deposits'), patience)
      .toEqual([{ state: 'late' }]);
  });

  test('that dies is told of, on the page and in the log, and is tried again', async () => {
    const database = on.database();
    await migrate(database);
    let searches = 0;
    const search = heldSearch();
    const errors: string[] = [];
    const log = createNotingLog((level, message) => {
      if (level === 'error') errors.push(message);
    });
    // Its minutes are short; what takes longer is as long as ever.
    const clock: Clock = {
      ...systemClock,
      after: (delayMs, call) => systemClock.after(delayMs <= 5 * 60_000 ? delayMs / 100 : delayMs, call),
    };
    const office = await runningOffice(database, {
      clock,
      chance,
      log,
      depositRules,
      openMoneySearch(signal) {
        searches += 1;
        return searches === 1
          ? searchOnThread(clock, threadOf('dying-thread.ts'))(signal)
          : search.open(signal);
      },
    });
    onTestFinished(() => office.close());
    const looks = async () => ((await office.ask('/office/v1/deposits', byKey)).json() as DepositList).looks;
    await expect
      .poll(looks, patience)
      .toMatchObject([{ merchant: 'Chain', trouble: expect.stringContaining('is tried again') as string }]);
    await search.reached();
    search.release();
    await expect.poll(looks, patience).toMatchObject([{ merchant: 'Chain', trouble: null }]);
    expect(errors).toEqual(['the search for the money broke off, and is tried again']);
  });
});

describe('a search', () => {
  const head = {} as LookHead;
  const signal = new AbortController().signal;

  test('whose thread ends, or fails, says so to whoever waits', async () => {
    const ended = searchOnThread(systemClock, threadOf('dying-thread.ts'))(signal);
    await expect(ended.find(head)).rejects.toThrow(
      new SearchBrokenError('Its thread has ended with code 3.'),
    );
    await expect(ended.next()).rejects.toThrow(SearchBrokenError);
    await ended.end();
    // There is no merchant in what it is given.
    const failed = searchOnThread(systemClock)(signal);
    await expect(failed.find(head)).rejects.toThrow(/^Its thread has died: /);
    await failed.end();
  });

  test('takes no thread of another version', async () => {
    const other = searchOnThread(systemClock, () =>
      threadOf('../../../src/office/deposits/search-thread.ts')({ version: '0.0.1' }),
    )(signal);
    await expect(other.find(head)).rejects.toThrow('Start the office anew.');
    await other.end();
  });

  test('that takes longer than it may is given up', async () => {
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const clock: Clock = { ...systemClock, after: (_delayMs, call) => systemClock.after(10, call) };
    const long = searchOnThread(
      clock,
      (data) =>
        new Worker(path.join(import.meta.dirname, 'held-thread.ts'), { workerData: { ...data, gate } }),
    )(signal);
    await expect(long.find(head)).rejects.toThrow('It took longer than it may.');
    await long.end();
  });
});
