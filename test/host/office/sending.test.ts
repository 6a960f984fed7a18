/** Journals go to the office whole, in order, each event once, whatever happens on the way. */
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { maxBatchEvents } from '../../../src/contract/office.ts';
import { ended, sale } from '../../bridge/journal/sample-events.ts';
import { repair, tamper } from '../../bridge/journal/folder.ts';
import { fillJournal } from '../../support/fill-journal.ts';
import type { Misbehaviour, OfficeCall } from './fake-office.ts';
import { exportedLines, newShop, type Shop } from './office-kit.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

function pay(shop: Shop, count = 1, terminal = 0) {
  for (let n = 0; n < count; n += 1) {
    const started = sale();
    shop.terminals[terminal]?.append(started, ended(started, 'approved'));
  }
}

/** Requests of these actions fare so, the first `times` of them. */
function misbehaveAt(shop: Shop, action: string, how: Misbehaviour, times = Number.POSITIVE_INFINITY) {
  let left = times;
  shop.office.misbehave = (call: OfficeCall) => {
    if (call.action !== action || left === 0) return null;
    left -= 1;
    return how instanceof Response ? how.clone() : how;
  };
}

describe('a journal', () => {
  test('goes up from its first event, and then each new event soon after it was written', async () => {
    const shop = newShop();
    pay(shop, 3);
    await shop.allSent();
    const before = shop.office.batches.length;
    pay(shop);
    await shop.clock.advance(2_000);
    expect(shop.hasAll()).toBe(true);
    // Both events of it together, and nothing that the office had.
    expect(shop.office.batches.slice(before)).toMatchObject([{ events: 2, known: 0 }]);
    expect(shop.countOf('heads')).toBe(1);
    expect(shop.link.status()).toMatchObject({
      shop: 'Graz',
      troubles: [],
      journals: [{ terminal: 'main', simulated: false, events: 9, sent: 9 }],
    });
    expect(shop.complaints()).toEqual([]);
  });

  test('of a month goes up in batches, in order', async () => {
    const shop = newShop({ before: (folder) => fillJournal(folder, 3_500) });
    await shop.allSent();
    const { batches } = shop.office;
    expect(batches.length).toBeGreaterThan(3);
    expect(batches.slice(0, -1).every(({ events }) => events === maxBatchEvents)).toBe(true);
    expect(batches.every(({ known }) => known === 0)).toBe(true);
    expect(shop.countOf('heads')).toBe(1);
  });

  test('goes on where the office is when the bridge starts anew', async () => {
    const shop = newShop();
    pay(shop, 5);
    await shop.allSent();
    const sentBefore = shop.office.batches.length;
    shop.restart();
    pay(shop);
    await shop.allSent();
    expect(shop.office.batches.slice(sentBefore).reduce((sum, { known }) => sum + known, 0)).toBe(0);
    expect(shop.countOf('place')).toBe(0);
    expect(shop.office.chains('live/main')).toHaveLength(1);
  });

  test('has one sender, however often the bridge was started anew', async () => {
    const shop = newShop();
    for (let start = 0; start < 5; start += 1) {
      pay(shop);
      await shop.allSent();
      shop.close();
      shop.open();
    }
    await shop.allSent();
    const before = shop.countOf('heads');
    await shop.clock.advance(hourMs);
    expect(shop.countOf('heads') - before).toBeLessThanOrEqual(4);
    expect(shop.office.batches.every(({ known }) => known === 0)).toBe(true);
  });

  test('with events that hardly fit into a batch goes up, each of those in one of its own', async () => {
    const shop = newShop();
    const mebibyte = 1024 * 1024;
    for (const size of [3, 3, 5, 0, 0, 3]) {
      const started = sale();
      const reason = 'x'.repeat(size * mebibyte);
      shop.terminals[0]?.append(started, ended(started, 'approved', { reason }));
    }
    await shop.allSent();
    expect(shop.office.batches.filter(({ bytes }) => bytes > 4 * mebibyte)).toMatchObject([{ events: 1 }]);
    expect(shop.office.batches.length).toBeLessThan(8);
  });

  test('has no gap and nothing twice after an answer was lost', async () => {
    const shop = newShop();
    pay(shop, 5);
    misbehaveAt(shop, 'events', 'lose answer', 1);
    await shop.allSent();
    pay(shop);
    await shop.allSent();
    expect(shop.office.batches.every(({ known }) => known === 0)).toBe(true);
    expect(shop.office.chains('live/main')).toHaveLength(1);
    expect(shop.countOf('heads')).toBe(2);
    expect(shop.complaints()).toEqual([
      'the head office cannot be reached; what it lacks is kept and sent later',
    ]);
  });

  test('waits for an office that is away for a day, asks it seldom, and says so once', async () => {
    const shop = newShop();
    await shop.allSent();
    shop.office.misbehave = () => 'unreachable';
    const before = shop.office.calls.length;
    for (let hour = 0; hour < 24; hour += 1) {
      pay(shop, 10);
      await shop.clock.advance(hourMs);
    }
    // Two of them ask, the journal and the heartbeat, each every four to five minutes in the end.
    expect(shop.office.calls.length - before).toBeLessThan(2 * 24 * 17);
    expect(shop.complaints()).toHaveLength(1);
    expect(shop.link.status().troubles).toEqual(['The connection failed: ECONNREFUSED.']);
    shop.office.misbehave = () => null;
    await shop.allSent();
    await shop.clock.advance(5 * minuteMs);
    expect(shop.link.status().troubles).toEqual([]);
    expect(
      shop.log.filter(({ message }) => message === 'the head office takes everything again'),
    ).toHaveLength(1);
    expect(shop.complaints()).toHaveLength(1);
  });

  test('is asked for again where the office has lost the end of it', async () => {
    const shop = newShop();
    pay(shop, 50);
    await shop.allSent();
    shop.office.forget('live/main', 30);
    pay(shop);
    await shop.allSent();
    shop.office.forget('live/main', 0);
    // Without anything new as well.
    await shop.clock.advance(20 * minuteMs);
    expect(shop.hasAll()).toBe(true);
  });

  test('waits for the end of a payment, but not for ever', async () => {
    const shop = newShop();
    await shop.allSent();
    const [terminal] = shop.terminals;
    const operation = { operationId: 'x', kind: 'sale', reference: 'R-1' } as const;
    terminal?.changed({ connection: 'operating', currentOperation: operation });
    pay(shop);
    await shop.clock.advance(8_000);
    expect(shop.hasAll()).toBe(false);
    terminal?.changed({ connection: 'ready', currentOperation: null });
    await shop.clock.advance(0);
    expect(shop.hasAll()).toBe(true);
    terminal?.changed({ connection: 'operating', currentOperation: operation });
    pay(shop);
    await shop.clock.advance(12_000);
    expect(shop.hasAll()).toBe(true);
  });

  test.each([true, false])('goes up under its terminal’s name, simulated: %s', async (simulated) => {
    const shop = newShop({ names: ['main', 'bar'], simulated });
    pay(shop, 2);
    pay(shop, 3, 1);
    await shop.allSent();
    const kind = simulated ? 'simulated' : 'live';
    expect(
      [shop.office.chains(`${kind}/main`), shop.office.chains(`${kind}/bar`)].map(([one]) => one?.length),
    ).toEqual([5, 7]);
    expect(shop.office.chains(simulated ? 'live/main' : 'simulated/main')).toEqual([]);
  });

  test('of one till is not taken for that of another one with the same name', async () => {
    const first = newShop();
    pay(first, 20);
    await first.allSent();
    const second = newShop({ office: first.office });
    pay(second, 5);
    await second.allSent();
    expect(first.hasAll()).toBe(true);
    expect(first.office.chains('live/main').map(({ length }) => length)).toEqual([11, 41]);
  });
});

