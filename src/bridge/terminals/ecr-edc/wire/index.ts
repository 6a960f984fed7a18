/**
 * Bytes to meaning and back for ECR-EDC, the Hypercom style protocol of acquirers in Thailand and around it, for both ends
 * of a line: no timers, no answers.
 *
 *     bytes ─ frame parser ─► message ─ decodeMessage ─► EdcMessage ─ resultOf, noticeIn ─► what it says of the money
 *     bytes ◄─ encodeFrame ── message ◄─ encodeRequest, encodeMessage
 *
 * What differs from one acquirer to another is in a profile.
 */
export { createFrameParser, encodeFrame, maxMessageBytes } from './frames.ts';
export type { EdcFrameEvent, EdcFrameParser } from './frames.ts';
export { decodeMessage, encodeMessage, fieldText, lastFourOf } from './messages.ts';
export type { EdcMessage, MessageParts } from './messages.ts';
export { edcProfile, edcProfileNames } from './profiles/index.ts';
export { edcProfileSchema } from './profiles/profile.ts';
export type { EdcCommandName, EdcProfile } from './profiles/profile.ts';
export { encodeRequest, movesMoney } from './requests.ts';
export type { RequestValues } from './requests.ts';
export { isResponseTo, noticeIn, resultOf, saysNotFound } from './responses.ts';
export type { EdcNotice, EdcResult } from './responses.ts';
export { describeMessage, ecrEdcDecoder, ecrEdcDecoder as decoder } from './describe.ts';
export { fieldKindNames, fieldType } from './fields.ts';
export { messageName, tracedHex, traceFields, traceNames } from './trace-fields.ts';
export { captureFormOf } from './capture-form.ts';
