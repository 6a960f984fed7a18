/**
 * Messages that are to be sent: at least once each, in their order for each receiver, by whichever process comes first.
 * One that was taken and is not done with after a while (its process died) is taken again, with the same id.
 */
import type { Chance } from '../../base/chance.ts';
import type { Database, Queries } from '../database/database.ts';
import { storableJson, storableText } from '../database/storable.ts';
import type { AlarmMessage } from './message.ts';

/** For whoever has taken a message, more than sending takes. */
const takenMs = 2 * 60_000;
/** The pause after the first failure; each next one is twice as long. */
const firstPauseMs = 30_000;
const maxPauseMs = 15 * 60_000;
/** The part of a pause that chance decides, so that many that failed together do not come back together. */
const jitterShare = 0.25;
/** So long it is tried. */
export const giveUpAfterMs = 24 * 60 * 60_000;
/** For messages whose receiver no process knows: nobody tries them, and they end all the same. */
const sweepAfterMs = giveUpAfterMs + 60 * 60_000;

interface TakenMessage {
  message: AlarmMessage;
  madeAt: number;
  /** With this one. */
  attempts: number;
}

export interface Outbox {
  /** The oldest message for this receiver, if it may be sent now; null: there is none. */
  take(receiver: string): Promise<TakenMessage | null>;
  sent(taken: TakenMessage, answer: string): Promise<void>;
  /** Gives what became of it. */
  failed(taken: TakenMessage, answer: string): Promise<'waiting' | 'given_up'>;
  /** Ends what nobody tries. */
  sweep(): Promise<void>;
}

/** Within the transaction in which it was decided. */
export async function enqueue(queries: Queries, receiver: string, message: AlarmMessage): Promise<void> {
  await queries.query(
    `INSERT INTO alarm_messages (message_id, receiver, made_at, content, state, next_at)
     VALUES ($1, $2, $3, $4::jsonb, 'waiting', $3)`,
    [message.id, receiver, message.at, storableJson(message)],
  );
}

export function createOutbox(
  database: Database,
  { clock, chance }: { clock: { now(): number }; chance: Chance },
): Outbox {
  const at = (moment: number) => new Date(moment).toISOString();
  return {
    take(receiver) {
      return database.transaction(async (queries) => {
        const [oldest] = await queries.query<{
          message_id: string;
          content: AlarmMessage;
          made_at: string;
          next_at: string;
          attempts: number;
        }>(
          `SELECT message_id, content, made_at, next_at, attempts FROM alarm_messages
           WHERE receiver = $1 AND state = 'waiting' ORDER BY made_at, message_id LIMIT 1 FOR UPDATE`,
          [receiver],
        );
        const now = clock.now();
        if (oldest === undefined || Date.parse(oldest.next_at) > now) return null;
        const attempts = oldest.attempts + 1;
        await queries.query('UPDATE alarm_messages SET attempts = $2, next_at = $3 WHERE message_id = $1', [
          oldest.message_id,
          attempts,
          at(now + takenMs),
        ]);
        return { message: oldest.content, madeAt: Date.parse(oldest.made_at), attempts };
      });
    },

    async sent({ message }, answer) {
      await database.query(
        `UPDATE alarm_messages SET state = 'sent', ended_at = $2, answer = $3 WHERE message_id = $1`,
        [message.id, at(clock.now()), storableText(answer)],
      );
    },

    async failed({ message, madeAt, attempts }, answer) {
      const now = clock.now();
      const isLast = now - madeAt >= giveUpAfterMs;
      const pauseMs =
        Math.min(firstPauseMs * 2 ** (attempts - 1), maxPauseMs) * (1 - jitterShare * chance.fraction());
      // Unless somebody else has taken it meanwhile.
      await database.query(
        `UPDATE alarm_messages SET state = $3, answer = $4, next_at = $5, ended_at = $6
         WHERE message_id = $1 AND attempts = $2 AND state = 'waiting'`,
        [
          message.id,
          attempts,
          isLast ? 'given_up' : 'waiting',
          storableText(answer),
          at(now + pauseMs),
          isLast ? at(now) : null,
        ],
      );
      return isLast ? 'given_up' : 'waiting';
    },

    async sweep() {
      await database.query(
        `UPDATE alarm_messages SET state = 'given_up', ended_at = $1,
           answer = coalesce(answer, 'No process of the office knows this receiver.')
         WHERE state = 'waiting' AND made_at < $2`,
        [at(clock.now()), at(clock.now() - sweepAfterMs)],
      );
    },
  };
}
