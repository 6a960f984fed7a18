/** Whose an entry is, and which batches its remark names. */
import { dayOf } from './banking-days.ts';
import type { OpenReceivable } from './receivables.ts';
import { addTo } from './lists.ts';
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
 * fits more than one, or it is not told whether it fits. `unknown`: a name fits none, or cannot be read surely.
 */
export interface Naming {
  kind: 'none' | 'unknown' | 'one' | 'several';
  /** All that its names fit; without those that come to nothing, which are named with others and are no part of the sum. */
  receivables: ReadonlySet<OpenReceivable>;
  /** For each name what it fits. */
  names: readonly (readonly OpenReceivable[])[];
  /** Closed so long ago that it hardly means them. */
  before: ReadonlySet<OpenReceivable>;
}

const nobody = { receivables: new Set<OpenReceivable>(), names: [], before: new Set<OpenReceivable>() };

/** Whether `run` is what the names say: nothing else, and nothing left out. */
export function isNamedBy(run: readonly OpenReceivable[], { receivables, names }: Naming): boolean {
  return (
    run.every((receivable) => receivables.has(receivable)) &&
    names.every((fitting) => fitting.some((each) => each.expectedMinor === 0 || run.includes(each)))
  );
}

/** By day, then by id, each id once: whatever order they come in. */
export function inOrder(entries: readonly AccountEntry[]): AccountEntry[] {
  const byId = new Map<string, AccountEntry>();
  for (const entry of entries) {
    const other = byId.get(entry.id);
    if (other === undefined || JSON.stringify(other) < JSON.stringify(entry)) byId.set(entry.id, entry);
  }
  return [...byId.values()].toSorted((one, other) => order(one.date, other.date) || order(one.id, other.id));
}

/** Whether an entry may be there a second time, under another id: two sources of one account tell a day differently. */
export function twiceIn(inOrder: readonly AccountEntry[]): (entry: AccountEntry) => boolean {
  const twice = new Set<AccountEntry>();
  const lastOf = new Map<string, AccountEntry>();
  for (const entry of inOrder) {
    const last = lastOf.get(sumKey(entry));
    if (last !== undefined && (dayOf(entry.date) ?? 0) - (dayOf(last.date) ?? 0) <= 1)
      twice.add(last).add(entry);
    lastOf.set(sumKey(entry), entry);
  }
  return (entry) => twice.has(entry);
}

function sumKey({ account, currency, amountMinor }: AccountEntry): string {
  return JSON.stringify([account, currency, amountMinor]);
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
  const withNumber = numbered(receivables);

  return ({ entry, day, acquirers }) => {
    const names: OpenReceivable[][] = [];
    const before = new Set<OpenReceivable>();
    let isSure = acquirers.length === 1;
    for (const { name } of acquirers) {
      const read = namedBatches(entry.remark, templates.get(name) ?? []);
      if (read.kind === 'unsure') return { ...nobody, kind: 'unknown' };
      for (const named of read.batches) {
        const fitting = withNumber(name, named).filter(
          (receivable) => isNamed(receivable, named) && receivable.closeDay <= day && fits(entry, receivable),
        );
        const [ours, older] = [true, false].map((isNear) =>
          fitting.filter(({ lastDayByNumber }) => day <= lastDayByNumber === isNear),
        );
        for (const receivable of older ?? []) if (receivable.expectedMinor !== 0) before.add(receivable);
        names.push(ours ?? []);
        // A terminal that has not told its id may be another one than the remark names.
        isSure &&= ours?.length === 1 && ours.every((receivable) => isNamed(receivable, named, 'told'));
      }
    }
    if (names.length === 0) return { ...nobody, kind: 'none' };
    const receivables = new Set(names.flat().filter(({ expectedMinor }) => expectedMinor !== 0));
    if (receivables.size === 0 || names.some((fitting) => fitting.length === 0))
      return { kind: 'unknown', receivables: nobody.receivables, names, before };
    return { kind: isSure ? 'one' : 'several', receivables, names, before };
  };
}

/** Those that an acquirer pays, by their number; of the terminal or the merchant that is named, or that has not told its id. */
function numbered(
  receivables: readonly OpenReceivable[],
): (acquirer: string, named: NamedBatch) => readonly OpenReceivable[] {
  const places = new Map(receivables.map((receivable, place) => [receivable, place]));
  const byKey = new Map<string, OpenReceivable[]>();
  for (const receivable of receivables) {
    const { batch, acquirer } = receivable;
    if (batch.number === null || acquirer === null) continue;
    const number = withoutZeros(batch.number);
    addTo(byKey, JSON.stringify([acquirer, number]), receivable);
    for (const idName of ['terminalId', 'merchantId'] as const)
      addTo(byKey, JSON.stringify([acquirer, number, idName, normal(batch[idName] ?? '')]), receivable);
  }
  return (acquirer, named) => {
    const { number } = named;
    const idName = (['terminalId', 'merchantId'] as const).find((name) => named[name] !== null);
    if (idName === undefined) return byKey.get(JSON.stringify([acquirer, number])) ?? [];
    const ids = new Set([normal(named[idName] ?? ''), '']);
    return [...ids]
      .flatMap((id) => byKey.get(JSON.stringify([acquirer, number, idName, id])) ?? [])
      .toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
  };
}

/** What only one side tells is no difference, unless the batch must have `told` what is named. */
function isNamed(
  { batch }: OpenReceivable,
  { terminalId, merchantId }: NamedBatch,
  strictness: 'any' | 'told' = 'any',
): boolean {
  const agree = (told: string | null, named: string | null) =>
    named === null || (told === null ? strictness === 'any' : normal(told) === normal(named));
  return agree(batch.terminalId, terminalId) && agree(batch.merchantId, merchantId);
}

function normal(id: string): string {
  return withoutZeros(id.trim().toUpperCase());
}
