/** The log, its store for the console, and the masks. */
export { createLogThrottle, silentLog } from './log.ts';
export type { LineLog, Log, LogFields } from './log.ts';
export { drainLogs } from './line-queue.ts';
export { createLog } from './create-log.ts';
export type { CreatedLog, LogLevel } from './create-log.ts';
export type { LogStore } from './log-store.ts';
export { maskCardNumbers } from './mask.ts';
export { holdsCardNumber, shownReference } from './reference-check.ts';
export { isCardNumber, luhnOf, maxCardDigits, minCardDigits } from './card-issuers.ts';
export { maskLine } from './mask-line.ts';
