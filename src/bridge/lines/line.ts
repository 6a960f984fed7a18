/**
 * A line moves bytes between the bridge and a terminal: a serial port, a TCP socket, or memory. It fails fast when
 * closed and never queues: bytes that a closed line was given are gone, and the caller is told.
 */
export interface Line {
  /** `serial:/dev/ttyUSB0`, `tcp:10.0.0.5:20007`, `http:10.0.0.5:18080`, `memory:simulator`: for people, and for the machine-wide lock. */
  readonly name: string;
  /**
   * Opens a new connection. Rejects with `LineError` when there is none to be had (port missing, in use, refused).
   * Each connection is a new object; nothing of an earlier one survives in it.
   */
  open(signal: AbortSignal): Promise<LineConnection>;
  /**
   * Calls once when something was plugged in or out since the last try to open it: the next try need not wait. Returns what
   * ends the watch. Absent where only trying tells.
   */
  onPlugged?(call: () => void): () => void;
  /** The machine-wide lock, where it is not on the line's name alone. Absent: `lockLine` on the name. */
  lock?(): Promise<LineLock>;
}

export type LineLock =
  | { kind: 'held'; /** May be called twice. */ release(): void }
  | { kind: 'taken'; message: string }
  /** The name of the terminal's host stands for no address now: there is nothing to lock, and nothing to connect to. */
  | { kind: 'unreachable'; message: string };

/** What becomes of bytes that the other side does not have yet. */
export type Unsent = 'send' | 'drop';

export interface LineConnection {
  /**
   * Hands bytes to the line. False means that the connection is closed and that **not one byte** went out; true
   * means only that they were handed over.
   */
  write(bytes: Uint8Array): boolean;
  /** Called with each piece of bytes as it comes; pieces have no meaning. At most one handler; set it before bytes may come. */
  onData(handler: (bytes: Uint8Array) => void): void;
  /** Called once, with a reason for people, when the connection ends for any cause (also after `close()`). */
  onClose(handler: (reason: string) => void): void;
  readonly closed: boolean;
  /**
   * Ends the connection; resolves when the port or socket is free again. Never rejects; may be called twice. What was
   * handed over and is still on its way goes out (`send`), or is dropped as far as the line can call it back (`drop`):
   * so when what was sent is given up, because a command that arrives afterwards would be carried out unseen.
   */
  close(unsent?: Unsent): Promise<void>;
}

/** The reason of an `onClose` where the other side ended in order: what it sent before is meant to arrive. */
export const endedInOrder = 'the other side closed the connection';

export class LineError extends Error {
  override name = 'LineError';
}
