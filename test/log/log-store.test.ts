/** The log store on a real file: numbers, pages, searches, batches, and what happens when its file fails. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openLogStore, type WritableLogStore } from '../../src/log/log-store.ts';
import {
  logHistogramSchema,
  logResponseSchema,
  type LogFilter,
  type LogHistogramRequest,
  type LogLine,
} from '../../src/contract/log.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createVirtualClock, settle, type VirtualClock } from '../support/virtual-clock.ts';

const everything: LogFilter = { minLevel: 'debug', sources: null, text: null };

const folders: string[] = [];
const stores: WritableLogStore[] = [];
afterEach(() => {
  for (const store of stores.splice(0)) store.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Opened {
  store: WritableLogStore;
  clock: VirtualClock;
  file: string;
  troubles: string[];
}

function open(options: { file?: string; maxLines?: number } = {}): Opened {
  const file = options.file ?? join(makeFolder(), 'store', 'log-store.sqlite');
  const clock = createVirtualClock();
  const troubles: string[] = [];
  const store = openLogStore({ ...options, file, clock, onTrouble: (message) => troubles.push(message) });
  stores.push(store);
  return { store, clock, file, troubles };
}

function makeFolder(): string {
  const folder = tempFolder('log-store');
  folders.push(folder);
  return folder;
}

/** A line as the log writes it. */
function line(msg: string, fields: Record<string, unknown> = {}): string {
  return JSON.stringify({
    level: 'info',
    time: '2025-11-21T02:03:04.123Z',
    source: 'listener',
    ...fields,
    msg,
  });
}

function take(store: WritableLogStore, count: number, from = 1) {
  for (let number = from; number < from + count; number += 1) store.take(line(`line ${number}`));
}

const page = (
  store: WritableLogStore,
  change: Partial<LogFilter> = {},
  before: number | null = null,
  limit = 500,
) => logResponseSchema.parse(store.page({ filter: { ...everything, ...change }, before, limit }));
const idsOf = (lines: readonly LogLine[]) => lines.map(({ id }) => id);

/** All pages of a filter, each at most `limit` lines; and how many it took. */
function walk(store: WritableLogStore, change: Partial<LogFilter>, limit = 500) {
  const lines: LogLine[] = [];
  let pages = 0;
  let before: number | null = null;
  do {
    const answer = page(store, change, before, limit);
    lines.push(...answer.lines);
    before = answer.next;
    pages += 1;
  } while (before !== null);
  return { lines, pages };
}

