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

const pattern = /sandbox:(hold-approval|hold-completion|fail:([a-z-]+))/g;
const reasons: readonly string[] = shapes.failReasons;

/** The first one that is found. Throws Refused for a reason that there is not, wherever it is. */
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
