/**
 * Which entries of the accounts are the money of which batches. Nothing is said that has a second reading:
 *
 *     1. what people have decided holds, and is out of the search
 *     2. remarks that name batches tie entries to them; what they come to together is compared
 *     3. an amount that pays exactly one batch (or one run of batches), and these are paid by no other
 *     4. what stands against another reading is unclear; the rest waits, and is late one day
 *
 * A further credit takes no reading away. So what had arrived can become unclear or over by it, and never waits again.
 */
import { decidedBy } from './decisions.ts';
import { dayOf } from './banking-days.ts';
import { inOrder, namer, recognizer, type AcquirerEntry } from './entries.ts';
import { comparison, groupsOf, sumsOf, type Group } from './groups.ts';
import { runSearch, type Run } from './readings.ts';
import { calendarOf, receivablesOf, type OpenReceivable } from './receivables.ts';
import { possibleEntries, ruledOutEntries, type EntrySituation } from './explanations.ts';
import type { Rules } from './rules.ts';
import type {
  AccountEntry,
  BatchMoney,
  Certainty,
  Decision,
  Evidence,
  KnownSpan,
  MoneyMatch,
  MoneyState,
  Receivable,
  ReceivableResult,
  ReconcileInput,
  Reconciliation,
  UnclearReason,
} from './types.ts';

/** How long after an entry one of the opposite amount may undo it, in days. */
const takenBackDays = 60;

/** In minor units: below that there are so few amounts that a part of one batch's money now and then is another's whole. */
const fewAmounts = 20_000;

const byAmountOnly: readonly Evidence[] = ['amount', 'net', 'sum'];

/** What has been found of a receivable. */
type Finding =
  | { kind: 'match'; state: MoneyState; match: MoneyMatch }
  | { kind: 'unclear'; reason: UnclearReason; entries: ReadonlySet<AccountEntry> };

/** A run that an entry pays, as its amount says. */
interface Reading {
  of: AcquirerEntry;
  run: Run;
  /** The remark speaks against it: it is never taken, but it stands against others. */
  contradicted: boolean;
}

