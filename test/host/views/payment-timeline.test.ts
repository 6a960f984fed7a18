/** Journal and log of a payment in one order, also where the clock was put back, and bounded where there is too much. */
import { describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../../src/contract/journal-events.ts';
import { timelineOf } from '../../../src/host/views/payment-timeline.ts';
import { discrepancyView, logLine } from '../../support/console-data.ts';
import { sale } from '../../bridge/journal/sample-events.ts';

const startMs = Date.UTC(2026, 4, 12, 8, 0, 0);
const instant = (ms: number) => new Date(startMs + ms).toISOString();
const started: JournalEvent = sale({ reference: 'A-1007' });
const event = (seq: number, ms: number) => ({ seq, at: instant(ms), event: started });
const line = (id: number, ms: number) => logLine(id, { time: instant(ms) });

/** "e1" for an event, "l1" for a line, "…5" for what is left out. */
function order(sources: Partial<Parameters<typeof timelineOf>[0]>): string[] {
  const { timeline } = timelineOf({
    events: [],
    discrepancies: [],
    logged: { lines: [], leftOut: 0 },
    ...sources,
  });
  return timeline.map((entry) => {
    if (entry.kind === 'journal_event') return `e${entry.stored.seq}`;
    if (entry.kind === 'log') return `l${entry.line.id}`;
    return entry.kind === 'left_out' ? `…${entry.count}` : entry.kind;
  });
}
const logged = (lines: ReturnType<typeof line>[], leftOut = 0) => ({ lines, leftOut });

describe('the order of a timeline', () => {
  it('is that of the clock between journal and log, and that of their numbers in each', () => {
    // Two lines of one millisecond, and one that the clock, kept right, has a little before the one before it.
    const lines = [line(1, 0), line(2, 10), line(3, 10), line(4, 8)];
    expect(order({ events: [event(7, 5), event(8, 5)], logged: logged(lines) })).toEqual([
      'l1',
      'e7',
      'e8',
      'l2',
      'l3',
      'l4',
    ]);
  });

  it('stays where the clock was put back by an hour', () => {
    const back = -3_600_000;
    const events = [event(1, 0), event(2, 1_000), event(3, back + 2_000), event(4, back + 3_000)];
    const lines = [line(1, 500), line(2, 1_500), line(3, back + 2_500)];
    const wanted = ['e1', 'l1', 'e2', 'l2', 'e3', 'l3', 'e4'];
    expect(order({ events, logged: logged(lines) })).toEqual(wanted);
  });

  it('has a discrepancy where the journal has it', () => {
    const discrepancy = discrepancyView(2, {
      foundAt: instant(-10_000),
      acknowledged: { by: 'Kim', reason: 'seen', at: instant(-5_000) },
    });
    expect(order({ events: [event(1, 0), event(3, -9_000)], discrepancies: [discrepancy] })).toEqual([
      'e1',
      'discrepancy',
      'e3',
      'discrepancy',
    ]);
  });
});

describe('a timeline of thousands', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, id) => line(id, id * 10));

  it('says where the log has left out lines', () => {
    expect(order({ logged: logged(lines(4), 9_200) })).toEqual(['l0', 'l1', '…9200', 'l2', 'l3']);
    expect(timelineOf({ events: [], discrepancies: [], logged: logged(lines(4), 9_200) }).leftOut).toBe(
      9_200,
    );
  });

  it('keeps both ends of journal and log, and counts the rest at its place', () => {
    const events = Array.from({ length: 5_000 }, (_, seq) => event(seq, seq * 10 + 5));
    const shown = order({ events, logged: logged(lines(5_000)) });
    expect(shown).toHaveLength(1_002);
    expect(shown.filter((entry) => entry.startsWith('…'))).toEqual(['…4500', '…4500']);
    expect(shown.slice(0, 3)).toEqual(['l0', 'e0', 'l1']);
    expect(shown.slice(-2)).toEqual(['l4999', 'e4999']);
  });

  it('gives the journal what the log does not need', () => {
    const events = Array.from({ length: 995 }, (_, seq) => event(seq, seq));
    expect(order({ events, logged: logged(lines(2)) })).not.toContain('…1');
    expect(order({ events: [...events, event(995, 995)], logged: logged([]) })).toHaveLength(996);
  });
});
