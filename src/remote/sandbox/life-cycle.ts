/**
 * The life cycle of an intent, as a pure function, and the outcome that a developer has chosen for it.
 *
 *     pending-requirements ─► pending-confirmation ─► pending-approval ─► pending-completion ─► completed
 *               └──────── confirm, with none open ────────►┘ │                   │
 *                                                            └───────────────────┴──────────► failed
 */
import { shapes } from '../catalogue/index.ts';
import { wrongField } from './request-error.ts';
import type { Fields } from './store/records.ts';

export type Stage =
  | 'pending-requirements'
  | 'pending-confirmation'
  | 'pending-approval'
  | 'pending-completion'
  | 'completed'
  | 'failed';

export type IntentEvent =
  /** Something has to be told first; something was told. */
  | { kind: 'requirements-opened' }
  | { kind: 'requirements-answered' }
  | { kind: 'confirmed' }
  | { kind: 'approved' }
  | { kind: 'completed' }
  | { kind: 'failed'; reason: string };

export interface IntentState {
  life_cycle: Stage;
  result: 'pending' | 'succeeded' | 'failed';
  fail_reason: string | null;
  confirm_time: string | null;
  approve_time: string | null;
  complete_time: string | null;
}

export const initialState: IntentState = {
  life_cycle: 'pending-confirmation',
  result: 'pending',
  fail_reason: null,
  confirm_time: null,
  approve_time: null,
  complete_time: null,
};

export function isConfirmed(stage: Stage): boolean {
  return stage !== 'pending-requirements' && stage !== 'pending-confirmation';
}

/** `time`: when it happened, for the record. Throws when the stage has no such transition: that is a bug. */
export function transition(state: IntentState, event: IntentEvent, time: string): IntentState {
  const from = state.life_cycle;
  const open = from === 'pending-requirements' || from === 'pending-confirmation';
  if (event.kind === 'requirements-opened' && open) return { ...state, life_cycle: 'pending-requirements' };
  if (event.kind === 'requirements-answered' && open) return { ...state, life_cycle: 'pending-confirmation' };
  if (event.kind === 'confirmed' && open)
    return { ...state, life_cycle: 'pending-approval', confirm_time: time };
  if (event.kind === 'approved' && from === 'pending-approval') {
    return { ...state, life_cycle: 'pending-completion', approve_time: time };
  }
  if (event.kind === 'completed' && from === 'pending-completion') {
    return { ...state, life_cycle: 'completed', result: 'succeeded', complete_time: time };
  }
  if (event.kind === 'failed' && (from === 'pending-approval' || from === 'pending-completion')) {
    return {
      ...state,
      life_cycle: 'failed',
      result: 'failed',
      fail_reason: event.reason,
      complete_time: time,
    };
  }
  throw new Error(`an intent that is ${from} cannot be ${event.kind}`);
}

/**
 * A developer chooses what becomes of an intent by a word in any text of its request (a reference, a reason, a name).
 * Without one it succeeds, as far as the records and the money allow.
 */
export type Outcome =
  | { kind: 'succeed' }
  /** Waits in "pending-approval" or "pending-completion" until it is advanced. */
  | { kind: 'hold'; at: 'pending-approval' | 'pending-completion' }
  | { kind: 'fail'; reason: string };

const pattern = /sandbox:(hold-approval|hold-completion|fail:([a-z-]+))/g;
const reasons: readonly string[] = shapes.failReasons;

/** The first one that is found. Throws RequestError for a reason that there is not, wherever it is. */
export function outcomeOf(fields: Fields): Outcome {
  const outcomes = Object.entries(fields).flatMap(([name, value]) =>
    [...(JSON.stringify(value) ?? '').matchAll(pattern)].map(([, word, reason]): Outcome => {
      if (word === 'hold-approval') return { kind: 'hold', at: 'pending-approval' };
      if (word === 'hold-completion') return { kind: 'hold', at: 'pending-completion' };
      if (reason !== undefined && reasons.includes(reason)) return { kind: 'fail', reason };
      throw wrongField(name, `"sandbox:fail:" must be followed by one of ${reasons.join(', ')}`);
    }),
  );
  return outcomes[0] ?? { kind: 'succeed' };
}

/** For a share token and for the answer to a requirement: it is looked at and found wanting. */
export function saysReject(value: unknown): boolean {
  return JSON.stringify({ value }).includes('sandbox:reject');
}
