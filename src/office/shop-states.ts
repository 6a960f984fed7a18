/** How each shop stands, the worst first, and which versions its bridges have: what a head office looks at in the morning. */
import type { Clock } from '../base/clock.ts';
import { compareVersions, isVersion } from '../base/versions.ts';
import { worstFirst, type ShopState, type ShopSummary, type VersionView } from '../contract/office-page.ts';
import { silentAfterMs } from './bridges.ts';
import type { Database } from './database/database.ts';
import { goesOn } from './ingest/chains.ts';
import { lagAfterMs, lagsQuery } from './journal-lags.ts';

export interface ShopStates {
  /** The worst first. `only`: those with these ids. */
  shops(only?: readonly string[]): Promise<ShopSummary[]>;
  /** The newest first. */
  versions(): Promise<VersionView[]>;
}

interface ShopRow {
  shop_id: string;
  name: string;
  simulated: boolean;
  in_doubt: number;
  doubt_since: string | null;
  discrepancies: number;
  discrepancy_since: string | null;
  findings: number;
  finding_since: string | null;
  bridges: number;
  versions: string[];
  silent: boolean;
  silent_since: string | null;
  not_ready: boolean;
  not_writable: boolean;
  lag_since: string | null;
}

const says = (path: string) => `jsonb_path_exists(heartbeat, '${path}')`;
const isAsked = '($2::uuid[] IS NULL OR shop_id = ANY ($2))';

/**
 * What is open is little, and each bridge is one row: this takes some milliseconds for each thousand shops. A terminal
 * that takes a payment is ready by its heartbeat. A bridge that does not run names no terminal, and one that does not
 * listen no till can call.
 *
 * $1: when a bridge must have been heard; $2: ids of shops, or null for all; $3: since when a journal may be behind.
 *
 * A shop is a trial as long as no terminal and no journal of it is real. In any other one simulated terminals do not count:
 * what is in doubt there is no money, and where there is nothing else no card can be taken.
 */
const shopsQuery = `
  WITH sending AS (
    SELECT shop_id, count(*)::integer AS bridges, array_agg(DISTINCT version) AS versions,
      bool_or(heard < $1) AS silent, min(heard) FILTER (WHERE heard < $1) AS silent_since,
      bool_or(${says('$.terminals[*] ? (@.simulated == false)')}) AS has_real,
      bool_or(${says('$.terminals[*] ? (@.simulated == true)')}) AS has_simulated,
      bool_or(${says('$ ? (@.listener.listening == false || @.terminals.size() == 0)')}
        OR ${says('$.terminals[*] ? (@.ready == false)')}) AS not_ready,
      bool_or(${says('$ ? (@.terminals.size() == 0)')}
        OR ${says('$ ? (@.listener.listening == false).terminals[*] ? (@.simulated == false)')}
        OR ${says('$.terminals[*] ? (@.simulated == false && @.ready == false)')}) AS real_not_ready,
      bool_or(${says('$.terminals[*] ? (@.journalWritable == false)')}) AS not_writable,
      bool_or(${says('$.terminals[*] ? (@.simulated == false && @.journalWritable == false)')})
        AS real_not_writable
    FROM (SELECT *, coalesce(heard_at, enrolled_at) AS heard FROM bridges
      WHERE revoked_at IS NULL AND ${isAsked}) AS bridges
    GROUP BY shop_id
  ), journals AS (
    SELECT shop_id, bool_and(simulated) AS all_simulated FROM chains WHERE ${isAsked} GROUP BY shop_id
  ), known AS (
    SELECT shops.shop_id, name, bridges, versions, silent, silent_since, not_ready, not_writable, real_not_writable,
      real_not_ready OR (has_simulated AND NOT has_real) AS real_not_ready,
      NOT coalesce(has_real, false) AND coalesce(all_simulated, has_simulated, false) AS simulated
    FROM shops LEFT JOIN sending USING (shop_id) LEFT JOIN journals USING (shop_id) WHERE ${isAsked}
  ), doubts AS (
    SELECT shop_id, count(*)::integer AS in_doubt, min(doubt_since) AS doubt_since
    FROM open_operations JOIN chains USING (chain) JOIN known USING (shop_id)
    WHERE doubt_since IS NOT NULL AND ${goesOn} AND (known.simulated OR NOT chains.simulated) GROUP BY shop_id
  ), differing AS (
    SELECT shop_id, count(*)::integer AS discrepancies, min(found_at) AS discrepancy_since
    FROM open_discrepancies JOIN chains USING (chain) JOIN known USING (shop_id)
    WHERE (known.simulated OR NOT chains.simulated) GROUP BY shop_id
  ), found AS (
    SELECT shop_id, count(*)::integer AS findings, min(found_at) AS finding_since
    FROM findings JOIN bridges USING (bridge_id) JOIN known USING (shop_id)
    WHERE acknowledged_at IS NULL AND (known.simulated OR NOT findings.simulated) GROUP BY shop_id
  ), lagging AS (
    SELECT shop_id, min(since) AS lag_since FROM (${lagsQuery}) AS lags JOIN known USING (shop_id)
    WHERE since <= $3 AND (known.simulated OR NOT lags.simulated) GROUP BY shop_id
  )
  SELECT shop_id, name, simulated,
    coalesce(in_doubt, 0) AS in_doubt, doubt_since,
    coalesce(discrepancies, 0) AS discrepancies, discrepancy_since,
    coalesce(findings, 0) AS findings, finding_since,
    coalesce(bridges, 0) AS bridges, coalesce(versions, '{}') AS versions,
    coalesce(silent, false) AS silent, silent_since,
    coalesce(CASE WHEN simulated THEN not_ready ELSE real_not_ready END, false) AS not_ready,
    coalesce(CASE WHEN simulated THEN not_writable ELSE real_not_writable END, false) AS not_writable,
    lag_since
  FROM known LEFT JOIN doubts USING (shop_id) LEFT JOIN differing USING (shop_id) LEFT JOIN found USING (shop_id)
    LEFT JOIN lagging USING (shop_id)`;

