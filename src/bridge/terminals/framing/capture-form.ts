/** What a protocol gives for captures of its line: its bytes in parts, what of them may be written down, and back. */
import type { MaskedBytes } from './masked-bytes.ts';
import type { LinkEvent, StreamParser } from './stream-parser.ts';

export type DataPart =
  /** A whole message, without its frame. `check`: how its check bytes are taken, where terminals differ in that. */
  | { kind: 'frame'; data: Uint8Array; check?: string }
  /** Text that is not acknowledged, in protocols that have it. */
  | { kind: 'progress'; data: Uint8Array };

/** What can be put on a line as it was. */
type SentPart = DataPart | { kind: 'ack' } | { kind: 'nak' };

/** What one side sends, in parts. */
export type CapturedPart = SentPart | LinkEvent;

interface MaskedMessage extends MaskedBytes {
  /** For people; null: a message that nobody knows. */
  name: string | null;
}

/** A sale as a till of any kind has ordered it, as far as our driver can be asked for the same. */
interface CapturedSale {
  amountMinor: number;
  /** The number under which the terminal keeps it, where it carries one. */
  terminalReference?: string;
}

export interface CaptureForm {
  /** A new one for each side of each connection. */
  createParser(): StreamParser<CapturedPart>;
  /** A frame that stops for so long has broken off, in milliseconds; null: no frame does on this line. */
  frameGapMs: number | null;
  /** What may be kept of the data of a frame or of a progress text. Never throws. */
  mask(part: DataPart, direction: 'to_terminal' | 'from_terminal'): MaskedMessage;
  /** Ready for the line, with check bytes that fit. */
  encode(part: SentPart): Uint8Array;
  /** Stands for every frame that came damaged. */
  damagedFrame: Uint8Array;
  /**
   * What a till's message is: a sale that our driver could have been asked for, another command, or null: part of the
   * conversation about the command before it. For recordings of tills that are not ours.
   */
  commandIn(data: Uint8Array): CapturedSale | 'other' | null;
  /**
   * Ready for the line: what a terminal that is ready, and has nothing to tell, says to what a driver asks before its first
   * sale. Absent where a driver sells without asking.
   */
  readyAnswers?(data: Uint8Array): Uint8Array[];
  /** The protocol's setting, without its name, that a frame's `check` is a value of. */
  checkSetting?: string;
}
