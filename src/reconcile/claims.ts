/**
 * What remarks and amounts say of money that has come. A claim stands where nothing speaks against it; groups that come to
 * more or less than they should are left to differences.ts.
 */
import { isNamedBy, type AcquirerEntry } from './entries.ts';
import { matchOf, unclear, type Finding, type Reading } from './findings.ts';
import { comparison, groupsOf, sumsOf, type Group, type Sums } from './groups.ts';
import { runSearch, type RunSearch } from './readings.ts';
import type { OpenReceivable } from './receivables.ts';
import { addTo } from './lists.ts';
import type { AccountEntry, Certainty, Evidence } from './types.ts';
import type { UndoneBy } from './undone.ts';

/** A group that a remark ties, and that does not come to what it should. */
export interface Difference {
  group: Group;
  sums: Sums;
  kind: 'short' | 'over';
}

export interface Claims {
  findings: Map<OpenReceivable, Finding>;
  differences: Difference[];
  /** By receivable: those that stand. */
  readings: ReadonlyMap<OpenReceivable, Reading>;
  /** Entries that name nobody for certain, and whose amount fits nothing. */
  orphans: readonly AcquirerEntry[];
  search: RunSearch;
}

export interface ClaimInput {
  receivables: readonly OpenReceivable[];
  /** Of acquirers, that no person has decided on. */
  acquirerEntries: readonly AcquirerEntry[];
  /** All that no person has decided on. */
  freeEntries: readonly AccountEntry[];
  isOpen(receivable: OpenReceivable): boolean;
  isUnmatched(receivable: OpenReceivable, entryId: string): boolean;
  undone: UndoneBy;
  /** Whether the same entry may be listed a second time. */
  isTwice(entry: AccountEntry): boolean;
}

