/** Lists, page by page. */
import type { Operation } from '../catalogue/index.ts';
import { notSent, unreadable } from './errors.ts';

export interface Page<Item> {
  records: Item[];
  /** For the next page: the token of the last record. Null: this page is empty, the list has ended. */
  nextToken: string | null;
}

/** `for await` gives record after record, and fetches the next page when it is needed. */
export interface RecordList<Item> extends AsyncIterable<Item> {
  /** Page after page; none is empty. */
  pages(): AsyncIterable<Item[]>;
  /** The first records, `limit` of them at most. */
  toArray(limit: number): Promise<Item[]>;
}

export type FetchPage = (token: string | null) => Promise<unknown>;

export function pageOf(body: unknown): Page<unknown> {
  const records = body as unknown[];
  const last = records.at(-1);
  const token = typeof last === 'object' && last !== null && 'token' in last ? last.token : null;
  return { records, nextToken: typeof token === 'string' && token !== '' ? token : null };
}

/**
 * Goes on until a page is empty: a short page proves nothing, since the service may give fewer than were asked for.
 * `firstToken`: where to begin; null: at the first record.
 */
export function listOf(
  operation: Operation,
  firstToken: string | null,
  fetchPage: FetchPage,
): RecordList<unknown> {
  async function* pages() {
    let token = firstToken;
    // Brent: a token of the past, exchanged ever more rarely, is met again by whoever goes in a circle of any length.
    let met = firstToken;
    for (let count = 1, exchangeAt = 1; ; count += 1) {
      const page = pageOf(await fetchPage(token));
      if (page.records.length === 0) return;
      if (page.nextToken !== null && (page.nextToken === token || page.nextToken === met)) {
        throw unreadable(
          operation,
          1,
          'the list goes in a circle: a page ends with a record that it has ended with before.',
        );
      }
      yield page.records;
      if (page.nextToken === null) {
        throw unreadable(operation, 1, 'the list cannot go on: the last record of a page has no token.');
      }
      token = page.nextToken;
      if (count === exchangeAt) {
        met = token;
        exchangeAt *= 2;
      }
    }
  }
  async function* records() {
    for await (const page of pages()) yield* page;
  }
  async function toArray(limit: number) {
    if (!Number.isInteger(limit) || limit < 0)
      throw notSent('invalid-request', `${operation.title}: the limit must be a whole number.`);
    const all: unknown[] = [];
    if (limit === 0) return all;
    for await (const record of records()) if (all.push(record) === limit) break;
    return all;
  }
  return { pages, toArray, [Symbol.asyncIterator]: records };
}
