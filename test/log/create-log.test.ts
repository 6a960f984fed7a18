import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/log/create-log.ts';
import type { CreateLogOptions } from '../../src/log/create-log.ts';
import { drainLogs } from '../../src/log/line-queue.ts';
import { tempFolder } from '../support/temp-folder.ts';

const card = '4111111111111111';
const masked = '411111******1111';
const clock = { now: () => Date.UTC(2025, 10, 21, 2, 3, 4, 123), elapsed: () => 0, after: () => () => {} };

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function makeFolder(): string {
  const folder = tempFolder('log');
  folders.push(folder);
  return folder;
}

function collect(): { stream: Writable; text: () => string } {
  const pieces: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      pieces.push(chunk.toString());
      done();
    },
  });
  return { stream, text: () => pieces.join('') };
}

function openLog(options: Partial<CreateLogOptions> = {}) {
  const folder = makeFolder();
  const created = createLog({ folder, level: 'info', clock, ...options });
  const text = () => {
    drainLogs();
    return readFileSync(join(folder, 'tillbridge.log'), 'utf8');
  };
  const lines = () =>
    text()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { ...created, folder, text, lines };
}

/** Everything on disk under `folder`, in one piece. */
function everyByte(folder: string): string {
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('\n');
}

describe('createLog', () => {
  it('writes JSON lines with time, level, source and message', async () => {
    const { log, lines, file, folder, lostLines, close } = openLog();
    log.with({ source: 'payments', operation_id: 'x' }).info('sale started', { amount: '12.00' });
    expect(lines()).toEqual([
      {
        time: '2025-11-21T02:03:04.123Z',
        level: 'info',
        source: 'payments',
        operation_id: 'x',
        amount: '12.00',
        msg: 'sale started',
      },
    ]);
    expect(file).toBe(join(folder, 'tillbridge.log'));
    expect(lostLines()).toBe(0);
    await close();
    await close();
  });

  it('says only what its level allows', () => {
    const { log, lines } = openLog({ level: 'warn' });
    log.debug('d');
    log.info('i');
    log.warn('w');
    log.error('e');
    expect(lines().map((line) => [line['level'], line['msg']])).toEqual([
      ['warn', 'w'],
      ['error', 'e'],
    ]);
  });

  it('takes messages as they are, and fields of a line before those of its log', () => {
    const { log, lines } = openLog();
    log
      .with({ source: 'zvt', a: 1 })
      .info('100 %s %d %% {"a":1}\n', { a: 2, level: 'mine', time: 'mine', msg: 'mine' });
    expect(lines()).toEqual([
      {
        time: '2025-11-21T02:03:04.123Z',
        level: 'info',
        source: 'zvt',
        a: 2,
        level_: 'mine',
        time_: 'mine',
        msg_: 'mine',
        msg: '100 %s %d %% {"a":1}\n',
      },
    ]);
  });

  it('masks card numbers at every entrance, on disk and on the screen', () => {
    const { stream, text } = collect();
    const { log, folder, lines } = openLog({ pretty: stream });
    const cause = new Error(`cause ${card}`);
    const error = Object.assign(new Error(`message ${card}`, { cause }), { code: card });
    log.info(`message ${card}`);
    log.info('fields', {
      pan: card,
      number: Number(card),
      [card]: 'name',
      nested: { deep: [{ [card]: card }] },
    });
    log.info('kinds', {
      big: BigInt(card),
      date: new Date(0),
      map: new Map([[card, card]]),
      set: new Set([card]),
    });
    log.info('errors', { err: error, other: error, many: new AggregateError([error], card) });
    // Names that are numbers come first, whatever was there before.
    log.info('numbered', { 0: card, 1: ` ${card}` });
    log.info('track', { track: `;${card}=25121011234567890?` });
    log.info('bytes', { bytes: Buffer.from(card), array: new Uint8Array(Buffer.from(card)) });
    log.info('text', { json: JSON.stringify({ pan: card, number: Number(card) }) });
    log.with({ source: card, [card]: card }).error('bound');
    log.info('long', { text: `${'x'.repeat(16 * 1024 - 12)}${card}` });
    drainLogs();
    for (const place of [everyByte(folder), text()]) {
      // 11 digits: no half of a number either.
      expect(place).not.toContain(card.slice(0, 11));
      expect(place).toContain(masked);
      expect(place).not.toContain('25121011234567890');
    }
    expect(lines()).toHaveLength(10);
    expect(lines()[1]).toMatchObject({ pan: masked, number: masked, [masked]: 'name' });
    expect(lines()[6]).toMatchObject({ bytes: '[16 bytes]', array: '[16 bytes]' });
  });

  it('writes errors with message, stack, code and cause, under any name', () => {
    const { log, lines } = openLog();
    const error = Object.assign(new TypeError('broken', { cause: new Error('below') }), { code: 'EBROKEN' });
    log.error('a', { err: error });
    log.error('b', { reason: { inner: error } });
    const expected = {
      type: 'TypeError',
      message: 'broken',
      code: 'EBROKEN',
      stack: expect.stringContaining('create-log.test.ts') as unknown,
      cause: { message: 'below' },
    };
    expect(lines()[0]).toMatchObject({ err: expected });
    expect(lines()[1]).toMatchObject({ reason: { inner: expected } });
  });

  it('bears whatever it is given', () => {
    const { log, lines, lostLines } = openLog();
    const circle: Record<string, unknown> = { name: 'circle' };
    circle['self'] = circle;
    const hostile = new Proxy(
      {},
      {
        ownKeys() {
          throw new Error('no');
        },
      },
    );
    const trap = {
      get value(): string {
        throw new Error('no');
      },
    };
    log.info('odd', {
      circle,
      hostile,
      trap,
      nothing: undefined,
      none: null,
      nan: NaN,
      call: () => 1,
      symbol: Symbol('s'),
      lost: new Date(NaN),
      long: 'x'.repeat(1_000_000),
      wide: Array.from({ length: 10_000 }, (_, index) => index),
    });
    expect(lines()).toHaveLength(1);
    expect(lines()[0]).toMatchObject({
      hostile: '[unreadable]',
      trap: { value: '[unreadable]' },
      nan: 'NaN',
    });
    expect(JSON.stringify(lines()[0]).length).toBeLessThan(20_000);
    log.info('hostile fields', hostile);
    log.info('a clock may be wrong');
    expect(lostLines()).toBe(1);
    const wrong = openLog({ clock: { ...clock, now: () => NaN } });
    wrong.log.info('still');
    expect(wrong.lines()).toHaveLength(1);
  });

  it('keeps a bounded number of files of a bounded size', () => {
    const { log, folder, lines, lostLines } = openLog({ maxFileBytes: 2_000, maxFiles: 3 });
    for (let index = 0; index < 200; index += 1) log.info(`line ${index}`);
    drainLogs();
    const files = readdirSync(folder).sort();
    expect(files).toEqual(['tillbridge.1.log', 'tillbridge.2.log', 'tillbridge.log']);
    for (const name of files) expect(readFileSync(join(folder, name)).length).toBeLessThanOrEqual(2_000);
    expect(lines().at(-1)).toMatchObject({ msg: 'line 199' });
    const kept = ['tillbridge.2.log', 'tillbridge.1.log', 'tillbridge.log'].flatMap((name) =>
      readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'),
    );
    const numbers = kept.map((line) => Number(/line (\d+)/.exec(line)?.[1]));
    expect(numbers).toEqual(numbers.map((_, index) => 200 - numbers.length + index));
    expect(lostLines()).toBe(0);
  });

  it('writes readable lines for people', () => {
    const { stream, text } = collect();
    const { log } = createLog({ folder: null, level: 'info', clock, pretty: stream });
    log.with({ source: 'line' }).warn('cannot open', { line: 'serial:/dev/ttyUSB0', tries: 3 });
    log.error('forged\nline \u001b[2J', { source: 'zvt', err: new Error('broken') });
    const lines = text().trimEnd().split('\n');
    expect(lines[0]).toMatch(
      /^\d\d:\d\d:04\.123 warn {2}line {6}cannot open \(line=serial:\/dev\/ttyUSB0, tries=3\)$/,
    );
    expect(lines[1]).toMatch(/error zvt {7}forged ⏎ line \\u001b\[2J \(err=broken\)$/);
    expect(lines[2]).toBe('    Error: broken');
    expect(lines[3]).toMatch(/^ {8}at /);
  });

  it('outlives a reader that went away, and one that does not keep up', () => {
    const gone = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
    const first = openLog({ pretty: gone });
    first.log.info('one');
    drainLogs();
    const stuck = new Writable({ write() {} });
    const second = openLog({ pretty: stuck });
    for (let index = 0; index < 3_000; index += 1) second.log.info('x'.repeat(1_000));
    expect(stuck.writableLength).toBeLessThan(1_200_000);
    expect(second.lostLines()).toBeGreaterThan(1_000);
    return new Promise<void>((resolve) => {
      setImmediate(() => {
        first.log.info('two');
        expect(first.lines()).toHaveLength(2);
        expect(first.lostLines()).toBe(2);
        resolve();
      });
    });
  });

  it('keeps every line in the store, and in the file and on the screen those of its level', async () => {
    const { stream, text: shown } = collect();
    const storeFile = join(makeFolder(), 'book.sqlite');
    const { log, lines, store, close } = openLog({
      level: 'warn',
      pretty: stream,
      store: { file: storeFile },
    });
    log.debug('d', { source: 'zvt', pan: card });
    log.info('i');
    log.warn('w');
    log.error('e', { err: new Error(`message ${card}`) });
    expect(lines().map((line) => line['msg'])).toEqual(['w', 'e']);
    expect(shown()).not.toContain('bridge    i');
    const request = {
      filter: { minLevel: 'debug', sources: null, text: null },
      before: null,
      limit: 10,
    } as const;
    const kept = store?.page(request);
    expect(kept?.lines.map(({ id, level, message }) => [id, level, message])).toEqual([
      [4, 'error', 'e'],
      [3, 'warn', 'w'],
      [2, 'info', 'i'],
      [1, 'debug', 'd'],
    ]);
    expect(kept?.lines.at(-1)?.fields).toEqual({ pan: masked });
    await close();
    log.error('after');
    expect(readFileSync(storeFile, 'latin1')).toContain(masked);
    expect(readFileSync(storeFile, 'latin1')).not.toContain(card);
    expect(openLog().store).toBeNull();
  });

  it('says once in the file that the store goes without one', async () => {
    const folder = makeFolder();
    const { log, lines, store } = openLog({ store: { file: join(folder, 'taken', 'book.sqlite') } });
    expect(store).not.toBeNull();
    const second = openLog({ store: { file: join(folder, 'taken', 'book.sqlite', 'below', 'book.sqlite') } });
    second.log.info('one');
    drainLogs();
    await Promise.resolve();
    second.log.info('two');
    expect(second.lines().map((line) => [line['level'], line['source'], line['msg']])).toEqual([
      ['info', undefined, 'one'],
      ['warn', 'log', 'the log store cannot be written; the newest lines are kept in memory'],
      ['info', undefined, 'two'],
    ]);
    const filter = { minLevel: 'debug', sources: null, text: null } as const;
    expect(second.store?.page({ filter, before: null, limit: 10 })).toMatchObject({ first: 1, last: 3 });
    log.info('fine');
    expect(lines()).toHaveLength(1);
  });

  it('bears a folder that cannot be made', () => {
    const folder = join(makeFolder(), 'file');
    const blocked = createLog({ folder, level: 'info', clock });
    blocked.log.info('makes the folder');
    drainLogs();
    const below = createLog({ folder: join(folder, 'tillbridge.log', 'under'), level: 'info', clock });
    below.log.info('nowhere to go');
    expect(below.lostLines()).toBe(1);
    expect(blocked.lostLines()).toBe(0);
  });
});
