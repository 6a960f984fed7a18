/**
 * Bytes to meaning and back (ZVT PA00P015, PA00P016), for both ends of a line: no timers, no answers, nothing of what a
 * command wants.
 *
 *     bytes ─ frame parser ─► APDU ─ decodeMessage ─► ZvtMessage ─► records, texts, receipt lines
 *     bytes ◄─ encodeSerialFrame ─ APDU ◄─ encodeMessage ─ MessageParts
 */
export {
  amountToBcd,
  bcdDigits,
  bcdNumber,
  concatBytes,
  fromHex,
  hex,
  maxAmountMinor,
  sameBytes,
} from './bytes.ts';
export { buildApdu, maxDataLength, parseApdu } from './apdu.ts';
export {
  ACK,
  NAK,
  createSerialParser,
  createTcpParser,
  encodeSerialFrame,
  maxApduBytes,
  type FrameEvent,
  type FrameParser,
} from './frames.ts';

export { bitmap, characterSetOf, decodeMessage, encodeMessage } from './messages.ts';
export type { MessageParts, ZvtMessage } from './messages.ts';
export { buildBitmap, maxBitmaps } from './bitmaps.ts';
export { buildLength, buildTlv, findTlv, findTlvAnywhere, maxTlvObjects } from './tlv.ts';
export type { TlvObject, TlvParts } from './tlv.ts';
export { decodeText, encodeText, type TextEncoding } from './text.ts';

export { approvalCode } from './approval-code.ts';
export { cardTypeInTag41, cardTypeName, schemeGroup } from './card-types.ts';
export { isHostCode, resultText, statusCure, statusText } from './result-codes.ts';
export { readSingleTotals } from './single-totals.ts';
export { isAtWork, statusOf } from './terminal-status.ts';
export { newSilenceLimitMs, progressStep, progressText } from './progress.ts';
export { createReceiptLines } from './receipt-lines.ts';

export { decodeHex, describeMessage, maskedHex } from './describe.ts';
export { frameWords } from './frame-words.ts';
export { maxTracedBytes, tracedHex } from './wire-hex.ts';