describe('a journal that is not what it was', () => {
  /** Ends the bridge, changes its files, and starts it again. */
  function whileClosed(shop: Shop, change: (folder: string) => void) {
    shop.close();
    change(path.join(shop.folder, 'main'));
    shop.open();
  }

  test('restored from a copy, is sent from where the two part', async () => {
    const shop = newShop();
    const copy = path.join(shop.folder, 'copy');
    pay(shop, 100);
    await shop.allSent();
    whileClosed(shop, (folder) => cpSync(folder, copy, { recursive: true }));
    pay(shop, 300);
    await shop.allSent();
    const before = shop.office.batches.length;
    whileClosed(shop, (folder) => {
      rmSync(folder, { recursive: true });
      cpSync(copy, folder, { recursive: true });
    });
    pay(shop, 7);
    await shop.allSent();
    const [restored, other] = shop.office.chains('live/main');
    expect([restored?.length, other?.length]).toEqual([216, 802]);
    // From the newest point that the office knows: nothing of the long way before it.
    const again = shop.office.batches.slice(before).reduce((sum, { known }) => sum + known, 0);
    expect(again).toBeLessThan(32);
    expect(shop.countOf('place')).toBe(1);
    expect(shop.complaints()).toEqual([]);
  });

  test('repaired, is sent from where the two part', async () => {
    const shop = newShop();
    pay(shop, 40);
    await shop.allSent();
    whileClosed(shop, (folder) => {
      tamper(folder, `UPDATE events SET body = '{"type":"journal_opened","version":"x"}' WHERE seq = 31`);
      expect(repair(folder).eventsLost).toBeGreaterThan(0);
    });
    await shop.allSent();
    expect(shop.office.chains('live/main')).toHaveLength(2);
    expect(exportedLines(path.join(shop.folder, 'main')).join()).toContain('journal_repaired');
  });

  test('exchanged while nobody looked, is noticed before anything of it is sent', async () => {
    const shop = newShop();
    pay(shop, 10);
    await shop.allSent();
    const other = newShop({ code: null });
    pay(other, 30);
    shop.terminals[0]?.exchange((folder) =>
      cpSync(path.join(other.folder, 'main'), folder, { recursive: true }),
    );
    pay(shop);
    await shop.allSent();
    expect(shop.complaints()).toEqual([]);
    expect(shop.office.chains('live/main')).toHaveLength(2);
  });

  test('changed in one event, is sent up to it, and a person hears which one it is', async () => {
    const shop = newShop({
      names: ['main', 'bar'],
      before(folder) {
        if (path.basename(folder) !== 'main') return;
        // Long enough for a start not to look at the first ones.
        fillJournal(folder, 800);
        tamper(folder, `UPDATE events SET at = '2020-01-01T00:00:00.001Z' WHERE seq = 12`);
      },
    });
    await shop.clock.until(() => shop.link.status().troubles.length > 0, 'trouble');
    expect(shop.office.chains('live/main').map(({ length }) => length)).toEqual([11]);
    await shop.clock.advance(hourMs);
    const found = shop.log.filter(({ level }) => level === 'error');
    expect(found).toHaveLength(1);
    expect(found[0]?.message).toContain('tillbridge journal verify');
    expect(found[0]?.fields).toMatchObject({ terminal: 'main', event: 12 });
    expect(shop.link.status().troubles.join()).toContain('Event 12 of the journal of the terminal "main"');
    // Tried again every ten minutes; the other terminal's goes on.
    pay(shop, 1, 1);
    await shop.clock.advance(minuteMs);
    expect(shop.office.chains('live/bar')[0]).toEqual(exportedLines(path.join(shop.folder, 'bar')));
    const asked = shop.countOf('events');
    await shop.clock.advance(hourMs);
    expect(shop.countOf('events') - asked).toBeLessThanOrEqual(6);
  });

  test('set aside, is trouble until the bridge starts on another one', async () => {
    const shop = newShop();
    pay(shop, 5);
    await shop.allSent();
    shop.terminals[0]?.journal.close();
    rmSync(path.join(shop.folder, 'main'), { recursive: true });
    await shop.clock.advance(hourMs);
    expect(shop.complaints()).toEqual(['the journal cannot be read for the head office']);
    shop.open();
    pay(shop, 2);
    await shop.allSent();
  });
});

