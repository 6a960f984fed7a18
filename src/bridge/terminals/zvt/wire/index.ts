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
export {
  buildApdu,
  controlField,
  isAnswer,
  isPositiveAnswer,
  maxDataLength,
  parseApdu,
  refusalCode,
} from './apdu.ts';
export { maxApduBytes, type FrameEvent, type FrameParser } from './frame-parser.ts';
export { ACK, NAK } from '../../framing/index.ts';
export { createSerialParser, encodeSerialFrame } from './serial-frames.ts';
export { createTcpParser } from './tcp-frames.ts';

export { bitmap, characterSetOf, decodeMessage, encodeMessage, terminalStatusOf } from './apdu-messages.ts';
export type { MessageParts, ZvtMessage } from './apdu-messages.ts';
export { buildBitmap, maxBitmaps } from './bitmaps.ts';
export { approvalCode, readSingleTotals } from './bitmap-values.ts';
export { buildLength, buildTlv, findTlv, findTlvAnywhere, maxTlvObjects } from './tlv.ts';
export type { TlvObject, TlvParts } from './tlv.ts';
export { decodeText, encodeText, type TextEncoding } from './character-sets.ts';

export { cardTypeInTag41, cardTypeName, schemeGroup } from './card-types.ts';
export { isAtWork, isHostCode, resultText, requiredActionOf, statusText } from './result-codes.ts';
export {
  abortedCode,
  alreadyReversedCode,
  wrongPasswordCode,
  notRegisteredCode,
  wrongCurrencyCode,
  notPossibleCode,
  pleaseWaitCode,
  protocolErrorCode,
} from './result-codes.ts';
export { cardSign, newSilenceLimitMs, progressStep, progressText } from './intermediate-status.ts';
export { createReceiptLines } from './receipt-lines.ts';

export { decodeHex, describeMessage, zvtDecoder, zvtDecoder as decoder } from './describe.ts';
export { maskedHex } from './apdu-messages.ts';
export { traceFields } from './trace-fields.ts';
export { maxTracedBytes } from '../../framing/index.ts';
export { tracedHex } from './trace-hex.ts';
export { captureFormOf } from './capture-form.ts';