export function reconcile(input: ReconcileInput, rules: Rules): Reconciliation {
  const { batches, known } = input;
  const calendar = calendarOf(rules);
  const today = dayOf(input.today) ?? 0;
  const receivables = receivablesOf(batches, rules);
  const entries = inOrder(input.entries);
  const decided = decidedBy(input.decisions);
  const findings = new Map<OpenReceivable, Finding>();
  const placeOf = new Map(receivables.map((receivable, place) => [receivable, place]));

  // 1. People.
  const byPerson = personGroups(receivables, entries, decided.matchOf);
  for (const [receivable, finding] of byPerson.findings) findings.set(receivable, finding);
  const isOpen = (receivable: OpenReceivable) => !byPerson.findings.has(receivable);
  const fits = (entry: AccountEntry, receivable: OpenReceivable) =>
    isOpen(receivable) && !decided.isUnmatched(receivable, entry.id);

  const recognize = recognizer(rules);
  const naming = namer(rules, receivables, fits);
  const acquirerEntries: AcquirerEntry[] = [];
  const strangers: AccountEntry[] = [];
  for (const entry of entries) {
    const recognized = recognize(entry);
    if (recognized === null) strangers.push(entry);
    else if (!byPerson.entries.has(entry))
      acquirerEntries.push({ ...recognized, naming: naming(recognized) });
  }

  // 2. Remarks.
  const named = groupsOf(
    acquirerEntries.flatMap(({ entry, naming: of }) =>
      of.kind === 'one' ? [{ entry, receivables: of.receivables }] : [],
    ),
  );
  const exact = new Set<OpenReceivable>();
  const inexact = new Map<OpenReceivable, Group>();
  const exactEntries = new Set<AccountEntry>();
  for (const group of named) {
    const sums = sumsOf(group);
    if (sums !== null && comparison(sums) === 'arrived') {
      for (const receivable of group.receivables) exact.add(receivable);
      for (const entry of group.entries) exactEntries.add(entry);
    } else for (const receivable of group.receivables) inexact.set(receivable, group);
  }

  // 3. Amounts.
  const search = runSearch(receivables, isOpen);
  const readings = acquirerEntries.flatMap((each) => readingsOf(each));
  const readingsOfEntry = Map.groupBy(readings, ({ of }) => of);
  const readingsOfReceivable = new Map<OpenReceivable, Reading[]>();
  for (const reading of readings) {
    for (const receivable of reading.run) {
      const all = readingsOfReceivable.get(receivable) ?? [];
      all.push(reading);
      readingsOfReceivable.set(receivable, all);
    }
  }

  function readingsOf(each: AcquirerEntry): Reading[] {
    const { entry, day, acquirers, naming: of } = each;
    if (exactEntries.has(entry)) return [];
    const contradicted = of.kind === 'one' || of.kind === 'unknown';
    return (
      acquirers
        .flatMap((acquirer) => search.runs(acquirer, entry.amountMinor, day))
        .filter((run) => run.every((receivable) => !decided.isUnmatched(receivable, entry.id)))
        .filter((run) => of.kind !== 'several' || run.every((receivable) => of.receivables.has(receivable)))
        .filter((run) => !contradicted || !run.some((receivable) => exact.has(receivable)))
        // That a group's own entries pay a part of it is no other reading.
        .filter(
          (run) =>
            of.kind !== 'one' || run.some((receivable) => !inexact.get(receivable)?.entries.includes(entry)),
        )
        .map((run) => ({ of: each, run, contradicted }))
    );
  }

  const byAmount = Map.groupBy(acquirerEntries, ({ entry }) => entry.amountMinor);

  /** An entry beside the group that undoes one of its entries, or all of them. */
  function takenBack(group: readonly AccountEntry[]): AccountEntry | null {
    const whole = group.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    const since = Math.min(...group.map(({ date }) => dayOf(date) ?? 0));
    for (const amountMinor of new Set([...group.map((entry) => entry.amountMinor), whole])) {
      const undoing = byAmount
        .get(-amountMinor)
        ?.find(
          ({ entry, day }) =>
            !group.includes(entry) &&
            !exactEntries.has(entry) &&
            day >= since &&
            day <= since + takenBackDays,
        );
      if (undoing !== undefined) return undoing.entry;
    }
    return null;
  }

  for (const group of named) {
    const finding = namedFinding(group);
    for (const receivable of group.receivables) findings.set(receivable, finding);
  }

  function namedFinding(group: Group): Finding {
    const unclear = (reason: UnclearReason, others: readonly AccountEntry[] = []): Finding => ({
      kind: 'unclear',
      reason,
      entries: new Set([...group.entries, ...others]),
    });
    const sums = sumsOf(group);
    if (sums === null)
      return unclear(group.receivables.find(({ unknown }) => unknown !== null)?.unknown ?? 'fee-unknown');
    const state = comparison(sums);
    const back = takenBack(group.entries);
    if (back !== null) return unclear('taken-back', [back]);
    // A name that fits several, and an amount that fits this one.
    const namesakes = group.receivables
      .flatMap((receivable) => readingsOfReceivable.get(receivable) ?? [])
      .filter(({ of }) => of.naming.kind === 'several');
    if (namesakes.length > 0)
      return unclear(
        'several-readings',
        namesakes.map(({ of }) => of.entry),
      );
    if (state !== 'arrived') {
      if (!group.isUniform) return unclear('several-readings');
      const rivals = rivalEntries(group, sums.arrivedMinor - sums.expectedMinor);
      if (rivals.length > 0) return unclear('remark-contradicts', rivals);
    }
    const certainty = state === 'arrived' ? 'certain' : 'high';
    return { kind: 'match', state, match: matchOf(group, sums, 'number', certainty, null) };
  }

  /** Entries by which a group that does not come to what it should could be something else than it says. */
  function rivalEntries(
    { receivables: own, entries: ownEntries }: Group,
    difference: number,
  ): AccountEntry[] {
    const mine = new Set(ownEntries);
    const others = new Set<AccountEntry>();
    // One of its entries pays others exactly, or one that names nobody pays it.
    for (const { of } of readings.filter(
      (reading) => mine.has(reading.of.entry) || reading.run.some((receivable) => own.includes(receivable)),
    )) {
      others.add(of.entry);
    }
    for (const each of acquirerEntries) {
      const { entry, day, acquirers } = each;
      if (difference < 0) {
        // What is missing came by itself.
        if (!mine.has(entry) && !exactEntries.has(entry) && entry.amountMinor === -difference)
          others.add(entry);
      } else if (mine.has(entry)) {
        // What is too much is another's.
        const runs = acquirers.flatMap((acquirer) => search.runs(acquirer, difference, day));
        if (runs.some((run) => run.every((one) => !own.includes(one) && !exact.has(one)))) others.add(entry);
      }
    }
    return [...others];
  }

  for (const [receivable, all] of readingsOfReceivable) {
    if (findings.has(receivable)) continue;
    findings.set(receivable, amountFinding(all));
  }

  function amountFinding(all: readonly Reading[]): Finding {
    const [reading] = all;
    const rivals = new Set(all.map(({ of }) => of.entry));
    if (reading === undefined || all.length > 1 || !standsAlone(reading)) {
      const contradicted = all.length === 1 && reading?.contradicted === true;
      return {
        kind: 'unclear',
        reason: contradicted ? 'remark-contradicts' : 'several-readings',
        entries: rivals,
      };
    }
    const { run, of } = reading;
    const group = { receivables: [...run], entries: [of.entry] };
    const back = takenBack(group.entries);
    if (back !== null) return { kind: 'unclear', reason: 'taken-back', entries: new Set([of.entry, back]) };
    const sums = sumsOf(group);
    if (sums === null) return { kind: 'unclear', reason: 'fee-unknown', entries: rivals };
    const [evidence, certainty] = strengthOf(reading);
    return { kind: 'match', state: 'arrived', match: matchOf(group, sums, evidence, certainty, null) };
  }

  function standsAlone(reading: Reading): boolean {
    return (
      !reading.contradicted &&
      readingsOfEntry.get(reading.of)?.length === 1 &&
      reading.run.every(
        (receivable) =>
          readingsOfReceivable.get(receivable)?.length === 1 &&
          !exact.has(receivable) &&
          !inexact.has(receivable),
      )
    );
  }

  function matchOf(
    { receivables: paid, entries: money }: Pick<Group, 'receivables' | 'entries'>,
    { expectedMinor, arrivedMinor }: { expectedMinor: number; arrivedMinor: number },
    evidence: Evidence,
    certainty: Certainty,
    decision: Decision | null,
  ): MoneyMatch {
    const arrivedOn =
      money
        .map(({ date }) => date)
        .toSorted()
        .at(-1) ?? null;
    const inPlace = paid.toSorted((one, other) => (placeOf.get(one) ?? 0) - (placeOf.get(other) ?? 0));
    const dueDay = Math.max(...paid.map((receivable) => receivable.dueDay));
    return {
      batchIds: [...new Set(inPlace.map(({ batchId }) => batchId))],
      entryIds: money.map(({ id }) => id).toSorted(),
      expectedMinor,
      arrivedMinor,
      evidence,
      certainty,
      arrivedOn,
      bankingDaysLate: arrivedOn === null ? 0 : calendar.between(dueDay, dayOf(arrivedOn) ?? dueDay),
      decision,
    };
  }

  function personGroups(
    all: readonly OpenReceivable[],
    everything: readonly AccountEntry[],
    decisionOf: (receivable: OpenReceivable) => Decision | null,
  ) {
    const byId = new Map(everything.map((entry) => [entry.id, entry]));
    const ties = all.flatMap((receivable) => {
      const decision = decisionOf(receivable);
      return decision === null ? [] : [{ receivable, decision }];
    });
    const found = new Map<OpenReceivable, Finding>();
    const used = new Set<AccountEntry>();
    const ids = (decision: Decision) => JSON.stringify([...new Set(decision.entryIds)].toSorted());
    for (const together of Map.groupBy(ties, ({ decision }) => ids(decision)).values()) {
      const [{ decision } = {}] = together;
      if (decision === undefined) continue;
      const paid = together.map(({ receivable }) => receivable);
      const money = [...new Set(decision.entryIds)].flatMap((id) => byId.get(id) ?? []);
      const elsewhere = ties.some(
        (tie) =>
          !paid.includes(tie.receivable) &&
          tie.decision.entryIds.some((id) => decision.entryIds.includes(id)),
      );
      const isUsable = !elsewhere && money.length === new Set(decision.entryIds).size;
      const group = { receivables: paid, entries: money };
      const sums = sumsOf(group);
      for (const entry of money) used.add(entry);
      const finding: Finding =
        isUsable && sums !== null
          ? {
              kind: 'match',
              state: comparison(sums),
              match: matchOf(group, sums, 'person', 'person', decision),
            }
          : { kind: 'unclear', reason: 'decision-unusable', entries: new Set(money) };
      for (const receivable of paid) found.set(receivable, finding);
    }
    return { findings: found, entries: used };
  }

  for (const [receivable, entry] of doubtedAmounts()) {
    findings.set(receivable, { kind: 'unclear', reason: 'several-readings', entries: new Set(entry) });
  }

  /**
   * Amounts that may be a coincidence, because another receivable, which has nothing, could have had a part of its money by
   * them: where there is a credit of the right time, too, that fits nothing, or the amount is a small one.
   */
  function doubtedAmounts(): [OpenReceivable, AccountEntry[]][] {
    const orphans = acquirerEntries.filter(
      (each) => each.naming.kind !== 'one' && readingsOfEntry.get(each) === undefined,
    );
    const unpaid = receivables.filter(
      (each) => each.expectedMinor !== 0 && findings.get(each)?.kind !== 'match',
    );
    return receivables.flatMap((receivable) => {
      const [reading] = readingsOfReceivable.get(receivable) ?? [];
      const finding = findings.get(receivable);
      if (
        reading === undefined ||
        finding?.kind !== 'match' ||
        !byAmountOnly.includes(finding.match.evidence)
      )
        return [];
      const { of, run } = reading;
      const rivals = orphans.filter(
        ({ entry, day, acquirers }) =>
          run.some(
            ({ rule, closeDay, dueDay }) =>
              rule !== null && acquirers.includes(rule) && closeDay <= day && day <= dueDay,
          ) && Math.sign(entry.amountMinor) === Math.sign(of.entry.amountMinor),
      );
      const missing = unpaid.filter(
        ({ rule, closeDay, lastDayByAmount }) =>
          rule === receivable.rule && closeDay <= of.day && of.day <= lastDayByAmount,
      );
      const isSmall = Math.abs(of.entry.amountMinor) < fewAmounts;
      const isDoubted =
        (rivals.length > 0 && missing.length > 0) ||
        (isSmall && missing.some(({ expectedDay }) => expectedDay <= of.day));
      return isDoubted
        ? [
            [receivable, [of.entry, ...rivals.map(({ entry }) => entry)]] satisfies [
              OpenReceivable,
              AccountEntry[],
            ],
          ]
        : [];
    });
  }

  // 4. What is left.
  const matched = new Map<AccountEntry, OpenReceivable>();
  const entryById = new Map(entries.map((entry) => [entry.id, entry]));
  for (const [receivable, finding] of findings) {
    if (finding.kind !== 'match') continue;
    for (const id of finding.match.entryIds) {
      const entry = entryById.get(id);
      if (entry !== undefined) matched.set(entry, receivable);
    }
  }
  const unexplained = acquirerEntries.filter(({ entry }) => !matched.has(entry));
  const situation: EntrySituation = {
    ofAcquirers: acquirerEntries,
    unexplained,
    negatives: receivables.filter(({ expectedMinor }) => (expectedMinor ?? 0) < 0),
    strangersFor: (receivable) => strangersFor().get(receivable) ?? [],
    matched,
    isUnmatched: decided.isUnmatched,
  };
  const isKnown = knownSpans(known);

  /** Made when the first one is overdue: an account may have many entries that are nobody's. */
  const strangersFor = once(() => {
    const found = new Map<OpenReceivable, AccountEntry[]>();
    for (const entry of strangers) {
      for (const acquirer of rules.acquirers) {
        if (acquirer.account !== entry.account || acquirer.currency !== entry.currency) continue;
        const runs = search.runs(acquirer, entry.amountMinor, dayOf(entry.date) ?? 0);
        for (const receivable of new Set(runs.flat())) {
          found.set(receivable, [...(found.get(receivable) ?? []), entry]);
        }
      }
    }
    return found;
  });

  function resultOf(receivable: OpenReceivable): ReceivableResult {
    const finding = findings.get(receivable);
    if (finding?.kind === 'match') return told(receivable, finding.state, finding.match, null, []);
    if (finding?.kind === 'unclear')
      return told(receivable, 'unclear', null, finding.reason, [...finding.entries]);
    if (receivable.expectedMinor === 0 && receivable.unknown === null) {
      const nothing = matchOf(
        { receivables: [receivable], entries: [] },
        { expectedMinor: 0, arrivedMinor: 0 },
        'nothing-due',
        'certain',
        null,
      );
      return told(receivable, 'arrived', nothing, null, []);
    }
    const possible = possibleEntries(receivable, situation);
    if (receivable.unknown !== null) return told(receivable, 'unclear', null, receivable.unknown, possible);
    if (today <= receivable.dueDay) return told(receivable, 'waiting', null, null, possible);
    if (possible.length > 0) return told(receivable, 'unclear', null, 'unexplained-entries', possible);
    const account = receivable.rule?.account ?? '';
    if (!isKnown(account, receivable.closeDay, receivable.dueDay))
      return told(receivable, 'unclear', null, 'account-not-known', []);
    return told(receivable, 'late', null, null, []);
  }

  function told(
    receivable: OpenReceivable,
    state: MoneyState,
    match: MoneyMatch | null,
    reason: UnclearReason | null,
    possible: readonly AccountEntry[],
  ): ReceivableResult {
    const overdue = receivable.rule === null || today > receivable.dueDay || reason === 'decision-unusable';
    const isUndecided = match?.decision == null;
    return {
      ...shownOf(receivable),
      state,
      needsPerson:
        isUndecided && (['late', 'short', 'over'].includes(state) || (state === 'unclear' && overdue)),
      match,
      reason,
      ...ruledOutEntries(receivable, match, possible, situation),
    };
  }

  return {
    batches: batchMoney(receivables.map(resultOf)),
    unexplained: unexplained.map(({ entry }) => entry),
  };
}

