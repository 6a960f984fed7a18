/**
 * How much a terminal may send in a time. A serial line cannot carry more than 12 kB a second; a hostile or broken
 * terminal on a network can, and each message makes work. So what comes is taken from a store that fills up with time
 * and with each command of ours, because what follows a command was asked for. Small messages make work, too, so each
 * thing that comes costs some bytes more than it has.
 */
import { createTokenBucket } from '../../../base/token-bucket.ts';
import type { Clock } from '../../../base/clock.ts';
import type { LinkEvent } from './stream-parser.ts';

/** Three thousand lines of a receipt, or four messages of the largest size there is. */
const storeBytes = 256 * 1024;
const refillBytesPerSecond = 16 * 1024;

/** What each thing costs besides its bytes. */
const prices: Readonly<Record<LinkEvent['kind'], number>> = {
  ack: 5,
  nak: 5,
  // Logged, and the first of them answered.
  discarded: 200,
  damaged: 500,
};
/** What the protocol calls a whole frame. */
const framePrice = 50;

export interface FloodLimit {
  /** So many bytes came. False: more than any terminal sends. */
  takeBytes(count: number): boolean;
  /** They held this. */
  takeEvent(event: { kind: string }): boolean;
  /** A command of ours goes out. */
  fill(): void;
}

export function createFloodLimit(clock: Clock): FloodLimit {
  const store = createTokenBucket(clock, { capacity: storeBytes, refillMs: 1_000 / refillBytesPerSecond });
  return {
    takeBytes: (count) => store.take(count),
    takeEvent: ({ kind }) => store.take(isLinkEvent(kind) ? prices[kind] : framePrice),
    fill: () => store.fill(),
  };
}

function isLinkEvent(kind: string): kind is LinkEvent['kind'] {
  return Object.hasOwn(prices, kind);
}
