/** The alarms of one process of the office: evaluates the rules again and again, sends what is to be sent, and lists. */
import type { Chance } from '../../base/chance.ts';
import { pause, type Clock } from '../../base/clock.ts';
import { errorText } from '../../base/error-text.ts';
import type {
  AlarmList,
  AlarmMessageView,
  AlarmTestResult,
  AlarmView,
  ToldView,
} from '../../contract/office-alarms.ts';
import { createLogThrottle, type LineLog } from '../../log/index.ts';
import { DatabaseError, type Database } from '../database/database.ts';
import { evaluate, shopsOf } from './evaluate.ts';
import { testMessage } from './message.ts';
import { createOutbox } from './outbox.ts';
import { send, type SendMail, type SendParts } from './send.ts';
import { defaultAlarmSettings, type AlarmSettings, type Receiver } from './settings.ts';

/** What is watched, and what messages go out by. */
export interface AlarmsSetup {
  settings: AlarmSettings;
  fetch: typeof fetch;
  sendMail: SendMail;
}

export interface AlarmsOptions extends AlarmsSetup {
  database: Database;
  clock: Clock;
  chance: Chance;
  log: LineLog;
  /** Alarms of this shop have begun or ended, or somebody was told of them. */
  onNews: (shopId: string) => void;
}

export interface Alarms {
  /** Something has changed. */
  wake(): void;
  list(): Promise<AlarmList>;
  /** Sends a test message at once, once. Null: there is no such receiver. */
  test(receiver: string): Promise<AlarmTestResult | null>;
  close(): Promise<void>;
}

/** Between two evaluations when nothing happens, and at least. */
const everyMs = 30_000;
const atLeastMs = 3_000;
const maxListed = 500;
const maxUndelivered = 100;
const maxSent = 50;

/** The usual rules without receivers. */
export function usualAlarms(): AlarmsSetup {
  const nobody = () => Promise.reject(new Error('There is no receiver.'));
  return { settings: defaultAlarmSettings(), fetch: nobody, sendMail: nobody };
}

