/**
 * Who is to be told of what. For each alarm and receiver the database has what was told last; where that is not so any
 * more, there is something to tell. What becomes due for a receiver within a short time is one message.
 *
 * That an alarm stands was not told by a message that was given up: it goes into another one, which is tried as long again.
 *
 * Whoever was not told of an alarm is not told of its end. An alarm that has come and gone between two messages is told
 * to nobody.
 */
import type { Chance } from '../../base/chance.ts';
import type { Queries } from '../database/database.ts';
import { storableJson } from '../database/storable.ts';
import { alarmMessage, type AlarmNews, type AlarmOfMessage } from './message.ts';
import { enqueue } from './outbox.ts';
import type { AlarmSettings } from './settings.ts';

interface Telling {
  alarm_id: string;
  receiver: string;
  state: 'raised' | 'cleared';
  raised_told_at: string;
}

interface Due {
  alarm: AlarmOfMessage;
  news: AlarmNews;
  dueAt: number;
}

/** `nextAt`: when the next message is known to become due (milliseconds since 1970), or null. `told`: the alarms' ids. */
export async function tellReceivers(
  queries: Queries,
  { settings, chance, now }: { settings: AlarmSettings; chance: Chance; now: number },
): Promise<{ nextAt: number | null; told: string[] }> {
  const alarms = await queries.query<AlarmOfMessage>(
    `SELECT alarm_id, rule, watch, shops.name AS shop, terminal, simulated, message, since, raised_at, times,
       cleared_at, ended
     FROM alarms JOIN shops USING (shop_id)
     WHERE cleared_at IS NULL OR EXISTS (
       SELECT FROM alarm_tellings WHERE alarm_tellings.alarm_id = alarms.alarm_id AND state = 'raised'
     )`,
  );
  const tellings = await queries.query<Telling>(
    `SELECT alarm_id, alarm_tellings.receiver, alarm_tellings.state, raised_told_at
     FROM alarm_tellings JOIN alarms USING (alarm_id) JOIN alarm_messages USING (message_id)
     WHERE (cleared_at IS NULL OR alarm_tellings.state = 'raised')
       AND NOT (alarm_tellings.state = 'raised' AND alarm_messages.state = 'given_up')`,
  );
  const told = new Map(tellings.map((telling) => [keyOf(telling.alarm_id, telling.receiver), telling]));
  const rules = new Map(settings.rules.map((rule) => [rule.name, rule]));
  const nextAt: number[] = [];
  const toldNow: string[] = [];

  for (const { name: receiver } of settings.receivers) {
    const isMeant = ({ rule, cleared_at }: AlarmOfMessage) =>
      cleared_at === null && (rules.get(rule)?.receivers?.includes(receiver) ?? true);
    const all = alarms
      .map((alarm) => dueOf(alarm, told.get(keyOf(alarm.alarm_id, receiver)), isMeant(alarm), settings))
      .filter((due) => due !== null);
    const due = all.filter(({ dueAt }) => dueAt <= now);
    const sendAt = Math.min(...all.map(({ dueAt }) => dueAt)) + settings.groupMs;
    if (sendAt > now) {
      if (all.length > 0) nextAt.push(sendAt);
      continue;
    }
    const news = due.map((one) => ({ ...one.alarm, news: one.news }));
    const message = alarmMessage(
      chance.uuid(),
      new Date(now).toISOString(),
      news,
      alarms.filter(isMeant).length,
    );
    await enqueue(queries, receiver, message);
    await remember(queries, receiver, message, news);
    toldNow.push(...news.map(({ alarm_id }) => alarm_id));
  }
  return { nextAt: nextAt.length === 0 ? null : Math.min(...nextAt), told: toldNow };
}

/** Null: there is nothing to tell. */
function dueOf(
  alarm: AlarmOfMessage,
  telling: Telling | undefined,
  isMeant: boolean,
  { againEveryMs }: AlarmSettings,
): Due | null {
  if (alarm.cleared_at !== null)
    return telling?.state === 'raised'
      ? { alarm, news: 'cleared', dueAt: Date.parse(alarm.cleared_at) }
      : null;
  if (!isMeant || telling?.state === 'raised') return null;
  const raisedAt = Date.parse(alarm.raised_at);
  if (telling === undefined) return { alarm, news: 'raised', dueAt: raisedAt };
  const againAt = Date.parse(telling.raised_told_at) + againEveryMs;
  return { alarm, news: 'raised_again', dueAt: Math.max(raisedAt, againAt) };
}

async function remember(
  queries: Queries,
  receiver: string,
  { id, at }: { id: string; at: string },
  news: readonly { alarm_id: string; news: AlarmNews }[],
): Promise<void> {
  const rows = news.map((one) => ({
    alarm_id: one.alarm_id,
    receiver,
    state: one.news === 'cleared' ? 'cleared' : 'raised',
    raised_told_at: at,
    message_id: id,
  }));
  await queries.query(
    `INSERT INTO alarm_tellings (alarm_id, receiver, state, raised_told_at, message_id)
     SELECT alarm_id, receiver, state, raised_told_at, message_id
     FROM json_populate_recordset(NULL::alarm_tellings, $1::json)
     ON CONFLICT (alarm_id, receiver) DO UPDATE SET
       state = excluded.state,
       raised_told_at = CASE excluded.state
         WHEN 'raised' THEN excluded.raised_told_at ELSE alarm_tellings.raised_told_at END,
       message_id = excluded.message_id`,
    [storableJson(rows)],
  );
}

function keyOf(alarmId: string, receiver: string): string {
  return `${alarmId} ${receiver}`;
}
