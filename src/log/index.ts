/** The log, its book, its masks, and the feed of what happened. */
export { silentLog } from './log.ts';
export type { Log, LogFields } from './log.ts';
export { createLog } from './create-log.ts';
export type { CreatedLog, CreateLogOptions, LogLevel } from './create-log.ts';
export type { LogBook } from './log-book.ts';
export { maskCardNumbers } from './mask.ts';
export { holdsCardNumber, shownReference } from './reference-check.ts';
export { createSparingNotes } from './sparing-notes.ts';
export { isCardNumber, luhnOf, maxCardDigits, minCardDigits } from './card-issuers.ts';
export { maskLine } from './mask-line.ts';
