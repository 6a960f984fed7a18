/**
 * How KPay terminals differ, and how a transaction goes wrong, as data: what clients in use have seen, and what no source
 * tells. `docs/simulator.md` lists the dialects.
 */
import { z } from 'zod';
import { scenarioOf, type Scenario } from '../scenarios.ts';

/** What a transaction goes through: what amounts choose at every simulated terminal, and what only tests ask for. */
export type KpayScenario =
  | Scenario
  /** Taken and charged; the answer to the sale is never sent. */
  | 'answer_dropped'
  /** Taken; the answer to the sale comes after 12 s. */
  | 'answer_late'
  /** Taken; the answer to the sale is HTTP 500 without JSON. */
  | 'http_500'
  /** Never ends by itself. */
  | 'pending_for_ever'
  /** Nobody puts a card to it: the time runs out. */
  | 'card_timed_out'
  /** The time runs out, and a moment later the customer has paid by a QR code. */
  | 'paid_after_all'
  /** The customer has scanned a QR code, and pays a moment later, whatever the till wants by then. */
  | 'paid_after_close'
  /** The customer adds something to the amount. */
  | 'other_amount'
  /** Somebody settles at the terminal while the sale runs: the keys are gone. */
  | 'keys_killed';

export function kpayScenarioOf(amountMinor: number): KpayScenario {
  const scenario = scenarioOf(amountMinor);
  // Noise on a network is an answer that never comes.
  return scenario === 'noise' ? 'answer_dropped' : scenario;
}

const dialectSchema = z.object({
  /** How the keys of a sign-in are written. */
  keys: z.enum(['plain', 'pem', 'escaped_twice']),
  /** The text of an answer. */
  textKey: z.enum(['message', 'msg']),
  /** The number of a transaction in the answer to a query. */
  numberKey: z.enum(['outTradeNO', 'outTradeNo']),
  /** How the numbers in the answer to a query are written. */
  numbers: z.enum(['plain', 'as_text']),
  /** The code for a transaction that it does not know. */
  unknownCode: z.union([z.literal(20_005), z.literal(10_001)]),
  /** What 10000 to a settlement means: that it is done, or that it has begun. */
  settles: z.enum(['at_once', 'later']),
  /** It tells the time of the question with the totals of a batch. */
  timesTotals: z.boolean(),
  /** Results of settled transactions can still be asked for. */
  remembersSettled: z.boolean(),
  /** Without paper it takes a sale with code 50003. */
  hasPaper: z.boolean(),
  /** A running sale is stopped by the till, or by somebody at the terminal only (20019). */
  stoppedBy: z.enum(['till', 'terminal']),
  /** What the customer pays on top, for 100 of what was asked. */
  surchargePercent: z.number().int().min(0).max(100),
  /** What a sale that was voided shows: that it was returned (payResult 4), or success with the type of a void. */
  showsVoidedAs: z.enum(['returned', 'void']),
});
export type KpayDialect = z.infer<typeof dialectSchema>;

/** What the documents say, and the default. */
const strict: KpayDialect = {
  keys: 'plain',
  textKey: 'message',
  numberKey: 'outTradeNO',
  numbers: 'plain',
  unknownCode: 20_005,
  settles: 'at_once',
  timesTotals: false,
  remembersSettled: true,
  hasPaper: true,
  stoppedBy: 'till',
  surchargePercent: 0,
  showsVoidedAs: 'returned',
};

export const kpayDialects = {
  strict,
  'old-build': { ...strict, keys: 'pem', textKey: 'msg', numberKey: 'outTradeNo' },
  'escaped-keys': { ...strict, keys: 'escaped_twice' },
  'text-numbers': { ...strict, numbers: 'as_text' },
  'unknown-is-10001': { ...strict, unknownCode: 10_001 },
  'slow-settlement': { ...strict, settles: 'later' },
  'timed-totals': { ...strict, timesTotals: true },
  'forgets-settled': { ...strict, remembersSettled: false },
  'no-paper': { ...strict, hasPaper: false },
  'stopped-at-terminal': { ...strict, stoppedBy: 'terminal' },
  surcharge: { ...strict, surchargePercent: 2 },
  'voids-as-type-6': { ...strict, showsVoidedAs: 'void' },
} as const satisfies Record<string, KpayDialect>;

export const kpayDialectNames: readonly string[] = Object.keys(kpayDialects);

/** One key in the way of the dialect; `name` is the one in its PEM lines. */
export function writtenKey(base64: string, name: string, { keys }: KpayDialect): string {
  if (keys === 'pem') return `-----BEGIN ${name}-----\n${base64}\n-----END ${name}-----`;
  return keys === 'escaped_twice' ? base64.replaceAll('=', String.raw`\u003d`) : base64;
}
