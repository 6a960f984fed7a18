/** What was found of where the money is, as the page Money shows it. */
import {
  maxMoneyDays,
  maxMoneyRows,
  type FoundMoney,
  type MoneyEntry,
  type MoneyOfBatch,
  type MoneyRequest,
} from '../../contract/console/index.ts';
import { decidedBy, type AccountEntry, type Decision, type MoneyMatch } from '../../reconcile/index.ts';
import { moneyRows, ownArrived, type KeptResults, type MoneyRow } from '../reconcile/index.ts';

/** `decisions` are all there are, also such that were not there yet when it was found. */
export function foundMoney(
  results: KeptResults,
  decisions: readonly Decision[],
  { only, onTerminal }: MoneyRequest,
): Omit<FoundMoney, 'kind' | 'rules' | 'ruleErrors'> {
  const all = moneyRows(results);
  const decidedSince = new Set(decisionsSince(results, decisions).map(({ batchId }) => batchId));
  const wanted = all
    .filter(({ batch }) => onTerminal === null || batch.terminal === onTerminal)
    .filter(({ part }) => (only === 'needs_person' ? part.needsPerson : only === 'all' || isOpen(part)))
    .toReversed();
  const unexplained = results.unexplained.toReversed();
  return {
    at: results.at,
    sums: sumsOf(all),
    needsPerson: all.filter(({ part }) => part.needsPerson).length,
    terminals: namesIn(all.map(({ batch }) => batch.terminal)),
    acquirers: namesIn(all.flatMap(({ part }) => (part.acquirer === null ? [] : [part.acquirer]))),
    rows: wanted.slice(0, maxMoneyRows).map(({ batch, part }) => ({
      batch,
      part,
      arrivedMinor: ownArrived(part),
      decidedSince: decidedSince.has(batch.id),
    })),
    rowCount: wanted.length,
    unexplained: unexplained.slice(0, maxMoneyRows).map(shownEntry(results, decisions)),
    unexplainedCount: unexplained.length,
    days: daysOf(results, all),
  };
}

function isOpen({ state, match }: MoneyRow['part']): boolean {
  return state !== 'arrived' && match?.decision == null;
}

function namesIn(names: readonly string[]): string[] {
  return [...new Set(names)].toSorted();
}

function sumsOf(rows: readonly MoneyRow[]): FoundMoney['sums'] {
  const sums = new Map<string, FoundMoney['sums'][number]>();
  const counted = new Set<string>();
  for (const { batch, part } of rows) {
    const { state, expectedMinor, match } = part;
    const { currency } = batch;
    const key = `${state} ${currency}`;
    const sum = sums.get(key) ?? { state, currency, count: 0, expectedMinor: 0, differenceMinor: 0 };
    const payment = JSON.stringify(match?.entryIds);
    const isNew = match !== null && !counted.has(payment);
    counted.add(payment);
    sums.set(key, {
      ...sum,
      count: sum.count + 1,
      expectedMinor: sum.expectedMinor + (expectedMinor ?? 0),
      differenceMinor: sum.differenceMinor + (isNew ? match.arrivedMinor - match.expectedMinor : 0),
    });
  }
  return [...sums.values()];
}

/** An entry that pays several batches came once. */
function daysOf({ entries, unexplained }: KeptResults, rows: readonly MoneyRow[]): FoundMoney['days'] {
  const matched = new Set(rows.flatMap(({ part }) => part.match?.entryIds ?? []));
  const days = new Map<string, FoundMoney['days'][number]>();
  const add = (entry: AccountEntry, what: 'arrivedMinor' | 'unexplainedMinor') => {
    const { date, currency, amountMinor } = entry;
    const key = `${date} ${currency}`;
    const known = days.get(key) ?? { day: date, currency, arrivedMinor: 0, unexplainedMinor: 0 };
    days.set(key, { ...known, [what]: known[what] + amountMinor });
  };
  for (const entry of entries) if (matched.has(entry.id)) add(entry, 'arrivedMinor');
  for (const entry of unexplained) if (!matched.has(entry.id)) add(entry, 'unexplainedMinor');
  const sorted = [...days.values()].toSorted((one, other) => one.day.localeCompare(other.day));
  const shown = new Set([...new Set(sorted.map(({ day }) => day))].slice(-maxMoneyDays));
  return sorted.filter(({ day }) => shown.has(day)).slice(-maxMoneyDays * 2);
}

/** Null: it was not among the batches that were looked for. */
export function moneyOfBatch(
  results: KeptResults,
  decisions: readonly Decision[],
  batchId: string,
): MoneyOfBatch | null {
  const { at, batches, closed, entries, unexplained } = results;
  const batch = closed.find(({ id }) => id === batchId);
  const money = batches.find((one) => one.batchId === batchId);
  if (batch === undefined || money === undefined) return null;
  const named = new Set(
    money.parts.flatMap(({ match, possible, ruledOut }) => [
      ...(match?.entryIds ?? []),
      ...possible,
      ...ruledOut.map(({ entryId }) => entryId),
    ]),
  );
  const companions = new Set(money.parts.flatMap(({ match }) => othersOf(match, batchId)));
  const closedOn =
    money.parts.find((part) => part.closedOn !== null)?.closedOn ?? batch.closedAt.slice(0, 10);
  const free = nearest(
    unexplained.filter(({ currency }) => currency === batch.currency),
    closedOn,
  ).slice(0, maxMoneyRows);
  const all = new Map(
    [...entries.filter(({ id }) => named.has(id)), ...free].map((entry) => [entry.id, entry]),
  );
  return {
    at,
    batch,
    parts: money.parts.map((part) => ({ ...part, arrivedMinor: ownArrived(part) })),
    entries: [...all.values()].map(shownEntry(results, decisions)),
    unexplained: free.map(({ id }) => id),
    companions: closed.filter(({ id }) => companions.has(id)),
    decisions: decisions.filter((decision) => decision.batchId === batchId).toReversed(),
  };
}

/** Those that count from the next look on. */
function decisionsSince({ at }: KeptResults, decisions: readonly Decision[]): Decision[] {
  return decisions.filter((decision) => Date.parse(decision.at) > Date.parse(at));
}

function shownEntry(
  results: KeptResults,
  decisions: readonly Decision[],
): (entry: AccountEntry) => MoneyEntry {
  const { batches, closed } = results;
  const since = new Set(
    decisionsSince(results, decidedBy(decisions).matches).flatMap(({ entryIds }) => entryIds),
  );
  return (entry) => {
    const possible = batches.filter(({ parts }) => parts.some((part) => part.possible.includes(entry.id)));
    const ids = new Set(possible.map(({ batchId }) => batchId));
    return {
      ...entry,
      possibleFor: closed
        .filter(({ id }) => ids.has(id))
        .map(({ id, terminal, number, closedAt }) => ({ id, terminal, number, closedAt }))
        .toSorted((one, other) => Date.parse(one.closedAt) - Date.parse(other.closedAt)),
      decidedSince: since.has(entry.id),
    };
  };
}

function othersOf(match: MoneyMatch | null, batchId: string): string[] {
  return match === null ? [] : match.batchIds.filter((id) => id !== batchId);
}

/** Those of the day of the close and later first, each by how far away it is. */
function nearest(entries: readonly AccountEntry[], closedOn: string): AccountEntry[] {
  const away = ({ date }: AccountEntry) => {
    const ms = Date.parse(date) - Date.parse(closedOn);
    return ms < 0 ? Number.MAX_SAFE_INTEGER + ms : ms;
  };
  return entries.toSorted((one, other) => away(one) - away(other));
}
