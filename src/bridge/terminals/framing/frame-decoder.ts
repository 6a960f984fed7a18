/** What each protocol gives to `tillbridge decode`: bytes of a tool's user to one JSON object. */

interface DecodeOptions {
  /** One of the decoder's `framings`. */
  framing: string;
  /** One of its `profiles`; without it, the decoder finds out what it can. */
  profile?: string | undefined;
  /** ZVT: the character set of texts where the bytes do not say. */
  encoding?: string | undefined;
  /** KPay: the text of a file with the keys that sign. */
  keys?: string | undefined;
}

/** `error` is a sentence for people, without a capital and without a full stop. */
export type DecodeReading = { ok: true; decoded: Record<string, unknown> } | { ok: false; error: string };

export interface FrameDecoder {
  /** What the bytes can be; the first is meant where nothing is said. */
  readonly framings: readonly [string, ...string[]];
  /** Dialects that it can be told; none where absent. */
  readonly profiles?: readonly string[];
  /** Never throws. Card numbers are not in what it gives, but for their last four digits. */
  decode(bytes: Uint8Array, options: DecodeOptions): DecodeReading;
}