export function createShopStates(
  database: Database,
  { clock, version }: { clock: Pick<Clock, 'now'>; version: string },
): ShopStates {
  const isOld = (other: string) =>
    isVersion(version) && isVersion(other) && compareVersions(other, version) < 0;
  const silentBefore = () => new Date(clock.now() - silentAfterMs).toISOString();

  function summaryOf(row: ShopRow): ShopSummary {
    const { state, since } = worstOf(row, row.versions.some(isOld));
    const { shop_id: shopId, in_doubt: inDoubt, name, simulated, discrepancies, findings, ...rest } = row;
    const { bridges, versions } = rest;
    return { shopId, name, simulated, state, since, inDoubt, discrepancies, findings, bridges, versions };
  }

  return {
    async shops(only) {
      const rows = await database.query<ShopRow>(shopsQuery, [
        silentBefore(),
        only ?? null,
        new Date(clock.now() - lagAfterMs).toISOString(),
      ]);
      return rows.map(summaryOf).toSorted(worstFirst);
    },
    async versions() {
      const rows = await database.query<Omit<VersionView, 'isOld'>>(
        `SELECT version, count(*)::integer AS bridges, count(DISTINCT shop_id)::integer AS shops,
           (count(*) FILTER (WHERE coalesce(heard_at, enrolled_at) >= $1))::integer AS heard
         FROM bridges WHERE revoked_at IS NULL GROUP BY version`,
        [silentBefore()],
      );
      return rows
        .map((row) => ({ ...row, isOld: isOld(row.version) }))
        .toSorted((one, other) => newestFirst(one.version, other.version));
    },
  };
}

function worstOf(row: ShopRow, hasOld: boolean): { state: ShopState; since: string | null } {
  if (row.in_doubt > 0) return { state: 'in_doubt', since: row.doubt_since };
  if (row.findings > 0) return { state: 'journal_trouble', since: row.finding_since };
  if (row.not_writable) return { state: 'journal_trouble', since: null };
  if (row.lag_since !== null) return { state: 'journal_trouble', since: row.lag_since };
  if (row.discrepancies > 0) return { state: 'discrepancy', since: row.discrepancy_since };
  if (row.silent) return { state: 'silent', since: row.silent_since };
  if (row.not_ready) return { state: 'not_ready', since: null };
  if (hasOld) return { state: 'old_version', since: null };
  return { state: row.bridges === 0 ? 'not_joined' : 'ready', since: null };
}

/** What is no version comes last. */
function newestFirst(one: string, other: string): number {
  if (isVersion(one) && isVersion(other)) return compareVersions(other, one);
  if (isVersion(one) !== isVersion(other)) return isVersion(one) ? -1 : 1;
  return one < other ? -1 : 1;
}
