/** What a resource may have beside what the catalogue gives it: rules of life cycles and of money. */
import type { Fields, StoredRecord } from '../store/records.ts';
import type { SandboxContext } from '../sandbox-context.ts';

/** Of one intent family. What is left out follows from the catalogue. */
export interface IntentRules {
  /** Looks at the request of create. Throws RequestError. */
  check?(context: SandboxContext, request: Fields): void;
  /** Fields of the new intent beside those of the request. */
  begin?(context: SandboxContext, request: Fields): Fields;
  /** Whether something must still be told before it can be confirmed; a sentence about it, or null. */
  missing?(intent: StoredRecord): string | null;
  /** By action. Gives what changes in the intent. Throws RequestError. */
  steps?: Partial<Record<string, (context: SandboxContext, intent: StoredRecord, request: Fields) => Fields>>;
  /**
   * Carries out what was asked. Gives what changes in the intent, or why it fails. Must not have changed anything when
   * it fails.
   */
  complete?(context: SandboxContext, intent: StoredRecord): Completion;
  /** After it failed for `reason`. */
  failed?(context: SandboxContext, intent: StoredRecord, reason: string): void;
}

export type Completion = { done: true; changes: Fields } | { done: false; reason: string };

export function done(changes: Fields): Completion {
  return { done: true, changes };
}

export function fails(reason: string): Completion {
  return { done: false, reason };
}

export type FamilyRules = Partial<Record<string, IntentRules>>;
