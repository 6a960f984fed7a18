/**
 * The scenes that are played to a POS, one for each payment: what terminal, bridge and network do, and what the POS must
 * make of it. The rules are those of docs/pos-guide.md. All times are in milliseconds, and stretched by the pace.
 */
import type { SalePlan } from './scripted-terminal.ts';

export const sceneNames = [
  'approved',
  'slow',
  'lost',
  'repeated',
  'unknown',
  'in-doubt',
  'busy',
  'restart',
  'declined',
  'cancelled',
  'amount',
] as const;
export type SceneName = (typeof sceneNames)[number];

export interface Scene {
  name: SceneName;
  /** What happens. */
  title: string;
  /** What the POS must do. */
  must: string;
  /** What has to stand on the till at the end; requests do not show it, so a person looks. */
  look: string;
  /** What the terminal does with the first payment of the scene; every further one is simply approved. */
  sale: SalePlan;
  /** So many answers about that payment are lost: the connection ends instead. */
  lostAnswers?: number;
  /** So long after the payment has begun, a request that still waits for its answer loses its connection. */
  cutAfterMs?: number;
  /** Another payment is on the terminal, for so long after the POS has first been refused. */
  busyMs?: number;
  /** The bridge goes away so long after the payment has begun, and is back `downMs` later. */
  restart?: { afterMs: number; downMs: number };
  /** So long after the payment has come into doubt a person says that it was not charged. */
  personAfterMs?: number;
}

const approved: SalePlan = { afterMs: 2_000, ending: { kind: 'approved' } };
/** The same with nothing to examine, for whatever is paid beside the scene. */
export const plainSale: SalePlan = { afterMs: 1_000, ending: { kind: 'approved' } };

const askAgain = 'Ask again with the same reference until the outcome is known.';

export const scenes: Record<SceneName, Scene> = {
  approved: {
    name: 'approved',
    title: 'The payment is approved after two seconds.',
    must: 'Learn the outcome before anything else.',
    look: 'Paid.',
    sale: approved,
  },
  slow: {
    name: 'slow',
    title: 'The customer takes 75 seconds; then the payment is approved.',
    must: `Wait. ${askAgain}`,
    look: 'Paid, and no refusal before that.',
    sale: { afterMs: 75_000, ending: { kind: 'approved' } },
  },
  lost: {
    name: 'lost',
    title: 'The first two answers about the payment are lost; it is approved.',
    must: askAgain,
    look: 'Paid, once.',
    sale: approved,
    lostAnswers: 2,
  },
  repeated: {
    name: 'repeated',
    title: 'The connection breaks while the customer pays; what the POS sends again is known already.',
    must: 'Send the same reference with the same amount, or query it.',
    look: 'Paid, once.',
    sale: { afterMs: 10_000, ending: { kind: 'approved' } },
    lostAnswers: 1,
    cutAfterMs: 1_000,
  },
  unknown: {
    name: 'unknown',
    title: 'The terminal falls silent during the payment; after 25 seconds it shows that it was approved.',
    must: `Take "unknown" neither for paid nor for refused. ${askAgain}`,
    look: 'First that nobody knows yet, then paid.',
    sale: { afterMs: 3_000, ending: { kind: 'unknown', foundAfterMs: 25_000 } },
  },
  'in-doubt': {
    name: 'in-doubt',
    title:
      'The terminal falls silent and cannot tell afterwards; after 40 seconds a person decides: not charged.',
    must: `Take "unknown" neither for paid nor for refused. ${askAgain}`,
    look: 'First that nobody knows yet, then not paid.',
    sale: { afterMs: 3_000, ending: { kind: 'unknown', foundAfterMs: null } },
    personAfterMs: 40_000,
  },
  busy: {
    name: 'busy',
    title: 'Another payment is on the terminal for 15 seconds.',
    must: 'Show the refusal, or try again with a pause.',
    look: 'That the terminal is busy; or paid, when it was tried again.',
    sale: approved,
    busyMs: 15_000,
  },
  restart: {
    name: 'restart',
    title: 'The bridge goes away during the payment and is back after eight seconds; it was approved.',
    must: askAgain,
    look: 'Paid, once.',
    sale: { afterMs: 60_000, ending: { kind: 'unknown', foundAfterMs: 13_000 } },
    restart: { afterMs: 1_000, downMs: 8_000 },
  },
  declined: {
    name: 'declined',
    title: 'The card is declined.',
    must: 'Take the next attempt as a new payment with a new reference.',
    look: 'Not paid.',
    sale: { afterMs: 2_000, ending: { kind: 'declined' } },
  },
  cancelled: {
    name: 'cancelled',
    title: 'The customer cancels at the terminal.',
    must: 'Take the next attempt as a new payment with a new reference.',
    look: 'Not paid.',
    sale: { afterMs: 2_000, ending: { kind: 'cancelled' } },
  },
  amount: {
    name: 'amount',
    title: 'The terminal approves half of the amount.',
    must: 'Read "approved_amount"; what is left is still to be paid, with a new reference.',
    look: 'Half of the amount paid, the other half open.',
    sale: { afterMs: 2_000, ending: { kind: 'half' } },
  },
};
