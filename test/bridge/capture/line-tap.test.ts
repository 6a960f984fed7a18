/** A line that is recorded from its middle, between a till and a terminal that know nothing of it. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openLineTap, replayFile } from '../../../src/bridge/capture/index.ts';
import {
  endedInOrder,
  LineError,
  type Line,
  type LineConnection,
  type Unsent,
} from '../../../src/bridge/lines/line.ts';
import { createMemoryLine, createMemoryPair } from '../../../src/bridge/lines/memory.ts';
import { silentLog } from '../../../src/log/log.ts';
import { seededChance } from '../../support/random.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { createVirtualClock, settle } from '../../support/virtual-clock.ts';
import { watchDriver } from '../terminals/driver-watch.ts';
import {
  lineNames,
  lineProtocol,
  settingsWith,
  simulatedTerminal,
  usualDay,
  type LineName,
} from './recording.ts';

const folder = tempFolder('line-tap');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function setUp(name: LineName, line: Line, clock = createVirtualClock()) {
  files += 1;
  const file = join(folder, `${files}.jsonl`);
  const states: string[] = [];
  const { currency } = simulatedTerminal(name);
  const settings = settingsWith({ currency, protocol: name });
  const opening = openLineTap({
    file,
    program: '0.0.0',
    connection: 'serial',
    settings,
    line,
    clock,
    chance: seededChance(clock),
    log: silentLog,
    onState: (text) => states.push(text),
  });
  return {
    clock,
    file,
    states,
    settings,
    tap: async () => (await opening) ?? Promise.reject(new Error('no tap')),
    text: () => readFileSync(file, 'utf8'),
    kinds: () =>
      readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((entry) => (JSON.parse(entry) as { kind: string }).kind),
  };
}

/** The same line, which notes what goes over it, in both directions. */
function noted(connection: LineConnection, sent: Uint8Array[], received: Uint8Array[]): LineConnection {
  return {
    ...connection,
    write(bytes) {
      sent.push(Uint8Array.from(bytes));
      return connection.write(bytes);
    },
    onData: (handler) =>
      connection.onData((bytes) => {
        received.push(Uint8Array.from(bytes));
        handler(bytes);
      }),
    get closed() {
      return connection.closed;
    },
  };
}

const all = (pieces: Uint8Array[]) => Buffer.concat(pieces).toString('hex');