describe('an office that misbehaves', () => {
  const endless = () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          controller.enqueue(new Uint8Array(64 * 1024).fill(0x20));
        },
      }),
    );
  const silent = () => new Response(new ReadableStream({}));

  const kinds: [string, () => Misbehaviour][] = [
    ['hangs', () => 'hang'],
    ['is silent', () => 'silence'],
    ['begins an answer and no more', silent],
    ['never ends an answer', endless],
    ['answers garbage', () => new Response('<html>\u0000')],
    ['answers with another shape', () => Response.json({ heads: 7, place: [], chain: 'x', seq: -1 })],
    [
      'answers with an event that is not ours',
      () =>
        Response.json({
          heads: [],
          chain: crypto.randomUUID(),
          seq: 3,
          hash: 'a'.repeat(64),
          place: { chain: crypto.randomUUID(), seq: 3, hash: 'a'.repeat(64) },
        }),
    ],
    ['answers 500', () => new Response('oops', { status: 500 })],
    [
      'answers with a refusal that nobody knows',
      () => Response.json({ error: 'new', message: 'x' }, { status: 418 }),
    ],
    [
      'leads elsewhere',
      () => new Response(null, { status: 307, headers: { location: 'https://elsewhere.example/' } }),
    ],
    ['cannot keep anything', () => ({ error: 'unavailable', message: 'The disk is full.' })],
    ['finds the request wrong', () => ({ error: 'invalid_request', message: 'x\u001b[2J' })],
  ];

  test.each(kinds)(
    '%s: does no harm, is asked seldom, and gets all when it is well again',
    async (_kind, how) => {
      const shop = newShop();
      await shop.allSent();
      for (const action of ['events', 'heads', 'place', 'heartbeat']) {
        const before = shop.office.calls.length;
        shop.office.misbehave = (call) => (call.action === action ? how() : null);
        // The place is asked for only where no head is ours.
        if (action === 'place') shop.office.forget('live/main', 1);
        pay(shop, 5);
        await shop.clock.advance(hourMs);
        expect(shop.office.calls.length - before).toBeLessThan(120);
        shop.office.misbehave = () => null;
        await shop.clock.until(shop.hasAll, 'all of it');
        await shop.clock.advance(6 * minuteMs);
        expect(shop.link.status().troubles).toEqual([]);
      }
      expect(shop.office.complaints).toEqual([]);
      expect(shop.office.calls.filter(({ url }) => !url.startsWith('https://office.example/'))).toEqual([]);
      // Once for each outage.
      expect(shop.complaints().length).toBeLessThanOrEqual(4);
      expect(shop.log.filter(({ fields }) => String(fields['problem']).includes('\u001b'))).toEqual([]);
    },
  );

  test('says that it has got no further: that is trouble, and not tried at once again', async () => {
    const shop = newShop();
    pay(shop, 5);
    await shop.allSent();
    const [chain = []] = shop.office.chains('live/main');
    const { seq, hash } = JSON.parse(chain[4] ?? '') as { seq: number; hash: string };
    misbehaveAt(shop, 'events', Response.json({ chain: crypto.randomUUID(), seq, hash }));
    const before = shop.countOf('events');
    pay(shop);
    await shop.clock.advance(10 * minuteMs);
    expect(shop.countOf('events') - before).toBeLessThan(12);
    expect(shop.link.status().troubles.join()).toContain('says that it has those up to 5');
  });

  test('does not know the place any more: it is asked for the heads, at once and then seldom', async () => {
    const shop = newShop();
    await shop.allSent();
    misbehaveAt(shop, 'events', { error: 'place_unknown', message: 'Where?' }, 1);
    pay(shop);
    await shop.clock.advance(2_000);
    expect(shop.hasAll()).toBe(true);
    misbehaveAt(shop, 'events', { error: 'place_unknown', message: 'Where?' });
    const before = shop.countOf('events');
    pay(shop);
    await shop.clock.advance(10 * minuteMs);
    expect(shop.countOf('events') - before).toBeLessThan(12);
  });

  test.each([
    ['finds a batch too large', { error: 'body_too_large', message: 'x' } as const],
    ['stands behind a server that does', new Response('too large', { status: 413 })],
    ['does not get it in time', 'silence' as const],
  ])('%s: gets smaller ones', async (_what, how) => {
    const shop = newShop({ before: (folder) => fillJournal(folder, 2_500) });
    let asked = 0;
    shop.office.misbehave = ({ action }) => {
      if (action !== 'events') return null;
      asked += 1;
      return asked > 4 ? null : how instanceof Response ? how.clone() : how;
    };
    await shop.clock.until(() => shop.office.batches.length > 0, 'a batch');
    expect(shop.office.batches[0]?.bytes).toBeLessThan(300 * 1024);
    await shop.clock.until(shop.hasAll, 'all of it');
    expect(shop.office.complaints).toEqual([]);
    expect(shop.office.batches.some(({ bytes }) => bytes > 1024 * 1024)).toBe(true);
  });
});
