/**
 * The operation on the terminal: journaled, then given to the driver, and ended by what the driver answers. There is one
 * at a time. `terminal-runner.ts` knows when the terminal may be given one, `operation-machine.ts` what an answer means.
 */
import type { Clock } from '../../base/clock.ts';
import { refuse, type Refused } from '../../contract/errors.ts';
import type { OperationStarted, OperationTimes } from '../../contract/journal-events.ts';
import type { TerminalRecord } from '../../contract/terminal.ts';
import type { Log } from '../../log/index.ts';
import { type Journal, JournalWriteError } from '../journal/index.ts';
import type {
  NotInBatch,
  OperationAnswer,
  OperationWatch,
  TerminalDriver,
} from '../terminals/terminal-driver.ts';
import { batchToClose, settlementOf } from './batch.ts';
import type { Order } from './commands/decision.ts';
import { asJournalEvent, findingsBeforeClose, findingsOfRefusedResult } from './discrepancies.ts';
import { labelsOf, type JournalWriter } from './journal-writer.ts';
import { kindText, type Settlement } from './operation-machine.ts';
import type { Caller } from './payments-api.ts';
import type { RecordContinuity } from './record-continuity.ts';
import type { Recovery } from './recovery.ts';
import { terminalReferenceOf } from './terminal-reference.ts';
import type { TerminalRunner } from './terminal-runner.ts';

export interface OperationRunner {
  /** The operation on the terminal now. */
  readonly current: OperationStarted | null;
  /** Resolves when the one that was begun last has ended. */
  readonly ended: Promise<void>;
  /**
   * Journals the operation and claims the terminal for it, which has to be free; it is sent once the answers of this turn
   * are out. A refusal when nobody wants it any more, or when it could not be written: nothing was sent.
   */
  begin(operation: OperationStarted, order: Order, caller: Caller | undefined): Refused | null;
  /** Not one byte of it could be written. Known for a while after its end. */
  wasNeverSent(operationId: string): boolean;
}

export interface OperationRunnerParts {
  journal: Journal;
  writer: JournalWriter;
  terminal: Pick<TerminalRunner, 'begin'>;
  recordContinuity: Pick<RecordContinuity, 'noteRefusal'>;
  recovery: Pick<Recovery, 'nameUncovered'>;
  clock: Clock;
  log: Log;
  uuid: () => string;
  /** The terminal has answered; what that means is journaled next. */
  onAnswer(): void;
  /**
   * The operation is over, and its end is in the journal as far as it could be written. `awaited`: whoever asked for it
   * gets its answer now.
   */
  onEnd(awaited: boolean): void;
}

/** Who waits for an operation asks right after its end whether it was sent; so few are kept in mind. */
const maxNeverSent = 100;
/** A request that is older starts nothing any more: its caller has long given up, or the machine was asleep. */
const maxRequestAgeMs = 10_000;

