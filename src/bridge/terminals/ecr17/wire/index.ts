/**
 * Bytes to meaning and back for ECR17 (Italy), for both ends of a line: no timers, no answers.
 *
 *     bytes ─ createParser ─► text ─ decodeMessage ─► Ecr17Message ─► paymentResultOf, totalsOf, statusText
 *     bytes ◄─ encodeFrame ─ text ◄─ encodeMessage, paymentRequest …
 */
export { createParser, lrcRangeOf, lrcRanges, maxDataBytes, progressText } from './frames.ts';
export { encodeAnswer, encodeFrame, encodeProgress } from './frames.ts';
export type { LrcRange, PacketEvent } from './frames.ts';
export { layouts } from './layouts.ts';
export { decodeMessage, encodeMessage } from './messages.ts';
export type { Ecr17Message, Encoding, MessageParts } from './messages.ts';
export {
  maxAmountMinor,
  paymentRequest,
  plainRequest,
  printOnTillRequest,
  reversalRequest,
  statusRequest,
} from './requests.ts';
export type { Addressing } from './requests.ts';
export { endsTicket, paymentResultOf, saysCancelled, totalsOf } from './results.ts';
export { ticketLines } from './tickets.ts';
export { knownResults, knownStates, readinessOf, resultText, statusText } from './status-and-results.ts';
export {
  describeMessage,
  ecr17Decoder,
  ecr17Decoder as decoder,
  fieldNames,
  traceFields,
  tracedHex,
} from './describe.ts';
export { captureForm } from './capture-form.ts';
