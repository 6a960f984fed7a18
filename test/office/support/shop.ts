/** A shop's journal for tests, as its bridge would send it: lines with their true hashes, in batches. */
import { canonicalJson, chainHash, type JournalTail } from '../../../src/bridge/journal/index.ts';
import type { JournalEvent } from '../../../src/contract/journal-events.ts';
import type { BatchHead, ChainPlace } from '../../../src/contract/office.ts';

export const chainStart: ChainPlace = { seq: 0, hash: '0'.repeat(64) };

const maxTailLines = 100;

export interface Line {
  seq: number;
  at: string;
  hash: string;
  event: JournalEvent;
}

/** A journal that can be copied, which a real one should not be. */
export class ShopJournal {
  readonly lines: Line[];

  constructor(lines: readonly Line[] = []) {
    this.lines = [...lines];
  }

  /** Adds an event, at the moment `at` (milliseconds since 1970). */
  add(event: JournalEvent, at: number): Line {
    const { seq: before, hash: previous } = this.head();
    const seq = before + 1;
    const stamp = new Date(at).toISOString();
    const line = { seq, at: stamp, hash: chainHash(previous, seq, stamp, canonicalJson(event)), event };
    this.lines.push(line);
    return line;
  }

  head(): ChainPlace {
    return this.placeAt(this.lines.length);
  }

  placeAt(seq: number): ChainPlace {
    const line = this.lines[seq - 1];
    return line === undefined ? chainStart : { seq: line.seq, hash: line.hash };
  }

  /** The text of the batch with the events behind `after`, `count` at most. */
  batch(chain: string | null, after: number, count = Infinity): string {
    const head: BatchHead = { chain, after: this.placeAt(after) };
    return textOf(head, this.lines.slice(after, after + count));
  }

  /** As the bridge's own sender reads it. */
  tail(): JournalTail {
    const known = (seq: number) =>
      seq === 0 || this.lines[seq - 1] !== undefined ? [this.placeAt(seq)] : [];
    return {
      head: () => this.head(),
      placeAt: (seq) => known(seq)[0] ?? null,
      placesAt: (seqs) => seqs.flatMap(known),
      lines: (after, maxEvents) => {
        const lines = this.lines.slice(after, after + Math.min(maxEvents, maxTailLines)).map(lineText);
        const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
        return { lines, bytes, lastSeq: after + lines.length };
      },
    };
  }

  /** The same up to the event `seq`, to go on by itself: put back from a copy, or copied to another computer. */
  copy(seq = this.lines.length): ShopJournal {
    return new ShopJournal(this.lines.slice(0, seq));
  }
}

/** A line as a journal's export has it; of what is no line of a journal, its JSON. */
function lineText(line: unknown): string {
  const { seq, at, hash, event } = line as Partial<Line>;
  const isLine = seq !== undefined && at !== undefined && hash !== undefined && event !== undefined;
  if (!isLine) return JSON.stringify(line);
  const place = `"seq":${seq},"at":${JSON.stringify(at)},"hash":${JSON.stringify(hash)}`;
  return `{${place},"event":${canonicalJson(event)}}`;
}

export function textOf(head: BatchHead, lines: readonly unknown[]): string {
  return [JSON.stringify(head), ...lines.map(lineText)].map((line) => `${line}\n`).join('');
}
