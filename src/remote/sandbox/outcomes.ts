/**
 * How a developer chooses what becomes of an intent: by a word in any text of its request (a reference, a reason, a
 * name). Without one it succeeds, as far as the records and the money allow.
 */
import { shapes } from '../catalogue/index.ts';
import { wrongField } from './refusal.ts';
import type { Fields } from './store/records.ts';

export type Outcome =
  | { kind: 'succeed' }
  /** Waits in "pending-approval" or "pending-completion" until it is advanced. */
  | { kind: 'hold'; at: 'pending-approval' | 'pending-completion' }
  | { kind: 'fail'; reason: string };

const pattern = /sandbox:(hold-approval|hold-completion|fail:([a-z-]+))/;
const reasons: readonly string[] = shapes.failReasons;

/** Throws Refused for a reason that there is not. */
export function outcomeOf(fields: Fields): Outcome {
  for (const [name, value] of Object.entries(fields)) {
    const match = pattern.exec(JSON.stringify(value) ?? '');
    if (match === null) continue;
    const [, word, reason] = match;
    if (word === 'hold-approval') return { kind: 'hold', at: 'pending-approval' };
    if (word === 'hold-completion') return { kind: 'hold', at: 'pending-completion' };
    if (reason !== undefined && reasons.includes(reason)) return { kind: 'fail', reason };
    throw wrongField(name, `"sandbox:fail:" must be followed by one of ${reasons.join(', ')}`);
  }
  return { kind: 'succeed' };
}

/** For a share token and for the answer to a requirement: it is looked at and found wanting. */
export function saysReject(value: unknown): boolean {
  return JSON.stringify({ value }).includes('sandbox:reject');
}
