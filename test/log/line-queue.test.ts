/** Lines that wait: what takes them out, in which order, and what they say when something changes meanwhile. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createLog, drainLogs, type CreatedLog } from '../../src/log/index.ts';
import { logLevels, type LogFilter, type LogLevel } from '../../src/contract/log.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createVirtualClock, settle } from '../support/virtual-clock.ts';

const everything: LogFilter = { minLevel: 'debug', sources: null, text: null };

const folders: string[] = [];
const logs: CreatedLog[] = [];
afterEach(async () => {
  for (const log of logs.splice(0)) await log.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function open({ level = 'debug', withStore = false }: { level?: LogLevel; withStore?: boolean } = {}) {
  const folder = tempFolder('line-queue');
  folders.push(folder);
  const clock = createVirtualClock({ startsAt: Date.UTC(2025, 10, 21, 2, 3, 4) });
  const shown: string[] = [];
  const pretty = new Writable({
    write(chunk: Buffer, _encoding, done) {
      shown.push(chunk.toString());
      done();
    },
  });
  const store = withStore ? { store: { file: join(folder, 'book.sqlite') } } : {};
  const created = createLog({ folder, level, clock, pretty, ...store });
  logs.push(created);
  const written = () => {
    let text = '';
    try {
      text = readFileSync(join(folder, 'tillbridge.log'), 'utf8');
    } catch {
      // The first line makes it.
    }
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  const messages = () => written().map(({ msg }) => msg);
  const read = () => {
    if (created.store === null) throw new Error('there is no store');
    return created.store;
  };
  const page = () => read().page({ filter: everything, before: null, limit: 500 }).lines;
  return { ...created, folder, clock, shown, written, messages, page, read };
}

const bytesLine = (bytes: Uint8Array) => ({
  message: 'bytes',
  fields: { hex: Buffer.from(bytes).toString('hex') },
});

describe('what is logged', () => {
  it('waits for 25 ms at most, and is written in order, each line with its own time', async () => {
    const { log, clock, messages, written } = open();
    log.info('one');
    await clock.advance(10);
    log.debugBytes(Uint8Array.of(1), () => ({ message: 'two', fields: {} }));
    // The wall clock is set back: no reason to wait any longer.
    clock.jump(-3_600_000);
    log.debug('three');
    await clock.advance(14);
    expect(messages()).toStrictEqual([]);
    await clock.advance(1);
    expect(messages()).toStrictEqual(['one', 'two', 'three']);
    expect(written().map(({ time }) => time)).toStrictEqual([
      '2025-11-21T02:03:04.000Z',
      '2025-11-21T02:03:04.010Z',
      '2025-11-21T01:03:04.010Z',
    ]);
    expect(clock.waiting).toBe(0);
    log.info('four');
    await clock.advance(25);
    expect(messages()).toHaveLength(4);
  });

  it.each(['warn', 'error'] as const)('goes out at once with a line of level %s', (level) => {
    const { log, clock, messages } = open();
    log.info('before');
    log[level]('now');
    expect(messages()).toStrictEqual(['before', 'now']);
    expect(clock.waiting).toBe(0);
  });

  it('goes out at once when there is much of it', () => {
    const { log, messages } = open();
    for (let count = 0; count < 199; count += 1) log.info('a line');
    expect(messages()).toHaveLength(0);
    log.info('a line');
    expect(messages()).toHaveLength(200);
    log.info('small');
    log.info('texts', { list: [{ text: 'x'.repeat(10_000) }, 'y'.repeat(10_000)], more: 'z'.repeat(16_000) });
    expect(messages()).toHaveLength(200);
    log.debugBytes(new Uint8Array(32_000), () => ({ message: 'bytes', fields: {} }));
    expect(messages().slice(200)).toStrictEqual(['small', 'texts', 'bytes']);
  });

  it('is what it was, whatever becomes of it meanwhile', () => {
    const { log, written } = open();
    const fields = { list: [1], inner: { name: 'old' }, text: 'old' };
    const bytes = Buffer.from('0102', 'hex');
    log.info('fields', fields);
    log.debugBytes(bytes, bytesLine);
    fields.list.push(2);
    fields.inner.name = 'new';
    fields.text = 'new';
    bytes.fill(0xff);
    drainLogs();
    expect(written()).toMatchObject([
      { list: [1], inner: { name: 'old' }, text: 'old' },
      { msg: 'bytes', hex: '0102' },
    ]);
  });

  it('costs nothing at a level that nobody wants', () => {
    const { log, clock, messages } = open({ level: 'info' });
    let described = 0;
    log.debugBytes(Uint8Array.of(1), () => {
      described += 1;
      return { message: 'bytes', fields: {} };
    });
    log.debug('debug');
    expect(clock.waiting).toBe(0);
    log.warn('warn');
    expect(described).toBe(0);
    expect(messages()).toStrictEqual(['warn']);
  });

  it('is masked and bounded when it is put into words late', () => {
    const { log, folder, shown } = open();
    log.with({ source: 'zvt' }).debugBytes(Buffer.from('4111111111111111'), (bytes) => ({
      message: `card ${Buffer.from(bytes).toString()}`,
      fields: { pan: Buffer.from(bytes).toString(), bytes, msg: 'x'.repeat(20_000) },
    }));
    drainLogs();
    const text = readFileSync(join(folder, 'tillbridge.log'), 'utf8');
    expect(text + shown.join('')).not.toContain('41111111111');
    expect(text).toContain('"pan":"411111******1111"');
    expect(text).toContain('"bytes":"[16 bytes]"');
    expect(text).toContain('(20000 characters)"');
  });

  it('says of each few bytes what it says of them, once described or again', () => {
    const { log, written } = open();
    const sources = [log.with({ source: 'zvt' }), log.with({ source: 'simulator' })];
    const described: string[] = [];
    const describes = ['to', 'from'].map((direction) => (bytes: Uint8Array) => {
      described.push(Buffer.from(bytes).toString('hex'));
      return {
        message: direction,
        fields: { hex: Buffer.from(bytes).toString('hex'), 0: '4111111111111111' },
      };
    });
    const expected: object[] = [];
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 7, max: 2 }),
        fc.constantFrom(0, 1),
        fc.constantFrom(0, 1),
        (bytes, source, direction) => {
          for (const log of [sources[source], sources[1 - source]])
            log?.debugBytes(bytes, describes[direction] ?? bytesLine);
          const hex = Buffer.from(bytes).toString('hex');
          const line = { hex, msg: direction === 0 ? 'to' : 'from', 0: '411111******1111' };
          expected.push({ ...line, source: source === 0 ? 'zvt' : 'simulator' });
          expected.push({ ...line, source: source === 0 ? 'simulator' : 'zvt' });
        },
      ),
      { numRuns: 150, seed: 8 },
    );
    drainLogs();
    expect(written()).toMatchObject(expected);
    described.length = 0;
    const again = (bytes: Uint8Array) => {
      for (let time = 0; time < 3; time += 1) sources[0]?.debugBytes(bytes, describes[0] ?? bytesLine);
      drainLogs();
      return described.splice(0).length;
    };
    expect(again(Uint8Array.of(9, 9, 9))).toBe(1);
    // As many as a card number has digits in BCD are not kept.
    expect(again(Uint8Array.of(9, 9, 9, 9, 9, 9, 9))).toBe(3);
  });

  it('loses one line alone when that cannot be put into words', () => {
    const { log, messages, lostLines } = open();
    log.info('before');
    log.debugBytes(Uint8Array.of(1), () => {
      throw new Error('a fault');
    });
    log.info('behind');
    expect(lostLines()).toBe(1);
    expect(messages()).toStrictEqual(['before', 'behind']);
  });

  it('comes behind what waits when it is logged while that is written', async () => {
    const { log, clock, messages } = open();
    log.debugBytes(Uint8Array.of(1), () => {
      log.warn('of the words');
      return { message: 'words', fields: {} };
    });
    log.info('behind');
    await clock.advance(25);
    expect(messages()).toStrictEqual(['words', 'behind', 'of the words']);
    expect(clock.waiting).toBe(0);
  });

  it('of two logs goes its own way', async () => {
    const [one, other] = [open(), open()];
    one.log.info('one');
    other.log.info('other');
    one.log.error('now');
    expect(one.messages()).toStrictEqual(['one', 'now']);
    expect(other.messages()).toStrictEqual([]);
    await one.close();
    drainLogs();
    expect(other.messages()).toStrictEqual(['other']);
  });

  it('is written when the log is closed; what comes later is shown at once, and lost to the file', async () => {
    const { log, clock, messages, shown, close, lostLines } = open({ withStore: true });
    log.info('last');
    await close();
    expect(messages()).toStrictEqual(['last']);
    log.info('late');
    expect(shown.at(-1)).toContain('late');
    expect(lostLines()).toBe(1);
    expect(clock.waiting).toBe(0);
  });

  it('is written at once when there is time, to the file and the store, and only once', async () => {
    const { log, clock, messages, page } = open({ withStore: true });
    log.info('first');
    expect(clock.waiting).toBe(1);
    log.writeWaiting();
    expect(messages()).toStrictEqual(['first']);
    // The store has no line left either that it would write later.
    expect(clock.waiting).toBe(0);
    log.with({ source: 'zvt' }).writeWaiting();
    await clock.advance(1_000);
    expect(messages()).toStrictEqual(['first']);
    expect(page().map(({ message }) => message)).toStrictEqual(['first']);
  });

  it('has come to the store before anybody reads there', () => {
    const { log, page, read } = open({ withStore: true });
    const names = { operation_id: 'o-1', reference: 'A-1' };
    log.info('started', { ...names, operation: 'started' });
    log.with({ source: 'zvt' }).debugBytes(Uint8Array.of(1), () => ({
      message: 'a frame',
      fields: { direction: 'to_terminal' },
    }));
    expect(page().map(({ message }) => message)).toStrictEqual(['a frame', 'started']);
    log.info('ended', { ...names, operation: 'ended' });
    const { lines } = read().linesOf({ operationIds: ['o-1'], reference: 'A-1' });
    expect(lines.map(({ message }) => message)).toStrictEqual(['started', 'a frame', 'ended']);
    log.info('last');
    expect([...read().export(everything)].join('')).toContain('"msg":"last"');
  });

  it('comes in the order in which it was logged, whoever takes it out and when', async () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...logLevels) },
      { weight: 2, arbitrary: fc.constant('bytes' as const) },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 40 }) },
      { weight: 1, arbitrary: fc.constantFrom('read' as const, 'drain' as const) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { log, clock, page, messages, close } = open({ withStore: true });
        const said: string[] = [];
        for (const one of steps) {
          const message = `line ${said.length}`;
          if (typeof one === 'number') await clock.advance(one);
          else if (one === 'drain') drainLogs();
          else if (one === 'read') {
            expect(
              page()
                .map((line) => line.message)
                .toReversed(),
            ).toStrictEqual(said);
          } else {
            said.push(message);
            if (one === 'bytes') log.debugBytes(Uint8Array.of(1), () => ({ message, fields: {} }));
            else log[one](message);
          }
        }
        await close();
        expect(messages()).toStrictEqual(said);
      }),
      { numRuns: 60, seed: 27 },
    );
  });
});

describe('a subscriber of the store', () => {
  it('hears each line once, in order, none older than 50 ms, and none that was there before', async () => {
    const { log, clock, read } = open({ withStore: true });
    log.info('line -1');
    const heard: [message: string, ageMs: number][] = [];
    read().subscribe((lines) => {
      for (const { message, time } of lines) heard.push([message, clock.now() - Date.parse(time)]);
    });
    const pauses = [0, 3, 25, 1, 49, 7, 30, 200, 2, 2, 2, 24, 26, 50, 51, 13, 5];
    for (const [index, pauseMs] of pauses.entries()) {
      await clock.advance(pauseMs);
      log[index % 6 === 5 ? 'warn' : 'info'](`line ${index}`);
      await settle();
    }
    await clock.advance(100);
    expect(heard.map(([message]) => message)).toStrictEqual(pauses.map((_, index) => `line ${index}`));
    expect(Math.max(...heard.map(([, ageMs]) => ageMs))).toBeLessThanOrEqual(50);
  });
});
