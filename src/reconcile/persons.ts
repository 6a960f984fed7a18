/** What people have decided holds, as far as what they name is there. */
import { dateOf, type localTime } from './banking-days.ts';
import { decisionKey, type Decided } from './decisions.ts';
import { matchOf, unclear, type Finding } from './findings.ts';
import { comparison, sumsOf, totalOf, type Sums } from './groups.ts';
import type { OpenReceivable } from './receivables.ts';
import type { AccountEntry, Decision } from './types.ts';
import type { UndoneBy } from './undone.ts';

export interface PersonFindings {
  findings: Map<OpenReceivable, Finding>;
  /** Nobody else's, also where the batch is not looked at now. */
  entryIds: ReadonlySet<string>;
}

export function personFindings(
  receivables: readonly OpenReceivable[],
  entries: readonly AccountEntry[],
  decided: Decided,
  undone: UndoneBy,
  local: ReturnType<typeof localTime>,
): PersonFindings {
  const entryById = new Map(entries.map((entry) => [entry.id, entry]));
  const receivablesOf = Map.groupBy(receivables, ({ batchId }) => batchId);
  /** In which decisions an entry is. */
  const keysOf = new Map<string, Set<string>>();
  for (const decision of decided.matches) {
    for (const id of decision.entryIds)
      keysOf.set(id, (keysOf.get(id) ?? new Set()).add(decisionKey(decision)));
  }
  const findings = new Map<OpenReceivable, Finding>();
  for (const decisions of Map.groupBy(decided.matches, decisionKey).values()) {
    const [decision] = decisions;
    if (decision === undefined) continue;
    const paid = decisions.flatMap(({ batchId, acquirer }) =>
      (receivablesOf.get(batchId) ?? []).filter((receivable) => receivable.acquirer === acquirer),
    );
    const ids = [...new Set(decision.entryIds)];
    const money = ids.flatMap((id) => entryById.get(id) ?? []);
    const isUsable =
      paid.length === decisions.length &&
      // Of what is taken back for one batch, nobody has said what is left for the others.
      decided.isWhole(decisions) &&
      money.length === ids.length &&
      ids.every((id) => keysOf.get(id)?.size === 1) &&
      money.every(({ currency }) => paid.every(({ batch }) => batch.currency === currency));
    const finding = isUsable ? personFinding(paid, money, decision) : unclear('decision-unusable', money);
    for (const receivable of paid) findings.set(receivable, finding);
    // The rules call its acquirer otherwise now: nobody can say which part of the batch was meant.
    for (const { batchId, acquirer } of decisions) {
      const parts = receivablesOf.get(batchId) ?? [];
      if (parts.some((part) => part.acquirer === acquirer)) continue;
      for (const part of parts)
        if (decided.matchOf(part) === null) findings.set(part, unclear('decision-unusable', money));
    }
  }

  function personFinding(
    paid: readonly OpenReceivable[],
    money: readonly AccountEntry[],
    decision: Decision,
  ): Finding {
    const group = { receivables: [...paid], entries: [...money] };
    // Who has decided knew what was posted until the day before.
    const since = dateOf(local(Date.parse(decision.at)).day);
    const isOpen = ({ id }: AccountEntry) =>
      !keysOf.has(id) && !paid.some((receivable) => decided.isUnmatched(receivable, id));
    const back = undone(money, isOpen, since);
    if (back !== null) return unclear('taken-back', [...money, back]);
    const sums = sumsOf(group) ?? sumsByWord(paid, money);
    const match = matchOf(group, sums, ['person', 'person'], decision);
    return { kind: 'match', state: comparison(sums), match };
  }

  return { findings, entryIds: new Set(keysOf.keys()) };
}

/** Where nobody can tell the fee, a person's word is that it is what it should be, unless it is more than all of it. */
function sumsByWord(paid: readonly OpenReceivable[], money: readonly AccountEntry[]): Sums {
  const arrivedMinor = totalOf(money);
  const most = paid.reduce((sum, { grossMinor }) => sum + (grossMinor ?? Infinity), 0);
  return {
    expectedMinor: most > 0 ? Math.min(arrivedMinor, most) : arrivedMinor,
    arrivedMinor,
    toleranceMinor: 0,
  };
}
