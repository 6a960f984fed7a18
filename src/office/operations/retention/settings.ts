/** For how many days the office keeps what; what is not named is kept. */
import { z } from 'zod';
import { parseJson } from '../../../base/parse-json.ts';

const days = (least: number) =>
  z.number().int().min(least, `must be a whole number of days, ${least} at least`).optional();

const retentionSchema = z.strictObject({
  /** By the day of arrival. */
  events: days(62),
  /** By the payment's own day; with them what people decided, the closed batches, and what was found of their money. */
  payments: days(62),
  /** Of a bank, by their last day; with them the entries of accounts that nobody has to look at. */
  statements: days(200),
  audit: days(180),
  /** What was acknowledged or is over: findings, discrepancies, alarms and their messages, heartbeats of revoked bridges. */
  done: days(31),
});
export type RetentionSettings = z.infer<typeof retentionSchema>;

export type RetentionReading =
  | { ok: true; settings: RetentionSettings }
  /** A sentence with place and way out. */
  | { ok: false; error: string };

/** `origin` is what the text is called in messages. */
export function readRetentionSettings(text: string, origin: string): RetentionReading {
  const parsed = parseJson(text);
  if (!parsed.ok) return { ok: false, error: `${origin} is no JSON.` };
  const settings = retentionSchema.safeParse(parsed.value);
  if (settings.success) return { ok: true, settings: settings.data };
  const [issue] = settings.error.issues;
  const known = 'It may have "events", "payments", "statements", "audit" and "done", each a number of days.';
  const where = issue?.path.join('.') ?? '';
  return {
    ok: false,
    error: where === '' ? `${origin} cannot be used. ${known}` : `"${where}" in ${origin} ${issue?.message}.`,
  };
}
