/** Where an entry of the timeline belongs in the story: a step of its own, or the step before it. */
import type { TimelineEntry } from '../../../contract/console/index.ts';
import type { JournalEvent } from '../../../contract/journal-events.ts';
import type { FrameEntry } from './timeline-acknowledgements.ts';

export type EntryOf<K extends TimelineEntry['kind']> = Extract<TimelineEntry, { kind: K }>;

/** What a step is about; `lead` is the entry that says it. */
export type StepKind =
  /** The POS asked for something, or somebody else began an operation. */
  | 'asked'
  /** The money command went to the terminal. */
  | 'sent'
  | 'refused_by_terminal'
  /** What the terminal shows. */
  | 'status'
  | 'result'
  /** The same, but the journal has certainly nothing of it. */
  | 'result_not_recorded'
  | 'receipt'
  | 'cancel_sent'
  /** The terminal is asked about itself and about its last record. */
  | 'checking'
  | 'aborted'
  /** Anything else that the journal has. */
  | 'event'
  | 'ended'
  | 'discrepancy'
  /** The POS got an answer before there was a result; after it; or a refusal. */
  | 'pos_answered'
  | 'pos_told'
  | 'pos_refused'
  /** A frame or a log line for which there is no step. */
  | 'other';

export interface StoryStep {
  row: 'step';
  key: string;
  kind: StepKind;
  at: string;
  /** Since the step before; null for the first, and where the clock was put back. */
  sinceMs: number | null;
  lead: TimelineEntry;
  /** In order, with `lead`; acknowledgements stand behind their frames. */
  entries: TimelineEntry[];
}

const moneyCommands = new Set(['authorisation', 'reversal']);

/** What is known at this place of the timeline. */
export interface Known {
  /** Operations that have begun and not ended. */
  open: Set<string>;
  inDoubt: boolean;
  ended: boolean;
  /** The newest command to the terminal. */
  command: string;
  /** A command of ours has no answer yet. */
  unanswered: boolean;
}

/** A step of its own for this entry, or into the one before. */
export function placeOf(entry: TimelineEntry, current: StoryStep | null, known: Known): StepKind | 'fold' {
  switch (entry.kind) {
    case 'pos_request':
      return entry.command === 'QueryPayment' ? 'fold' : 'asked';
    case 'pos':
      return placeOfResponse(entry, current, known);
    case 'journal_event':
      return placeOfEvent(entry.stored.event, current, known);
    case 'discrepancy':
      return 'discrepancy';
    case 'frame':
      return placeOfFrame(entry, current, known);
    case 'log':
    case 'left_out':
      return 'fold';
  }
}

function placeOfResponse(entry: EntryOf<'pos'>, current: StoryStep | null, known: Known): StepKind | 'fold' {
  if (entry.httpStatus >= 400) {
    const lead = current?.kind === 'pos_refused' ? current.lead : null;
    return lead?.kind === 'pos' && lead.command === entry.command ? 'fold' : 'pos_refused';
  }
  if (known.open.size === 0 && known.ended) return current?.kind === 'pos_told' ? 'fold' : 'pos_told';
  return entry.command === 'QueryPayment' || current?.kind === 'pos_answered' ? 'fold' : 'pos_answered';
}

function placeOfEvent(event: JournalEvent, current: StoryStep | null, known: Known): StepKind | 'fold' {
  switch (event.type) {
    case 'operation_started':
    case 'cancel_requested':
      return current?.kind === 'asked' && eventIn(current) === null ? 'fold' : 'asked';
    case 'result_received':
      return current?.kind === 'result' && eventIn(current) === null ? 'fold' : 'result';
    case 'result_acknowledged':
      return current?.kind === 'result' ? 'fold' : 'event';
    case 'evidence_found': {
      const found = current === null ? null : eventIn(current);
      const again = found?.type === 'evidence_found' && found.needsPerson === event.needsPerson;
      return again || (current?.kind === 'checking' && !event.needsPerson) ? 'fold' : 'event';
    }
    case 'operation_ended':
      return known.open.size === 0 || known.open.has(event.operationId) ? 'ended' : 'event';
    case 'operation_in_doubt':
    case 'late_result_received':
    case 'terminal_ready':
    case 'terminal_lost':
    case 'record_seen':
    case 'terminal_trait_learned':
    case 'discrepancy_found':
    case 'discrepancy_acknowledged':
    case 'journal_opened':
    case 'journal_repaired':
      return 'event';
  }
}

