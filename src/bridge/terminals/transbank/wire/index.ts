/**
 * Bytes to meaning and back for Transbank POS Integrado (Chile), for both ends of a line: no timers, no answers.
 *
 *     bytes ─ createParser ─► text ─ decodeMessage ─► TransbankMessage ─► saleResultOf, progressText, resultText
 *     bytes ◄─ encodeFrame ─ text ◄─ encodeMessage, saleRequest …
 */
export { createParser, encodeFrame, maxDataBytes } from './frames.ts';
export { allForms, type FieldName } from './commands.ts';
export { decodeMessage, encodeMessage } from './messages.ts';
export type { Encoding, TransbankMessage } from './messages.ts';
export { detailRequest, maxAmount, plainRequest, refundRequest, saleRequest } from './requests.ts';
export { endsDetail, saleResultOf, textOf, totalsOf, verdictOf } from './results.ts';
export type { BatchTotals, SaleResult } from './results.ts';
export { brandName, knownCodes, needsClose, resultText } from './result-codes.ts';
export {
  alreadyVoidedCode,
  approvedCode,
  cancelledCode,
  loadKeysCode,
  noSaleStoredCode,
} from './result-codes.ts';
export { progressCodes, progressStep, progressText } from './progress.ts';
export {
  describeMessage,
  fieldNames,
  traceFields,
  tracedHex,
  transbankDecoder,
  transbankDecoder as decoder,
} from './describe.ts';
export { captureForm } from './capture-form.ts';
