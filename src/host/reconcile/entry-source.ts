/** What gives entries of accounts. */
import type { AccountEntry, KnownSpan } from '../../reconcile/index.ts';

export interface EntryRequest {
  /** As the rules name them. */
  accounts: readonly string[];
  /** What was posted since then, in milliseconds since 1970. */
  sinceMs: number;
  /** Today where the shop is, as a number of days since 1970. */
  untilDay: number;
  /** Where the shop is (IANA). */
  timeZone: string;
}

export type EntriesReading =
  | { ok: true; entries: AccountEntry[]; known: KnownSpan[] }
  /** Nothing may be said of money while entries are not read. `cause`: the error, where there was one. */
  | { ok: false; message: string; cause?: unknown };

export type EntrySource = (request: EntryRequest) => Promise<EntriesReading>;
