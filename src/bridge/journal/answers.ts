/**
 * Answers that still stand: tills, people and each look at the terminal ask the same again and again. An answer lives
 * until a table is written that its question reads.
 */
import type { Remembering, Value } from './queries.ts';
import { tablesReadBy, type QueryName } from './query-sql.ts';

/** Answers that are kept to one question, at most. */
const maxAnswers = 1_000;

export interface Answers {
  remembering: Remembering;
  /** These tables have been written. */
  forget(written: ReadonlySet<string>): void;
  /** Nobody knows what has been written. */
  forgetAll(): void;
}

export function makeAnswers(): Answers {
  const known = new Map<QueryName, Map<string, unknown>>();
  return {
    remembering<T>(name: QueryName, values: readonly Value[], ask: () => T): T {
      let ofName = known.get(name);
      if (ofName === undefined) known.set(name, (ofName = new Map()));
      const key = values.join(' ');
      if (ofName.has(key)) return ofName.get(key) as T;
      const answer = ask();
      if (ofName.size >= maxAnswers) ofName.clear();
      ofName.set(key, answer);
      return answer;
    },
    forget(written) {
      for (const [name, answers] of known) {
        if (answers.size > 0 && tablesReadBy(name).some((table) => written.has(table))) answers.clear();
      }
    },
    forgetAll: () => known.clear(),
  };
}
