/**
 * What the protocols' wires have in common: bytes and hex, check bytes, the events of a frame parser, the bounds of what
 * a terminal may send, and what `tillbridge decode` asks of a protocol. No timers, no answers.
 */
export { concatBytes, fromHex, hex, latin1, readHex, sameBytes } from './bytes.ts';
export type { CapturedPart, CaptureForm, DataPart } from './capture-form.ts';
export { createCollector } from './collector.ts';
export { ACK, EOT, ETX, NAK, SOH, STX } from './control-characters.ts';
export { createEtxParser, encodeEtxFrame, readSingle } from './etx-frames.ts';
export type { EtxEvent } from './etx-frames.ts';
export type { RequestForm, RequestTransport, SentRequest, TransportResult } from './request-form.ts';
export { createFloodLimit } from './flood-limit.ts';
export { xorLrc } from './lrc.ts';
export type { LinkEvent, StreamParser } from './stream-parser.ts';
export type { DecodeReading, FrameDecoder } from './frame-decoder.ts';
export { boundedFields, dateText, timeText, type TraceField } from './trace-fields.ts';
export {
  hidePlace,
  maskedBytes,
  maskedFields,
  maskedText,
  maxTracedBytes,
  tracedBytes,
  tracedText,
} from './masked-bytes.ts';
export type { MaskedBytes } from './masked-bytes.ts';
