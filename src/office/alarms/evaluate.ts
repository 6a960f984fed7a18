/**
 * One evaluation of all rules, in one transaction: which alarms begin and end, and the messages that tell of it. What is
 * decided here lies in the database as a whole or not at all, so whoever dies afterwards has lost nothing.
 */
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import type { Database, Queries } from '../database/database.ts';
import { storableJson } from '../database/storable.ts';
import type { Condition } from './condition.ts';
import { conditionsOf } from './conditions.ts';
import { tellReceivers } from './tell.ts';
import type { AlarmRule, AlarmSettings } from './settings.ts';

export type Evaluation =
  /**
   * `nextAt`: when something becomes due that is known already (milliseconds since 1970). `shops`: the ids of those of
   * which something is otherwise than before.
   */
  | { kind: 'evaluated'; nextAt: number | null; shops: string[] }
  /** Another process is at it. */
  | { kind: 'elsewhere' }
  /** Another process has other rules; those count. */
  | { kind: 'other_rules' };

export interface EvaluationParts {
  settings: AlarmSettings;
  clock: Pick<Clock, 'now'>;
  chance: Chance;
  /** When this process was started (milliseconds since 1970). */
  startedAt: number;
}

/** So long without an evaluation means that no process was there, or the database was not. */
const gapMs = 2 * 60_000;
/** How long what is over is kept. */
const keptMs = 30 * 24 * 60 * 60_000;

/** Rejects with DatabaseError. */
export function evaluate(database: Database, parts: EvaluationParts): Promise<Evaluation> {
  const { settings, clock, chance } = parts;
  return database.transaction(async (queries) => {
    // A process that hangs in here (a machine that sleeps) must not keep the others from it.
    await queries.run("SET LOCAL idle_in_transaction_session_timeout = '30s'");
    const now = clock.now();
    const turn = await takeTurn(queries, parts, now);
    if (turn.kind !== 'ours') return turn;
    const changed = await raiseAndClear(queries, {
      settings,
      chance,
      now,
      watchingSince: turn.watchingSince,
    });
    const { nextAt, told } = await tellReceivers(queries, { settings, chance, now });
    const shops = await shopsOf(queries, [...changed, ...told]);
    await forgetOld(queries, new Date(now - keptMs).toISOString());
    return { kind: 'evaluated', nextAt, shops };
  });
}

/** The ids of the shops that these alarms are of. */
export async function shopsOf(queries: Queries, alarmIds: readonly string[]): Promise<string[]> {
  if (alarmIds.length === 0) return [];
  const rows = await queries.query<{ shop_id: string }>(
    'SELECT DISTINCT shop_id FROM alarms WHERE alarm_id = ANY ($1::uuid[])',
    [[...new Set(alarmIds)]],
  );
  return rows.map(({ shop_id }) => shop_id);
}

async function takeTurn(
  queries: Queries,
  { settings, startedAt }: EvaluationParts,
  now: number,
): Promise<{ kind: 'ours'; watchingSince: number } | { kind: 'elsewhere' } | { kind: 'other_rules' }> {
  const [turn] = await queries.query<{
    rules_digest: string | null;
    rules_since: string | null;
    rules_tell: boolean;
    evaluated_at: string | null;
    watching_since: string | null;
  }>(
    `SELECT rules_digest, rules_since, rules_tell, evaluated_at, watching_since FROM alarm_turn
     FOR UPDATE SKIP LOCKED`,
  );
  if (turn === undefined) return { kind: 'elsewhere' };
  const { rules_digest, rules_since, rules_tell, evaluated_at, watching_since } = turn;
  const wasGap = evaluated_at === null || now - Date.parse(evaluated_at) > gapMs;
  const isSame = rules_digest === settings.digest;
  // Somebody who forgot the file at one process must not keep the others from telling: when theirs were away, they take
  // over again at once.
  const tell = settings.receivers.length > 0;
  const countsMore =
    rules_since === null || (tell === rules_tell ? startedAt > Date.parse(rules_since) : tell);
  if (!isSame && !countsMore && !wasGap) return { kind: 'other_rules' };
  const watchingSince = wasGap || watching_since === null ? now : Date.parse(watching_since);
  await queries.query(
    `UPDATE alarm_turn SET rules_digest = $1, rules_since = $2, evaluated_at = $3, watching_since = $4,
       rules_tell = $5`,
    [
      settings.digest,
      isSame && rules_since !== null ? rules_since : new Date(startedAt).toISOString(),
      new Date(now).toISOString(),
      new Date(watchingSince).toISOString(),
      tell,
    ],
  );
  return { kind: 'ours', watchingSince };
}

