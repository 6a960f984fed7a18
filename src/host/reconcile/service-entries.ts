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
      for (const account of request.accounts) {
        const missing = await missingAccount(client, account, (error) => {
          if (!(error instanceof RemoteError)) throw error;
          return error.kind;
        });
        if (missing !== null) return { ok: false, message: missing };
      }
      return await readEntries(client, request);
    } catch (error) {
      if (error instanceof RemoteError) return { ok: false, message: error.message, cause: error };
      throw error;
    }
  };
}

/**
 * An account that the service does not have would be one without entries, and each of its batches late. A service that
 * does not show how an account is retrieved is believed.
 */
async function missingAccount(
  client: RemoteClient<typeof tables>,
  account: string,
  kindOf: (error: unknown) => string,
): Promise<string | null> {
  try {
    await client.accounts.retrieve(account);
    return null;
  } catch (error) {
    const kind = kindOf(error);
    if (kind === 'not-found') return `The remote service has no account "${account}"; the rules name it.`;
    if (kind === 'undocumented' || kind === 'forbidden') return null;
    throw error;
  }
}

/** All posted entries. What cannot be read is never passed over. */
async function readEntries(
  client: RemoteClient<typeof tables>,
  { accounts, sinceMs, untilDay, timeZone }: EntryRequest,
): Promise<EntriesReading> {
  const read = transactionReader(timeZone);
  const entries: AccountEntry[] = [];
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
      if (reading.kind === 'entry') entries.push(reading.entry);
    }
  }
  // Of the first day only a part was asked for.
  const from = dateOf(localTime(timeZone)(sinceMs).day + 1);
  return {
    ok: true,
    entries,
    known: accounts.map((account) => ({ account, from, until: dateOf(untilDay) })),
  };
}
