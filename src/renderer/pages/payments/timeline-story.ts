/**
 * The story of a payment, made of its timeline: a few steps that people know, each with all the entries that it tells of.
 * Each entry is in exactly one step, so what a step does not say is one click away. It says nothing that no entry says:
 * where entries are missing (an old log, a crash), so are the steps.
 */
import type { TimelineEntry } from '../../../contract/console/index.ts';
import { acknowledgementsIn, type Acknowledgement, type FrameEntry } from './timeline-acknowledgements.ts';
import {
  isResultFrame,
  keyOf,
  note,
  placeOf,
  type EntryOf,
  type Known,
  type StepKind,
  type StoryStep,
} from './timeline-places.ts';

/** A pause, named by what was waited for. */
interface StoryGap {
  row: 'gap';
  key: string;
  /** An answer to what was sent; any message of the terminal; the end of a doubt. */
  waiting: 'answer' | 'message' | 'doubt';
  ms: number;
}

export type StoryRow =
  | StoryStep
  | StoryGap
  /** Entries of the timeline are missing here. */
  | { row: 'left_out'; key: string; count: number }
  /** The computer's clock went back by so much. */
  | { row: 'clock'; key: string; ms: number };

export interface Story {
  rows: StoryRow[];
  acknowledgements: Map<FrameEntry, Acknowledgement>;
  /** There is no frame in it: what happened on the line is not known. */
  withoutFrames: boolean;
}

/** An answer comes within milliseconds; a customer looks for the card. */
const longestAnswerMs = 3_000;
const longestPauseMs = 10_000;
/** Less is the clock being kept right. */
const smallestJumpMs = 1_000;

export function storyOf(timeline: readonly TimelineEntry[]): Story {
  const acknowledgements = acknowledgementsIn(timeline);
  const framesOf = new Map([...acknowledgements].map(([frame, { frame: answer }]) => [answer, frame]));
  const withoutFrames = !timeline.some(({ kind }) => kind === 'frame');
  const rows: StoryRow[] = [];
  const stepOf = new Map<TimelineEntry, StoryStep>();
  const known: Known = {
    open: new Set(),
    inDoubt: false,
    ended: false,
    command: '',
    unanswered: false,
  };
  let current: StoryStep | null = null;
  /** Entries that the next step takes. */
  let pending: TimelineEntry[] = [];
  let before: TimelineEntry | null = null;

  const open = (kind: StepKind, lead: TimelineEntry) => {
    current = {
      row: 'step',
      key: keyOf(lead),
      kind,
      at: lead.at,
      sinceMs: null,
      lead,
      entries: [...pending, lead],
    };
    for (const entry of current.entries) stepOf.set(entry, current);
    pending = [];
    rows.push(current);
  };
  const fold = (entry: TimelineEntry, step: StoryStep | null) => {
    if (step === null) {
      pending.push(entry);
      return;
    }
    step.entries.push(entry);
    stepOf.set(entry, step);
  };

  for (const entry of timeline) {
    if (entry.kind === 'left_out') {
      rows.push({ row: 'left_out', key: keyOf(entry), count: entry.count });
      current = null;
      before = null;
      known.unanswered = false;
      continue;
    }
    const answered = entry.kind === 'frame' ? framesOf.get(entry) : undefined;
    const pause = pauseBefore(entry, before, known, withoutFrames);
    before = entry;
    // "Acknowledged after 12 s" says it.
    if (answered === undefined && pause !== null) {
      rows.push(pause);
      current = null;
    }
    if (answered !== undefined) {
      fold(entry, stepOf.get(answered) ?? current);
    } else {
      const place = placeOf(entry, current, known);
      if (place === 'fold') fold(entry, current);
      else open(place, entry);
      if (entry.kind === 'pos') takeRequest(entry, stepOf, current);
    }
    note(entry, known);
  }
  const last = rows.findLast((row) => row.row === 'step');
  const [first] = pending;
  if (last !== undefined) last.entries.push(...pending);
  else if (first !== undefined) {
    pending = pending.slice(1);
    open('other', first);
    for (const entry of pending.splice(0)) fold(entry, current);
  }
  if (!mayHaveRecorded(timeline)) {
    for (const row of rows)
      if (row.row === 'step' && row.kind === 'result' && isResultFrame(row.lead))
        row.kind = 'result_not_recorded';
  }
  return { rows: withTimes(rows), acknowledgements, withoutFrames };
}

/** Whether a result may be in the journal: one is, or what is there is not all. */
function mayHaveRecorded(timeline: readonly TimelineEntry[]): boolean {
  return timeline.some((entry) => {
    if (entry.kind !== 'journal_event') return entry.kind === 'left_out';
    const { event } = entry.stored;
    return (
      event.type === 'result_received' ||
      event.type === 'late_result_received' ||
      (event.type === 'operation_ended' && event.result !== null)
    );
  });
}

/** The request of an answer that has a step of its own goes there, unless it is what a step is about. */
function takeRequest(
  { requestId }: EntryOf<'pos'>,
  stepOf: Map<TimelineEntry, StoryStep>,
  step: StoryStep | null,
) {
  if (step === null) return;
  for (const [entry, other] of stepOf) {
    if (entry.kind !== 'pos_request' || entry.requestId !== requestId) continue;
    if (other === step || other.lead === entry) return;
    other.entries = other.entries.filter((each) => each !== entry);
    step.entries.unshift(entry);
    stepOf.set(entry, step);
    return;
  }
}

function pauseBefore(
  entry: TimelineEntry,
  before: TimelineEntry | null,
  { open, inDoubt, unanswered }: Known,
  withoutFrames: boolean,
): StoryRow | null {
  if (before === null) return null;
  const ms = Date.parse(entry.at) - Date.parse(before.at);
  const key = `before-${keyOf(entry)}`;
  if (ms <= -smallestJumpMs) return { row: 'clock', key, ms: -ms };
  // Between a payment and its void there is nothing to wait for.
  if (open.size === 0) return null;
  if (inDoubt && !unanswered) return ms >= longestPauseMs ? { row: 'gap', key, waiting: 'doubt', ms } : null;
  if (withoutFrames) return null;
  if (unanswered) return ms >= longestAnswerMs ? { row: 'gap', key, waiting: 'answer', ms } : null;
  return ms >= longestPauseMs ? { row: 'gap', key, waiting: 'message', ms } : null;
}

function withTimes(rows: StoryRow[]): StoryRow[] {
  let before: string | null = null;
  for (const row of rows) {
    // What lies in a place that is left out, or how far the clock was put back, nobody knows.
    if (row.row === 'clock' || row.row === 'left_out') before = null;
    if (row.row !== 'step') continue;
    const sinceMs = before === null ? null : Date.parse(row.at) - Date.parse(before);
    row.sinceMs = sinceMs !== null && sinceMs < 0 ? null : sinceMs;
    before = row.at;
  }
  return rows;
}
