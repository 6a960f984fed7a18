/**
 * The database as the office's other files see it: PostgreSQL 15 or later, as a server or within this process (PGlite).
 * The same SQL runs on both. What comes back: `bigint` as a number (none of ours is above 2^53), a moment as ISO 8601 in
 * UTC, a day as "2026-01-31", JSON as its value, `bytea` as bytes.
 */
import type { CopyColumns, CopyValue } from './copy-rows.ts';

type Row = Record<string, unknown>;

export interface Queries {
  /** One statement with its values for $1, $2 …. Rejects with `DatabaseError`. */
  query<T extends object = Row>(sql: string, values?: readonly unknown[]): Promise<T[]>;
  /** Several statements without values. */
  run(sql: string): Promise<void>;
}

export interface Transaction extends Queries {
  /**
   * Rows by COPY: a value for each of `columns`, in their order. It takes less work than a statement for the same rows, and
   * decides nothing: a row that is there already makes it reject.
   */
  copy(table: string, columns: CopyColumns, rows: readonly (readonly CopyValue[])[]): Promise<void>;
}

export interface Database extends Queries {
  kind: 'postgres' | 'pglite';
  /**
   * Carried out whole, or not at all when `work` rejects; then that is what it rejects with. `mayTakeLong`: no statement of
   * it is cut off for the time it takes, as those are that somebody waits for.
   */
  transaction<T>(work: (queries: Transaction) => Promise<T>, options?: { mayTakeLong?: boolean }): Promise<T>;
  /**
   * Carries out `work` while nobody else, in this process or another one, does so with the same `lock` (a number of
   * `locks`); null: somebody is at it. It holds no transaction, so all others go on meanwhile. Who loses its connection
   * to the server loses the lock: what is written has to bear that.
   */
  alone<T>(lock: number, work: () => Promise<T>): Promise<{ value: T } | null>;
  /**
   * Calls with what is said on `channel` (NOTIFY) from now on. `onAgain`: the connection was lost and is there again, so
   * that something may have been missed. Returns what ends it.
   */
  listen(
    channel: string,
    onNotice: (payload: string) => void,
    onAgain: () => void,
  ): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export class DatabaseError extends Error {
  override name = 'DatabaseError';
  /** PostgreSQL's SQLSTATE; null where the server could not be asked at all. */
  readonly code: string | null;

  constructor(message: string, code: string | null, cause: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** PostgreSQL's numbers of the types that are read otherwise than its drivers do it. */
export const typeNumbers = { bigint: 20, date: 1082, timestamptz: 1184 } as const;

export const readers = {
  bigint: Number,
  date: (text: string) => text,
  timestamptz: (text: string) => new Date(text).toISOString(),
} as const;

const sqlState = /^[0-9A-Z]{5}$/;

/** What a person can look at; null: it is not that the server cannot be reached. */
function unreachable(error: unknown): string | null {
  // Of a name with several addresses, what each of them said.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  if (!(first instanceof Error) || !('code' in first)) return null;
  const { code, address, port, hostname } = first as {
    code: unknown;
    address?: string;
    port?: number;
    hostname?: string;
  };
  if (code === 'ECONNREFUSED') return `PostgreSQL at ${address}:${port} cannot be reached. Is it running?`;
  return code === 'ENOTFOUND' || code === 'EAI_AGAIN'
    ? `PostgreSQL cannot be reached: the name ${hostname} is not known on this network.`
    : null;
}

export function databaseError(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const message =
    unreachable(error) ?? (error instanceof Error && error.message !== '' ? error.message : String(error));
  const code = error instanceof Error && 'code' in error ? error.code : null;
  // Node's own codes (ECONNREFUSED) are not the server's.
  const known = typeof code === 'string' && sqlState.test(code) && !code.startsWith('E') ? code : null;
  return new DatabaseError(message, known, error);
}
