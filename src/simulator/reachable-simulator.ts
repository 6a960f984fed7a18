/** What the ways to a simulated terminal know of it, whichever protocol it speaks. */
import type { LineConnection } from '../bridge/lines/line.ts';

interface AttachOptions {
  /** False where nothing can be unplugged (a pseudo-terminal): a cut line is deaf and mute instead of closed. */
  unpluggable?: boolean | undefined;
}

export interface ReachableSimulator {
  /** The terminal's end of a new connection. Closed at once while the terminal does not accept one. */
  attach(connection: LineConnection, options?: AttachOptions): void;
  /** False while the line is cut or there is no power. */
  readonly accepting: boolean;
  /** Lets go of the connection; what is not final is undone. Resolves when nothing is under way any more. */
  close(): Promise<void>;
}

/** One of a protocol of requests: it has no line, and listens on the network as its terminals do. */
export interface RequestSimulator {
  /** Listens; rejects when the port cannot be had. Port 0 takes a free one. */
  serve(place: { host: string; port: number }): Promise<ServedSimulator>;
}

export interface ServedSimulator {
  /** The port that was really taken. */
  port: number;
  /** Stops listening and ends what is under way. */
  close(): Promise<void>;
}
