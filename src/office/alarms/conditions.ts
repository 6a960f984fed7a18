/** What a rule finds in the database now. */
import type { Condition } from './condition.ts';
import * as messages from './condition-messages.ts';
import type { Queries } from '../database/database.ts';
import { goesOn } from '../ingest/chains.ts';
import { missingDeposits } from './deposit-conditions.ts';
import { lagsQuery } from '../journal-lags.ts';
import { isOpenThroughout, type OpeningHours } from './opening-hours.ts';
import type { AlarmRule } from './settings.ts';

export interface Surroundings {
  now: number;
  /** Since when somebody has evaluated the rules: before that no bridge could be heard. */
  watchingSince: number;
  /** Whether there is an alarm of this rule for the subject. */
  stands(subject: string): boolean;
  hoursOf(shop: string): OpeningHours | null;
}

/** Of one rule. More than these at once are one disaster, and not many alarms; the oldest count. */
const maxConditions = 20_000;
const minuteMs = 60_000;

export async function conditionsOf(
  queries: Queries,
  rule: AlarmRule,
  around: Surroundings,
): Promise<Condition[]> {
  const found = await findersOf(queries, rule, around);
  return found.slice(0, maxConditions);
}

function findersOf(queries: Queries, rule: AlarmRule, around: Surroundings): Promise<Condition[]> {
  const which = [rule.shops === 'all' ? null : rule.shops, rule.simulated, maxConditions] as const;
  switch (rule.watch) {
    case 'doubt':
      return doubts(queries, which, around.now - rule.minutes * minuteMs);
    case 'discrepancy':
      return discrepancies(queries, which, around.now - rule.minutes * minuteMs);
    case 'silent':
      return silentBridges(queries, which, rule.minutes, around);
    case 'journal':
      return journals(queries, which);
    case 'journal_lag':
      return laggingJournals(queries, which, around.now - rule.minutes * minuteMs);
    case 'deposit':
      return missingDeposits(queries, which);
  }
}

/** Values of `whichShops`. */
type Which = readonly [shops: string[] | null, simulated: boolean, limit: number];

interface OfChain {
  shop_id: string;
  terminal: string;
  simulated: boolean;
  /** When the office heard of it; of what an older office took, when the journal grew last. */
  received_at: string;
  clock_ahead_ms: number | null;
}

const whichShops = '($1::text[] IS NULL OR shops.name = ANY ($1))';
const ofChain = 'chains.shop_id, chains.terminal, chains.simulated, bridges.clock_ahead_ms';
const joinedChain = `JOIN chains USING (chain) JOIN shops ON shops.shop_id = chains.shop_id
  JOIN bridges ON bridges.bridge_id = chains.bridge_id`;

/** By the office's clock, as near as it is known: the bridge's may be off, but what it says was said before it came here. */
function momentOf(said: string, { received_at, clock_ahead_ms }: OfChain): number {
  return Math.max(0, Math.min(Date.parse(said) - (clock_ahead_ms ?? 0), Date.parse(received_at)));
}

async function doubts(queries: Queries, which: Which, before: number): Promise<Condition[]> {
  const rows = await queries.query<
    OfChain & messages.OperationInDoubt & { operation_id: string; doubt_since: string }
  >(
    `SELECT operation_id, kind, reference, amount_minor, currency, doubt_since, reason,
       coalesce(doubt_received_at, chains.grown_at) AS received_at, ${ofChain}
     FROM open_operations ${joinedChain}
     WHERE doubt_since IS NOT NULL AND ${goesOn} AND ${whichShops} AND (NOT chains.simulated OR $2)
     ORDER BY doubt_since, operation_id LIMIT $3`,
    [...which],
  );
  return rows
    .map((row) => ({
      subject: `operation:${row.operation_id}`,
      ...placeOf(row),
      message: messages.operationInDoubt(row),
      since: momentOf(row.doubt_since, row),
    }))
    .filter(({ since }) => since <= before);
}

async function discrepancies(queries: Queries, which: Which, before: number): Promise<Condition[]> {
  const rows = await queries.query<OfChain & { discrepancy_id: string; message: string; found_at: string }>(
    `SELECT discrepancy_id, message, found_at, coalesce(received_at, chains.grown_at) AS received_at, ${ofChain}
     FROM open_discrepancies ${joinedChain}
     WHERE ${whichShops} AND (NOT chains.simulated OR $2)
     ORDER BY found_at, discrepancy_id LIMIT $3`,
    [...which],
  );
  return rows
    .map((row) => ({
      subject: `discrepancy:${row.discrepancy_id}`,
      ...placeOf(row),
      message: messages.openDiscrepancy(row.message),
      since: momentOf(row.found_at, row),
    }))
    .filter(({ since }) => since <= before);
}

/**
 * Once silent, a bridge counts as silent until it is heard: nothing is over because the shop has closed. One whose
 * terminals are all simulated is there for a trial.
 */