function placeOfFrame(
  { direction, name, fields }: FrameEntry,
  current: StoryStep | null,
  known: Known,
): StepKind | 'fold' {
  if (direction === 'to_terminal') {
    if (moneyCommands.has(name)) return 'sent';
    if (name === 'abort-by-ecr') return 'cancel_sent';
    if (name === 'positive-ack' || name === 'negative-ack') return current === null ? 'other' : 'fold';
    return current?.kind === 'checking' ? 'fold' : 'checking';
  }
  const aboutMoney = moneyCommands.has(known.command) || known.command === 'abort-by-ecr';
  switch (name) {
    case 'intermediate-status': {
      const shows =
        current?.kind === 'status' &&
        current.lead.kind === 'frame' &&
        JSON.stringify(current.lead.fields) === JSON.stringify(fields);
      return shows || (current !== null && !aboutMoney) ? 'fold' : 'status';
    }
    case 'status-information':
      if (!aboutMoney) return current === null ? 'checking' : 'fold';
      // Within one millisecond the journal's event may stand before the frame that it is about.
      return current?.kind === 'result' && !current.entries.some(isResultFrame) ? 'fold' : 'result';
    case 'abort':
      return aboutMoney && current?.kind !== 'result' ? 'aborted' : current === null ? 'other' : 'fold';
    case 'negative-ack':
      return moneyCommands.has(known.command) ? 'refused_by_terminal' : current === null ? 'other' : 'fold';
    case 'print-line':
    case 'print-text-block':
      return current?.kind === 'receipt' ? 'fold' : 'receipt';
    case 'completion':
    case 'positive-ack':
      return current === null ? 'other' : 'fold';
    default:
      return 'other';
  }
}

export function isResultFrame(entry: TimelineEntry): boolean {
  return entry.kind === 'frame' && entry.name === 'status-information';
}

/** The first journal event of a step. */
export function eventIn({ entries }: StoryStep): JournalEvent | null {
  return entries.find((entry) => entry.kind === 'journal_event')?.stored.event ?? null;
}

/** What is known behind this entry. */
export function note(entry: TimelineEntry, known: Known) {
  if (entry.kind === 'frame') {
    const fromUs = entry.direction === 'to_terminal';
    const isAnswer = entry.name === 'positive-ack' || entry.name === 'negative-ack';
    if (fromUs && !isAnswer) known.command = entry.name;
    known.unanswered = fromUs && !isAnswer;
  }
  if (entry.kind !== 'journal_event') return;
  const { event } = entry.stored;
  if (event.type === 'operation_started') {
    known.open.add(event.operationId);
    known.ended = known.inDoubt = false;
  } else if (event.type === 'operation_in_doubt') {
    known.inDoubt = true;
    // From here on nobody waits for that answer any more.
    known.unanswered = false;
  } else if (event.type === 'operation_ended') {
    known.open.delete(event.operationId);
    known.ended = true;
    known.inDoubt = false;
  }
}

/** Events and lines have numbers of their own; the same entry stays the same when more come. */
export function keyOf(entry: TimelineEntry): string {
  switch (entry.kind) {
    case 'journal_event':
      return `event-${entry.stored.seq}`;
    case 'discrepancy':
      return `${entry.step}-${entry.discrepancy.discrepancyId}`;
    case 'log':
      return `log-${entry.line.id}`;
    case 'left_out':
      return `left-out-${entry.count}-${entry.at}`;
    case 'pos_request':
    case 'pos':
    case 'frame':
      return `${entry.kind}-${entry.logLineId}`;
  }
}
