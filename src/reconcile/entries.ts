/** Whose an entry is, and which batches its remark names. */
import { dayOf } from './banking-days.ts';
import type { OpenReceivable } from './receivables.ts';
import { namedBatches, readTemplate, withoutZeros, type NamedBatch } from './remarks.ts';
import type { Acquirer, Rules } from './rules.ts';
import type { AccountEntry } from './types.ts';

/** An entry that by its account and its texts is an acquirer's. */
export interface AcquirerEntry {
  entry: AccountEntry;
  day: number;
  /** Those that it may be of; more than one only where the rules do not tell them apart. */
  acquirers: Acquirer[];
  naming: Naming;
}

/**
 * What a remark says of batches. `one`: each that it names is one of ours, and no other has that name. `several`: a name
 * fits more than one. `unknown`: a name fits none.
 */
export type Naming =
  { kind: 'none' | 'unknown' } | { kind: 'one' | 'several'; receivables: ReadonlySet<OpenReceivable> };

/** By day, then by id, each id once: whatever order they come in. */
export function inOrder(entries: readonly AccountEntry[]): AccountEntry[] {
  const byId = new Map(
    entries
      .toSorted((one, other) => order(JSON.stringify(one), JSON.stringify(other)))
      .map((entry) => [entry.id, entry]),
  );
  return [...byId.values()].toSorted((one, other) => order(one.date, other.date) || order(one.id, other.id));
}

function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Null for an entry that is no acquirer's. */
export function recognizer(rules: Rules): (entry: AccountEntry) => Omit<AcquirerEntry, 'naming'> | null {
  const known = rules.acquirers.map((acquirer) => ({
    acquirer,
    remark: acquirer.entries.remark.map(fold),
    sender: acquirer.entries.sender.map(fold),
    code: acquirer.entries.code.map(fold),
  }));
  return (entry) => {
    const day = dayOf(entry.date);
    if (day === null) return null;
    const [remark, sender, code] = [fold(entry.remark), fold(entry.sender), fold(entry.code)];
    const acquirers = known
      .filter(
        (rule) =>
          rule.acquirer.account === entry.account &&
          rule.acquirer.currency === entry.currency &&
          (rule.remark.some((part) => remark.includes(part)) ||
            rule.sender.some((part) => sender.includes(part)) ||
            rule.code.some((part) => code.includes(part))),
      )
      .map(({ acquirer }) => acquirer);
    return acquirers.length === 0 ? null : { entry, day, acquirers };
  };
}

/** Blanks and case say nothing: banks break lines where they like. */
function fold(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().toUpperCase();
}

/** `fits`: whether an entry may be the money of a receivable at all. */
export function namer(
  rules: Rules,
  receivables: readonly OpenReceivable[],
  fits: (entry: AccountEntry, receivable: OpenReceivable) => boolean,
): (entry: Omit<AcquirerEntry, 'naming'>) => Naming {
  const templates = new Map(
    rules.acquirers.map(({ name, names }) => [
      name,
      names.map(readTemplate).filter((template) => template !== null),
    ]),
  );
  const byNumber = Map.groupBy(
    receivables.filter(({ batch, acquirer }) => batch.number !== null && acquirer !== null),
    ({ batch, acquirer }) => numberKey(acquirer ?? '', withoutZeros(batch.number ?? '')),
  );

  return ({ entry, day, acquirers }) => {
    let named = false;
    let several = false;
    const all = new Set<OpenReceivable>();
    for (const { name } of acquirers) {
      for (const batch of namedBatches(entry.remark, templates.get(name) ?? [])) {
        named = true;
        const found = (byNumber.get(numberKey(name, batch.number)) ?? []).filter(
          (receivable) =>
            isNamed(receivable, batch) &&
            receivable.closeDay <= day &&
            day <= receivable.lastDayByNumber &&
            fits(entry, receivable),
        );
        if (found.length === 0) return { kind: 'unknown' };
        if (found.length > 1) several = true;
        // What comes to nothing is named with others, and is no part of the sum.
        for (const receivable of found) if (receivable.expectedMinor !== 0) all.add(receivable);
      }
    }
    if (!named) return { kind: 'none' };
    if (all.size === 0) return { kind: 'unknown' };
    return { kind: several || acquirers.length > 1 ? 'several' : 'one', receivables: all };
  };
}

function numberKey(acquirer: string, number: string): string {
  return `${number} ${acquirer}`;
}

/** What only one side tells is no difference. */
function isNamed({ batch }: OpenReceivable, { terminalId, merchantId }: NamedBatch): boolean {
  return agree(batch.terminalId, terminalId) && agree(batch.merchantId, merchantId);
}

function agree(told: string | null, named: string | null): boolean {
  return told === null || named === null || normal(told) === normal(named);
}

function normal(id: string): string {
  return withoutZeros(id.trim().toUpperCase());
}
