/** What a person is notified of: when, once, and until when; on a clock that stands still. */
import { describe, expect, test } from 'vitest';
import type { ConsoleState } from '../../src/contract/console/index.ts';
import { translatorFor } from '../../src/locales/index.ts';
import { createNotifier, noticeText, type Notice } from '../../src/notifications/index.ts';
import {
  consoleState,
  discrepancyView,
  inDoubtView,
  otherTerminalState,
  terminalState,
} from '../support/console-data.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

function watch(options: { told?: string[] } = {}) {
  const clock = createVirtualClock();
  const shown: Notice[] = [];
  const open = new Set<Notice>();
  let told: string[] = [];
  let inFront = false;
  const notifier = createNotifier({
    clock,
    on: true,
    isInFront: () => inFront,
    show(notice) {
      shown.push(notice);
      open.add(notice);
      return () => open.delete(notice);
    },
    onTold: (keys) => (told = keys),
    ...options,
  });
  const tell = (changes: Partial<ConsoleState>) => notifier.look(consoleState(changes));
  return {
    notifier,
    tell,
    pass: (ms: number) => clock.advance(ms),
    bringToFront: (isThere: boolean) => (inFront = isThere),
    kinds: () => shown.map(({ needs }) => needs.map(({ kind }) => kind).join(' and ')),
    shown,
    open,
    told: () => told,
  };
}

const lost = { terminal: terminalState({ connection: 'lost' }) };
const connecting = { terminal: terminalState({ connection: 'connecting' }) };
const doubtful = { doubts: [inDoubtView()] };
const second = 1_000;

describe('a terminal that is lost', () => {
  test('for 29 seconds is not worth a word', async () => {
    const till = watch();
    till.tell(lost);
    await till.pass(29 * second);
    till.tell({});
    await till.pass(120 * second);
    expect(till.kinds()).toEqual([]);
  });

  test('for longer is told once, also when it is tried again and again, and taken back when it is there', async () => {
    const till = watch();
    for (let round = 0; round < 20; round += 1) {
      till.tell(round % 2 === 0 ? lost : connecting);
      await till.pass(5 * second);
    }
    expect(till.kinds()).toEqual(['lost']);
    expect(till.open.size).toBe(1);
    till.tell({});
    await till.pass(10 * second);
    expect(till.open.size).toBe(0);
    till.tell(lost);
    await till.pass(31 * second);
    expect(till.kinds()).toEqual(['lost', 'lost']);
  });

  test('is counted from the loss, not from the last attempt', async () => {
    const till = watch();
    till.tell(lost);
    await till.pass(20 * second);
    till.tell(connecting);
    till.tell(lost);
    await till.pass(10 * second);
    expect(till.kinds()).toEqual(['lost']);
  });
});

describe('of several terminals', () => {
  const other = (changes: Parameters<typeof otherTerminalState>[0]) => ({
    otherTerminals: [otherTerminalState(changes)],
  });
  const texts = ({ shown }: ReturnType<typeof watch>) =>
    shown.map((notice) => noticeText(notice, translatorFor('en')).text);

  test('a named one that is lost is told as the only one would be, by its name, and leads to its own help', async () => {
    const till = watch();
    till.tell(other({}));
    for (let round = 0; round < 8; round += 1) {
      till.tell(other(round % 2 === 0 ? lost : connecting));
      await till.pass(5 * second);
    }
    expect(till.kinds()).toEqual(['lost']);
    expect(till.shown[0]?.place).toBe('#/help?terminal=bar');
    expect(texts(till)[0]).toMatch(/^Terminal “bar”: /);
    till.tell(other({}));
    await till.pass(10 * second);
    expect(till.open.size).toBe(0);
  });

  test('those that need somebody at once are told together', async () => {
    const till = watch();
    const attention = { terminal: terminalState({ connection: 'attention' }) };
    till.tell({ ...attention, ...other(attention) });
    await till.pass(31 * second);
    expect(till.kinds()).toEqual(['terminal and terminal']);
    expect(texts(till)[0]).toMatch(/^Main terminal, Terminal “bar”: /);
  });

  test('a doubt, a discrepancy and a damaged journal have the name of theirs', async () => {
    const till = watch();
    till.tell({
      ...other({ journal: { writable: false, text: '', damaged: true } }),
      doubts: [inDoubtView({ onTerminal: 'bar' })],
      discrepancies: [discrepancyView(1)],
    });
    await till.pass(10 * second);
    expect(till.kinds()).toEqual(['doubt', 'discrepancy', 'journal']);
    expect(texts(till).map((text) => text.split(':')[0])).toEqual([
      'Terminal “bar”',
      'Main terminal',
      'Terminal “bar”',
    ]);
    expect(till.shown.at(-1)?.place).toBe('#/help?terminal=bar');
  });

  test('one that is no longer configured has no line that could be lost', async () => {
    const till = watch();
    till.tell(other({ ...lost, retired: true }));
    await till.pass(60 * second);
    expect(till.kinds()).toEqual([]);
  });
});

