/** How a KPay terminal goes wrong, and how builds of it differ, as data. */
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
  /** The time runs out, and a moment later the customer has paid. */
  | 'paid_after_all'
  /** The customer adds something to the amount. */
  | 'other_amount'
  /** Somebody settles at the terminal while the sale runs: the keys are gone. */
  | 'keys_killed';

export function kpayScenarioOf(amountMinor: number): KpayScenario {
  return scenarioOf(amountMinor);
}

export interface KpayDialect {
  /** How the keys of a sign-in are written. */
  keys: 'plain' | 'pem' | 'escaped_twice';
  /** The text of an answer. */
  textKey: 'message' | 'msg';
  /** The number of a transaction in the answer to a query. */
  numberKey: 'outTradeNO' | 'outTradeNo';
}

export const strictKpayDialect: KpayDialect = { keys: 'plain', textKey: 'message', numberKey: 'outTradeNO' };

/** One key in the way of the dialect; `name` is the one in its PEM lines. */
export function writtenKey(base64: string, name: string, { keys }: KpayDialect): string {
  if (keys === 'pem') return `-----BEGIN ${name}-----\n${base64}\n-----END ${name}-----`;
  return keys === 'escaped_twice' ? base64.replaceAll('=', String.raw`\u003d`) : base64;
}
