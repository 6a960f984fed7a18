/** Rules about batches: what the terminal closed beside what the journal calls settled. */
import type { CloseRecord, Finding } from '../evidence.ts';
import { contradictions, doneByOthers, type Case } from './case.ts';
import { adoptedBy } from './by-hand.ts';
import type { Charge, JournalFact } from './sources.ts';

interface BatchBody {
  operationId: string;
  outcome: string;
  settled: string[];
  /** Null: nobody told. */
  batch: { count: number | null; totalMinor: number | null; reconciled: boolean } | null;
  resolvedBy: unknown;
}

/** What the end of a close says of its batch; null where it says nothing, and where it is no close. */
export function batchOf(end: JournalFact | null): BatchBody['batch'] {
  return (end?.body['batch'] as BatchBody['batch'] | undefined) ?? null;
}

export function checkBatches(run: Case): Finding[] {
  return run.journal.facts
    .filter(({ type }) => type === 'operation_ended')
    .flatMap((fact) => checkBatch(run, fact));
}

/** Somebody closed the day in the very place where ours would be: it is closed, and nothing tells the two apart. */
function closedByHand(run: Case, operationId: string): boolean {
  const from = placeOf(run, operationId, 'begun').order;
  const until = placeOf(run, operationId, 'closed').order;
  const before = run.commands.findLast(({ order }) => order < from)?.order ?? 0;
  return run.hands.some(({ what, order }) => what === 'batch_close' && order > before && order < until);
}

function placeOf(run: Case, operationId: string, step: CloseRecord['step']): CloseRecord {
  const place = run.closes.find((close) => close.step === step && close.operationId === operationId);
  if (place === undefined) throw new Error(`nobody saw how the close ${operationId} was ${step}`);
  return place;
}

/** The terminal had nothing to close when it got the command. */
function wasEmpty(run: Case, operationId: string): boolean {
  const command = run.commands.find((one) => one.operationId === operationId);
  // What never reached it did not find it empty.
  return command !== undefined && nothingStood(run, command);
}

/**
 * The close never reached the terminal. Where that shows what is in its batch, and not who closed the one before, a batch in which
 * nothing stands any more is closed: somebody has closed it by hand, or undone what was in it, and that is told of each payment.
 */
function wasEmptiedByHand(run: Case, operationId: string): boolean {
  const wasSent = run.commands.some((one) => one.operationId === operationId);
  return !run.evidence.shows.showsClose && !wasSent && nothingStood(run, placeOf(run, operationId, 'closed'));
}

/** At this place all that the terminal had taken was settled or reversed. */
function nothingStood(
  run: Case,
  { ledgerBytes: until, order }: Pick<CloseRecord, 'ledgerBytes' | 'order'>,
): boolean {
  // Another device has a batch of its own.
  const from = run.hands.findLast((hand) => hand.what === 'replacement' && hand.order < order)?.ledgerTo ?? 0;
  const isOver = (at: number | null) => at !== null && at < until;
  return run.ledger.charges.every(
    ({ offset, reversedAt, settledAt }) =>
      offset < from || offset >= until || isOver(reversedAt) || isOver(settledAt),
  );
}

/** A person called it closed, and it was not. */
function wronglyClosed(run: Case, operationId: string): boolean {
  return run.decisions.some(
    (decision) => decision.taken && !decision.right && decision.operationId === operationId,
  );
}