export function createOperationRunner(parts: OperationRunnerParts): OperationRunner {
  const { journal, writer, clock, log } = parts;
  let current: OperationStarted | null = null;
  let ended: Promise<void> = Promise.resolve();
  let awaited = false;
  const neverSent = new Set<string>();
  /** How long the terminal took with the one that runs now, as far as it has told. */
  let times: OperationTimes | null = null;

  /** The last question before money may move: does anybody still want it? */
  function expired(caller: Caller | undefined): Refused | null {
    if (caller === undefined) return null;
    const old = isOld(caller);
    if (!old && !caller.gone()) return null;
    return refuse(
      'request_expired',
      old
        ? 'The request is more than 10 seconds old, so nothing was started. Ask again if it is still wanted.'
        : 'The caller has disconnected, so nothing was started.',
    );
  }

  function isOld({ arrivedAt: { nowMs, elapsedMs } }: Caller): boolean {
    return clock.now() - nowMs > maxRequestAgeMs || clock.elapsed() - elapsedMs > maxRequestAgeMs;
  }

  function begin(operation: OperationStarted, order: Order, caller: Caller | undefined): Refused | null {
    const refused = expired(caller);
    if (refused !== null) return refused;
    try {
      writer.begin(operation);
    } catch (error) {
      if (!(error instanceof JournalWriteError)) throw error;
      return refuse(
        'journal_unavailable',
        `The journal cannot be written, so nothing was sent to the terminal: ${error.message}`,
      );
    }
    current = operation;
    awaited = caller?.waits === true;
    times = null;
    const { operationId, kind } = operation;
    const end = Promise.withResolvers<void>();
    ended = end.promise;
    parts.terminal.begin({
      operationId,
      kind,
      answeredFirst: caller?.waits === false,
      tooOld: () => caller !== undefined && isOld(caller),
      carryOut: (driver) => carryOut(operation, order, driver).finally(end.resolve),
      withdraw(answer) {
        finish(operation, answer);
        end.resolve();
      },
    });
    return null;
  }

  async function carryOut(operation: OperationStarted, order: Order, driver: TerminalDriver): Promise<void> {
    log.debug(`the ${kindText(operation.kind)} has started`, {
      ...labelsOf(operation),
      operation: 'started',
    });
    let answer: OperationAnswer;
    try {
      answer = await order(driver, watchOf(operation));
    } catch (error) {
      log.error('a fault during an operation', { ...labelsOf(operation), err: error });
      answer = { kind: 'unknown', reason: 'An internal error interrupted it; see the log.' };
    }
    finish(operation, answer);
  }

  /** Has the log say how the operation ended, and the journal. */
  function finish(operation: OperationStarted, answer: OperationAnswer): void {
    const source = log.with(labelsOf(operation));
    source[answer.kind === 'unknown' ? 'warn' : 'info'](
      `the ${kindText(operation.kind)} ended: ${answer.kind}`,
      {
        operation: 'ended',
        reason: 'reason' in answer ? answer.reason : '',
      },
    );
    try {
      end(operation, answer);
    } catch (error) {
      // It stays open in the journal, and so is in doubt.
      source.error('a fault after an operation', { err: error });
    }
  }

  function watchOf(operation: OperationStarted): OperationWatch {
    const { operationId } = operation;
    return {
      persistResult: (record) => writer.apply(operationId, { kind: 'result', record, late: false }),
      resultRefused(record) {
        const found = findingsOfRefusedResult(operation, record);
        if (found.length > 0) writer.append(...found.map((finding) => asJournalEvent(finding, parts.uuid)));
      },
      notInBatch: (found) => writer.read(() => appendNotInBatch(operation, found), false),
      timed: (told) => (times = told),
      acknowledged: () => void writer.append({ type: 'result_acknowledged', operationId }),
    };
  }

  function appendNotInBatch(operation: OperationStarted, { undone, differing, untold }: NotInBatch): boolean {
    if (operation.kind !== 'batch_close') return false;
    const payments = new Map(
      batchToClose(journal).map((payment) => [terminalReferenceOf(journal, payment.transactionId), payment]),
    );
    const withPayments = (found: NotInBatch['undone']) =>
      found.flatMap(({ terminalReference, record }) => {
        const payment = payments.get(terminalReference);
        return payment === undefined ? [] : [{ payment, record }];
      });
    const findings = findingsBeforeClose(operation, {
      undone: withPayments(undone),
      differing: withPayments(differing),
      untold: untold.flatMap((terminalReference) => payments.get(terminalReference) ?? []),
    });
    return writer.append(...findings.map((finding) => asJournalEvent(finding, parts.uuid)));
  }

  function end({ operationId }: OperationStarted, answer: OperationAnswer): void {
    current = null;
    parts.onAnswer();
    if (answer.kind === 'not_started' && !answer.refusedByTerminal) noteNeverSent(operationId);
    if ('record' in answer && answer.kind !== 'done' && answer.record !== null) {
      const { record } = answer;
      writer.read(() => parts.recordContinuity.noteRefusal(record), undefined);
    }
    const settlement = answer.kind === 'done' ? settlementBy(operationId, answer.record) : null;
    // What cannot be written stays open in the journal, and so is in doubt.
    writer.apply(operationId, { kind: 'answer', answer, settlement, times: times ?? undefined });
    if (settlement !== null) parts.recovery.nameUncovered(operationId, settlement);
    parts.onEnd(awaited);
  }

  function settlementBy(operationId: string, record: TerminalRecord): Settlement | null {
    return writer.read(() => {
      const row = journal.operation(operationId);
      return row === null ? null : settlementOf(journal, row, record);
    }, null);
  }

  function noteNeverSent(operationId: string) {
    neverSent.add(operationId);
    const [oldest] = neverSent;
    if (neverSent.size > maxNeverSent && oldest !== undefined) neverSent.delete(oldest);
  }

  return {
    get current() {
      return current;
    },
    get ended() {
      return ended;
    },
    begin,
    wasNeverSent: (operationId) => neverSent.has(operationId),
  };
}
