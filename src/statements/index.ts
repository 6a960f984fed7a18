/** Entries of accounts from the statements of a bank: files in the form `camt.053` of ISO 20022. */
export { readCamt053, type Statement } from './camt053.ts';
export { entriesOfAccounts, type EntriesOfAccounts } from './entries-of-accounts.ts';
