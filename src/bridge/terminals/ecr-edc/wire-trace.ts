/** Every message in the log, in both directions, with card data masked. */
import type { Currency } from '../../../contract/money.ts';
import type { Log } from '../../../log/index.ts';
import { decodeMessage, messageName, traceFields, tracedHex, type EdcProfile } from './wire/index.ts';

export type TraceDirection = 'to_terminal' | 'from_terminal';

/**
 * Gives a function that logs one message: name, code, length, masked hex and what it says as text. It is put into words when
 * the log writes it: the terminal waits while it is called.
 */
export function createWireTrace(
  log: Log,
  profile: EdcProfile,
  currency: Currency,
): (direction: TraceDirection, bytes: Uint8Array) => void {
  const describe = (direction: TraceDirection) => (bytes: Uint8Array) => {
    const message = decodeMessage(bytes);
    const name = messageName(message, profile);
    const arrow = direction === 'to_terminal' ? 'to terminal' : 'from terminal';
    return {
      message: `${arrow}: ${name}`,
      fields: {
        direction,
        frame: name,
        ctrl: message.txCode,
        length: bytes.length,
        hex: tracedHex(bytes, message),
        fields: traceFields(message, profile, currency),
      },
    };
  };
  const inWords = { to_terminal: describe('to_terminal'), from_terminal: describe('from_terminal') };
  return (direction, bytes) => log.debugBytes(bytes, inWords[direction]);
}
