/** What monitoring asks of the database: a handful of small questions, whatever the number of shops. */
import { silentAfterMs } from '../bridges.ts';
import type { Database } from '../database/database.ts';
import { goesOn } from '../ingest/chains.ts';

export const ageQuantiles = [0, 0.5, 0.9, 0.99, 1] as const;
/** Seconds, one for each quantile; null: there is nothing that has an age. */
export type Ages = number[] | null;

export interface DatabaseNumbers {
  shops: number;
  bridges: number;
  silent: number;
  heartbeatAges: Ages;
  eventAges: Ages;
  signedIn: number;
  alarms: { watch: string; count: number }[];
  outboxWaiting: number;
  outboxOldestS: number;
  open: { doubt: number; discrepancy: number; finding: number };
  unread: number;
  databaseBytes: number;
  connections: number;
  days: { events: number; payments: number };
}

/** `now` in milliseconds since 1970. Rejects with DatabaseError. */
export async function readDatabase(database: Database, now: number): Promise<DatabaseNumbers> {
  const at = new Date(now).toISOString();
  const [numbers, alarms] = await Promise.all([
    database.query<Omit<DatabaseNumbers, 'alarms' | 'open' | 'days'> & Flat>(numbersQuery, [
      at,
      new Date(now - silentAfterMs).toISOString(),
      [...ageQuantiles],
    ]),
    database.query<{ watch: string; count: number }>(
      `SELECT watch, count(*)::integer AS count FROM alarms WHERE cleared_at IS NULL GROUP BY watch`,
    ),
  ]);
  const [row] = numbers;
  if (row === undefined) throw new Error('The database has no answer.');
  const { doubts, discrepancies, findings, eventDays, paymentDays, ...rest } = row;
  return {
    ...rest,
    alarms,
    open: { doubt: doubts, discrepancy: discrepancies, finding: findings },
    days: { events: eventDays, payments: paymentDays },
  };
}

interface Flat {
  doubts: number;
  discrepancies: number;
  findings: number;
  eventDays: number;
  paymentDays: number;
}

const age = (column: string) => `greatest(0, extract(epoch FROM $1::timestamptz - ${column}))::float8`;
const numbersQuery = `
  WITH sending AS (
    SELECT bridge_id, heard_at FROM bridges WHERE revoked_at IS NULL
  ), grown AS (
    SELECT max(grown_at) AS grown_at FROM chains JOIN sending USING (bridge_id) GROUP BY bridge_id
  ), waiting AS (
    SELECT count(*)::integer AS waiting, min(made_at) AS oldest FROM alarm_messages WHERE state = 'waiting'
  ), days AS (
    SELECT inhparent::regclass::text AS divided, count(*)::integer - 1 AS days FROM pg_inherits
    WHERE inhparent IN ('events'::regclass, 'payments'::regclass) GROUP BY inhparent
  )
  SELECT
    (SELECT count(*)::integer FROM shops) AS shops,
    (SELECT count(*)::integer FROM sending) AS bridges,
    (SELECT count(*)::integer FROM sending WHERE heard_at IS NULL OR heard_at < $2) AS silent,
    (SELECT percentile_disc($3::float8[]) WITHIN GROUP (ORDER BY ${age('heard_at')}) FROM sending
      WHERE heard_at IS NOT NULL) AS "heartbeatAges",
    (SELECT percentile_disc($3::float8[]) WITHIN GROUP (ORDER BY ${age('grown_at')}) FROM grown) AS "eventAges",
    (SELECT count(*)::integer FROM sessions WHERE expires_at > $1) AS "signedIn",
    waiting AS "outboxWaiting",
    coalesce(${age('oldest')}, 0) AS "outboxOldestS",
    (SELECT count(*)::integer FROM open_operations JOIN chains USING (chain)
      WHERE doubt_since IS NOT NULL AND ${goesOn} AND NOT simulated) AS doubts,
    (SELECT count(*)::integer FROM open_discrepancies JOIN chains USING (chain)
      WHERE NOT simulated) AS discrepancies,
    (SELECT count(*)::integer FROM findings WHERE acknowledged_at IS NULL AND NOT simulated) AS findings,
    (SELECT count(*)::integer FROM unread_told) AS unread,
    pg_database_size(current_database()) AS "databaseBytes",
    (SELECT count(*)::integer FROM pg_stat_activity WHERE datname = current_database()) AS connections,
    coalesce((SELECT days FROM days WHERE divided = 'events'), 0) AS "eventDays",
    coalesce((SELECT days FROM days WHERE divided = 'payments'), 0) AS "paymentDays"
  FROM waiting`;