export function claimsOf(input: ClaimInput): Claims {
  const { receivables, acquirerEntries, freeEntries, isOpen, isUnmatched, undone, isTwice } = input;
  const findings = new Map<OpenReceivable, Finding>();
  const differences: Difference[] = [];

  // Remarks tie.
  const acquirerEntryOf = new Map(acquirerEntries.map((each) => [each.entry, each]));
  const named = groupsOf(
    acquirerEntries.flatMap(({ entry, naming }) =>
      naming.kind === 'one' ? [{ entry, receivables: naming.receivables }] : [],
    ),
  );
  const exact = new Set<OpenReceivable>();
  const exactEntries = new Set<AccountEntry>();
  const inexact = new Map<OpenReceivable, Group>();
  const groupOf = new Map<AccountEntry, Group>();
  for (const group of named) {
    const sums = sumsOf(group);
    if (sums !== null && comparison(sums) === 'arrived') {
      for (const receivable of group.receivables) exact.add(receivable);
      for (const entry of group.entries) exactEntries.add(entry);
    } else {
      for (const receivable of group.receivables) inexact.set(receivable, group);
      for (const entry of group.entries) groupOf.set(entry, group);
    }
  }

  // Amounts fit.
  const search = runSearch(receivables, isOpen, (receivable) => exact.has(receivable));
  const readingsOfEntry = new Map<AcquirerEntry, Reading[]>();
  const readingsOfReceivable = new Map<OpenReceivable, Reading[]>();
  /** Readings with something in them of which nobody can tell what should come: they only stand against others. */
  const vagueEntries = new Map<OpenReceivable, AcquirerEntry[]>();
  const vagueOfEntry = new Set<AcquirerEntry>();
  for (const each of acquirerEntries) {
    if (exactEntries.has(each.entry)) continue;
    const { readings, vague } = readingsOf(each);
    if (readings.length > 0) readingsOfEntry.set(each, readings);
    for (const reading of readings)
      for (const receivable of reading.run) addTo(readingsOfReceivable, receivable, reading);
    if (vague.length > 0) vagueOfEntry.add(each);
    for (const receivable of vague) addTo(vagueEntries, receivable, each);
  }

  function readingsOf(each: AcquirerEntry): { readings: Reading[]; vague: OpenReceivable[] } {
    const { entry, day, acquirers, naming } = each;
    const found = acquirers.map((acquirer) => search.runs(acquirer, entry.amountMinor, day));
    const group = groupOf.get(entry);
    const isItsOwn = (receivable: OpenReceivable) => group !== undefined && inexact.get(receivable) === group;
    const readings = found
      .flatMap(({ exact: runs }) => runs)
      .filter((run) => run.every((receivable) => !isUnmatched(receivable, entry.id)))
      // That a group's own entries pay a part of it is no other reading.
      .filter((run) => !run.every(isItsOwn))
      .map((run) => ({ of: each, run, contradicted: speaksAgainst(each, run) }))
      .filter(({ run, contradicted }) => !contradicted || !run.some((receivable) => exact.has(receivable)));
    const vague = found
      .flatMap((runs) => [...runs.vague])
      .filter((receivable) => !isItsOwn(receivable) && !isUnmatched(receivable, entry.id));
    return { readings, vague: naming.kind === 'one' ? vague.filter((each) => !exact.has(each)) : vague };
  }

  function speaksAgainst({ naming }: AcquirerEntry, run: Reading['run']): boolean {
    if (naming.kind === 'none') return false;
    return naming.kind !== 'several' || !isNamedBy(run, naming);
  }

  const byAmount = Map.groupBy(freeEntries, ({ amountMinor }) => amountMinor);
  const isFree = (entry: AccountEntry) => !exactEntries.has(entry);

  for (const group of named) {
    const finding = namedFinding(group);
    if (finding === null) continue;
    for (const receivable of group.receivables) findings.set(receivable, finding);
  }

  /** Null: it comes to more or less. */
  function namedFinding(group: Group): Finding | null {
    const stands = (reason: Parameters<typeof unclear>[0], others: readonly AccountEntry[] = []) =>
      unclear(reason, [...group.entries, ...others]);
    const sums = sumsOf(group);
    if (sums === null)
      return stands(group.receivables.find(({ unknown }) => unknown !== null)?.unknown ?? 'fee-unknown');
    const back = undone(group.entries, isFree);
    if (back !== null) return stands('taken-back', [back]);
    // A name that fits several, and an amount that fits this one.
    const namesakes = group.receivables
      .flatMap((receivable) => readingsOfReceivable.get(receivable) ?? [])
      .filter(({ of, contradicted }) => of.naming.kind === 'several' && !contradicted);
    if (namesakes.length > 0)
      return stands(
        'several-readings',
        namesakes.map(({ of }) => of.entry),
      );
    if (hasTwice(group.entries, isTwice) || olderFits(group, sums)) return stands('several-readings');
    const kind = comparison(sums);
    if (kind === 'arrived')
      return { kind: 'match', state: kind, match: matchOf(group, sums, ['number', 'certain']) };
    if (kind === 'over' && isOneTooMany(group.entries, sums)) return stands('several-readings');
    if (!group.isUniform || group.receivables.some(({ expectedMinor }) => (expectedMinor ?? 0) < 0))
      return stands('several-readings');
    const rivals = rivalEntries(group, sums.arrivedMinor - sums.expectedMinor);
    if (rivals.length > 0) return stands('remark-contradicts', rivals);
    differences.push({ group, sums, kind });
    return null;
  }

  /** Numbers begin again: one that was called so before, and has had nothing, may be meant. */
  function olderFits(group: Group, sums: Sums): boolean {
    const isExact = comparison(sums) === 'arrived';
    return group.entries.some((entry) =>
      [...(acquirerEntryOf.get(entry)?.naming.before ?? [])].some(
        (older) =>
          !exact.has(older) &&
          (!isExact || (older.lowMinor <= sums.arrivedMinor && sums.arrivedMinor <= older.highMinor)),
      ),
    );
  }

  /** Entries by which a group that does not come to what it should could be something else than it says. */
  function rivalEntries({ receivables, entries }: Group, difference: number): AccountEntry[] {
    const own = new Set(receivables);
    const others = new Set<AccountEntry>();
    const mine = new Set(entries);
    // One that names nobody pays it, or one of its own pays others exactly.
    for (const receivable of own) {
      for (const { of } of readingsOfReceivable.get(receivable) ?? []) others.add(of.entry);
      for (const { entry } of vagueEntries.get(receivable) ?? []) others.add(entry);
    }
    for (const entry of entries) {
      const each = acquirerEntryOf.get(entry);
      if (each === undefined) continue;
      if (readingsOfEntry.has(each) || vagueOfEntry.has(each)) others.add(entry);
      if (difference < 0) continue;
      // What is too much is another's.
      const found = each.acquirers.map((acquirer) => search.runs(acquirer, difference, each.day));
      const runs = found.flatMap((runs) => [...runs.exact, ...[...runs.vague].map((one) => [one])]);
      if (runs.some((run) => run.every((one) => !own.has(one) && !exact.has(one)))) others.add(entry);
    }
    // What is missing came by itself, whoever sent it.
    const closed = receivables.map(({ closedOn }) => closedOn ?? '').toSorted()[0] ?? '';
    if (difference < 0) {
      for (const entry of byAmount.get(-difference) ?? []) {
        const isNear = entry.date >= closed && entry.currency === receivables[0]?.batch.currency;
        if (isNear && !mine.has(entry) && !exactEntries.has(entry)) others.add(entry);
      }
    }
    return [...others];
  }

  const standing = new Map<OpenReceivable, Reading>();
  for (const [receivable, all] of readingsOfReceivable) {
    if (findings.has(receivable) || inexact.has(receivable)) continue;
    findings.set(receivable, amountFinding(receivable, all));
  }

  function amountFinding(receivable: OpenReceivable, all: readonly Reading[]): Finding {
    const [reading] = all;
    const vague = vagueEntries.get(receivable) ?? [];
    if (reading === undefined || all.length > 1 || !standsAlone(reading)) {
      const isContradicted = all.length === 1 && reading?.contradicted === true;
      return unclear(
        isContradicted ? 'remark-contradicts' : 'several-readings',
        [...all.map(({ of }) => of), ...vague].map(({ entry }) => entry),
      );
    }
    const group = { receivables: [...reading.run], entries: [reading.of.entry] };
    const back = undone(group.entries, isFree);
    if (back !== null) return unclear('taken-back', [reading.of.entry, back]);
    const sums = sumsOf(group);
    if (sums === null) return unclear('fee-unknown', group.entries);
    standing.set(receivable, reading);
    return { kind: 'match', state: 'arrived', match: matchOf(group, sums, strengthOf(reading)) };
  }

  function standsAlone({ of, run, contradicted }: Reading): boolean {
    return (
      !contradicted &&
      !isTwice(of.entry) &&
      readingsOfEntry.get(of)?.length === 1 &&
      !vagueOfEntry.has(of) &&
      run.every(
        (receivable) =>
          readingsOfReceivable.get(receivable)?.length === 1 &&
          !vagueEntries.has(receivable) &&
          !exact.has(receivable) &&
          !inexact.has(receivable),
      )
    );
  }

  const orphans = acquirerEntries.filter(
    (each) => each.naming.kind !== 'one' && !readingsOfEntry.has(each) && !vagueOfEntry.has(each),
  );
  return { findings, differences, readings: standing, orphans, search };
}

/** Two of them are the same in all that two sources of one account would tell alike. */
function hasTwice(entries: readonly AccountEntry[], isTwice: (entry: AccountEntry) => boolean): boolean {
  const twice = entries.filter(isTwice);
  return new Set(twice.map(({ amountMinor }) => amountMinor)).size < twice.length;
}

/** Without one of them it is exactly what it should be: that one may have got the name by mistake. */
function isOneTooMany(entries: readonly AccountEntry[], sums: Sums): boolean {
  const [first] = entries;
  // Twice the same is twice the same money.
  if (entries.every(({ amountMinor }) => amountMinor === first?.amountMinor)) return false;
  return entries.some(
    ({ amountMinor }) => comparison({ ...sums, arrivedMinor: sums.arrivedMinor - amountMinor }) === 'arrived',
  );
}

/** How strong an amount alone is. */
function strengthOf({ of, run }: Reading): [Evidence, Certainty] {
  if (of.naming.kind === 'several') return ['number', 'certain'];
  if (run.length > 1) return ['sum', 'fair'];
  return [
    run.every(({ rule, feeMinor }) => rule?.payout === 'gross' || feeMinor === 0) ? 'amount' : 'net',
    'high',
  ];
}
