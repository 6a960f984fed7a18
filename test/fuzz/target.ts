/** What a fuzzer feeds: one entrance of the bridge, and how to see that it took an input well. */
import type { Random } from '../support/random.ts';

export interface FuzzTarget {
  /** As in `--only NAME` and in `test/fuzz/corpus/NAME/`. */
  readonly name: string;
  /** What must hold whatever comes in, in one line. */
  readonly rule: string;
  /** Inputs to begin from: good ones, and bad ones that once found something. Files of the corpus come on top. */
  seeds(): readonly Uint8Array[];
  /** How many tries `npm test` plays: a second or less of processor time. */
  readonly triesInTests: number;
  /** How many tries make a chunk, which is what a process plays at once and what can be played again: some seconds. */
  readonly triesInChunk: number;
  /** Makes an input. Without it, inputs are known ones with damage (`damaged` in mutate.ts). */
  make?(random: Random, corpus: readonly Uint8Array[]): Uint8Array;
  open(): FuzzSession | Promise<FuzzSession>;
}

/** An open entrance, which takes one input after the other. */
export interface FuzzSession {
  /**
   * Feeds one input and throws when the rule is broken. Gives a few words for what came of it ("refused: checksum"): an
   * input with an outcome that was not seen before joins the corpus, so that the next ones begin from there. The words
   * are therefore kinds of outcomes, never texts with the input in them.
   */
  play(input: Uint8Array): string | Promise<string>;
  close(): void | Promise<void>;
}
