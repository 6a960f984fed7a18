/** What the log says of a message. */
import type { Currency } from '../../../contract/money.ts';
import type { Log } from '../../../log/index.ts';
import { createMessageTrace } from '../message-trace.ts';
import type { KpayMessage } from './client.ts';
import { traceFields, tracedHex } from './wire/index.ts';

/** `currency` is the one of amounts whose message names none. */
export function createWireTrace(log: Log, currency: Currency): (message: KpayMessage) => void {
  return ({ direction, name, control, body }) =>
    createMessageTrace(log, (data) => ({
      name,
      ctrl: control,
      hex: tracedHex(data),
      fields: traceFields(data, currency),
    }))(direction, body);
}