describe('the log store', () => {
  it('numbers lines from 1, and goes on where it was after it was closed', () => {
    const first = open();
    expect(page(first.store)).toStrictEqual({ lines: [], next: null, first: 0, last: 0, sources: [] });
    take(first.store, 3);
    first.store.close();
    const { store } = open({ file: first.file });
    take(store, 2, 4);
    const answer = page(store);
    expect(idsOf(answer.lines)).toStrictEqual([5, 4, 3, 2, 1]);
    expect(answer.lines.map(({ message }) => message).reverse()).toStrictEqual(
      [1, 2, 3, 4, 5].map((number) => `line ${number}`),
    );
    expect(answer).toMatchObject({ first: 1, last: 5, next: null, sources: ['listener'] });
  });

  it('gives a line as the console reads it', () => {
    const { store } = open();
    store.take(line('/CreatePayment answered', { reference: 'A-1', status: 200, deep: { list: [1, null] } }));
    store.take('this is no JSON');
    expect(page(store).lines).toStrictEqual([
      expect.objectContaining({ id: 2, level: 'error', source: 'bridge', message: 'this is no JSON' }),
      {
        id: 1,
        time: '2025-11-21T02:03:04.123Z',
        level: 'info',
        source: 'listener',
        message: '/CreatePayment answered',
        fields: { reference: 'A-1', status: 200, deep: { list: [1, null] } },
        operationId: null,
        reference: 'A-1',
      },
    ]);
  });

  it('is read page by page, and a page stays the same while lines come', () => {
    const { store } = open();
    take(store, 25);
    expect(idsOf(page(store, {}, null, 10).lines)).toStrictEqual([25, 24, 23, 22, 21, 20, 19, 18, 17, 16]);
    expect(page(store, {}, null, 10).next).toBe(16);
    take(store, 5, 26);
    expect(idsOf(page(store, {}, 16, 10).lines)).toStrictEqual([15, 14, 13, 12, 11, 10, 9, 8, 7, 6]);
    expect(page(store, {}, 6, 10)).toMatchObject({ next: null });
    expect(idsOf(page(store, {}, 6, 5).lines)).toStrictEqual([5, 4, 3, 2, 1]);
    expect(page(store, {}, 6, 5).next).toBeNull();
    expect(page(store, {}, 1_000, 1).lines[0]?.id).toBe(30);
    expect(page(store, {}, 1, 10)).toMatchObject({ lines: [], next: null });
  });

  it('drops the oldest lines in chunks, without a gap', () => {
    const { store, file } = open({ maxLines: 1_000 });
    for (let round = 0; round < 10; round += 1) {
      take(store, 333, round * 333 + 1);
      const { first, last } = page(store, {}, null, 1);
      expect(last).toBe((round + 1) * 333);
      expect(last - first + 1).toBeLessThanOrEqual(1_000);
      const ids = idsOf(walk(store, {}).lines);
      expect(ids).toStrictEqual(Array.from({ length: last - first + 1 }, (_, index) => last - index));
      if (round > 4) expect(ids.length).toBeGreaterThanOrEqual(800);
    }
    store.close();
    // One that may be shorter from now on gets shorter step by step.
    const shorter = open({ file, maxLines: 100 }).store;
    for (let number = 1; number <= 10; number += 1) {
      take(shorter, 1, number);
      page(shorter);
    }
    expect(idsOf(walk(shorter, {}).lines).length).toBeLessThanOrEqual(100);
    expect(page(shorter).last).toBe(3_340);
  });

  it('is closed once and for all', () => {
    const { store } = open();
    take(store, 1);
    store.close();
    store.close();
    take(store, 1);
    expect(page(store)).toMatchObject({ lines: [], next: null });
    expect([...store.export(everything)]).toStrictEqual([]);
    expect(store.linesOf({ operationIds: ['x'], reference: 'y' })).toStrictEqual({ lines: [], leftOut: 0 });
  });
});

