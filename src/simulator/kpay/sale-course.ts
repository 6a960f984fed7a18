/** What happens in the course of a sale, and when: each scenario as data. */
import type { KpayScenario } from './dialects.ts';
import { payResults } from './transactions.ts';

/** In milliseconds; the first three are multiplied by the time scale. */
export interface KpayTimings {
  cardMs: number;
  pinMs: number;
  hostMs: number;
  slowHostMs: number;
  /** The same path not sooner than this. */
  paceMs: number;
  /** A sale that nobody pays ends after this. */
  expiryMs: number;
  /** How long a scenario cuts the line, or takes the power away. */
  cutMs: number;
  silenceMs: number;
  /** How long a settlement takes that goes on behind its answer. */
  settleMs: number;
  /** How much later than it should a late answer or a late payment comes. */
  lateMs: number;
}

export const defaultTimings: KpayTimings = {
  cardMs: 350,
  pinMs: 300,
  hostMs: 350,
  slowHostMs: 30_000,
  paceMs: 800,
  expiryMs: 65_000,
  cutMs: 3_000,
  silenceMs: 20_000,
  settleMs: 5_000,
  lateMs: 12_000,
};

export const visa = 1;
const weChat = 4;

export type SaleEvent =
  /** The customer has paid; `moreMinor` is what came on top, `late`: though the time had run out. By card unless said. */
  | { kind: 'charge'; moreMinor?: number; late?: true; payMethod?: number }
  | { kind: 'end'; payResult: number; reason: string; payMethod?: number }
  /** From now on the till cannot stop it any more. */
  | { kind: 'scan' }
  | { kind: 'cut_line' }
  | { kind: 'lose_keys' }
  | { kind: 'fall_silent' };

/** Counted from the moment in which the sale was taken; what has ended ends no second time. */
export type SaleCourse = readonly (readonly [afterMs: number, event: SaleEvent])[];

export function saleCourse(scenario: KpayScenario, timings: KpayTimings, timeScale: number): SaleCourse {
  const stepsMs = (timings.cardMs + timings.pinMs + timings.hostMs) * timeScale;
  const charge = { kind: 'charge' } as const;
  const cutLine = { kind: 'cut_line' } as const;
  const end = (payResult: number, reason: string) => ({ kind: 'end', payResult, reason }) as const;
  const expiry = [timings.expiryMs, end(payResults.timedOut, 'Timeout')] as const;
  switch (scenario) {
    case 'declined':
      return [[stepsMs, end(payResults.failed, 'Declined')]];
    case 'cancelled_by_customer':
      return [[stepsMs, end(payResults.cancelled, 'Cancelled by the customer')]];
    case 'power_loss':
      return [
        [stepsMs, end(payResults.failed, 'Power lost')],
        [stepsMs, { kind: 'lose_keys' }],
        [stepsMs, cutLine],
      ];
    case 'silence':
      return [
        [0, { kind: 'fall_silent' }],
        [0, end(payResults.failed, 'The terminal was silent')],
      ];
    case 'pending_for_ever':
      return [];
    case 'card_timed_out':
      return [[timings.expiryMs, { ...end(payResults.timedOut, 'Timeout'), payMethod: visa }]];
    case 'paid_after_all':
      return [
        [timings.expiryMs, { ...end(payResults.timedOut, 'Timeout'), payMethod: weChat }],
        [timings.expiryMs + timings.lateMs, { ...charge, late: true, payMethod: weChat }],
      ];
    case 'paid_after_close':
      return [
        [0, { kind: 'scan' }],
        [timings.lateMs, { ...charge, payMethod: weChat }],
      ];
    case 'slow_host':
      return [[timings.slowHostMs, charge], expiry];
    case 'card_unreadable':
      return [[stepsMs + 2 * timings.cardMs * timeScale, charge], expiry];
    case 'cut_before_acknowledgement':
      // Here the answer that is lost is the one that says that the sale was taken; it is paid all the same.
      return [[0, cutLine], [stepsMs, charge], expiry];
    case 'cut_after_acknowledgement':
      return [[stepsMs, charge], [stepsMs, cutLine], expiry];
    case 'keys_killed':
      return [[stepsMs / 2, { kind: 'lose_keys' }], [stepsMs, charge], expiry];
    case 'other_amount':
      return [[stepsMs, { ...charge, moreMinor: 100 }], expiry];
    case 'approved':
    case 'noise':
    case 'answer_dropped':
    case 'answer_late':
    case 'http_500':
      return [[stepsMs, charge], expiry];
  }
}
