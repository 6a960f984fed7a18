/** A PostgreSQL server, through a pool of connections. */
import pg from 'pg';
import { openWithBackoff } from '../../base/open-with-backoff.ts';
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import { errorText } from '../../base/error-text.ts';
import type { LineLog } from '../../log/index.ts';
import { copyStatement } from './copy-rows.ts';
import {
  DatabaseError,
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
/** From when on a connection on which nothing is said is tried by the system, in milliseconds: a firewall may have cut it. */
const keepAliveAfterMs = 30_000;

export interface PostgresTimings {
  /** What one statement may take: nothing that somebody waits for takes longer on a healthy server. */
  statementTimeoutMs: number;
  /** How long the server's answer to one is waited for. Longer: a server that is there tells of the former by itself. */
  answerTimeoutMs: number;
  /** How often a connection on which only notices come is tried, and how long the answer is waited for. */
  listenCheckMs: number;
  listenAnswerMs: number;
}

const usualTimings: PostgresTimings = {
  statementTimeoutMs: 60_000,
  answerTimeoutMs: 75_000,
  listenCheckMs: 30_000,
  listenAnswerMs: 10_000,
};

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
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
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

  const answered: AnswerLimit = { query_timeout: timings.answerTimeoutMs };

  const queriesOf = (client: Pick<pg.Pool | pg.PoolClient, 'query'>, limit = answered): Queries => ({
    async query<T extends object>(sql: string, values: readonly unknown[] = []) {
      try {
        return (await client.query<T>({ text: sql, values: [...values], ...limit })).rows;
      } catch (error) {
        throw databaseError(error);
      }
    },
    async run(sql) {
      try {
        await client.query({ text: sql, ...limit });
      } catch (error) {
        throw databaseError(error);
      }
    },
  });

  const transactionOf = (client: pg.PoolClient, limit: AnswerLimit): Transaction => ({
    ...queriesOf(client, limit),
    copy: (table, columns, rows) =>
      new Promise((resolve, reject) => {
        const { into, bytes, done } = copyStatement(table, columns, rows);
        const copy = new CopyIn(`${into} FROM STDIN (FORMAT binary)`, bytes, (error) => {
          // Some may still be on their way to a server that has refused them.
          if (error != null) return reject(databaseError(error));
          done();
          resolve();
        });
        client.query(Object.assign(copy, limit));
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
        await client.query({ text: sql, values, ...answered }).catch((failure: Error) => (broken = failure));
      });
    } catch (error) {
      if (isUnanswered(error)) broken = error;
      throw error;
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
        const queries = transactionOf(client, mayTakeLong ? {} : answered);
        try {
          await queries.run('BEGIN');
          if (mayTakeLong) await queries.run('SET LOCAL statement_timeout = 0');
          const result = await work(queries);
          await queries.run('COMMIT');
          return result;
        } catch (error) {
          if (!isUnanswered(error)) await undo('ROLLBACK');
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
            { open: () => openListener(settings, channel, onNotice, { clock, ...timings }) },
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

/** Of one statement, as `pg` calls it; empty: it may take as long as it does. */
interface AnswerLimit {
  query_timeout?: number;
}

/** Nobody knows what the connection is at, and nothing more can be said on it. */
function isUnanswered(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && error.code === null;
}

/** What `pg` has for it, and its types do not name. */
interface CopyConnection {
  stream: { cork(): void; write(bytes: Uint8Array): boolean; uncork(): void };
  endCopyFrom(): void;
}

/** Of the message that brings rows: its letter, and its length in bytes with that of the length (PostgreSQL's manual, "CopyData"). */
const copyDataHead = 5;
const copyData = 'd'.charCodeAt(0);

/** Sends its rows as soon as the server wants them. */
class CopyIn extends pg.Query {
  readonly #bytes: Buffer;

  constructor(sql: string, bytes: Buffer, onEnd: (error: Error | undefined) => void) {
    super(sql, onEnd);
    this.#bytes = bytes;
  }

  handleCopyInResponse(connection: CopyConnection): void {
    const { stream } = connection;
    const head = Buffer.alloc(copyDataHead, copyData);
    head.writeInt32BE(this.#bytes.length + copyDataHead - 1, 1);
    // Not by `sendCopyFromChunk`, which copies all of it into new memory first.
    stream.cork();
    stream.write(head);
    stream.write(this.#bytes);
    connection.endCopyFrom();
    stream.uncork();
  }
}

async function openListener(
  settings: pg.ClientConfig,
  channel: string,
  onNotice: (payload: string) => void,
  parts: Pick<PostgresTimings, 'listenCheckMs' | 'listenAnswerMs'> & { clock: Clock },
) {
  const { clock, listenCheckMs, listenAnswerMs } = parts;
  const client = new pg.Client({ ...settings, query_timeout: listenAnswerMs });
  const lost = new AbortController();
  client.on('error', () => lost.abort());
  client.on('end', () => lost.abort());
  client.on('notification', ({ payload }) => onNotice(payload ?? ''));
  let cancelCheck = () => {};
  const close = () => {
    lost.abort();
    cancelCheck();
    // Without the server, which may not be there any more.
    client.connection.stream.destroy();
    return Promise.resolve();
  };
  /** Nothing is said here for hours, so nobody would notice that nothing can be said any more. */
  const checkAgain = () => {
    if (lost.signal.aborted) return;
    cancelCheck = clock.after(listenCheckMs, () => {
      client.query('SELECT 1').then(checkAgain, () => lost.abort());
    });
  };
  try {
    await client.connect();
    await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
  } catch (error) {
    await close();
    throw error;
  }
  checkAgain();
  return {
    /** Resolves when the connection is gone, or `signal` aborts. */
    ended: (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        const either = AbortSignal.any([signal, lost.signal]);
        if (either.aborted) return resolve();
        either.addEventListener('abort', () => resolve(), { once: true });
      }),
    close,
  };
}
