/** The story of a payment: which steps it has, what they fold, and that nothing of the timeline is lost. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TimelineEntry } from '../../src/contract/console/index.ts';
import type { JournalEvent } from '../../src/contract/journal-events.ts';
import { acknowledgementsIn } from '../../src/renderer/pages/payments/timeline-acknowledgements.ts';
import type { StoryStep } from '../../src/renderer/pages/payments/timeline-places.ts';
import { storyOf } from '../../src/renderer/pages/payments/timeline-story.ts';
import { logLine } from '../support/console-data.ts';
import { everyEntry, eventsOf } from './every-entry.ts';

let number = 0;
const startMs = Date.UTC(2026, 4, 12, 8, 0, 0);
const instant = (ms: number) => new Date(startMs + ms).toISOString();

function frame(ms: number, direction: 'to' | 'from', name: string, control: string, status?: string) {
  number += 1;
  return {
    kind: 'frame',
    at: instant(ms),
    direction: direction === 'to' ? 'to_terminal' : 'from_terminal',
    name,
    control,
    lengthBytes: name === 'positive-ack' ? 3 : 20,
    hex: null,
    fields: status === undefined ? [] : [['status', status]],
    logLineId: number,
  } satisfies TimelineEntry;
}
const ack = (ms: number, direction: 'to' | 'from') => frame(ms, direction, 'positive-ack', '8000');

function journal(ms: number, event: JournalEvent | undefined): TimelineEntry {
  if (event === undefined) throw new Error('There is no such event.');
  number += 1;
  return { kind: 'journal_event', at: instant(ms), stored: { seq: number, at: instant(ms), event } };
}

function pos(ms: number, command: string, requestId: string, httpStatus?: number): TimelineEntry {
  number += 1;
  const base = { at: instant(ms), command, requestId, logLineId: number };
  return httpStatus === undefined
    ? { kind: 'pos_request', ...base }
    : { kind: 'pos', ...base, httpStatus, durationMs: 5 };
}

const log = (ms: number): TimelineEntry => {
  number += 1;
  return { kind: 'log', at: instant(ms), line: logLine(number) };
};

const [saleStarted, voidStarted] = eventsOf.operation_started;
const [approved] = eventsOf.operation_ended;
const [inDoubt] = eventsOf.operation_in_doubt;
const [result] = eventsOf.result_received;
const decided: JournalEvent = {
  ...(approved as Extract<JournalEvent, { type: 'operation_ended' }>),
  resolvedBy: { name: 'Kim', reason: 'slip' },
};

const asked = (ms: number) => [pos(ms, 'CreatePayment', 'r1'), journal(ms + 3, saleStarted)];
const taken = (ms: number) => [frame(ms, 'to', 'authorisation', '0601'), ack(ms + 4, 'from')];
const shows = (ms: number, status: string) => [
  frame(ms, 'from', 'intermediate-status', '04ff', status),
  ack(ms + 1, 'to'),
];
const reported = (ms: number) => [
  frame(ms, 'from', 'status-information', '040f'),
  journal(ms + 1, result),
  ack(ms + 2, 'to'),
  frame(ms + 3, 'from', 'completion', '060f'),
  ack(ms + 4, 'to'),
];

/** What a story says, in short: kinds of steps, and what stands between them. */
function short(timeline: TimelineEntry[]): string[] {
  return storyOf(timeline).rows.map((row) => {
    switch (row.row) {
      case 'step':
        return row.kind;
      case 'gap':
        return `${row.ms} ms ${row.waiting}`;
      case 'clock':
        return `${row.ms} ms back`;
      case 'left_out':
        return `${row.count} left out`;
    }
  });
}

const stepsOf = (timeline: TimelineEntry[]) =>
  storyOf(timeline).rows.filter((row): row is StoryStep => row.row === 'step');

