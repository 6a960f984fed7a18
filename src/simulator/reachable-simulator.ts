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
