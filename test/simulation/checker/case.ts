/** Everything about one run, joined for the rules. */
import type {
  AcknowledgedRecord,
  AnswerRecord,
  CloseRecord,
  CommandRecord,
  DecisionRecord,
  Evidence,
  FoundRecord,
  HandRecord,
  LookRecord,
  LossRecord,
  ResultRecord,
  SentRecord,
  StartRecord,
} from '../evidence.ts';
import {
  readJournal,
  readLedger,
  type Charge,
  type JournalContents,
  type JournalFact,
  type Ledger,
} from './sources.ts';

/** What says of one payment that it is not as it was called. */
export const contradictions = ['contradicted_outcome', 'late_result_refused'] as const;
/** What says that something was done at the terminal without the till, and whom it may concern. */
export const doneByOthers = [
  'unexplained_reversal',
  'unexplained_batch_close',
  'unseen_records',
  'changed_terminal',
  'batch_differs',
] as const;

export interface Case {
  evidence: Evidence;
  ledger: Ledger;
  journal: JournalContents;
  answers: AnswerRecord[];
  sent: SentRecord[];
  commands: CommandRecord[];
  starts: StartRecord[];
  closes: CloseRecord[];
  hands: HandRecord[];
  looks: LookRecord[];
  decisions: DecisionRecord[];
  founds: FoundRecord[];
  acknowledged: AcknowledgedRecord[];
  results: ResultRecord[];
  losses: LossRecord[];
  /** Each reference that anybody ever used. */
  references: string[];
  /** What the terminal took for this reference and did not give back at once. */
  chargesOf(reference: string): Charge[];
  /** Sales and voids of this reference, in the journal as it is and in those that were lost. */
  operationsOf(reference: string): Set<string>;
  /** Discrepancies of these kinds that name this reference or an operation of it. */
  namings(reference: string, kinds: readonly string[]): FoundRecord[];
  ended(operationId: string): JournalFact | null;
  /** A person took the word for this reference at last, and it was wrong. */
  wrongWord(reference: string): DecisionRecord | null;
}

export function makeCase(evidence: Evidence): Case {
  const { records } = evidence;
  const ledger = readLedger(evidence);
  const journal = readJournal(evidence.journalFile);
  const starts = records.filter((record) => record.kind === 'start');
  const answers = records.filter((record) => record.kind === 'answer');
  const commands = records.filter((record) => record.kind === 'command');
  const founds = records.filter((record) => record.kind === 'found');
  const operations = new Map<string, Set<string>>();
  const add = (reference: string | null, operationId: string | null) => {
    if (reference === null || operationId === null) return;
    const known = operations.get(reference) ?? new Set();
    known.add(operationId);
    operations.set(reference, known);
  };
  for (const start of starts) add(start.reference, start.operationId);
  for (const command of commands) add(command.reference, command.operationId);
  for (const { type, body } of journal.facts) {
    if (type !== 'operation_started' || typeof body['reference'] !== 'string') continue;
    add(body['reference'], String(body['operationId']));
  }
  const none: Set<string> = new Set();
  const operationsOf = (reference: string) => operations.get(reference) ?? none;
  const ends = new Map(
    journal.facts
      .filter(({ type }) => type === 'operation_ended')
      .map((fact) => [String(fact.body['operationId']), fact]),
  );
  const words = records.filter((record) => record.kind === 'decision');
  // Nobody was answered where the bridge was killed right behind the write: the last word for it is the one that counts.
  const decisions = words.map((word) => {
    const { operationId, taken } = word;
    const last = words.findLast((other) => other.operationId === operationId) === word;
    const byPerson = (ends.get(operationId)?.body['resolvedBy'] ?? null) !== null;
    // A terminal that shows no record, or only its text, shows nothing against it, either.
    const tooEarly = word.tooEarly && evidence.shows.shownRecord !== 'status';
    return { ...word, taken: taken || (last && byPerson), right: word.right && !tooEarly };
  });
  return {
    evidence,
    ledger,
    journal,
    answers,
    sent: records.filter((record) => record.kind === 'sent'),
    commands,
    starts,
    closes: records.filter((record) => record.kind === 'close'),
    hands: records.filter((record) => record.kind === 'hand'),
    looks: records.filter((record) => record.kind === 'look'),
    decisions,
    founds,
    acknowledged: records.filter((record) => record.kind === 'acknowledged'),
    results: records.filter((record) => record.kind === 'result'),
    losses: records.filter((record) => record.kind === 'loss'),
    references: [...operations.keys()],
    chargesOf: (reference) =>
      ledger.charges.filter(
        ({ command, autoReversed }) =>
          command?.what === 'sale' && command.reference === reference && !autoReversed,
      ),
    operationsOf,
    namings: (reference, kinds) =>
      founds.filter(
        (found) =>
          kinds.includes(found.what) &&
          (found.references.includes(reference) ||
            (found.operationId !== null && operationsOf(reference).has(found.operationId))),
      ),
    ended: (operationId) => ends.get(operationId) ?? null,
    wrongWord: (reference) =>
      decisions.findLast(
        ({ taken, right, operationId }) => taken && !right && operationsOf(reference).has(operationId),
      ) ?? null,
  };
}

/** Whose money the journal says the merchant has. */
export function claimOf(status: string): 'charged' | 'not_charged' | 'open' {
  if (status === 'approved' || status === 'settled') return 'charged';
  if (status === 'unknown' || status === 'voiding' || status === 'in_progress') return 'open';
  return 'not_charged';
}

/** The journal that came back may be from before this. */
export function isForgotten(run: Case, offset: number): boolean {
  return run.losses.some(({ ledgerBytes }) => offset < ledgerBytes);
}

export function settles(run: Case, operationId: string, reference: string): boolean {
  const settled = run.ended(operationId)?.body['settled'];
  const operations = run.operationsOf(reference);
  return Array.isArray(settled) && settled.some((one) => operations.has(String(one)));
}