describe('the story of a payment', () => {
  test('that went well: asked, taken, card, PIN, host, result, told', () => {
    const timeline = [
      ...asked(0),
      log(4),
      ...taken(5),
      ...shows(10, '0A: Insert card'),
      ...shows(2_000, '0A: Insert card'),
      ...shows(4_000, '01: Please watch the PIN pad'),
      ...shows(5_000, '04: Waiting for the bank'),
      ...reported(6_000),
      log(6_010),
      journal(6_011, approved),
      pos(6_015, 'CreatePayment', 'r1', 200),
      pos(7_000, 'QueryPayment', 'r2'),
      pos(7_001, 'QueryPayment', 'r2', 200),
    ];
    expect(short(timeline)).toEqual([
      'asked',
      'sent',
      'status',
      'status',
      'status',
      'result',
      'ended',
      'pos_told',
    ]);
    expect(stepsOf(timeline).map(({ sinceMs }) => sinceMs)).toEqual([null, 5, 5, 3_990, 1_000, 1_000, 11, 4]);
    expect([...acknowledgementsIn(timeline).values()].map(({ afterMs }) => afterMs)).toEqual([
      4, 1, 1, 1, 1, 2, 1,
    ]);
  });

  test('in doubt names how long nobody answered, that the POS was answered before, and who decided', () => {
    const timeline = [
      ...asked(0),
      frame(5, 'to', 'authorisation', '0601'),
      frame(5_005, 'to', 'abort-by-ecr', '06b0'),
      log(75_005),
      journal(75_006, inDoubt),
      pos(75_010, 'CreatePayment', 'r1', 200),
      journal(200_000, decided),
    ];
    expect(short(timeline)).toEqual([
      'asked',
      'sent',
      '5000 ms answer',
      'cancel_sent',
      '70000 ms answer',
      'event',
      'pos_answered',
      '124990 ms doubt',
      'ended',
    ]);
  });

  test('with recovery folds the questions to the terminal into one step', () => {
    const timeline = [
      ...asked(0),
      ...taken(5),
      journal(20, inDoubt),
      frame(4_000, 'to', 'registration', '0600'),
      ack(4_001, 'from'),
      frame(4_002, 'from', 'completion', '060f'),
      ack(4_003, 'to'),
      frame(4_004, 'to', 'repeat-receipt', '0620'),
      ack(4_005, 'from'),
      // Not the result of the payment: the last record that the terminal has.
      frame(4_006, 'from', 'status-information', '040f'),
      ack(4_007, 'to'),
      journal(4_010, approved),
    ];
    expect(short(timeline)).toEqual(['asked', 'sent', 'event', 'checking', 'ended']);
  });

  test('of a customer who takes long says so, but says nothing about the time between sale and void', () => {
    const timeline = [
      ...asked(0),
      ...taken(5),
      ...shows(10, '0A: Insert card'),
      ...reported(40_000),
      journal(40_010, approved),
      journal(9_000_000, voidStarted),
      frame(9_000_003, 'to', 'reversal', '0630'),
    ];
    expect(short(timeline)).toEqual([
      'asked',
      'sent',
      'status',
      '39989 ms message',
      'result',
      'ended',
      'asked',
      'sent',
    ]);
  });

  test('that a crash cut off ends where it ends', () => {
    const timeline = [...asked(0), frame(5, 'to', 'authorisation', '0601')];
    expect(short(timeline)).toEqual(['asked', 'sent']);
    // A result that never reached the journal is not told as one that did.
    const [step] = stepsOf([
      ...timeline,
      ack(6, 'from'),
      frame(9, 'from', 'status-information', '040f'),
    ]).slice(-1);
    expect(step?.kind).toBe('result_not_recorded');
    expect(step?.entries.some(({ kind }) => kind === 'journal_event')).toBe(false);
  });

  test('knows a result whose event has the millisecond of its frame, and stands before it', () => {
    const [status = log(0), event = log(0), ...rest] = reported(20);
    const timeline = [...asked(0), ...taken(5), { ...event, at: instant(20) }, status, ...rest];
    expect(short(timeline)).toEqual(['asked', 'sent', 'result']);
    // Sent once more, because the first acknowledgement was lost: in the journal all the same.
    const again = [...timeline, frame(5_000, 'from', 'status-information', '040f')];
    expect(short(again)).toEqual(['asked', 'sent', 'result', 'result']);
    // Where entries are left out, the event may be among them.
    const gone: TimelineEntry = { kind: 'left_out', at: instant(15), count: 1 };
    expect(short([...asked(0), ...taken(5), gone, status])).toEqual([
      'asked',
      'sent',
      '1 left out',
      'result',
    ]);
  });

  test('without its log has the steps of the journal, and no pauses of a line that nobody saw', () => {
    const timeline = [journal(0, saleStarted), journal(70_000, result), journal(70_003, approved)];
    expect(short(timeline)).toEqual(['asked', 'result', 'ended']);
    expect(storyOf(timeline).withoutFrames).toBe(true);
    expect(storyOf([...timeline, ack(71_000, 'to')]).withoutFrames).toBe(false);
  });

  test('says where the clock went back and where entries are left out, and no time across either', () => {
    const [first = log(0), ...rest] = [...asked(0), ...taken(5)];
    const timeline: TimelineEntry[] = [
      first,
      ...rest,
      journal(-3_600_000, inDoubt),
      { kind: 'left_out', at: instant(-3_500_000), count: 7 },
      journal(-3_400_000, decided),
    ];
    expect(short(timeline)).toEqual(['asked', 'sent', '3600009 ms back', 'event', '7 left out', 'ended']);
    expect(stepsOf(timeline).map(({ sinceMs }) => sinceMs)).toEqual([null, 5, null, null]);
  });

  test('pairs an acknowledgement with its frame only, and never a refusal or one with data', () => {
    const command = frame(0, 'to', 'authorisation', '0601');
    const answer = ack(4, 'from');
    const found = (...timeline: TimelineEntry[]) => [...acknowledgementsIn(timeline).values()];
    expect(found(command, answer)).toEqual([{ frame: answer, afterMs: 4 }]);
    expect(found(command, ack(4, 'to'))).toEqual([]);
    expect(found(command, { ...answer, lengthBytes: 5 })).toEqual([]);
    expect(found(command, frame(3, 'from', 'negative-ack', '8483'), answer)).toEqual([]);
    expect(found(command, { kind: 'left_out', at: instant(1), count: 1 }, answer)).toEqual([]);
    expect(found(command, answer, ack(5, 'from'))).toHaveLength(1);
  });

  test('has each entry of a timeline once, whatever that timeline is', () => {
    const all = [
      ...everyEntry(),
      ...asked(0),
      ...taken(5),
      ...shows(10, '0A: Insert card'),
      ...reported(20),
      frame(30, 'from', 'negative-ack', '8483'),
      frame(40, 'from', 'abort', '061e'),
      frame(50, 'from', 'print-line', '06d1'),
      frame(60, 'from', 'unknown', '0fa1'),
      frame(60, 'to', 'unknown', '0fa1'),
      pos(70, 'QueryPayment', 'r3'),
      pos(71, 'QueryPayment', 'r3', 200),
      pos(72, 'CancelPayment', 'r4'),
      pos(73, 'CancelPayment', 'r4', 409),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(all), (timeline) => {
        const told = storyOf(timeline).rows.flatMap((row) => (row.row === 'step' ? row.entries : []));
        const wanted = timeline.filter(({ kind }) => kind !== 'left_out');
        expect(told).toHaveLength(wanted.length);
        expect(new Set(told)).toEqual(new Set(wanted));
      }),
      { numRuns: 300 },
    );
  });
});