describe('a search', () => {
  function filled() {
    const opened = open();
    const levels = ['debug', 'info', 'warn', 'error'];
    for (let number = 1; number <= 12_000; number += 1) {
      const rare = number === 7;
      opened.store.take(
        line(rare ? 'the NEEDLE, "größer"\nthan others' : `line ${number}`, {
          level: rare ? 'error' : number % 1_000 === 0 ? levels[(number / 1_000) % 4] : 'debug',
          source: rare ? 'journal' : number % 2 === 0 ? 'zvt' : 'listener',
        }),
      );
    }
    return opened.store;
  }

  it('by level has this one and the more important', () => {
    const store = filled();
    expect(idsOf(walk(store, { minLevel: 'error' }).lines)).toStrictEqual([11_000, 7_000, 3_000, 7]);
    expect(idsOf(walk(store, { minLevel: 'warn' }, 2).lines)).toStrictEqual([
      11_000, 10_000, 7_000, 6_000, 3_000, 2_000, 7,
    ]);
    expect(idsOf(walk(store, { minLevel: 'info' }).lines)).toStrictEqual([
      11_000, 10_000, 9_000, 7_000, 6_000, 5_000, 3_000, 2_000, 1_000, 7,
    ]);
    // Few lines are important, and only those are looked at.
    expect(walk(store, { minLevel: 'error' }).pages).toBe(1);
    expect(page(store).sources).toStrictEqual(['journal', 'listener', 'zvt']);
  });

  it('by source and text looks at a part of the store in one call, and goes on', () => {
    const store = filled();
    for (const change of [
      { text: 'needle' },
      { text: 'GRÖSSER'.replace('SS', 'ß') },
      { text: '"größer"' },
      { text: '"größer"\nthan' },
      { text: '"source":"journal"' },
      { text: 'beschädigt', others: ['nowhere', 'Needle, "gr'] },
      { text: 'beschädigt', others: ['needle'] },
      { sources: ['journal', 'nobody'] },
    ]) {
      const { lines, pages } = walk(store, change);
      expect(idsOf(lines), JSON.stringify(change)).toStrictEqual([7]);
      expect(pages).toBe(3);
    }
    expect(page(store, { text: 'needle' }).lines).toStrictEqual([]);
    expect(page(store, { text: 'needle' }).next).toBe(7_001);
    expect(walk(store, { sources: [] }).lines).toStrictEqual([]);
    expect(idsOf(page(store, { sources: ['zvt'] }, 9, 3).lines)).toStrictEqual([8, 6, 4]);
    expect(idsOf(walk(store, { sources: ['zvt', 'listener'], text: '' }).lines)).toHaveLength(11_999);
    // What means something to SQL means nothing here.
    expect(walk(store, { text: '%' }).lines).toStrictEqual([]);
    expect(walk(store, { text: "' OR 1=1 --" }).lines).toStrictEqual([]);
  });

  it('exports what fits, oldest first, as it is in the log file', () => {
    const store = filled();
    const all = [...store.export(everything)].join('').trimEnd().split('\n');
    expect(all).toHaveLength(12_000);
    expect(all[0]).toBe(line('line 1', { level: 'debug' }));
    expect(all.at(-1)).toBe(line('line 12000', { level: 'debug', source: 'zvt' }));
    const some = [...store.export({ ...everything, minLevel: 'error', sources: ['zvt'] })].join('');
    expect(
      some
        .trimEnd()
        .split('\n')
        .map((text) => (JSON.parse(text) as { msg: string }).msg),
    ).toStrictEqual(['line 3000', 'line 7000', 'line 11000']);
    expect([...store.export({ ...everything, text: 'nowhere' })]).toStrictEqual([]);
  });
});

describe('an export', () => {
  it('fails when the store is closed before its end', () => {
    const { store } = open();
    take(store, 6_000);
    const pieces = store.export({ minLevel: 'debug', sources: null, text: null })[Symbol.iterator]();
    expect(pieces.next().done).toBe(false);
    store.close();
    expect(() => pieces.next()).toThrow('closed');
  });
});

describe('a subscriber', () => {
  function listen({ store }: Opened) {
    const batches: number[][] = [];
    const end = store.subscribe((lines) => batches.push(idsOf(lines)));
    return { batches, end };
  }

  it('hears the first line of a quiet time at once, and then at most every 25 ms', async () => {
    const opened = open();
    const { store, clock } = opened;
    take(store, 2);
    const { batches, end } = listen(opened);
    take(store, 2, 3);
    expect(batches).toStrictEqual([]);
    await Promise.resolve();
    expect(batches).toStrictEqual([[3, 4]]);
    take(store, 1, 5);
    await settle();
    take(store, 1, 6);
    await clock.advance(24);
    expect(batches).toHaveLength(1);
    await clock.advance(1);
    expect(batches).toStrictEqual([
      [3, 4],
      [5, 6],
    ]);
    take(store, 1, 7);
    await clock.advance(24);
    expect(batches).toHaveLength(2);
    await clock.advance(60);
    expect(batches).toStrictEqual([[3, 4], [5, 6], [7]]);
    take(store, 1, 8);
    await Promise.resolve();
    expect(batches.at(-1)).toStrictEqual([8]);
    end();
    end();
    take(store, 1, 9);
    await clock.advance(200);
    expect(batches).toHaveLength(4);
  });

  it('gets at most 500 lines at a time, in order and each once', async () => {
    const opened = open();
    const { batches } = listen(opened);
    const other = listen(opened);
    take(opened.store, 1_234);
    await settle();
    take(opened.store, 10, 1_235);
    opened.store.close();
    expect(batches.map(({ length }) => length)).toStrictEqual([500, 500, 234, 10]);
    expect(batches.flat()).toStrictEqual(Array.from({ length: 1_244 }, (_, index) => index + 1));
    expect(other.batches).toStrictEqual(batches);
  });

  it('that throws hears no more and harms nobody', async () => {
    const opened = open();
    const { store, clock, troubles } = opened;
    store.subscribe(() => {
      throw new Error('broken');
    });
    const { batches } = listen(opened);
    take(store, 1);
    await settle();
    take(store, 1, 2);
    await clock.advance(100);
    expect(batches).toStrictEqual([[1], [2]]);
    expect(troubles).toStrictEqual(['a subscriber of the log store failed']);
    expect(page(store).last).toBe(2);
  });
});

