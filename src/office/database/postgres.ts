/** A PostgreSQL server, through a pool of connections. */
import pg from 'pg';
import { openWithBackoff } from '../../base/open-with-backoff.ts';
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import { errorText } from '../../base/error-text.ts';
import type { LineLog } from '../../log/index.ts';
import {
  databaseError,
  readers,
  typeNumbers,
  type Database,
  type Queries,
  type Transaction,
} from './database.ts';

/** How many connections one process of the office holds at most; PostgreSQL allows 100 in all by default. */
const maxConnections = 10;
/** How long a connection may take to come, in milliseconds. */
const connectTimeoutMs = 10_000;
export interface PostgresTimings {
  /** What one statement may take: nothing that somebody waits for takes longer on a healthy server. */
  statementTimeoutMs: number;
}

const usualTimings: PostgresTimings = { statementTimeoutMs: 60_000 };

const readersByNumber = new Map<number, (text: string) => unknown>([
  [typeNumbers.bigint, readers.bigint],
  [typeNumbers.date, readers.date],
  [typeNumbers.timestamptz, readers.timestamptz],
]);

/** Of a server: `getTypeParser` gives our reader where we have one. */
const types = {
  getTypeParser: ((typeNumber: number, format?: 'text') =>
    readersByNumber.get(typeNumber) ??
    pg.types.getTypeParser(typeNumber, format)) as typeof pg.types.getTypeParser,
};

/** Connects to nothing yet. `url` is a connection string of PostgreSQL (`postgres://user@host/database`). */
export function createPostgres(
  url: string,
  parts: { clock: Clock; chance: Chance; log: LineLog; timings?: Partial<PostgresTimings> },
): Database {
  const { clock, chance, log } = parts;
  const timings = { ...usualTimings, ...parts.timings };
  const settings: pg.ClientConfig = {
    connectionString: url,
    application_name: 'tillbridge office',
    connectionTimeoutMillis: connectTimeoutMs,
    types,
    options: '-c TimeZone=UTC',
  };
  const pool = new pg.Pool({
    ...settings,
    max: maxConnections,
    statement_timeout: timings.statementTimeoutMs,
  });
  // An idle connection that breaks (a server that starts anew) is not the concern of any statement.
  pool.on('error', (error) => log.debug(`an idle connection to the database was lost: ${errorText(error)}`));
  const stop = new AbortController();
  const listeners = new Set<Promise<void>>();

  const queriesOf = (client: Pick<pg.Pool | pg.PoolClient, 'query'>): Queries => ({
    async query<T extends object>(sql: string, values: readonly unknown[] = []) {
      try {
        return (await client.query<T>(sql, [...values])).rows;
      } catch (error) {
        throw databaseError(error);
      }
    },
    async run(sql) {
      try {
        await client.query(sql);
      } catch (error) {
        throw databaseError(error);
      }
    },
  });

  const transactionOf = (client: pg.PoolClient): Transaction => ({
    ...queriesOf(client),
    copy: (table, columns, lines) =>
      new Promise((resolve, reject) => {
        const sql = `COPY ${table} (${columns.join(', ')}) FROM STDIN`;
        client.query(
          new CopyIn(sql, lines, (error) => (error == null ? resolve() : reject(databaseError(error)))),
        );
      }),
  });

  /** `undo` brings the connection back to what it was: one where that fails is thrown away, and the server does it. */
  async function onOneConnection<T>(
    work: (client: pg.PoolClient, undo: (sql: string, values?: unknown[]) => Promise<void>) => Promise<T>,
  ): Promise<T> {
    const client = await pool.connect().catch((error: unknown) => {
      throw databaseError(error);
    });
    // Without a listener the loss of a connection that is in use would end the process.
    const ignore = () => {};
    client.on('error', ignore);
    let broken: Error | undefined;
    try {
      return await work(client, async (sql, values = []) => {
        await client.query(sql, values).catch((failure: Error) => (broken = failure));
      });
    } catch (error) {
      throw error instanceof Error && 'severity' in error ? databaseError(error) : error;
    } finally {
      client.off('error', ignore);
      client.release(broken);
    }
  }

  return {
    kind: 'postgres',
    ...queriesOf(pool),
    transaction: (work, { mayTakeLong = false } = {}) =>
      onOneConnection(async (client, undo) => {
        try {
          await client.query('BEGIN');
          if (mayTakeLong) await client.query('SET LOCAL statement_timeout = 0');
          const result = await work(transactionOf(client));
          await client.query('COMMIT');
          return result;
        } catch (error) {
          await undo('ROLLBACK');
          throw error;
        }
      }),
    alone: (lock, work) =>
      onOneConnection(async (client, undo) => {
        const [turn] = await queriesOf(client).query<{ ours: boolean }>(
          'SELECT pg_try_advisory_lock($1) AS ours',
          [lock],
        );
        if (turn?.ours !== true) return null;
        try {
          return { value: await work() };
        } finally {
          await undo('SELECT pg_advisory_unlock($1)', [lock]);
        }
      }),
    listen(channel, onNotice, onAgain) {
      const end = new AbortController();
      const signal = AbortSignal.any([end.signal, stop.signal]);
      const done = keepListening();
      listeners.add(done);
      return Promise.resolve(async () => {
        end.abort();
        await done;
        listeners.delete(done);
      });

      async function keepListening(): Promise<void> {
        for (let first = true; !signal.aborted; first = false) {
          const line = await openWithBackoff(
            { open: () => openListener(settings, channel, onNotice) },
            {
              clock,
              signal,
              random: () => chance.fraction(),
              onFailure: (reason) => log.debug(`the database cannot be listened to: ${reason}`),
            },
          );
          if (line === null) return;
          if (!first) onAgain();
          await line.ended(signal);
          await line.close();
        }
      }
    },
    async close() {
      stop.abort();
      await Promise.all(listeners);
      await pool.end();
    },
  };
}

/** What `pg` has for it, and its types do not name. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Sends its lines as soon as the server wants them. */
class CopyIn extends pg.Query {
  readonly #lines: string;

  constructor(sql: string, lines: string, onEnd: (error: Error | undefined) => void) {
    super(sql, onEnd);
    this.#lines = lines;
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(Buffer.from(this.#lines));
    connection.endCopyFrom();
  }
}

async function openListener(settings: pg.ClientConfig, channel: string, onNotice: (payload: string) => void) {
  const client = new pg.Client(settings);
  const lost = new AbortController();
  client.on('error', () => lost.abort());
  client.on('end', () => lost.abort());
  client.on('notification', ({ payload }) => onNotice(payload ?? ''));
  await client.connect();
  await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
  return {
    /** Resolves when the connection is gone, or `signal` aborts. */
    ended: (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        const either = AbortSignal.any([signal, lost.signal]);
        if (either.aborted) return resolve();
        either.addEventListener('abort', () => resolve(), { once: true });
      }),
    close: () => client.end().catch(() => {}),
  };
}