describe.each(lineNames)('a till of %s', (name) => {
  test('pays as without it, and what it did is played again', async () => {
    const clock = createVirtualClock();
    const ledgerFile = join(folder, `${name}-ledger.jsonl`);
    const { line: terminal, close } = simulatedTerminal(name).create({ ledgerFile, clock });
    const [asked, answered, sent, received] = [0, 1, 2, 3].map((): Uint8Array[] => []) as [
      Uint8Array[],
      Uint8Array[],
      Uint8Array[],
      Uint8Array[],
    ];
    const line: Line = {
      ...terminal,
      open: async (signal) => noted(await terminal.open(signal), asked, answered),
    };
    const { tap, file, settings, text } = setUp(name, line, clock);
    const recorder = await tap();
    const [till, ours] = createMemoryPair();
    const joined = recorder.join(ours, true);
    await settle();
    const { owner, watch, disk } = watchDriver();
    const protocol = await lineProtocol(name, settings, clock);
    const driver = protocol.attach(noted(till, sent, received), owner);
    const { currency } = settings;
    await clock.run(usualDay({ driver, watch, currency, end: () => Promise.resolve('') }), 'a day');
    await clock.run(recorder.close(), 'the end');
    await joined;
    await clock.run(close(), 'the end of the terminal');

    expect([all(asked), all(answered)]).toEqual([all(sent), all(received)]);
    expect(disk.results.filter(({ approved }) => approved).length).toBeGreaterThan(1);
    expect(text().endsWith('"reason":"closed on this side"}\n')).toBe(true);
    const result = await replayFile(file);
    if (!result.ok) throw new Error(result.error);
    const [replay] = result.replays;
    expect(replay?.differences).toEqual([]);
    // Those of kbtg go under a reference that only a driver of ours knows.
    expect(replay?.outcomes).toEqual([
      expect.stringMatching(/of this sale of 1200 \(\w+, in minor units\) this version makes {"kind":"done"/),
      expect.stringMatching(/of this sale of 1301 .* makes {"kind":"declined"/),
    ]);
  });
});

test('a terminal that says otherwise than it did is a difference', async () => {
  const clock = createVirtualClock();
  const ledgerFile = join(folder, 'other-ledger.jsonl');
  const { line, close } = simulatedTerminal('transbank').create({ ledgerFile, clock });
  const { tap, file, settings } = setUp('transbank', line, clock);
  const recorder = await tap();
  const [till, ours] = createMemoryPair();
  void recorder.join(ours, true);
  await settle();
  const { owner, watch } = watchDriver();
  const driver = (await lineProtocol('transbank', settings, clock)).attach(till, owner);
  await clock.run(usualDay({ driver, watch, currency: 'CLP', end: () => Promise.resolve('') }), 'a day');
  await clock.run(recorder.close(), 'the end');
  await clock.run(close(), 'the end of the terminal');
  const lines = readFileSync(file, 'utf8').split('\n');
  // As if the till had never acknowledged its first result.
  const result = lines.findIndex((entry) => entry.includes('"name":"sale result"'));
  const spoilt = lines.filter((_, at) => at !== result + 1).join('\n');
  expect(lines[result + 1]).toContain('"kind":"ack","from":"bridge"');
  const spoiltFile = join(folder, 'spoilt.jsonl');
  writeFileSync(spoiltFile, spoilt);
  const replayed = await replayFile(spoiltFile);
  expect(replayed.ok && replayed.replays[0]?.differences.map(({ text }) => text)).toEqual([
    expect.stringMatching(/then it did nothing; now it acknowledged a frame\.$/),
  ]);
});

/** The same line, which notes what was to become of unsent bytes as its connections were closed. */
function closesOf(line: Line): { watched: Line; closedWith: (Unsent | undefined)[] } {
  const closedWith: (Unsent | undefined)[] = [];
  const watched: Line = {
    name: line.name,
    async open(signal) {
      const opened = await line.open(signal);
      const close = (unsent?: Unsent) => {
        closedWith.push(unsent);
        return opened.close(unsent);
      };
      return {
        ...opened,
        close,
        get closed() {
          return opened.closed;
        },
      };
    },
  };
  return { watched, closedWith };
}

describe('who comes and goes', () => {
  const poll = Uint8Array.of(0x02, 0x30, 0x31, 0x30, 0x30, 0x03, 0x02);
  function terminal() {
    const ends: LineConnection[] = [];
    const read: Uint8Array[] = [];
    const state = { reachable: true };
    const inner = createMemoryLine('terminal', (far) => {
      ends.push(far);
      far.onData((bytes) => read.push(bytes));
    });
    const line: Line = {
      name: inner.name,
      open: (signal) =>
        state.reachable ? inner.open(signal) : Promise.reject(new LineError('it does not answer')),
    };
    return { ends, read, state, line };
  }

  test('a till that leaves takes the connection to the terminal with it', async () => {
    const { ends, line } = terminal();
    const { tap, kinds } = setUp('transbank', line);
    const [till, ours] = createMemoryPair();
    const joined = (await tap()).join(ours, false);
    await settle();
    await till.close();
    await joined;
    await settle();
    expect([ends.map((end) => end.closed), kinds()]).toEqual([[true], ['opened', 'dropped', 'closed']]);
  });

  test.each([
    ['in order', endedInOrder, 'send'],
    ['by cutting the line', 'the other side cut the connection', 'drop'],
  ])('a till that leaves %s leaves no command behind that it gave up', async (_, reason, unsent) => {
    const { line } = terminal();
    const { watched, closedWith } = closesOf(line);
    const { tap } = setUp('transbank', watched);
    const [till, ours] = createMemoryPair();
    const leaving: LineConnection = {
      ...ours,
      onClose: (handler) => ours.onClose(() => handler(reason)),
      get closed() {
        return ours.closed;
      },
    };
    const joined = (await tap()).join(leaving, false);
    await settle();
    await till.close();
    await joined;
    expect(closedWith[0]).toBe(unsent);
  });

  test('the end of the recording drops what is still on its way', async () => {
    const { line } = terminal();
    const { watched, closedWith } = closesOf(line);
    const { tap } = setUp('transbank', watched);
    const [, ours] = createMemoryPair();
    const recorder = await tap();
    void recorder.join(ours, false);
    await settle();
    await recorder.close();
    expect(closedWith[0]).toBe('drop');
  });

  test('a terminal that leaves takes the till with it, unless the till is on a cable', async () => {
    const { ends, line, read } = terminal();
    const { clock, tap, kinds } = setUp('transbank', line);
    const [till, ours] = createMemoryPair();
    const [cable, end] = createMemoryPair();
    const recorder = await tap();
    const joined = recorder.join(ours, false);
    await settle();
    await ends[0]?.close();
    await joined;
    await settle();
    expect(till.closed).toBe(true);
    void recorder.join(end, true);
    await settle();
    await ends[1]?.close();
    await clock.until(() => ends.length === 3, 'the terminal again');
    await settle();
    cable.write(poll);
    await settle();
    expect([cable.closed, all(read)]).toEqual([false, all([poll])]);
    expect(kinds()).toEqual(['opened', 'closed', 'opened', 'closed', 'opened', 'frame']);
  });

  test('what is sent while the terminal is not there never arrives, and its absence is written down once', async () => {
    const { read, state, line } = terminal();
    state.reachable = false;
    const { clock, tap, text, states } = setUp('transbank', line);
    const [cable, end] = createMemoryPair();
    void (await tap()).join(end, true);
    await clock.advance(20_000);
    cable.write(poll);
    await settle();
    state.reachable = true;
    await clock.until(() => states.includes('The line is open.'), 'the terminal');
    await settle();
    expect(read).toEqual([]);
    expect(text().match(/it does not answer/g)).toHaveLength(1);
    cable.write(poll);
    await settle();
    expect(all(read)).toBe(all([poll]));
  });
});