describe('lines about an operation', () => {
  const frame = (name: string) =>
    line(`to terminal: ${name}`, {
      level: 'debug',
      source: 'zvt',
      direction: 'to_terminal',
      frame: name,
      hex: '06:01:00:**',
    });
  const marked = (operation: 'started' | 'ended', id: string, reference: string) =>
    line(`the sale has ${operation}`, { source: 'payments', operation, operation_id: id, reference });

  function filled() {
    const { store } = open();
    for (const text of [
      line('/CreatePayment answered', { reference: 'A' }), // 1
      frame('heartbeat'), // 2
      marked('started', 'op-a', 'A'), // 3
      frame('authorisation'), // 4
      line('a note of the protocol', { source: 'zvt' }), // 5
      line('/QueryPayment answered', { reference: 'B' }), // 6
      frame('completion'), // 7
      marked('ended', 'op-a', 'A'), // 8
      frame('enquiry'), // 9
      line('/QueryPayment answered', { reference: 'A' }), // 10
      line('recovery: done', { source: 'payments', operation_id: 'op-a' }), // 11
      frame('heartbeat'), // 12
      marked('started', 'op-b', 'B'), // 13
      frame('authorisation'), // 14
    ])
      store.take(text);
    return store;
  }

  it('are its own, those of its reference, and each frame between its first and its last line', () => {
    const store = filled();
    const about = (operationIds: string[], reference: string | null) =>
      idsOf(store.linesOf({ operationIds, reference }).lines);
    expect(about(['op-a'], 'A')).toStrictEqual([1, 3, 4, 7, 8, 9, 10, 11]);
    expect(about(['op-a'], null)).toStrictEqual([3, 4, 7, 8, 9, 11]);
    expect(about([], 'B')).toStrictEqual([6, 13]);
    expect(about(['op-a', 'op-b'], 'B')).toStrictEqual([3, 4, 6, 7, 8, 9, 11, 13, 14]);
    expect(about(['nobody'], 'nobody')).toStrictEqual([]);
    expect(about([], null)).toStrictEqual([]);
  });

  it('have no frame of another operation, however late the last line comes', () => {
    const store = filled();
    store.take(marked('ended', 'op-b', 'B')); // 15
    store.take(line('decide what is in doubt: refused', { source: 'console', operation_id: 'op-a' })); // 16
    const { lines } = store.linesOf({ operationIds: ['op-a'], reference: 'A' });
    expect(idsOf(lines)).toStrictEqual([1, 3, 4, 7, 8, 9, 10, 11, 12, 16]);
  });

  it('name the operation that was on the terminal, and show bytes with blanks', () => {
    const operations = page(filled())
      .lines.map(({ operationId }) => operationId)
      .reverse();
    expect(operations).toStrictEqual([
      null,
      null,
      'op-a',
      'op-a',
      null,
      null,
      'op-a',
      'op-a',
      null,
      null,
      'op-a',
      null,
      'op-b',
      'op-b',
    ]);
    expect(page(filled(), { text: '06 01 00 **' }).lines).toHaveLength(6);
    expect(page(filled()).lines[0]?.fields['hex']).toBe('06 01 00 **');
  });

  it('have the reference that their operation was begun with, in a page, in the tail, and after a restart', async () => {
    const { store, clock, file } = open();
    const heard: LogLine[] = [];
    store.subscribe((lines) => heard.push(...lines));
    const names = (lines: readonly LogLine[]) => lines.map(({ reference }) => reference);
    for (const text of [
      frame('heartbeat'),
      marked('started', 'op-a', 'A'),
      frame('authorisation'),
      marked('ended', 'op-a', 'A'),
      frame('enquiry'),
      line('/QueryPayment answered', { reference: 'B' }),
      line('decide what is in doubt: refused', { source: 'console', operation_id: 'op-a' }),
      line('of an operation without a name', { operation_id: 'op-x' }),
    ])
      store.take(text);
    const references = [null, 'A', 'A', 'A', null, 'B', 'A', null];
    await clock.advance(100);
    expect(names(heard)).toStrictEqual(references);
    expect(names(page(store).lines).toReversed()).toStrictEqual(references);
    store.close();
    expect(names(page(open({ file }).store).lines).toReversed()).toStrictEqual(references);
  });

  it('of more than 800 are the first and the last 400', () => {
    const { store } = open();
    store.take(marked('started', 'long', 'L'));
    for (let number = 0; number < 998; number += 1) store.take(frame(`frame ${number}`));
    store.take(marked('ended', 'long', 'L'));
    const { lines, leftOut } = store.linesOf({ operationIds: ['long'], reference: 'L' });
    expect(leftOut).toBe(200);
    expect(idsOf(lines)).toStrictEqual([
      ...Array.from({ length: 400 }, (_, index) => index + 1),
      ...Array.from({ length: 400 }, (_, index) => index + 601),
    ]);
  });
});