export function createAlarms(options: AlarmsOptions): Alarms {
  const { database, settings, clock, chance, onNews } = options;
  const log = options.log.with({ source: 'alarms' });
  const throttle = createLogThrottle(clock);
  const closing = new AbortController();
  const { signal } = closing;
  const outbox = createOutbox(database, { clock, chance });
  const sendParts: SendParts = { clock, fetch: options.fetch, sendMail: options.sendMail, signal };
  const parts = { settings, clock, chance, startedAt: clock.now() };
  let woken = new AbortController();
  /** One at a time for each receiver: a slow one keeps nobody but itself waiting. */
  const underway = new Map<string, Promise<void>>();

  const watching = keepWatching();

  async function keepWatching(): Promise<void> {
    await warnOfUnknownShops().catch(note);
    while (!signal.aborted) {
      woken = new AbortController();
      const nextAt = await round().catch((error: unknown) => {
        note(error);
        return null;
      });
      const pauseMs = nextAt === null ? everyMs : Math.min(everyMs, nextAt - clock.now());
      await pause(clock, atLeastMs, signal);
      await pause(clock, Math.max(0, pauseMs - atLeastMs), signal, woken.signal);
    }
  }

  async function round(): Promise<number | null> {
    const evaluation = await evaluate(database, parts);
    if (evaluation.kind === 'evaluated') for (const shop of evaluation.shops) onNews(shop);
    if (evaluation.kind === 'other_rules') {
      const fields = throttle.due('other rules');
      if (fields !== null)
        log.warn(
          'another process of this office has other alarm rules, and those count: give all of them the same file',
          fields,
        );
    }
    await outbox.sweep();
    for (const receiver of settings.receivers) sendWaiting(receiver);
    return evaluation.kind === 'evaluated' ? evaluation.nextAt : null;
  }

  function sendWaiting(receiver: Receiver): void {
    if (underway.has(receiver.name)) return;
    const work = sendAll(receiver)
      .catch(note)
      .finally(() => underway.delete(receiver.name));
    underway.set(receiver.name, work);
  }

  async function sendAll(receiver: Receiver): Promise<void> {
    while (!signal.aborted) {
      const taken = await outbox.take(receiver.name);
      if (taken === null) return;
      const { ok, answer } = await send(receiver, taken.message, sendParts);
      const fields = {
        receiver: receiver.name,
        message_id: taken.message.id,
        attempt: taken.attempts,
        answer,
      };
      if (ok) {
        await outbox.sent(taken, answer);
        log.info('an alarm message was sent', fields);
      } else if ((await outbox.failed(taken, answer)) === 'given_up') {
        log.error('an alarm message was given up after a day', fields);
      } else {
        log.warn('an alarm message could not be sent; it is tried again', fields);
      }
      const shops = await shopsOf(
        database,
        taken.message.alarms.map(({ alarm_id }) => alarm_id),
      );
      for (const shop of shops) onNews(shop);
    }
  }

  /** A shop may join later; a name that is spelled wrong would never be noticed. */
  async function warnOfUnknownShops(): Promise<void> {
    const rows = await database.query<{ name: string }>('SELECT name FROM shops');
    const known = new Set(rows.map(({ name }) => name));
    for (const { name, shops } of settings.rules) {
      const unknown = shops === 'all' ? [] : shops.filter((shop) => !known.has(shop));
      if (unknown.length > 0)
        log.warn('an alarm rule names shops that have not joined', { rule: name, shops: unknown });
    }
  }

  async function messages(which: string, newest: string, limit: number): Promise<AlarmMessageView[]> {
    const rows = await database.query<AlarmMessageView>(
      `SELECT message_id, receiver, made_at, ended_at, content ->> 'subject' AS subject, content -> 'counts' AS counts,
         jsonb_path_query_array(content, '$.alarms[*].shop') AS shops, state, attempts, answer
       FROM alarm_messages WHERE ${which} ORDER BY ${newest} DESC, message_id LIMIT $1`,
      [limit],
    );
    return rows.map((row) => ({ ...row, shops: [...new Set(row.shops)] }));
  }

  function note(error: unknown): void {
    if (!(error instanceof DatabaseError)) return log.error('the alarms broke', { err: error });
    const fields = throttle.due('database');
    if (fields !== null) log.warn(`the alarms cannot be evaluated or sent now: ${errorText(error)}`, fields);
  }

  return {
    wake: () => woken.abort(),

    async list() {
      const alarms = await database.query<Omit<AlarmView, 'told'>>(
        `SELECT alarm_id, rule, watch, subject, shop_id, shops.name AS shop, terminal, simulated, message, since,
           raised_at, times
         FROM alarms JOIN shops USING (shop_id) WHERE cleared_at IS NULL ORDER BY since, alarm_id LIMIT $1`,
        [maxListed],
      );
      const tellings = await database.query<ToldView & { alarm_id: string }>(
        `SELECT alarm_id, alarm_tellings.receiver, raised_told_at AS told_at, alarm_messages.state AS delivery, attempts,
           answer
         FROM alarm_tellings JOIN alarm_messages USING (message_id)
         WHERE alarm_tellings.state = 'raised' AND alarm_id = ANY ($1::uuid[]) ORDER BY alarm_tellings.receiver`,
        [alarms.map(({ alarm_id }) => alarm_id)],
      );
      const told = new Map<string, ToldView[]>();
      for (const { alarm_id, ...one } of tellings) {
        const ofAlarm = told.get(alarm_id) ?? [];
        told.set(alarm_id, [...ofAlarm, one]);
      }
      const undelivered = await messages(
        "state = 'given_up' OR (state = 'waiting' AND answer IS NOT NULL)",
        'made_at',
        maxUndelivered,
      );
      const sent = await messages("state = 'sent'", 'ended_at', maxSent);
      return {
        alarms: alarms.map((alarm) => ({ ...alarm, told: told.get(alarm.alarm_id) ?? [] })),
        receivers: settings.receivers.map(({ name, kind }) => ({ name, kind })),
        undelivered,
        sent,
      };
    },

    async test(name) {
      const receiver = settings.receivers.find((one) => one.name === name);
      if (receiver === undefined) return null;
      const message = testMessage(chance.uuid(), new Date(clock.now()).toISOString());
      const { ok, answer } = await send(receiver, message, sendParts);
      return { delivered: ok, answer };
    },

    async close() {
      closing.abort();
      await watching;
      await Promise.all(underway.values());
    },
  };
}
