/** Entries of accounts from the remote service. It is only read. */
import type { Clock } from '../../base/clock.ts';
import { dateOf, localTime, transactionReader, type AccountEntry } from '../../reconcile/index.ts';
import type { RemoteClient, tables } from '../../remote/library/client.ts';
import type { EntriesReading, EntryRequest, EntrySource } from './entry-source.ts';
import type { ServiceAccess } from './service-access.ts';

const pageRecords = 100;

/** What the service refuses, or how it could not be reached, is the `cause` of a failure. */
export function serviceEntries(access: ServiceAccess, clock: Clock): EntrySource {
  return async (request) => {
    // Only here: the catalogue of the remote interface takes long to load.
    const { createRemoteClient, RemoteError } = await import('../../remote/library/client.ts');
    try {
      const client = createRemoteClient({ ...access, clock });
      // What the document does not show is asked of a sandbox only.
      const unlessHidden: UnlessHidden = async (ask, instead) => {
        try {
          return await ask();
        } catch (error) {
          const isHidden = error instanceof RemoteError && hiddenBy.includes(error.kind);
          if (isHidden) return instead;
          throw error;
        }
      };
      const isThere = async (account: string): Promise<boolean | null> => {
        try {
          await client.accounts.retrieve(account);
          return true;
        } catch (error) {
          if (error instanceof RemoteError && error.kind === 'not-found') return false;
          throw error;
        }
      };
      const unsure = new Set<string>();
      for (const account of request.accounts) {
        const found = await unlessHidden(() => isThere(account), null);
        // It would be an account without entries, and each of its batches late.
        if (found === false)
          return { ok: false, message: `The remote service has no account "${account}"; the rules name it.` };
        if (found === null) unsure.add(account);
      }
      const read = await readEntries(client, request, unlessHidden);
      if (!read.ok) return read;
      // Where the service does not show whether there is such an account, only an entry of it does.
      const known = read.known.filter(
        ({ account }) => !unsure.has(account) || read.entries.some((entry) => entry.account === account),
      );
      return { ...read, known };
    } catch (error) {
      if (error instanceof RemoteError) return { ok: false, message: error.message, cause: error };
      throw error;
    }
  };
}

/** Where an operation is not shown, ids may have another form as well. */
const hiddenBy: readonly string[] = ['undocumented', 'forbidden', 'invalid-request'];

type Client = RemoteClient<typeof tables>;
type Transaction = Parameters<ReturnType<typeof transactionReader>>[0];
/** What `ask` gives, or `instead` where the service does not show it. */
type UnlessHidden = <T>(ask: () => Promise<T>, instead: T) => Promise<T>;

/** All posted entries. What cannot be read is never passed over. */
async function readEntries(
  client: Client,
  { accounts, sinceMs, untilDay, timeZone }: EntryRequest,
  unlessHidden: UnlessHidden,
): Promise<EntriesReading> {
  const read = transactionReader(timeZone);
  const entries = new Map<string, AccountEntry>();
  for (const account of accounts) {
    const list = client.v20250212.transactions.list({
      account_id: account,
      since_time: new Date(sinceMs).toISOString(),
      time_column: 'post_time',
      count: pageRecords,
    });
    for await (const transaction of list) {
      // The document names the parameters, and does not say what they do.
      if (transaction.account_id !== account) continue;
      const reading = read(transaction);
      if (reading.kind === 'unreadable') return { ok: false, message: reading.message };
      if (reading.kind === 'entry') entries.set(reading.entry.id, reading.entry);
    }
    for (const transfer of await unlessHidden(() => incomingTransfers(client, account), [])) {
      // The same money has the same id in both lists.
      if (entries.has(transfer.id) || Date.parse(transfer.post_time) < sinceMs) continue;
      const reading = read(transfer);
      if (reading.kind === 'unreadable') return { ok: false, message: reading.message };
      if (reading.kind === 'entry') entries.set(reading.entry.id, reading.entry);
    }
  }
  // Of the first day only a part was asked for.
  const from = dateOf(localTime(timeZone)(sinceMs).day + 1);
  return {
    ok: true,
    entries: [...entries.values()],
    known: accounts.map((account) => ({ account, from, until: dateOf(untilDay) })),
  };
}

/** Those that are posted, as their transactions would be: the list of these may be behind. */
async function incomingTransfers(client: Client, account: string): Promise<Transaction[]> {
  const posted: Transaction[] = [];
  for await (const transfer of client.incomingTransfers.list({ account_id: account, count: pageRecords })) {
    const { transaction_id, account_id, status, currency_code, amount, complete_time } = transfer;
    if (transaction_id === null || status !== 'completed' || account_id !== account) continue;
    const { external_account, reference } = transfer;
    posted.push({
      id: transaction_id,
      account_id,
      currency_code,
      debit_credit_indicator: 'credit',
      amount,
      debit_amount: '0',
      credit_amount: amount,
      pending: false,
      post_time: complete_time ?? '',
      remark: reference ?? '',
      transaction_code: 'INCOMING-TRANSFER',
      external_account,
    });
  }
  return posted;
}
