/**
 * JSON to meaning and back ("KPay Official API Specification" v2.0), for both ends: no timers, no connections, nothing of
 * what a command wants.
 *
 *     KpayCommand ─ encodeCommand ─► method, path, body ─ canonicalText ─ signText ─► headers and body by HTTP
 *     KpayAnswer, KpayTransaction ◄─ transactionOf ◄─ decodeAnswer ◄─ body of the answer
 */
export { canonicalText } from './canonical-text.ts';
export { isSignatureOf, publicKeyOf, readPrivateKey, signText } from './signatures.ts';
export { maxBodyBytes, readHttpMessage } from './http-message.ts';
export { callOf, decodeCommand, encodeCommand, pathOf } from './commands.ts';
export type { EncodedCommand, KpayCommand } from './commands.ts';
export {
  decodeAnswer,
  encodeAnswer,
  showsBatch,
  transactionData,
  transactionOf,
  workingKeysOf,
} from './answers.ts';
export type { KpayAnswer, KpayTransaction, WorkingKeys } from './answers.ts';
export type { PayState } from './transaction-codes.ts';
export { maxAmountMinor } from './fields.ts';
export {
  answerCode,
  codeMeaning,
  codeText,
  knownCodes,
  startedNothing,
  startProvedBy,
} from './answer-codes.ts';
export type { CodeMeaning } from './answer-codes.ts';
export {
  isCardMethod,
  octopusMethod,
  payMethodGroup,
  payMethodName,
  payStateOf,
  payStateText,
  saleType,
  transactionTypes,
  undoingTypes,
  voidType,
} from './transaction-codes.ts';
export { requestForm } from './capture-form.ts';
export { kpayDecoder, kpayDecoder as decoder } from './describe.ts';
export { fieldNames, messageNames, requestName, tracedHex, traceFields } from './trace-fields.ts';
