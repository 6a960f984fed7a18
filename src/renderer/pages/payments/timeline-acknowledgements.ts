/** Which frame each acknowledgement answers, so that both are shown as one. */
import type { TimelineEntry } from '../../../contract/console/index.ts';

export type FrameEntry = Extract<TimelineEntry, { kind: 'frame' }>;

export interface Acknowledgement {
  frame: FrameEntry;
  /** Between the two by the computer's clock; below zero where that was put back meanwhile. */
  afterMs: number;
}

/** An acknowledgement has nothing but its three bytes; one with data in it says something of its own. */
const bareBytes = 3;

/**
 * The acknowledgement of each frame that has one. It belongs to the newest frame before it that came from the other end
 * and is not acknowledged yet: neither end sends anything else before it has got it. What is no frame's is in none of
 * them, and behind a place where entries are left out nothing is paired with what stood before.
 */
export function acknowledgementsIn(timeline: readonly TimelineEntry[]): Map<FrameEntry, Acknowledgement> {
  const found = new Map<FrameEntry, Acknowledgement>();
  const waiting: Record<FrameEntry['direction'], FrameEntry | null> = {
    to_terminal: null,
    from_terminal: null,
  };
  for (const entry of timeline) {
    if (entry.kind === 'left_out') waiting.to_terminal = waiting.from_terminal = null;
    if (entry.kind !== 'frame') continue;
    const other = entry.direction === 'to_terminal' ? 'from_terminal' : 'to_terminal';
    if (entry.name !== 'positive-ack') {
      // A refusal is an answer as well, but one that has to be seen.
      if (entry.name === 'negative-ack') waiting[other] = null;
      else waiting[entry.direction] = entry;
      continue;
    }
    const acknowledged = waiting[other];
    waiting[other] = null;
    if (acknowledged === null || entry.lengthBytes > bareBytes) continue;
    const afterMs = Date.parse(entry.at) - Date.parse(acknowledged.at);
    found.set(acknowledged, { frame: entry, afterMs });
  }
  return found;
}
