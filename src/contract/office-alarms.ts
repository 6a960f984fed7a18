/** The alarms of a head office, as `/office/v1/alarms` has them. */
import { z } from 'zod';

export interface AlarmView {
  alarm_id: string;
  rule: string;
  /** `doubt`, `silent`, `discrepancy`, `journal` or `deposit`. */
  watch: string;
  /** What it is about, such as "bridge:019af2c4-…": the same each time. */
  subject: string;
  shop_id: string;
  shop: string;
  /** Null: it is about a whole bridge. */
  terminal: string | null;
  simulated: boolean;
  message: string;
  /** When what it is about began, and when the office saw it. */
  since: string;
  raised_at: string;
  /** More than one: it comes and goes. */
  times: number;
  /** Who was told that it stands. */
  told: ToldView[];
}

export interface ToldView {
  receiver: string;
  told_at: string;
  /** Of the message. */
  delivery: MessageState;
  attempts: number;
  /** What came of the last attempt; null: there was none yet. */
  answer: string | null;
}

export type MessageState = 'waiting' | 'sent' | 'given_up';

export interface AlarmMessageView {
  message_id: string;
  receiver: string;
  made_at: string;
  /** When it was sent or given up; null: it waits. */
  ended_at: string | null;
  subject: string;
  /** What it tells of. */
  counts: { raised: number; raised_again: number; cleared: number };
  /** The shops of the alarms in it; of a message with very many, the first ones. */
  shops: string[];
  state: MessageState;
  attempts: number;
  answer: string | null;
}

/** `GET /alarms` */
export interface AlarmList {
  /** Those that stand, the oldest first. */
  alarms: AlarmView[];
  receivers: { name: string; kind: 'webhook' | 'email' }[];
  /** Messages that failed and wait for their next attempt, or were given up; the newest first. */
  undelivered: AlarmMessageView[];
  /** Messages that were taken by their receivers; the newest first. */
  sent: AlarmMessageView[];
}

/** `POST /alarms/test` */
export const testAlarmRequestSchema = z.strictObject({ receiver: z.string().min(1).max(200) });

export interface AlarmTestResult {
  delivered: boolean;
  /** For people: what the receiver has said, or what went wrong. */
  answer: string;
}
