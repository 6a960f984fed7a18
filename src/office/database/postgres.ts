/** A PostgreSQL server, through a pool of connections. */
import pg from 'pg';
import { openWithBackoff } from '../../base/open-with-backoff.ts';
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import { errorText } from '../../base/error-text.ts';
import type { LineLog } from '../../log/index.ts';
import { databaseError, readers, typeNumbers, type Database, type Queries } from './database.ts';

/** How many connections one process of the office holds at most; PostgreSQL allows 100 in all by default. */
const maxConnections = 10;
/** How long a connection may take to come, in milliseconds. */
const connectTimeoutMs = 10_000;
/** What one statement may take, in milliseconds: nothing that the office asks takes longer on a healthy server. */
const statementTimeoutMs = 60_000;

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
export function createPostgres(url: string, parts: { clock: Clock; chance: Chance; log: LineLog }): Database {
  const { clock, chance, log } = parts;
  const settings: pg.ClientConfig = {
    connectionString: url,
    application_name: 'tillbridge office',
    connectionTimeoutMillis: connectTimeoutMs,
    types,
    options: '-c TimeZone=UTC',
  };
  const pool = new pg.Pool({ ...settings, max: maxConnections, statement_timeout: statementTimeoutMs });
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

  return {
    kind: 'postgres',
    ...queriesOf(pool),
    async transaction(work) {
      const client = await pool.connect().catch((error: unknown) => {
        throw databaseError(error);
      });
      // Without a listener the loss of a connection that is in use would end the process.
      const ignore = () => {};
      client.on('error', ignore);
      let broken: Error | undefined;
      try {
        await client.query('BEGIN');
        const result = await work(queriesOf(client));
        await client.query('COMMIT');
        return result;
      } catch (error) {
        // A connection that cannot roll back is thrown away; the server rolls back by itself.
        await client.query('ROLLBACK').catch((failure: Error) => (broken = failure));
        throw error instanceof Error && 'severity' in error ? databaseError(error) : error;
      } finally {
        client.off('error', ignore);
        client.release(broken);
      }
    },
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
