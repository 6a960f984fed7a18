/**
 * Who has called lately, and with what result: for a person who asks why the POS gets no answer. In memory only, the
 * newest kinds of calls; the same call of the same caller with the same result is one entry, however often it comes.
 */
import type { IncomingMessage } from 'node:http';
import { printableLine } from '../../base/printable-text.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import { maskCardNumbers } from '../../log/index.ts';

export interface RecentCall {
  /** Of the latest one, milliseconds since 1970. */
  atMs: number;
  /** `/CreatePayment`; `other` for a path that is none of ours, and for what was no HTTP at all. */
  path: string;
  /** What the caller calls itself: its origin, else its user agent. Masked and printable. */
  caller: string | null;
  /** The address that it called from. */
  address: string | null;
  /** Null: it was answered. */
  code: ErrorCode | null;
  /** How often it came. */
  count: number;
}

export interface RecentCalls {
  /** Costs a request little: nothing is masked or copied before somebody looks. `request` is null where there was none. */
  note(call: { atMs: number; path: string; code: ErrorCode | null }, request: IncomingMessage | null): void;
  /** Newest first. */
  list(): RecentCall[];
}

/** So many different ones are kept; whoever calls chooses them. */
const maxCalls = 20;
/** As much of a caller's name as is kept and masked, and as is shown, in characters. */
const maxKeptLength = 1_000;
const maxCallerLength = 120;

export function createRecentCalls(): RecentCalls {
  /** Oldest first; `caller` as it came. */
  const calls: RecentCall[] = [];

  return {
    note({ atMs, path, code }, request) {
      const headers = request?.headers;
      const caller = (headers?.origin ?? headers?.['user-agent'])?.slice(0, maxKeptLength) ?? null;
      const address = request?.socket.remoteAddress ?? null;
      const known = calls.findIndex(
        (call) =>
          call.path === path && call.code === code && call.caller === caller && call.address === address,
      );
      const count = known === -1 ? 1 : (calls[known]?.count ?? 0) + 1;
      if (known !== -1) calls.splice(known, 1);
      else if (calls.length === maxCalls) calls.shift();
      calls.push({ atMs, path, caller, address, code, count });
    },

    list: () =>
      calls
        .map((call) => ({
          ...call,
          caller: call.caller === null ? null : printableLine(maskCardNumbers(call.caller), maxCallerLength),
        }))
        .toReversed(),
  };
}
