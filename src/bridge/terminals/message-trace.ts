/** Every message of a protocol of bytes in the log, in both directions, with card data masked. */
import type { Log } from '../../log/index.ts';
import type { TraceField } from './framing/index.ts';

export type TraceDirection = 'to_terminal' | 'from_terminal';

export interface TracedMessage {
  /** For people; null: a message that nobody knows. */
  name: string | null;
  /** The command or the code, as the protocol has it. */
  ctrl: string;
  /** Masked. */
  hex: string;
  fields: TraceField[];
}

/**
 * Gives a function that logs the text of one frame: name, command, length, masked hex and what it says as text. It is put into
 * words when the log writes it: the terminal waits while it is called.
 */
export function createMessageTrace(
  log: Log,
  read: (data: Uint8Array, direction: TraceDirection) => TracedMessage,
): (direction: TraceDirection, data: Uint8Array) => void {
  const describe = (direction: TraceDirection) => (data: Uint8Array) => {
    const { name, ctrl, hex, fields } = read(data, direction);
    const frame = name ?? 'unknown';
    const arrow = direction === 'to_terminal' ? 'to terminal' : 'from terminal';
    return {
      message: `${arrow}: ${frame}`,
      fields: { direction, frame, ctrl, length: data.length, hex, fields },
    };
  };
  const inWords = { to_terminal: describe('to_terminal'), from_terminal: describe('from_terminal') };
  return (direction, data) => log.debugBytes(data, inWords[direction]);
}
