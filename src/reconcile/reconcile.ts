/**
 * Which entries of the accounts are the money of which batches. Nothing is said that has a second reading:
 *
 *     1. what people have decided holds, and is out of the search        persons.ts
 *     2. remarks that name batches tie entries to them; what they come
 *        to together is compared                                          claims.ts
 *     3. an amount that pays exactly one batch (or one run of batches),
 *        and these are paid by no other                                   claims.ts, doubts.ts
 *     4. what is named, and comes to more or less                         differences.ts
 *     5. what stands against another reading is unclear; the rest waits,
 *        and is late one day
 *
 * A further credit takes no reading away. So what had arrived can become unclear or over by it, and never waits again.
 */
import { claimsOf } from './claims.ts';
import { decidedBy } from './decisions.ts';
import { differenceFindings, neighbours } from './differences.ts';
import { doubt } from './doubts.ts';
import { dayOf, localTime } from './banking-days.ts';
import { inOrder, namer, recognizer, twiceIn, type AcquirerEntry } from './entries.ts';
import { possibleFinder, ruledOutEntries, type EntrySituation } from './explanations.ts';
import { lateFor, matchOf, type Finding } from './findings.ts';
import { checkInput } from './input.ts';
import { personFindings } from './persons.ts';
import { calendarOf, receivablesOf, type OpenReceivable } from './receivables.ts';
import { batchMoney, knownSpans, shownOf } from './results.ts';
import type { Rules } from './rules.ts';
import {
  maxListed,
  type AccountEntry,
  type MoneyMatch,
  type MoneyState,
  type ReceivableResult,
  type ReconcileInput,
  type Reconciliation,
  type UnclearReason,
} from './types.ts';
import { undoneBy } from './undone.ts';

