/** The journal module: durable events, and what they add up to. */
export * from './journal.ts';
export { canonicalJson, chainHash, chainStart } from './chain.ts';
export { openJournal, openJournalReadOnly } from './open.ts';
export type { OpenResult, ReadOnlyJournal } from './open.ts';
export { amountOf } from './payment-amounts.ts';
export { verifyJournal } from './verify.ts';
export { exportJournal } from './export.ts';
export { journalTail, type JournalTail } from './journal-tail.ts';
export { namedPerson } from './named-person.ts';
export { repairJournal } from './repair.ts';
export { journalFiles } from './journal-files.ts';
export { setAsideNames } from './damage.ts';
