/**
 * The life of an intent, as a pure function.
 *
 *     pending-requirements ─► pending-confirmation ─► pending-approval ─► pending-completion ─► completed
 *               └──────── confirm, with none open ────────►┘ │                   │
 *                                                            └───────────────────┴──────────► failed
 */
export type Stage =
  | 'pending-requirements'
  | 'pending-confirmation'
  | 'pending-approval'
  | 'pending-completion'
  | 'completed'
  | 'failed';

export type LifeEvent =
  /** Something has to be told first; something was told. */
  | { kind: 'requirements-opened' }
  | { kind: 'requirements-answered' }
  | { kind: 'confirmed' }
  | { kind: 'approved' }
  | { kind: 'completed' }
  | { kind: 'failed'; reason: string };

export interface Life {
  life_cycle: Stage;
  result: 'pending' | 'succeeded' | 'failed';
  fail_reason: string | null;
  confirm_time: string | null;
  approve_time: string | null;
  complete_time: string | null;
}

export const newborn: Life = {
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
export function live(life: Life, event: LifeEvent, time: string): Life {
  const from = life.life_cycle;
  const open = from === 'pending-requirements' || from === 'pending-confirmation';
  if (event.kind === 'requirements-opened' && open) return { ...life, life_cycle: 'pending-requirements' };
  if (event.kind === 'requirements-answered' && open) return { ...life, life_cycle: 'pending-confirmation' };
  if (event.kind === 'confirmed' && open)
    return { ...life, life_cycle: 'pending-approval', confirm_time: time };
  if (event.kind === 'approved' && from === 'pending-approval') {
    return { ...life, life_cycle: 'pending-completion', approve_time: time };
  }
  if (event.kind === 'completed' && from === 'pending-completion') {
    return { ...life, life_cycle: 'completed', result: 'succeeded', complete_time: time };
  }
  if (event.kind === 'failed' && (from === 'pending-approval' || from === 'pending-completion')) {
    return {
      ...life,
      life_cycle: 'failed',
      result: 'failed',
      fail_reason: event.reason,
      complete_time: time,
    };
  }
  throw new Error(`an intent that is ${from} cannot be ${event.kind}`);
}
