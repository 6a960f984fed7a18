/** What the office hears of a bridge, and how often. */
import { expect, test } from 'vitest';
import { ended, sale } from '../../bridge/journal/sample-events.ts';
import { newShop } from './office-kit.ts';

const minuteMs = 60_000;

test('tells how the bridge is, every minute', async () => {
  const shop = newShop({ names: ['main', 'bar'] });
  await shop.allSent();
  await shop.clock.advance(1_000);
  const { heartbeats } = shop.office;
  expect(heartbeats).toHaveLength(1);
  await shop.clock.advance(10 * minuteMs);
  expect(heartbeats).toHaveLength(11);
  expect(heartbeats[0]).toMatchObject({
    version: '9.9.9',
    listener: { listening: true, message: 'It listens on port 8080.' },
    terminals: [
      {
        name: 'main',
        simulated: false,
        protocol: 'zvt',
        terminalId: '52500041',
        connection: 'ready',
        ready: true,
        message: 'Ready.',
        journalWritable: true,
        inDoubt: 0,
        discrepancies: 0,
        lastSeq: shop.terminals[0]?.journal?.lastSeq(),
      },
      { name: 'bar', lastSeq: expect.any(Number) },
    ],
  });
  expect(Date.parse(heartbeats[10]?.at ?? '') - Date.parse(heartbeats[0]?.at ?? '')).toBe(10 * minuteMs);
  expect(shop.office.complaints).toEqual([]);
});

test('tells of a change soon, and of many at once no more than once a second', async () => {
  const shop = newShop();
  await shop.allSent();
  const { heartbeats } = shop.office;
  await shop.clock.advance(10_000);
  const [terminal] = shop.terminals;
  terminal?.changed({ connection: 'lost', text: 'The cable is out.' });
  await shop.clock.advance(1_000);
  expect(heartbeats.at(-1)?.terminals[0]).toMatchObject({
    ready: false,
    connection: 'lost',
    message: 'The cable is out.',
  });
  const before = heartbeats.length;
  for (let change = 0; change < 100; change += 1) {
    terminal?.changed({ text: `The cable is out (${change}).` });
    await shop.clock.advance(100);
  }
  await shop.clock.advance(1_000);
  expect(heartbeats.length - before).toBeLessThanOrEqual(11);
  expect(heartbeats.at(-1)?.terminals[0]?.message).toBe('The cable is out (99).');
});

test('says nothing of each payment', async () => {
  const shop = newShop();
  await shop.allSent();
  await shop.clock.advance(2_000);
  const { heartbeats } = shop.office;
  const before = heartbeats.length;
  for (let payment = 0; payment < 10; payment += 1) {
    shop.terminals[0]?.changed({ connection: 'operating' });
    await shop.clock.advance(2_000);
    const started = sale();
    shop.terminals[0]?.append(started, ended(started, 'approved'));
    shop.terminals[0]?.changed({ connection: 'ready' });
    await shop.clock.advance(2_000);
  }
  expect(heartbeats.length - before).toBeLessThanOrEqual(1);
});

test('tells why no bridge runs', async () => {
  const shop = newShop();
  await shop.allSent();
  shop.setBridge({ kind: 'failed', text: 'The port 8080 is in use.' });
  await shop.clock.advance(2_000);
  expect(shop.office.heartbeats.at(-1)).toMatchObject({
    listener: { message: 'The port 8080 is in use.' },
    terminals: [],
  });
  shop.setBridge({ kind: 'first_start' });
  await shop.clock.advance(2_000);
  expect(shop.office.heartbeats.at(-1)?.listener.message).toBe('No terminal has been chosen yet.');
  shop.setBridge({ kind: 'running' });
  await shop.clock.advance(2_000);
  expect(shop.office.heartbeats.at(-1)?.terminals).toHaveLength(1);
});

test('keeps within what the office takes, however long the words are', async () => {
  const shop = newShop();
  shop.terminals[0]?.changed({
    connection: 'attention',
    text: 'x'.repeat(5_000),
    terminal: { protocol: 'zvt', terminalId: '1'.repeat(500) },
  });
  await shop.allSent();
  await shop.clock.advance(2 * minuteMs);
  expect(shop.office.complaints).toEqual([]);
  expect(shop.office.heartbeats.at(-1)?.terminals[0]?.message).toHaveLength(2_000);
});

test('goes on when a change that was none comes in the last second before the next one', async () => {
  const shop = newShop();
  await shop.allSent();
  await shop.clock.advance(10_000);
  const { heartbeats } = shop.office;
  const [terminal] = shop.terminals;
  await shop.clock.advance(49_500);
  terminal?.changed({});
  await shop.clock.advance(3 * minuteMs);
  expect(shop.office.complaints).toEqual([]);
  expect(heartbeats).toHaveLength(4);
});
