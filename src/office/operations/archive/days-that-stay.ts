/** What keeps an old day, or a payment of it, in the database: somebody or something is not done with it. */
import type { Day } from '../../database/days.ts';
import type { Queries } from '../../database/database.ts';
import { goesOn } from '../../ingest/chains.ts';

const openNow = `FROM open_operations JOIN chains USING (chain) WHERE ${goesOn}`;

/** Days of events that have to stay, with why. `table` may be the partition of one day: then no other is touched. */
export async function eventDaysThatStay(
  queries: Queries,
  before: Day,
  table = 'events',
): Promise<Map<Day, string>> {
  const stay = new Map<Day, string>();
  const open = await queries.query<{ day: Day; operations: number }>(
    `SELECT received_on AS day, count(DISTINCT operation_id)::integer AS operations
     FROM ${table} WHERE received_on < $1 AND operation_id IN (SELECT operation_id ${openNow})
     GROUP BY received_on`,
    [before],
  );
  for (const { day, operations } of open)
    stay.set(
      day,
      `${operations} ${operations === 1 ? 'operation of it is' : 'operations of it are'} still open`,
    );
  const [unread] = await queries.query<{ day: Day | null }>(`SELECT ${unreadSince} AS day`);
  return new Map([...stay, ...(await daysSince(queries, table, unread?.day ?? null, before))]);
}

async function daysSince(
  queries: Queries,
  table: string,
  since: Day | null,
  before: Day,
): Promise<[Day, string][]> {
  if (since === null) return [];
  const rows = await queries.query<{ day: Day }>(
    `SELECT DISTINCT received_on AS day FROM ${table} WHERE received_on >= $1 AND received_on < $2`,
    [since, before],
  );
  return rows.map(({ day }) => [day, 'a newer office will read events of it again']);
}

/** Two offices need not have the same time, so the day before counts as well. */
const unreadSince = `(SELECT min(first_received_on) - 1 FROM unread)`;

/** Of a payment's row: it stays when its day is taken out. */
export const paymentStays = `(
  status IN ('in_progress', 'unknown', 'voiding')
  OR payment_id IN (SELECT payment_id ${openNow} AND payment_id IS NOT NULL)
  OR last_received_on >= coalesce(${unreadSince}, 'infinity')
)`;