async function silentBridges(
  queries: Queries,
  which: Which,
  minutes: number,
  { now, watchingSince, stands, hoursOf }: Surroundings,
): Promise<Condition[]> {
  const before = now - minutes * minuteMs;
  const rows = await queries.query<{
    bridge_id: string;
    shop_id: string;
    shop: string;
    computer: string;
    heard_at: string | null;
    enrolled_at: string;
    simulated: boolean;
  }>(
    `SELECT bridge_id, shop_id, shop, computer, heard_at, enrolled_at, simulated FROM (
       SELECT bridges.*, shops.name AS shop, coalesce((
         SELECT bool_and((terminal ->> 'simulated')::boolean)
         FROM jsonb_array_elements(heartbeat -> 'terminals') AS terminal
       ), false) AS simulated
       FROM bridges JOIN shops USING (shop_id) WHERE revoked_at IS NULL AND ${whichShops}
     ) AS known
     WHERE coalesce(heard_at, enrolled_at) <= $4 AND (NOT simulated OR $2)
     ORDER BY coalesce(heard_at, enrolled_at), bridge_id LIMIT $3`,
    [...which, new Date(before).toISOString()],
  );
  const openShops = new Map<OpeningHours, boolean>();
  const isOpenNow = (shop: string) => {
    const hours = hoursOf(shop);
    if (hours === null) return true;
    const open = openShops.get(hours) ?? isOpenThroughout(hours, now, minutes);
    openShops.set(hours, open);
    return open;
  };
  return rows
    .map(({ bridge_id, shop_id, shop, computer, heard_at, enrolled_at, simulated }) => ({
      shop,
      condition: {
        subject: `bridge:${bridge_id}`,
        shop_id,
        terminal: null,
        simulated,
        message: messages.silentBridge(computer, heard_at !== null),
        since: Date.parse(heard_at ?? enrolled_at),
      },
    }))
    .filter(
      ({ shop, condition }) => stands(condition.subject) || (watchingSince <= before && isOpenNow(shop)),
    )
    .map(({ condition }) => condition);
}

async function journals(queries: Queries, which: Which): Promise<Condition[]> {
  const findings = await queries.query<{
    finding_id: string;
    shop_id: string;
    terminal: string;
    simulated: boolean;
    kind: string;
    message: string;
    found_at: string;
  }>(
    `SELECT finding_id, shop_id, findings.terminal, findings.simulated, findings.kind, message, found_at
     FROM findings JOIN bridges USING (bridge_id) JOIN shops USING (shop_id)
     WHERE acknowledged_at IS NULL AND ${whichShops} AND (NOT findings.simulated OR $2)
     ORDER BY found_at, finding_id LIMIT $3`,
    [...which],
  );
  const notWritable = await queries.query<{
    bridge_id: string;
    shop_id: string;
    terminal: string;
    simulated: boolean;
    message: string;
  }>(
    `SELECT bridge_id, shop_id, terminal ->> 'name' AS terminal, (terminal ->> 'simulated')::boolean AS simulated,
       terminal ->> 'message' AS message
     FROM bridges JOIN shops USING (shop_id), jsonb_array_elements(heartbeat -> 'terminals') AS terminal
     WHERE revoked_at IS NULL AND NOT (terminal ->> 'journalWritable')::boolean AND ${whichShops}
       AND (NOT (terminal ->> 'simulated')::boolean OR $2)
     ORDER BY bridge_id, terminal ->> 'name' LIMIT $3`,
    [...which],
  );
  return [
    ...findings.map(({ finding_id, found_at, kind, message, ...place }) => ({
      ...place,
      subject: `finding:${finding_id}`,
      message: messages.openFinding(kind, message),
      since: Date.parse(found_at),
    })),
    ...notWritable.map(({ bridge_id, message, ...place }) => ({
      ...place,
      subject: `journal:${bridge_id}/${place.simulated ? 'simulated' : 'live'}/${place.terminal}`,
      message: messages.unwritableJournal(message),
      since: null,
    })),
  ];
}

async function laggingJournals(queries: Queries, which: Which, before: number): Promise<Condition[]> {
  const rows = await queries.query<{
    bridge_id: string;
    shop_id: string;
    terminal: string;
    simulated: boolean;
    last_seq: number;
    since: string;
  }>(
    `SELECT lags.* FROM (${lagsQuery}) AS lags JOIN shops USING (shop_id)
     WHERE since <= $4 AND ${whichShops} AND (NOT simulated OR $2)
     ORDER BY since, bridge_id, terminal LIMIT $3`,
    [...which, new Date(before).toISOString()],
  );
  return rows.map(({ bridge_id, last_seq, since, shop_id, terminal, simulated }) => ({
    shop_id,
    terminal,
    simulated,
    subject: `lag:${bridge_id}/${simulated ? 'simulated' : 'live'}/${terminal}`,
    message: messages.laggingJournal(last_seq),
    since: Date.parse(since),
  }));
}

function placeOf({ shop_id, terminal, simulated }: OfChain) {
  return { shop_id, terminal, simulated };
}
