/** Rules about what a bridge may do at all, and about coming to an end. */
import type { CommandRecord, DecisionRecord, Finding, FoundRecord, StartRecord } from '../evidence.ts';
import type { Case } from './case.ts';

export function checkConduct(run: Case): Finding[] {
  const findings: Finding[] = [];
  for (const record of run.evidence.records) {
    if (record.kind === 'misdeed') findings.push({ rule: 'no bridge does that', text: record.text });
    if (
      record.kind === 'command' &&
      !record.owed &&
      !isSaidOtherwise(run, record) &&
      !isDoubled(run, record)
    ) {
      const { what, operationId, atMs } = record;
      findings.push(
        operationId === null
          ? { rule: 'nothing is sent before it is in the journal', text: `a ${what} for no operation` }
          : {
              rule: 'an operation is sent once, and not after its end',
              text: `a ${what} once more at ${atMs} ms`,
            },
      );
    }
    if (record.kind === 'decision' && record.taken && isAtWorkOnIt(run, record)) {
      const text = `${record.reference ?? 'the batch'} was decided at ${record.atMs} ms`;
      findings.push({ rule: 'nobody decides while the terminal is at work', text });
    }
    if (record.kind === 'start' && !record.wanted) {
      const text = `${record.reference} started at ${record.atMs} ms, and nobody was waiting for it any more`;
      findings.push({ rule: 'nothing starts that nobody waits for', text });
    }
    if (record.kind === 'calm') {
      if (!record.ready) findings.push({ rule: 'a terminal that works becomes ready', text: record.text });
      else if (record.doubts > 0 || run.journal.openOperations.length > 0)
        findings.push({ rule: 'each doubt ends', text: `${record.doubts} left: ${record.text}` });
    }
  }
  for (const loss of run.losses) {
    const isTold = run.founds.some(({ what, order }) => what === 'journal_loss' && order > loss.order);
    if (loss.what === 'repaired' && !isTold)
      findings.push({ rule: 'what a journal has lost is told', text: `repaired at ${loss.atMs} ms` });
  }
  return [
    ...findings,
    ...run.starts.flatMap((start) => checkHold(run, start)),
    ...run.founds.flatMap((found) => checkSelf(run, found)),
  ];
}

/** The terminal had refused the command for one of its fields, and done nothing. */
function isSaidOtherwise(run: Case, { order, operationId, ledgerBytes }: CommandRecord): boolean {
  const before = run.commands.findLast((command) => command.order < order);
  if (!run.evidence.shows.refusesFields || operationId === null) return false;
  return before?.operationId === operationId && before.ledgerBytes === ledgerBytes;
}

/** What it has been given since is no reason to wait: that is how an older doubt comes back with a journal that was put back. */
function isAtWorkOnIt(
  run: Case,
  { order, operationId, terminalAtWork, terminalUnreachable }: DecisionRecord,
) {
  const last = run.commands.findLast((command) => command.order < order);
  return terminalAtWork && !terminalUnreachable && (last === undefined || last.operationId === operationId);
}

/** The cable or network has brought it twice, and the terminal did not know it again: it was started anew, or has no number for it. */
function isDoubled(run: Case, { order, operationId }: CommandRecord): boolean {
  const [before, earlier] = run.commands
    .filter((command) => command.order < order)
    .slice(-2)
    .toReversed();
  if (operationId === null || before?.operationId !== operationId) return false;
  const since = earlier?.order ?? 0;
  return run.evidence.records.some(
    (record) => record.kind === 'resent' && record.order > since && record.order < before.order,
  );
}

/** That an operation was called by the wrong name is a person's doing, or that of a terminal which forgets. */
function checkSelf(run: Case, { what, operationId, era, order }: FoundRecord): Finding[] {
  if (what !== 'contradicted_outcome' || operationId === null || era > 0) return [];
  if (run.evidence.shows.afterPowerLoss !== 'last_record') return [];
  const ended = run.ended(operationId);
  if (ended === null || ended.body['resolvedBy'] !== null) return [];
  // What somebody did by hand may stand where the payment would be.
  const mine = run.commands.findIndex((command) => command.operationId === operationId);
  const before = mine <= 0 ? 0 : (run.commands[mine - 1]?.order ?? 0);
  if (run.hands.some((hand) => hand.order > before && hand.order < order)) return [];
  const text = `${operationId.slice(-6)} was called ${String(ended.body['outcome'])}: ${String(ended.body['reason'])}`;
  return [{ rule: 'the bridge does not contradict itself', text }];
}

/** Of its amount. What a lost journal has forgotten may have been any. */
const holding = ['unexplained_payment', 'contradicted_outcome'];

/** Somebody may have paid already what is about to be charged: nobody charges it before a person has looked. */
function checkHold(run: Case, start: StartRecord): Finding[] {
  const held = run.founds.filter(
    (found) =>
      (found.what === 'journal_loss' ||
        (holding.includes(found.what) && found.amountMinor === start.amountMinor)) &&
      found.order < start.order &&
      found.era === start.era &&
      !run.acknowledged.some(
        ({ discrepancyId, order }) => discrepancyId === found.discrepancyId && order < start.order,
      ),
  );
  return held.map(({ what }) => ({
    rule: 'what may have been paid already is held back',
    text: `${start.reference} started while ${what.replace('_', ' ')} of ${start.amountMinor} was open`,
  }));
}