/** Throws `ReconcileInputError` for what cannot be read. */
export function reconcile(input: ReconcileInput, rules: Rules): Reconciliation {
  checkInput(input);
  const calendar = calendarOf(rules);
  const today = dayOf(input.today) ?? 0;
  const receivables = receivablesOf(input.batches, rules);
  const entries = inOrder(input.entries);
  const decided = decidedBy(input.decisions);
  const undone = undoneBy(entries);

  const byPerson = personFindings(receivables, entries, decided, undone, localTime(rules.timeZone));
  const isOpen = (receivable: OpenReceivable) => !byPerson.findings.has(receivable);
  const open = receivables.filter(isOpen);
  const freeEntries = entries.filter(({ id }) => !byPerson.entryIds.has(id));

  const recognize = recognizer(rules);
  const naming = namer(
    rules,
    receivables,
    (entry, receivable) => isOpen(receivable) && !decided.isUnmatched(receivable, entry.id),
  );
  const ofAcquirers: AcquirerEntry[] = [];
  const strangers: AccountEntry[] = [];
  for (const entry of entries) {
    const recognized = recognize(entry);
    if (recognized !== null) ofAcquirers.push({ ...recognized, naming: naming(recognized) });
    else if (!byPerson.entryIds.has(entry.id)) strangers.push(entry);
  }
  const acquirerEntries = ofAcquirers.filter(({ entry }) => !byPerson.entryIds.has(entry.id));

  const claims = claimsOf({
    receivables,
    acquirerEntries,
    freeEntries,
    isOpen,
    isUnmatched: decided.isUnmatched,
    undone: (group, isIt) => undone(group, (entry) => !byPerson.entryIds.has(entry.id) && isIt(entry)),
    isTwice: twiceIn(entries),
  });
  doubt(claims, open, decided.isUnmatched);
  const findings = new Map<OpenReceivable, Finding>([...byPerson.findings, ...claims.findings]);

  const isPaid = (receivable: OpenReceivable) =>
    receivable.expectedMinor === 0 || findings.get(receivable)?.kind === 'match';
  const unpaid = open.filter((receivable) => !isPaid(receivable));
  const negatives = unpaid.filter(({ expectedMinor }) => (expectedMinor ?? 0) < 0);
  const negativesOf = Map.groupBy(negatives, ({ acquirer }) => acquirer);
  const isNetted = (receivable: OpenReceivable) =>
    neighbours(negativesOf.get(receivable.acquirer) ?? [], receivable).length > 0;
  const isKnownSpan = knownSpans(input.known);
  const isKnown = ({ rule, closeDay, dueDay }: OpenReceivable) =>
    isKnownSpan(rule?.account ?? '', closeDay, dueDay);

  function situationNow(alsoMatched: Iterable<AccountEntry> = []): EntrySituation {
    const matchedIds = new Set(
      [...findings.values()].flatMap((finding) => (finding.kind === 'match' ? finding.match.entryIds : [])),
    );
    const taken = new Set(alsoMatched);
    return {
      ofAcquirers,
      unexplained: acquirerEntries.filter(({ entry }) => !matchedIds.has(entry.id) && !taken.has(entry)),
      strangers,
      search: claims.search,
      acquirers: rules.acquirers,
      // Whoever explains why others are not its money has to know all that may be.
      perDay: input.explain === false ? maxListed : Infinity,
      negatives: receivables.filter(({ expectedMinor }) => (expectedMinor ?? 0) < 0),
      isOfAnother: (entry) => matchedIds.has(entry.id) || byPerson.entryIds.has(entry.id),
      isUnmatched: decided.isUnmatched,
    };
  }

  const { differences } = claims;
  const before = situationNow(differences.flatMap(({ group }) => group.entries));
  const different = differenceFindings({
    differences,
    unpaid,
    unexplained: before.unexplained,
    today,
    possible: possibleFinder(before),
    isKnown,
    isNetted,
  });
  for (const [receivable, finding] of different) findings.set(receivable, finding);

  const situation = situationNow();
  const nothing = { ...situation, ofAcquirers: [] };
  const possibleFor = possibleFinder(situation);

  function resultOf(receivable: OpenReceivable): ReceivableResult {
    const found = foundOf(receivable);
    const isSure = byPerson.findings.has(receivable) || found.match?.evidence === 'nothing-due';
    if (receivable.batch.clockIsWrong !== true || isSure) return found;
    const named = new Set([...found.possible, ...(found.match?.entryIds ?? [])]);
    return told(
      receivable,
      'unclear',
      null,
      'clock-wrong',
      entries.filter(({ id }) => named.has(id)),
    );
  }

  function foundOf(receivable: OpenReceivable): ReceivableResult {
    const finding = findings.get(receivable);
    if (finding?.kind === 'match') return told(receivable, finding.state, finding.match, null, []);
    if (finding?.kind === 'unclear')
      return told(receivable, 'unclear', null, finding.reason, [...finding.entries]);
    if (finding?.kind === 'waiting') return told(receivable, 'waiting', null, null, [...finding.entries]);
    if (receivable.expectedMinor === 0 && receivable.unknown === null) {
      const empty = { receivables: [receivable], entries: [] };
      const match = matchOf(empty, { expectedMinor: 0, arrivedMinor: 0 }, ['nothing-due', 'certain']);
      return told(receivable, 'arrived', match, null, []);
    }
    const possible = possibleFor(receivable);
    if (receivable.unknown !== null) return told(receivable, 'unclear', null, receivable.unknown, possible);
    if (today <= receivable.dueDay) return told(receivable, 'waiting', null, null, possible);
    if (possible.length > 0) return told(receivable, 'unclear', null, 'unexplained-entries', possible);
    if (!isKnown(receivable)) return told(receivable, 'unclear', null, 'account-not-known', []);
    // What is to be given back is kept from some payout, and that payout's batch lacks it.
    if (isNetted(receivable)) return told(receivable, 'unclear', null, 'several-readings', []);
    return told(receivable, 'late', null, null, []);
  }

  function told(
    receivable: OpenReceivable,
    state: MoneyState,
    match: MoneyMatch | null,
    reason: UnclearReason | null,
    possible: readonly AccountEntry[],
  ): ReceivableResult {
    const pastDue = receivable.rule !== null && today > receivable.dueDay;
    const isOverdue =
      receivable.rule === null || pastDue || byPerson.findings.has(receivable) || reason === 'clock-wrong';
    const isUndecided = match?.decision == null;
    return {
      ...shownOf(receivable),
      state,
      needsPerson:
        isUndecided && (['late', 'short', 'over'].includes(state) || (state === 'unclear' && isOverdue)),
      pastDue,
      match: match === null ? null : lateFor(match, receivable, calendar),
      reason,
      ...ruledOutEntries(receivable, match, possible, input.explain === false ? nothing : situation),
    };
  }

  return {
    batches: batchMoney(receivables.map(resultOf)),
    unexplained: situation.unexplained.map(({ entry }) => entry),
  };
}