interface KnownAlarm {
  alarm_id: string;
  rule: string;
  subject: string;
  message: string;
  cleared_at: string | null;
}

/** Gives the ids of the alarms that are otherwise than before. */
async function raiseAndClear(
  queries: Queries,
  parts: { settings: AlarmSettings; chance: Chance; now: number; watchingSince: number },
): Promise<string[]> {
  const { settings, chance, now, watchingSince } = parts;
  // The newest last, so that it is the one that counts.
  const known = await queries.query<KnownAlarm>(
    `SELECT alarm_id, rule, subject, message, cleared_at FROM alarms
     WHERE cleared_at IS NULL OR cleared_at > $1 ORDER BY cleared_at NULLS LAST`,
    [new Date(now - settings.againWithinMs).toISOString()],
  );
  const alarms = new Map(known.map((alarm) => [keyOf(alarm.rule, alarm.subject), alarm]));
  const found = new Map<string, { rule: AlarmRule; condition: Condition }>();
  for (const rule of settings.rules) {
    const conditions = await conditionsOf(queries, rule, {
      now,
      watchingSince,
      stands: (subject) => alarms.get(keyOf(rule.name, subject))?.cleared_at === null,
      hoursOf: settings.hoursOf,
    });
    for (const condition of conditions) {
      const key = keyOf(rule.name, condition.subject);
      // A journal that was copied tells of the same operation twice.
      if (!found.has(key)) found.set(key, { rule, condition });
    }
  }

  const raised = [...found]
    .filter(([key]) => alarms.get(key)?.cleared_at !== null)
    .map(([key, { rule, condition }]) => ({
      ...condition,
      alarm_id: alarms.get(key)?.alarm_id ?? chance.uuid(),
      rule: rule.name,
      watch: rule.watch,
      since: new Date(condition.since ?? now).toISOString(),
      raised_at: new Date(now).toISOString(),
      times: 1,
    }));
  await write(
    queries,
    `INSERT INTO alarms (${columns.join(', ')})
     SELECT ${columns.join(', ')} FROM json_populate_recordset(NULL::alarms, $1::json)
     ON CONFLICT (alarm_id) DO UPDATE SET
       message = excluded.message, since = excluded.since, raised_at = excluded.raised_at,
       times = alarms.times + 1, cleared_at = NULL, ended = NULL`,
    raised,
  );
  const standing = [...alarms].filter(([, { cleared_at }]) => cleared_at === null);
  const reworded = standing.flatMap(([key, { alarm_id, message: before }]) => {
    const message = found.get(key)?.condition.message ?? before;
    return message === before ? [] : [{ alarm_id, message }];
  });
  await write(
    queries,
    `UPDATE alarms SET message = changed.message
     FROM json_populate_recordset(NULL::alarms, $1::json) AS changed WHERE alarms.alarm_id = changed.alarm_id`,
    reworded,
  );
  const rules = new Set(settings.rules.map(({ name }) => name));
  const cleared = standing
    .filter(([key]) => !found.has(key))
    .map(([, { alarm_id, rule }]) => ({
      alarm_id,
      cleared_at: new Date(now).toISOString(),
      ended: rules.has(rule) ? 'over' : 'not_watched',
    }));
  await write(
    queries,
    `UPDATE alarms SET cleared_at = over.cleared_at, ended = over.ended
     FROM json_populate_recordset(NULL::alarms, $1::json) AS over WHERE alarms.alarm_id = over.alarm_id`,
    cleared,
  );
  return [...raised, ...reworded, ...cleared].map(({ alarm_id }) => alarm_id);
}

const columns = [
  'alarm_id',
  'rule',
  'watch',
  'subject',
  'shop_id',
  'terminal',
  'simulated',
  'message',
  'since',
  'raised_at',
  'times',
];

function keyOf(rule: string, subject: string): string {
  return JSON.stringify([rule, subject]);
}

async function write(queries: Queries, sql: string, rows: readonly object[]): Promise<void> {
  if (rows.length > 0) await queries.query(sql, [storableJson(rows)]);
}

async function forgetOld(queries: Queries, before: string): Promise<void> {
  await queries.query('DELETE FROM alarms WHERE cleared_at < $1', [before]);
  await queries.query(
    `DELETE FROM alarm_messages WHERE state <> 'waiting' AND ended_at < $1
       AND NOT EXISTS (SELECT FROM alarm_tellings WHERE alarm_tellings.message_id = alarm_messages.message_id)`,
    [before],
  );
}
