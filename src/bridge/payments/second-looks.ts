/**
 * What was decided without the terminal's own result is held against the terminal once more. One that shows its last record
 * contradicts by that; one that keeps operations under numbers of ours says nothing unless it is asked, so it is asked again:
 * as soon as it is idle, and some minutes later, because what was on its way to it may have arrived only then.
 */
import type { Clock } from '../../base/clock.ts';
import type { DiscrepancyKind } from '../../contract/discrepancy.ts';
import type { JournalEvent } from '../../contract/journal-events.ts';
import type { LastRecord } from '../../contract/terminal.ts';
import type { Journal, OperationRow, PaymentRow } from '../journal/index.ts';
import type { LookUp, ReconciliationResult, TerminalProtocol } from '../terminals/terminal-driver.ts';
import { about, asJournalEvent, type Finding } from './discrepancies.ts';
import * as messages from './discrepancy-messages.ts';
import type { EndedOperation, History } from './history.ts';
import { isDone } from './operation-machine.ts';
import { isOfProtocol } from './record-matching.ts';

/** How long after the first look on a connection the second one comes, in milliseconds. */
const secondLookMs = 5 * 60_000;
/** Of each decision: a line may come and go. */
const maxLooks = 20;
/** What was decided longer ago is not asked about any more, also after a restart, in milliseconds. */
const maxAgeMs = 24 * 60 * 60_000;

const toldKinds: ReadonlySet<DiscrepancyKind> = new Set(['contradicted_outcome', 'late_result_refused']);

export interface SecondLooks {
  /**
   * The operation that the terminal is to be asked about now, or null. One at a time: that a terminal has nothing of it may count
   * only at the second of two looks, and a driver remembers the first.
   */
  due(): OperationRow | null;
  /** What comes may be another terminal, or the one that was meant. */
  connectionLost(): void;
  /** What the terminal says of one of them, and what that proves. False: it could not be written. */
  looked(
    operationId: string,
    lookUp: LookUp,
    reconcile: (row: OperationRow, shown: LastRecord) => ReconciliationResult,
  ): boolean;
}

export function createSecondLooks(parts: {
  journal: Journal;
  protocol: Pick<TerminalProtocol, 'name'>;
  history: Pick<History, 'ended'>;
  clock: Clock;
  uuid: () => string;
  append(...events: JournalEvent[]): boolean;
}): SecondLooks {
  const { journal, protocol, history, clock, uuid, append } = parts;
  /** By the operation's id: how many are left, and when the next one comes by the clock, with another after it or not. */
  const looks = new Map<string, { left: number; nextMs: number; again: boolean }>();

  function isDue(ended: EndedOperation): boolean {
    const { kind } = ended.operation;
    // A batch that was closed is not kept under a number.
    if (kind === 'batch_close' || ended.operation.terminalReference === undefined) return false;
    if (!isOfProtocol(ended.operation, protocol)) return false;
    if (!isInQuestion(ended)) return false;
    // Somebody has been told.
    if (ended.discrepancies.some((kind) => toldKinds.has(kind))) return false;
    const { left, nextMs } = looksAt(ended);
    return left > 0 && clock.elapsed() >= nextMs;
  }

  function looksAt({ operation, byPerson }: EndedOperation) {
    const known = looks.get(operation.operationId);
    if (known !== undefined) return known;
    // Where the terminal itself decided it, that was the first look.
    const begun = {
      left: maxLooks,
      nextMs: clock.elapsed() + (byPerson ? 0 : secondLookMs),
      again: byPerson,
    };
    looks.set(operation.operationId, begun);
    return begun;
  }

  /** Nothing has happened to its payment since: what the terminal says is about the decision. */
  function stands({ endedAt }: OperationRow, payment: PaymentRow | null): boolean {
    if (endedAt === null || clock.now() - Date.parse(endedAt) > maxAgeMs) return false;
    return payment !== null && payment.updatedAt <= endedAt;
  }

  const paymentOf = ({ paymentId }: OperationRow) => (paymentId === null ? null : journal.payment(paymentId));

  return {
    due() {
      const ended = history.ended();
      const ids = new Set(ended.map(({ operation }) => operation.operationId));
      for (const id of looks.keys()) if (!ids.has(id)) looks.delete(id);
      const rows = ended.filter(isDue).map(({ operation }) => journal.operation(operation.operationId));
      return rows.find((row) => row !== null && stands(row, paymentOf(row))) ?? null;
    },
    connectionLost() {
      const nextMs = clock.elapsed();
      for (const [operationId, { left }] of looks) looks.set(operationId, { left, nextMs, again: true });
    },
    looked(operationId, lookUp, reconcile) {
      const ended = history.ended().find(({ operation }) => operation.operationId === operationId);
      const row = journal.operation(operationId);
      if (ended === undefined || row === null) return true;
      const { left, nextMs: dueMs, again } = looksAt(ended);
      // It is still at it, or wants a second look itself: the next poll asks again.
      if (lookUp.kind === 'pending') {
        looks.set(operationId, { left: left - 1, nextMs: dueMs, again });
        return true;
      }
      // What was closed since, here or on another terminal, is not in the batch any more.
      const isInBatch = paymentOf(row)?.epoch === journal.terminalState().epoch;
      const finding = findingOf(ended, reconcile(row, lookUp), isInBatch);
      // What could not be written is looked for once more, so that somebody is told.
      if (finding !== null && !append(asJournalEvent(finding, uuid))) return false;
      const nextMs = again ? clock.elapsed() + secondLookMs : Infinity;
      looks.set(operationId, { left: left - 1, nextMs, again: false });
      return true;
    },
  };
}

/** A person decided it, or what the terminal said, or did not say, when it was asked: its own result has not told. */
function isInQuestion({ byPerson, shown, outcome, result }: EndedOperation): boolean {
  if (byPerson) return true;
  return !isDone(outcome) && (shown !== null || (result === null && outcome !== 'declined'));
}

function findingOf(
  { operation, outcome, byPerson }: EndedOperation,
  said: ReconciliationResult,
  isInBatch: boolean,
): Finding | null {
  if (said.kind === 'done' && !isDone(outcome)) {
    const message = messages.contradicted(operation, outcome, said.record);
    return { ...about('contradicted_outcome', operation, said.record), message };
  }
  if (said.kind === 'not_done' && isDone(outcome) && byPerson && isInBatch)
    return {
      ...about('contradicted_outcome', operation, null),
      message: messages.notKnown(operation, outcome),
    };
  return null;
}