describe('a doubt', () => {
  test('is told once, and taken back when it is decided before anybody comes', async () => {
    const till = watch();
    till.tell(doubtful);
    await till.pass(60 * second);
    till.tell({ ...doubtful, ...lost });
    await till.pass(10 * second);
    expect(till.kinds()).toEqual(['doubt']);
    expect(till.open.size).toBe(1);
    till.tell({});
    await till.pass(4 * second);
    expect(till.open.size).toBe(0);
  });

  test('that clears up at once is not told', async () => {
    const till = watch();
    till.tell(doubtful);
    await till.pass(2 * second);
    till.tell({});
    await till.pass(60 * second);
    expect(till.kinds()).toEqual([]);
  });

  test('that the terminal is being asked about is none yet', async () => {
    const till = watch();
    till.tell({ doubts: [inDoubtView({ needsDecision: false })] });
    await till.pass(60 * second);
    expect(till.kinds()).toEqual([]);
  });

  test('is not told again when the bridge has started again', async () => {
    const till = watch();
    till.tell(doubtful);
    await till.pass(10 * second);
    till.tell({ bridge: { kind: 'starting' }, terminal: null });
    await till.pass(60 * second);
    expect(till.open.size).toBe(1);
    till.tell({ ...doubtful, ...connecting });
    till.tell({ doubts: [inDoubtView({ needsDecision: false })] });
    await till.pass(10 * second);
    till.tell(doubtful);
    await till.pass(60 * second);
    expect(till.kinds()).toEqual(['doubt']);
  });

  test('is not told again when the page was loaded again; another one is', async () => {
    const before = watch();
    before.tell(doubtful);
    await before.pass(10 * second);
    const till = watch({ told: before.told() });
    till.tell({ bridge: { kind: 'starting' } });
    till.tell(doubtful);
    await till.pass(60 * second);
    expect(till.kinds()).toEqual([]);
    till.tell({ doubts: [...doubtful.doubts, inDoubtView({ operationId: 'another' })] });
    await till.pass(60 * second);
    expect(till.kinds()).toEqual(['doubt']);
  });
});

describe('whoever has the window in front', () => {
  test('is not told, neither then nor later', async () => {
    const till = watch();
    till.bringToFront(true);
    till.tell(doubtful);
    await till.pass(10 * second);
    till.bringToFront(false);
    till.tell({ ...doubtful, journal: { writable: false, text: '', damaged: false } });
    await till.pass(60 * second);
    expect(till.kinds()).toEqual(['journal']);
  });

  test('sees no notification any more', async () => {
    const till = watch();
    till.tell(doubtful);
    await till.pass(10 * second);
    till.notifier.seen();
    expect(till.open.size).toBe(0);
  });
});

test('what comes together is one notification of its kind; only money makes a sound', async () => {
  const till = watch();
  till.tell({
    discrepancies: [discrepancyView(1), discrepancyView(2)],
    listener: { kind: 'failed', code: 'port_in_use', port: 8080, text: '' },
  });
  await till.pass(10 * second);
  expect(till.kinds()).toEqual(['discrepancy and discrepancy', 'listener']);
  expect(till.shown.map(({ quiet }) => quiet)).toEqual([false, true]);
  expect(till.shown.map(({ place }) => place)).toEqual(['#/till?open=items', '#/help']);
});

test('money of closed batches that is overdue is told once, together, without a sound', async () => {
  const till = watch();
  till.tell({ overdueBatches: ['b1', 'b2'] });
  await till.pass(10 * second);
  till.tell({ overdueBatches: ['b1', 'b2'] });
  await till.pass(60 * second);
  expect(till.shown).toMatchObject([{ quiet: true, place: '#/money?only=needs_person' }]);
  expect(noticeText(till.shown[0] as Notice, translatorFor('en')).title).toBe(
    'The money of 2 batches is overdue or unclear',
  );
  till.tell({ overdueBatches: ['b2', 'b3'] });
  await till.pass(10 * second);
  expect(till.shown[1]?.needs).toEqual([{ key: 'money b3', kind: 'money' }]);
  till.tell({});
  await till.pass(10 * second);
  expect(till.open.size).toBe(0);
});

test('turned off, nothing is shown, and what is shown goes', async () => {
  const till = watch();
  till.tell(doubtful);
  await till.pass(10 * second);
  till.notifier.turn(false);
  expect(till.open.size).toBe(0);
  till.tell({ ...doubtful, ...lost });
  await till.pass(60 * second);
  expect(till.kinds()).toEqual(['doubt']);
});

test('says what it is about, in both languages', () => {
  const doubt: Notice = {
    needs: [{ key: 'doubt 1', kind: 'doubt', inDoubt: inDoubtView({ reference: 'INV-7' }) }],
    quiet: false,
    place: '',
  };
  expect(noticeText(doubt, translatorFor('en'))).toEqual({
    title: 'In doubt: do not charge again',
    text: 'Payment INV-7: it is not certain whether money was taken. Open Tillbridge to resolve it.',
  });
  const listener: Notice = {
    needs: [{ key: 'listener', kind: 'listener', port: 8080 }],
    quiet: true,
    place: '',
  };
  expect(noticeText(listener, translatorFor('de')).text).toContain('Port 8080 kann nicht geöffnet werden.');
});
