/** What the log says of a message. */
import type { TraceDirection, TracedMessage } from '../message-trace.ts';
import { decodeMessage, traceFields, tracedHex } from './wire/index.ts';

export function tracedMessage(data: Uint8Array, direction: TraceDirection): TracedMessage {
  const message = decodeMessage(data, direction);
  return {
    name: message.name,
    ctrl: message.code,
    hex: tracedHex(data, message),
    fields: traceFields(message),
  };
}
