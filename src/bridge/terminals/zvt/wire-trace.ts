/** Every APDU in the log, in both directions, with card data masked. */
import type { Log } from '../../log/log.ts';
import { hex } from './bytes.ts';
import { decodeMessage, maskedHex } from './messages.ts';
import type { TextEncoding } from './text.ts';

export type TraceDirection = 'to_terminal' | 'from_terminal';

/**
 * Gives a function that logs one APDU: name, control field, length and masked hex. Of one that cannot be read in full
 * the bytes stay out, because what could not be read could not be masked.
 */
export function createWireTrace(
  log: Log,
  encoding: TextEncoding,
): (direction: TraceDirection, apdu: Uint8Array) => void {
  return (direction, apdu) => {
    const message = decodeMessage(apdu, { encoding });
    const arrow = direction === 'to_terminal' ? 'to terminal' : 'from terminal';
    const fields = { direction, ctrl: hex(apdu.subarray(0, 2)), length: apdu.length };
    if (message.problems.length > 0) {
      log.debug(`${arrow}: ${message.name} (not fully readable)`, { ...fields, problems: message.problems });
    } else {
      log.debug(`${arrow}: ${message.name}`, { ...fields, hex: maskedHex(message) });
    }
  };
}
