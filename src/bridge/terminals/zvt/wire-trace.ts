/** Every APDU in the log, in both directions, with card data masked. */
import type { Currency } from '../../../contract/money.ts';
import { type Log, silentLog } from '../../../log/index.ts';
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
 * Gives a function that logs one APDU: name, control field, length, masked hex (see `wire-hex.ts` for its form) and what
 * it says as text (`fields`). Of one that cannot be read in full bytes and text stay out, because what could not be
 * read could not be masked. `currency` is the one of amounts that name none.
 *
 *     {"direction":"to_terminal","frame":"authorisation","ctrl":"0601","length":15,
 *      "hex":"06:01:0c:04:…","fields":[["amount","12.00"],["currency","EUR"]]}
 */
export function createWireTrace(
  log: Log,
  encoding: TextEncoding,
  currency: Currency,
): (direction: TraceDirection, apdu: Uint8Array) => void {
  // Most of the work of an exchange is to describe it.
  if (log === silentLog) return () => {};
  return (direction, apdu) => {
    const message = decodeMessage(apdu, { encoding });
    const arrow = direction === 'to_terminal' ? 'to terminal' : 'from terminal';
    const head = {
      direction,
      frame: message.name,
      ctrl: hex(apdu.subarray(0, 2)),
      length: apdu.length,
    };
    if (message.problems.length > 0) {
      log.debug(`${arrow}: ${message.name} (not fully readable)`, { ...head, problems: message.problems });
      return;
    }
    const leftOut = apdu.length - maxTracedBytes;
    log.debug(`${arrow}: ${message.name}`, {
      ...head,
      hex: tracedHex(apdu, message),
      ...(leftOut > 0 ? { hex_bytes_left_out: leftOut } : {}),
      fields: traceFields(message, currency, encoding),
    });
  };
}
