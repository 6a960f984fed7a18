/**
 * What a terminal takes its check bytes of: each generation has its own way, and none says which. It is found with the first
 * harmless command, and then kept: where all four are taken, one wrong bit can make one look like another.
 */
import type { Log } from '../../../log/index.ts';
import type { StreamParser } from '../framing/index.ts';
import { createParser, lrcRanges, type LrcRange, type PacketEvent } from './wire/index.ts';

const usualCopies = 3;

export interface RangeFinder {
  /** Reads what comes, in the range that is known. */
  readonly parser: StreamParser<PacketEvent>;
  /** The range to send in. */
  readonly sending: LrcRange;
  readonly isKnown: boolean;
  /** How many copies of a harmless command go out: as many as there are ranges while it is not known. */
  readonly tries: number;
  /** The terminal refused a command: the next copy goes in another range, unless it is known. */
  next(): void;
  /** The terminal has answered a command, in this range. */
  found(receiving: LrcRange): void;
  /** Nothing that it sends can be read in the range that was found. */
  forget(): void;
  /** Between two commands: from now on only the range that was found counts. */
  settle(): void;
}

/** In which range the terminal was last found to take commands: outlives connections, so that it is not looked for again. */
export interface RangeMemory {
  sending: LrcRange | null;
}

/** `lrc`: the range where it is set; then nothing is looked for. */
export function createRangeFinder(lrc: LrcRange | 'auto', memory: RangeMemory, log: Log): RangeFinder {
  const set = lrc === 'auto' ? null : lrc;
  let tried = Math.max(0, lrcRanges.indexOf(set ?? memory.sending ?? lrcRanges[0]));
  let known = set;
  let parsedIn: LrcRange | null = null;
  let inner = createParser();
  return {
    parser: {
      push: (bytes) => inner.push(bytes),
      get insideFrame() {
        return inner.insideFrame;
      },
      reset: () => inner.reset(),
    },
    get sending() {
      return lrcRanges[tried] ?? lrcRanges[0];
    },
    get isKnown() {
      return known !== null;
    },
    get tries() {
      return known === null ? lrcRanges.length : usualCopies;
    },
    next() {
      if (known === null) tried = (tried + 1) % lrcRanges.length;
    },
    found(receiving) {
      if (known === null)
        log.info('the terminal takes its check bytes in this way', {
          sent: lrcRanges[tried] ?? null,
          received: receiving,
        });
      known ??= receiving;
      memory.sending = lrcRanges[tried] ?? null;
    },
    forget() {
      known = set;
    },
    settle() {
      // A packet that has begun is read to its end.
      if (known === parsedIn || inner.insideFrame) return;
      inner = known === null ? createParser() : createParser(known);
      parsedIn = known;
    },
  };
}