/** Without what only the search needs. */
function shownOf({
  batchId,
  acquirer,
  schemes,
  closedOn,
  expectedOn,
  dueBy,
  ...sums
}: Receivable): Receivable {
  const { grossMinor, feeMinor, expectedMinor, toleranceMinor } = sums;
  return {
    batchId,
    acquirer,
    schemes,
    grossMinor,
    feeMinor,
    expectedMinor,
    toleranceMinor,
    closedOn,
    expectedOn,
    dueBy,
  };
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

/** The first of these that a part has is the batch's. */
const worstFirst: readonly MoneyState[] = ['short', 'late', 'unclear', 'over', 'waiting', 'arrived'];

function batchMoney(results: readonly ReceivableResult[]): BatchMoney[] {
  return [...Map.groupBy(results, ({ batchId }) => batchId)].map(([batchId, parts]) => ({
    batchId,
    state: worstFirst.find((state) => parts.some((part) => part.state === state)) ?? 'unclear',
    needsPerson: parts.some(({ needsPerson }) => needsPerson),
    parts,
  }));
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** Whether each day of a span is in one that is known. */
function knownSpans(known: readonly KnownSpan[]): (account: string, from: number, until: number) => boolean {
  const spans = known
    .map(({ account, from, until }) => ({
      account,
      from: dayOf(from) ?? Infinity,
      until: dayOf(until) ?? -Infinity,
    }))
    .toSorted((one, other) => one.from - other.from);
  return (account, from, until) => {
    let covered = from - 1;
    for (const span of spans) {
      if (span.account === account && span.from <= covered + 1) covered = Math.max(covered, span.until);
    }
    return covered >= until;
  };
}
