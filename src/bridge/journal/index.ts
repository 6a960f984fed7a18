/** The journal module: durable events, and what they add up to. */
export * from './journal.ts';
export { openJournal, openJournalReadOnly } from './open.ts';
export type { OpenOptions, OpenResult, ReadOnlyJournal, ReadOnlyResult } from './open.ts';
export { verifyJournal, type VerifyResult } from './verify.ts';
export { exportJournal } from './export.ts';
export { repairJournal, type RepairOptions, type RepairResult } from './repair.ts';
export { journalFiles } from './journal-files.ts';