describe('the file of the store', () => {
  it('is written 100 ms after a line, or with 500 of them', async () => {
    const { store, clock, file } = open();
    take(store, 1);
    await clock.advance(99);
    const size = () => readFileSync(`${file}-wal`).length;
    const before = size();
    await clock.advance(1);
    const written = size();
    expect(written).toBeGreaterThan(before);
    take(store, 499, 2);
    expect(size()).toBe(written);
    take(store, 1, 501);
    expect(size()).toBeGreaterThan(written);
  });

  it.each([
    ['that is no database', (file: string) => writeFileSync(file, 'this is a text '.repeat(1_000))],
    [
      'of a format that is not known',
      (file: string) => {
        const database = new DatabaseSync(file);
        database.exec('PRAGMA user_version = 77; CREATE TABLE lines (x)');
        database.close();
      },
    ],
  ])('%s is deleted, and the store started anew', async (_what, make) => {
    const folder = makeFolder();
    const file = join(folder, 'log-store.sqlite');
    make(file);
    const { store, troubles } = open({ file });
    take(store, 2);
    expect(idsOf(page(store).lines)).toStrictEqual([2, 1]);
    await settle();
    expect(troubles).toStrictEqual([
      'the log store could not be used and was created again; the log file has the older lines',
    ]);
    store.close();
    expect(idsOf(page(open({ file }).store).lines)).toStrictEqual([2, 1]);
  });

  it('that is damaged anywhere is thrown away when that shows, and numbers go on', async () => {
    const folder = makeFolder();
    const file = join(folder, 'log-store.sqlite');
    const whole = open({ file });
    take(whole.store, 1_500);
    whole.store.close();
    const bytes = readFileSync(file);
    const pageBytes = 4_096;
    const beginnings = new Set<number>();
    for (let place = 1; place < bytes.length / pageBytes; place += 1) {
      const damaged = Buffer.from(bytes);
      damaged.fill(0xa5, place * pageBytes, (place + 1) * pageBytes);
      writeFileSync(file, damaged);
      const { store, troubles } = open({ file });
      walk(store, {});
      walk(store, { text: 'x', minLevel: 'warn' });
      take(store, 3, 1);
      const { lines } = walk(store, {});
      const newest = lines[0]?.id ?? 0;
      const oldest = lines.at(-1)?.id ?? 0;
      expect(lines.slice(0, 3).map(({ message }) => message)).toStrictEqual(['line 3', 'line 2', 'line 1']);
      expect(idsOf(lines)).toStrictEqual(
        Array.from({ length: newest - oldest + 1 }, (_, index) => newest - index),
      );
      expect(page(store, {}, null, 1)).toMatchObject({ first: oldest, last: newest });
      await settle();
      expect(troubles.length).toBe(lines.length === 1_503 ? 0 : 1);
      beginnings.add(oldest);
      store.close();
    }
    // Found at once; and found while it was read, with the numbers that subscribers know.
    expect(beginnings).toContain(1);
    expect(beginnings).toContain(1_501);
  });

  it('in a folder that cannot be made is replaced by the memory, with the newest 10,000 lines', async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'file'), '');
    const { store, troubles } = open({ file: join(folder, 'file', 'log-store.sqlite') });
    take(store, 25_000);
    const { first, last, lines } = page(store);
    expect(last).toBe(25_000);
    expect(last - first + 1).toBeLessThanOrEqual(10_000);
    expect(last - first + 1).toBeGreaterThan(8_000);
    expect(lines[0]?.message).toBe('line 25000');
    await settle();
    expect(troubles).toStrictEqual(['the log store cannot be written; the newest lines are kept in memory']);
  });

  it('on a full disk is left as it is, and newer lines are kept in memory', async () => {
    const { store, file, troubles } = open();
    take(store, 5);
    expect(page(store).last).toBe(5);
    const full = Object.assign(new Error('database or disk is full'), { errcode: 13 });
    const exec = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementationOnce(() => {
      throw full;
    });
    take(store, 5, 6);
    expect(page(store)).toMatchObject({ first: 6, last: 10 });
    exec.mockRestore();
    await settle();
    expect(troubles).toStrictEqual(['the log store cannot be written; the newest lines are kept in memory']);
    store.close();
    expect(page(open({ file }).store)).toMatchObject({ first: 1, last: 5 });
  });

  it('of another process is left alone', async () => {
    const { store, file, clock } = open();
    take(store, 5);
    await clock.advance(100);
    const second = open({ file });
    take(second.store, 1);
    expect(page(second.store).last).toBe(1);
    await settle();
    expect(second.troubles).toHaveLength(1);
    second.store.close();
    take(store, 5, 6);
    expect(page(store)).toMatchObject({ first: 1, last: 10 });
    store.close();
    expect(page(open({ file }).store)).toMatchObject({ first: 1, last: 10 });
  });

  it('is alone in its folder once it is closed', () => {
    const { store, file } = open();
    mkdirSync(join(file, '..'), { recursive: true });
    take(store, 5);
    store.close();
    expect(readdirSync(join(file, '..'))).toStrictEqual(['log-store.sqlite']);
  });
});