function checkBatch(run: Case, { body }: JournalFact): Finding[] {
  const { operationId, outcome, settled, batch, resolvedBy } = body as unknown as BatchBody;
  const findings: Finding[] = [];
  const say = (rule: string, text: string) =>
    findings.push({ rule, text: `batch ${operationId.slice(-6)}: ${text}` });
  const named = run.founds.some((found) => found.operationId === operationId);
  const closed = run.ledger.settlements.find(({ command }) => command?.operationId === operationId);
  if (outcome === 'not_closed' && closed !== undefined && resolvedBy === null && !named)
    say(
      'what is closed at the terminal is called so',
      'called not closed, and the ledger has its end of day',
    );
  if (outcome !== 'closed' || batch === null) return findings;
  if (closed === undefined && resolvedBy === null && !named) {
    if (!closedByHand(run, operationId) && !wasEmpty(run, operationId) && !wasEmptiedByHand(run, operationId))
      say('what is closed is closed at the terminal', 'no end of day in the ledger');
  }
  const ours = [...run.journal.payments.values()].filter((payment) => settled.includes(payment.operationId));
  for (const { reference } of ours) {
    // One that a lost journal had forgotten may be in an earlier batch.
    const standing = run.chargesOf(reference).filter(({ reversedAt }) => reversedAt === null);
    const told = run.namings(reference, [...contradictions, ...doneByOthers]).length > 0;
    if (told || run.wrongWord(reference) !== null || wronglyClosed(run, operationId)) continue;
    // Neither a person's word nor an empty batch tells which of two closed days holds it; it is in one of them by now.
    const untold = closed === undefined || resolvedBy !== null || batch.totalMinor === null;
    const until = placeOf(run, operationId, 'closed').ledgerBytes;
    const holds = ({ settledAt }: Charge) =>
      settledAt !== null && (settledAt === closed?.offset || (untold && settledAt < until));
    if (standing.length > 0 && !standing.some(holds))
      say('what is settled is in that batch', `${reference} is in another one`);
  }
  if (closed === undefined) return findings;
  if (!run.evidence.shows.dayHasTotals) return findings;
  const { count: toldCount, totalMinor: toldMinor } = batch;
  const isTotal =
    (toldCount === null || toldCount === closed.count) &&
    (toldMinor === null || toldMinor === closed.totalMinor);
  // A part of the terminal's answer may be lost without a trace (it has more than one host): then the rest is named as a difference.
  if (!isTotal && resolvedBy === null && !named) {
    const text = `told ${toldCount ?? '?'} of ${toldMinor ?? '?'}, closed ${closed.count} of ${closed.totalMinor}`;
    say('the totals of a batch are those of the terminal', text);
  }
  const oursMinor = ours.reduce((sum, { reference, amountMinor }) => {
    // A lost journal had forgotten the reference, and it was used again: then it has more than one charge.
    const charges = run.chargesOf(reference);
    const charge = charges.find(({ settledAt }) => settledAt === closed.offset) ?? charges[0];
    const adopted = run.ledger.charges.find((one) => one.byHand !== null && adoptedBy(run, reference, one));
    return sum + (charge?.amountMinor ?? adopted?.amountMinor ?? amountMinor);
  }, 0);
  const hasItsOwn = (reference: string) =>
    run.chargesOf(reference).some(({ settledAt }) => settledAt === closed.offset);
  // What people paid by hand is in the terminal's totals, and in the journal's where the bridge has seen it.
  const byHand = run.ledger.charges.filter(
    (charge) =>
      charge.settledAt === closed.offset &&
      charge.byHand !== null &&
      charge.reversedAt === null &&
      isTold(run, charge) &&
      !ours.some(({ reference }) => !hasItsOwn(reference) && adoptedBy(run, reference, charge)),
  );
  const count = ours.length + byHand.length;
  const totalMinor = byHand.reduce((sum, { amountMinor }) => sum + amountMinor, oursMinor);
  const oursAgree = ours.length === closed.count && oursMinor === closed.totalMinor;
  // A payment that a person called charged has no receipt number, so nothing says that it is settled; it counts all the same.
  const unnumbered = [...run.journal.payments.values()]
    .filter(({ operationId: id, status }) => status === 'approved' && run.ended(id)?.body['result'] == null)
    .flatMap(({ reference }) => run.chargesOf(reference))
    .filter(({ settledAt, reversedAt }) => settledAt === closed.offset && reversedAt === null)
    .map(({ amountMinor }) => amountMinor);
  // What was reversed by hand, and told as a reversal of nobody knows which payment, is not in the terminal's totals.
  const undone = ours
    .flatMap(({ reference }) => run.chargesOf(reference))
    .filter(
      (charge) => charge.reversedAt !== null && charge.reversedBy === null && isReversalTold(run, charge),
    );
  const left = undone.reduce((sum, { amountMinor }) => sum - amountMinor, totalMinor);
  const agreesWith = (more: number[]) =>
    count - undone.length + more.length === closed.count &&
    more.reduce((sum, amountMinor) => sum + amountMinor, left) === closed.totalMinor;
  const words = wronglyCharged(run, operationId);
  // A payment that a lost journal has forgotten is like one by hand.
  const forgotten = run.ledger.charges
    .filter(
      (charge) =>
        charge.byHand === null &&
        charge.settledAt === closed.offset &&
        charge.reversedAt === null &&
        isTold(run, charge) &&
        !ours.some(({ reference }) => run.chargesOf(reference).includes(charge)),
    )
    .map(({ amountMinor }) => amountMinor);
  const more = [[], unnumbered, words, [...unnumbered, ...words]];
  const agree = oursAgree || [...more, ...more.map((some) => [...some, ...forgotten])].some(agreesWith);
  // A close that was lost and shows only in its effect has no totals.
  const compared = batch.reconciled || (resolvedBy === null && batch.totalMinor !== null);
  if (compared && !agree && !named) {
    const how = batch.reconciled ? 'reconciled' : 'not told';
    const text = `${how} with ${count} of ${totalMinor}, the terminal closed ${closed.count} of ${closed.totalMinor}`;
    say('batch totals agree or are named', text);
  }
  const expected = expectedOf(run, operationId);
  const asExpected =
    expected?.count === closed.count &&
    expected.totalMinor === closed.totalMinor &&
    !run.hands.some(({ what }) => what === 'payment' || what === 'refund');
  // A person's word has no totals that could agree, and neither has a close that was lost and shows only in its effect.
  const isWhole = run.losses.length === 0 && resolvedBy === null && batch.totalMinor !== null;
  if (!batch.reconciled && asExpected && isWhole)
    say('only what differs is called a difference', `${closed.count} of ${closed.totalMinor} on both sides`);
  return findings;
}

