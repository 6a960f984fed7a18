/** Where a recording is played: a driver of today in front of what its terminal did then. */
import type { DriverWatch, TerminalDriver } from '../terminals/terminal-driver.ts';
import type { EntryOf, NumberedEntry } from './capture-file.ts';
import type { RecordingParts } from './recorded-driver.ts';

/** What the terminal does, and what becomes of the connection. */
export type Happening = EntryOf<
  | 'opened'
  | 'closed'
  | 'frame'
  | 'progress'
  | 'ack'
  | 'nak'
  | 'damaged'
  | 'discarded'
  | 'broken_off'
  | 'reply'
  | 'no_reply'
>;

export interface Stage {
  /** Null while there is no connection. */
  readonly driver: TerminalDriver | null;
  /** See `CaptureForm`. */
  readonly frameGapMs: number | null;
  /** It happens again, now. */
  happen(entry: Happening): void;
}

export interface StageParts {
  /** What happens now. */
  recording: RecordingParts;
  /** Whom the driver tells things. */
  watch: DriverWatch;
  /** What happened then. */
  entries: readonly NumberedEntry[];
}