describe('times in the log store', () => {
  const startMs = Date.parse('2025-11-21T02:00:00.000Z');
  const at = (second: number) => new Date(startMs + second * 1_000).toISOString();
  /** A line each second; every tenth is a warning, every fiftieth an error. */
  function filled(count: number, options: { maxLines?: number } = {}) {
    const { store } = open(options);
    for (let second = 0; second < count; second += 1) {
      const level = second % 50 === 0 ? 'error' : second % 10 === 0 ? 'warn' : 'info';
      store.take(
        JSON.stringify({ level, time: at(second), source: second % 2 === 0 ? 'zvt' : 'line', msg: 'x' }),
      );
    }
    return store;
  }
  const seconds = (lines: readonly LogLine[]) =>
    lines.map(({ time }) => (Date.parse(time) - startMs) / 1_000);

  it('limit a page from one instant on and before another, with any other filter', () => {
    const store = filled(10_000);
    const span = { from: at(4_000), until: at(4_010) };
    expect(seconds(page(store, span).lines).toReversed()).toStrictEqual([
      4_000, 4_001, 4_002, 4_003, 4_004, 4_005, 4_006, 4_007, 4_008, 4_009,
    ]);
    const pages = walk(store, span, 3);
    expect(seconds(pages.lines)).toHaveLength(10);
    expect(pages.pages).toBe(4);
    // Far from the end of the log, one look is enough.
    expect(page(store, { ...span, minLevel: 'warn' })).toMatchObject({ next: null, lines: [{ id: 4_001 }] });
    expect(page(store, { ...span, sources: ['zvt'] }).lines).toHaveLength(5);
    expect(page(store, { ...span, text: 'nowhere' })).toMatchObject({ next: null, lines: [] });
    expect(page(store, { from: at(9_998) }).lines).toHaveLength(2);
    expect(page(store, { until: at(2) }).lines).toHaveLength(2);
    expect(page(store, { from: at(20_000) })).toMatchObject({
      lines: [],
      next: null,
      first: 1,
      last: 10_000,
    });
    expect(page(store, { from: at(20), until: at(10) }).lines).toStrictEqual([]);
    // Between two lines, and in another way of writing it.
    expect(
      seconds(page(store, { from: '2025-11-21T02:00:00.5Z', until: '2025-11-21T02:00:02Z' }).lines),
    ).toStrictEqual([1]);
    const exported = [...store.export({ ...everything, ...span })].join('').trimEnd().split('\n');
    expect(exported).toHaveLength(10);
  });

  it('of lines that do not say when they were written are those of the line before', () => {
    const { store } = open();
    store.take(JSON.stringify({ level: 'info', time: at(1), source: 'line', msg: '1' }));
    store.take('no JSON');
    store.take(JSON.stringify({ level: 'info', time: at(3), source: 'line', msg: '3' }));
    expect(idsOf(page(store, { from: at(1), until: at(2) }).lines)).toStrictEqual([2, 1]);
  });

  it('are counted by bars of the same length, warnings and errors apart', () => {
    const store = filled(1_000);
    const histogram = (request: Partial<LogHistogramRequest>) =>
      logHistogramSchema.parse(store.histogram({ from: null, until: null, bars: 10, ...request }));
    const whole = histogram({});
    expect(whole.span).toStrictEqual({ from: at(0), until: new Date(startMs + 999_001).toISOString() });
    expect(whole.bars).toHaveLength(10);
    expect(whole.bars.map(({ lines }) => lines).reduce((sum, lines) => sum + lines)).toBe(1_000);
    const hundred = histogram({ from: at(100), until: at(200), bars: 2 });
    expect(hundred.bars).toStrictEqual([
      { lines: 50, warnings: 4, errors: 1 },
      { lines: 50, warnings: 4, errors: 1 },
    ]);
    expect(histogram({ from: at(-10), until: at(10), bars: 2 }).bars.map(({ lines }) => lines)).toStrictEqual(
      [0, 10],
    );
    expect(histogram({ from: at(5), until: at(5) })).toStrictEqual({ span: null, bars: [] });
    expect(
      logHistogramSchema.parse(open().store.histogram({ from: null, until: null, bars: 3 })),
    ).toStrictEqual({
      span: null,
      bars: [],
    });
  });

  it('are found in what is left of a log that drops its oldest lines', () => {
    const store = filled(500, { maxLines: 100 });
    const { first } = page(store);
    expect(first).toBeGreaterThan(1);
    expect(seconds(page(store, { until: at(450) }).lines).at(-1)).toBe(first - 1);
    expect(store.histogram({ from: at(0), until: at(500), bars: 5 }).bars[0]?.lines).toBe(0);
  });
});
