/** Entries of accounts from the statements of a bank: files in the form `camt.053` of ISO 20022. */
export { readCamt053, type Statement } from './camt053.ts';
export { accountDays, type AccountDays, type AccountReader } from './account-days.ts';
