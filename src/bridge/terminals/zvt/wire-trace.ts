/** Every APDU in the log, in both directions, with card data masked. */
import type { Currency } from '../../../contract/money.ts';
import type { Log } from '../../../log/index.ts';
import {
  hex,
  traceFields,
  decodeMessage,
  type TextEncoding,
  maxTracedBytes,
  tracedHex,
} from './wire/index.ts';

export type TraceDirection = 'to_terminal' | 'from_terminal';

/**
 * Gives a function that logs one APDU: name, control field, length, masked hex (see `trace-hex.ts` for its form) and what
 * it says as text (`fields`). Of one that cannot be read in full bytes and text stay out, because what could not be
 * read could not be masked. `currency` is the one of amounts that name none. It is put into words when the log writes
 * it: the terminal waits while it is called.
 *
 *     {"direction":"to_terminal","frame":"authorisation","ctrl":"0601","length":15,
 *      "hex":"06:01:0c:04:…","fields":[["amount","12.00"],["currency","EUR"]]}
 */
export function createWireTrace(
  log: Log,
  encoding: TextEncoding,
  currency: Currency,
): (direction: TraceDirection, apdu: Uint8Array) => void {
  const describe = (direction: TraceDirection) => (apdu: Uint8Array) => {
    const message = decodeMessage(apdu, { encoding });
    const arrow = direction === 'to_terminal' ? 'to terminal' : 'from terminal';
    const head = {
      direction,
      frame: message.name,
      ctrl: hex(apdu.subarray(0, 2)),
      length: apdu.length,
    };
    if (message.problems.length > 0) {
      return {
        message: `${arrow}: ${message.name} (not fully readable)`,
        fields: { ...head, problems: message.problems },
      };
    }
    const leftOut = apdu.length - maxTracedBytes;
    return {
      message: `${arrow}: ${message.name}`,
      fields: {
        ...head,
        hex: tracedHex(apdu, message),
        ...(leftOut > 0 ? { hex_bytes_left_out: leftOut } : {}),
        fields: traceFields(message, currency, encoding),
      },
    };
  };
  const inWords = { to_terminal: describe('to_terminal'), from_terminal: describe('from_terminal') };
  return (direction, apdu) => log.debugBytes(apdu, inWords[direction]);
}