/** What a person wrongly called charged since the close before; a payment by hand of just that much looks the same. */
function wronglyCharged(run: Case, close: string): number[] {
  const ends = run.journal.facts.filter(({ type }) => type === 'operation_ended');
  const at = ends.findIndex(({ body }) => body['operationId'] === close);
  const from = ends.slice(0, at).findLastIndex(({ body }) => body['outcome'] === 'closed');
  const since = new Set(ends.slice(from + 1, at).map(({ body }) => body['operationId']));
  return [...run.journal.payments.values()]
    .filter(({ operationId, status }) => status === 'approved' && since.has(operationId))
    .filter(({ operationId }) => run.ended(operationId)?.body['result'] == null)
    .filter(({ reference }) => run.wrongWord(reference) !== null && run.chargesOf(reference).length === 0)
    .map(({ amountMinor }) => amountMinor);
}

/** What the bridge has said of a payment by hand: then its totals count it, too. It may be taken for one of ours with a tip. */
function isTold(run: Case, { amountMinor }: Charge): boolean {
  const most = (asked: number) => Math.floor((asked * (100 + run.evidence.maxTipPercent)) / 100);
  return run.founds.some(
    ({ what, amountMinor: told }) =>
      (what === 'unexplained_payment' && told === amountMinor) ||
      (what === 'contradicted_outcome' && told !== null && amountMinor >= told && amountMinor <= most(told)),
  );
}

function isReversalTold(run: Case, { amountMinor }: Charge): boolean {
  return run.founds.some(
    ({ what, references, amountMinor: told }) =>
      what === 'unexplained_reversal' && references.length === 0 && told === amountMinor,
  );
}

/** What the journal said it expected, when it began to close. */
function expectedOf(run: Case, operationId: string): { count: number; totalMinor: number } | null {
  const started = run.journal.facts.find(
    ({ type, body }) => type === 'operation_started' && body['operationId'] === operationId,
  );
  return (started?.body['expected'] as { count: number; totalMinor: number } | undefined) ?? null;
}
