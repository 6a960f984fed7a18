/** What is found of a receivable, and how a match is told. */
import { dayOf, type BankingCalendar } from './banking-days.ts';
import type { AcquirerEntry } from './entries.ts';
import type { Group, Sums } from './groups.ts';
import type { Run } from './readings.ts';
import type { OpenReceivable } from './receivables.ts';
import type {
  AccountEntry,
  Certainty,
  Decision,
  Evidence,
  MoneyMatch,
  MoneyState,
  UnclearReason,
} from './types.ts';

export type Finding =
  | { kind: 'match'; state: MoneyState; match: MoneyMatch }
  | { kind: 'unclear'; reason: UnclearReason; entries: ReadonlySet<AccountEntry> }
  /** Something has come, and the rest still may. */
  | { kind: 'waiting'; entries: ReadonlySet<AccountEntry> };

/** A run that an entry pays, as its amount says. */
export interface Reading {
  of: AcquirerEntry;
  run: Run;
  /** The remark speaks against it: it is never taken, but it stands against others. */
  contradicted: boolean;
}

export function unclear(reason: UnclearReason, entries: readonly AccountEntry[]): Finding {
  return { kind: 'unclear', reason, entries: new Set(entries) };
}

/** Of the receivable that it is told of, it says later how late it came; see `lateFor`. */
export function matchOf(
  { receivables, entries }: Pick<Group, 'receivables' | 'entries'>,
  { expectedMinor, arrivedMinor }: Pick<Sums, 'expectedMinor' | 'arrivedMinor'>,
  [evidence, certainty]: readonly [Evidence, Certainty],
  decision: Decision | null = null,
): MoneyMatch {
  const inPlace = receivables.toSorted(
    (one, other) =>
      Date.parse(one.batch.closedAt) - Date.parse(other.batch.closedAt) ||
      (tillOf(one) < tillOf(other) ? -1 : 1),
  );
  return {
    batchIds: [...new Set(inPlace.map(({ batchId }) => batchId))],
    entryIds: entries.map(({ id }) => id).toSorted(),
    expectedMinor,
    arrivedMinor,
    evidence,
    certainty,
    arrivedOn:
      entries
        .map(({ date }) => date)
        .toSorted()
        .at(-1) ?? null,
    bankingDaysLate: 0,
    decision,
  };
}

function tillOf({ batch, batchId }: OpenReceivable): string {
  return (batch.shop ?? '') + batch.terminal + batchId;
}

/** Each batch is late by itself, also where one credit pays several. */
export function lateFor(
  match: MoneyMatch,
  { dueDay }: OpenReceivable,
  calendar: BankingCalendar,
): MoneyMatch {
  const day = match.arrivedOn === null ? null : dayOf(match.arrivedOn);
  return { ...match, bankingDaysLate: day === null ? 0 : calendar.between(dueDay, day) };
}
