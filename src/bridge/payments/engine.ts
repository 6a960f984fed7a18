/**
 * The payments room: takes commands, keeps the laws of money, and lets the terminal keeper and the journal do the
 * rest. Everything between looking a reference up and journaling `operation_started` is synchronous, which is what
 * makes "at most one sale per reference" hold for requests that race.
 */
import { v7 as uuidv7 } from 'uuid';
import { refuse, type Answer, type Refusal } from '../../contract/errors.ts';
import type { OperationStarted } from '../../contract/journal-events.ts';
import type { Currency } from '../../contract/money.ts';
import { isDecided } from '../../contract/operation.ts';
import type { Clock } from '../../contract/clock.ts';
import type { ProgressStep, TerminalIdentity, TerminalRecord } from '../../contract/terminal.ts';
import { JournalWriteError, type Journal, type OperationRow, type PaymentRow } from '../journal/journal.ts';
import type { Log } from '../log/log.ts';
import type { OperationAnswer, OperationWatch } from '../terminals/terminal-driver.ts';
import { acknowledge, isOpen, maxListedDiscrepancies } from './acknowledge.ts';
import { batchCommand } from './batch-command.ts';
import { cancelCommand, createCommand, voidCommand } from './payment-commands.ts';
import type { CommandContext } from './command-context.ts';
import { createJournalWriter } from './journal-writer.ts';
import { createLineage } from './lineage.ts';
import type { Settlement } from './machine.ts';
import { settlementOf } from './operations.ts';
import type { Happening, PaymentsApi, PaymentsStatus, TerminalStatus } from './payments-api.ts';
import { moneyState } from './money-state.ts';
import { createRecovery } from './recovery.ts';
import { createResolver, doubtRows } from './resolve.ts';
import {
  createTerminalKeeper,
  defaultKeeperSettings,
  type KeeperSettings,
  type KeeperWorld,
} from './terminal-keeper.ts';
import { createWaiters } from './waiters.ts';

export interface PaymentsOptions {
  journal: Journal;
  world: KeeperWorld;
  clock: Clock;
  log: Log;
  currency: Currency;
  makeReferences: boolean;
  simulated: boolean;
  keeper: { heartbeatMs: number } & Partial<KeeperSettings>;
  /** How long a stop waits for the operation in hand, in milliseconds. */
  stopTimeoutMs: number;
}

export interface Payments extends PaymentsApi {
  /** Marks what an earlier run left open as in doubt, and begins to connect. Nothing that moves money is sent. */
  start(): void;
  stop(): Promise<void>;
}

/** Who waits for an operation asks right after its end whether it was sent; so few are kept in mind. */
const maxNeverSent = 100;

export function createPayments(options: PaymentsOptions): Payments {
  const { journal, clock, log } = options;
  let inHand: OperationStarted | null = null;
  let handEnded: Promise<void> = Promise.resolve();
  let stopping = false;
  let progress: { text: string; step: ProgressStep } | null = null;
  const neverSent = new Set<string>();
  const listeners = new Set<(happening: Happening) => void>();
  const waiters = createWaiters(clock);

  journal.subscribe((stored) => {
    const { event } = stored;
    const payment =
      'operationId' in event && event.operationId !== null ? paymentOfEvent(event.operationId) : null;
    tell({ kind: 'fact', stored, payment });
    writer.read(() => waiters.check(), undefined);
  });

  function paymentOfEvent(operationId: string) {
    return writer.read(() => paymentOfOperation(operationId), null);
  }

  function noteNeverSent(operationId: string) {
    neverSent.add(operationId);
    const [oldest] = neverSent;
    if (neverSent.size > maxNeverSent && oldest !== undefined) neverSent.delete(oldest);
  }

  function tell(happening: Happening) {
    for (const listener of listeners) {
      try {
        listener(happening);
      } catch (error) {
        log.error('a subscriber failed', { error });
      }
    }
  }

  function paymentOfOperation(operationId: string) {
    const paymentId = journal.operation(operationId)?.paymentId ?? null;
    return paymentId === null ? null : journal.payment(paymentId);
  }

  const lineage = createLineage(journal, options.world.protocol);
  const writer = createJournalWriter(
    journal,
    log,
    (current) => lineage.of(current),
    () => keeper.kick(),
  );
  const { apply, append } = writer;
  /** Kept beside the journal, so that nothing on the way of a payment has to read it. */
  let terminal = journal.terminalState().terminal;

  const doubts = () => doubtRows(journal, inHand?.operationId ?? null);
  const recovery = createRecovery({
    journal,
    protocol: options.world.protocol,
    lineage,
    log,
    apply,
    append,
    doubts,
  });

  const keeper = createTerminalKeeper(
    options.world,
    { ...defaultKeeperSettings, ...options.keeper },
    {
      progress(text, step) {
        progress = { text, step };
        tellTerminal();
      },
      lateResult: (record) => writer.read(() => recovery.lateResult(record), false),
      traits: (terminalId) => new Set(knowledgeOf(terminalId).traits),
      learned(terminalId, trait, explanation) {
        if (knowledgeOf(terminalId).traits.includes(trait)) return;
        log.warn(explanation, { terminal_id: terminalId, trait });
        append({ type: 'terminal_trait_learned', terminal: identityOf(terminalId), trait, explanation });
      },
      observed(identity, lastRecord, fitness) {
        terminal = identity;
        if (writer.trouble !== null) recovery.announceAgain();
        return writer.read(() => recovery.observed(identity, lastRecord, fitness), 'again');
      },
      connectionLost: (reason) => recovery.connectionLost(reason),
      inDoubt: () => writer.read(() => doubts().length > 0, true),
      stateChanged: tellTerminal,
    },
  );

  function identityOf(terminalId: string | null): TerminalIdentity {
    return { protocol: options.world.protocol.name, terminalId };
  }

  function knowledgeOf(terminalId: string | null) {
    const nothing = { showsRecords: false, traits: [] };
    return writer.read(() => journal.terminalKnowledge(identityOf(terminalId)), nothing);
  }

  function tellTerminal() {
    tell({ kind: 'terminal', terminal: terminalStatus() });
  }

  function terminalStatus(): TerminalStatus {
    return {
      connection: keeper.connection,
      text: keeper.text,
      line: options.world.lineName,
      terminal,
      simulated: options.simulated,
      progress: progress?.text ?? null,
      progressStep: progress?.step ?? null,
    };
  }

  function watchOf(operationId: string): OperationWatch {
    return {
      persistResult: (record: TerminalRecord) => apply(operationId, { kind: 'result', record, late: false }),
      acknowledged: () => void append({ type: 'result_acknowledged', operationId }),
    };
  }

  async function carryOut(
    operation: OperationStarted,
    call: (watch: OperationWatch) => Promise<OperationAnswer>,
  ): Promise<void> {
    const { operationId } = operation;
    const source = log.with(labelsOf(operation));
    let answer: OperationAnswer;
    try {
      answer = await call(watchOf(operationId));
    } catch (error) {
      source.error('a fault during an operation', { error });
      answer = { kind: 'unknown', reason: 'A fault in the bridge interrupted it; the log has it.' };
    }
    source.info(`the ${nameOf(operation)} ended: ${answer.kind}`, {
      operation: 'ended',
      reason: 'reason' in answer ? answer.reason : '',
    });
    if (answer.kind === 'not_started' && !answer.refusedByTerminal) noteNeverSent(operationId);
    inHand = null;
    progress = null;
    if ('record' in answer && answer.kind !== 'done' && answer.record !== null)
      lineage.noteRefusal(answer.record);
    const done = answer.kind === 'done' ? settlementBy(operationId, answer.record) : null;
    // What cannot be written stays open in the journal, and so is in doubt.
    apply(operationId, { kind: 'answer', answer, settlement: done });
    if (done !== null) recovery.nameUncovered(operationId, done);

    writer.read(() => waiters.check(), undefined);
  }

  function settlementBy(operationId: string, record: TerminalRecord): Settlement | null {
    return writer.read(() => {
      const row = journal.operation(operationId);
      return row === null ? null : settlementOf(journal, row, record);
    }, null);
  }

  const context: CommandContext = {
    journal,
    clock,
    currency: options.currency,
    makeReferences: options.makeReferences,
    claim(purpose) {
      const open = doubts()[0];
      if (open !== undefined) return refuse('payment_unresolved', unresolvedText(open));
      if (stopping)
        return refuse('terminal_unavailable', 'The bridge is stopping. Start it again and then repeat.');
      const claim = keeper.tryClaim(purpose);
      // The operation has ended and was journaled; the terminal is free once its last record has been read.
      if (claim.kind === 'busy' && inHand === null) return { kind: 'housekeeping' };
      if (claim.kind === 'busy') return refuse('terminal_busy', busyText(inHand));
      if (claim.kind === 'unavailable' && writer.trouble !== null) return unusable(writer.trouble);
      if (claim.kind === 'unavailable') return refuse('terminal_unavailable', claim.text);
      return claim;
    },
    settled: (timeoutMs) => keeper.settled(timeoutMs),
    begin(claim, operation, call) {
      writer.begin(operation);
      inHand = operation;
      log.debug(`the ${nameOf(operation)} has started`, { ...labelsOf(operation), operation: 'started' });
      handEnded = claim
        .run((driver) => carryOut(operation, (watch) => call(driver, watch)))
        .catch((error: unknown) => log.error('a fault after an operation', { error }));
    },
    newOperation() {
      const state = journal.terminalState();
      if (state.terminal === null) throw new Error('a ready terminal has no identity');
      return {
        operationId: uuidv7(),
        terminal: state.terminal,
        baseline: state.lastRecord,
        simulated: options.simulated,
      };
    },
    inHand: () => inHand,
    async waitForEnd(operationId, waitMs) {
      const row = () => {
        const found = journal.operation(operationId);
        if (found === null) throw new Error(`operation ${operationId} is not in the journal`);
        return found;
      };
      const settledRow = () => (row().phase === 'ended' || row().needsPerson ? row() : null);
      return (await waiters.wait(settledRow, waitMs)) ?? row();
    },
    wasNeverSent: (operationId) => neverSent.has(operationId),
    requestCancel(operation) {
      const { operationId } = operation;
      // A wish to stop is worth keeping, but a journal that cannot be written must not keep the cashier from stopping.
      if (journal.operation(operationId)?.cancelRequested === false)
        append({ type: 'cancel_requested', operationId });
      keeper.cancel();
    },
  };

  function queryPayment(reference: string): Answer<PaymentRow> {
    return writer.read<Answer<PaymentRow>>(() => {
      const payment = journal.paymentByReference(reference);
      if (payment === null) return refuse('payment_not_found', `There is no payment ${reference}.`);
      return { ok: true, value: payment };
    }, unreadable);
  }

  const resolver = createResolver(journal, () => inHand?.operationId ?? null);

  return {
    createPayment: (request) => answered(() => createCommand(context, request)),
    cancelPayment: (reference) => answered(() => cancelCommand(context, reference)),
    voidPayment: (reference, waitMs) => answered(() => voidCommand(context, reference, waitMs)),
    submitBatch: (waitMs) => answered(() => batchCommand(context, waitMs)),
    // Nothing is being admitted out of sight yet.
    admission: () => null,
    queryPayment,
    async waitUntilDecided(reference, waitMs, signal) {
      const decided = () => {
        const answer = queryPayment(reference);
        return !answer.ok || isDecided(answer.value.status) ? answer : null;
      };
      return (await waiters.wait(decided, waitMs, signal)) ?? queryPayment(reference);
    },
    paymentState: (command, reference) =>
      writer.read(() => moneyState(journal, command, reference), 'unknown' as const),
    doubts: () => writer.read(() => resolver.doubts(), []),
    discrepancies: () => writer.read(() => journal.openDiscrepancies(maxListedDiscrepancies), []),
    discrepancyOf: (reference) =>
      writer.read(() => journal.discrepanciesOf(reference).findLast(isOpen) ?? null, null),
    acknowledge(request) {
      const answer = writer.read(() => acknowledge(journal, request), unreadable);
      if (answer.ok) {
        const { discrepancyId, by, reason } = request;
        log.warn('a discrepancy was acknowledged', { discrepancy_id: discrepancyId, by, reason });
      }
      return answer;
    },
    resolve(request) {
      const answer = writer.read<ReturnType<PaymentsApi['resolve']>>(
        () => resolver.resolve(request),
        unreadable,
      );
      if (answer.ok) {
        const { operationId, ...decision } = request;
        const { reference } = answer.value;
        log.warn('an operation was decided by hand', {
          operation_id: operationId,
          ...(reference === null ? {} : { reference }),
          ...decision,
        });
        keeper.kick();
      }
      return answer;
    },
    status(): PaymentsStatus {
      const hand = inHand;
      return {
        terminal: terminalStatus(),
        journal: {
          writable: writer.trouble === null,
          text: writer.trouble ?? 'The journal is in order.',
        },
        inDoubt: writer.read(() => doubts().length, 0),
        discrepancies: writer.read(() => journal.openDiscrepancyCount(), 0),
        inHand:
          hand === null
            ? null
            : {
                operationId: hand.operationId,
                kind: hand.kind,
                reference: hand.kind === 'batch_close' ? null : hand.reference,
              },
      };
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    eventsAfter: (seq, limit) => journal.eventsAfter(seq, limit),
    lastSeq: () => journal.lastSeq(),
    paymentOfOperation,
    start() {
      for (const row of doubts()) {
        if (row.phase === 'in_doubt') continue;
        log.warn(`a ${nameOf(row.started)} of an earlier run is in doubt`, labelsOf(row.started));
        apply(row.operationId, {
          kind: 'interrupted',
          reason: 'The bridge stopped before the operation had ended.',
        });
      }
      keeper.start();
    },
    async stop() {
      stopping = true;
      let cancelTimer = () => {};
      const timeout = new Promise<void>((resolve) => {
        cancelTimer = clock.after(options.stopTimeoutMs, resolve);
      });
      await Promise.race([handEnded, timeout]);
      cancelTimer();
      await keeper.stop();
      await handEnded;
      waiters.releaseAll();
    },
  };
}

/** What ties a line of the log to an operation. */
function labelsOf(operation: OperationStarted) {
  const { operationId } = operation;
  return operation.kind === 'batch_close'
    ? { operation_id: operationId }
    : { operation_id: operationId, reference: operation.reference };
}

function nameOf(operation: OperationStarted): string {
  return operation.kind.replace('_', ' ');
}

/** A command's answer; a journal that fails on the way is one, too. */
async function answered<T>(command: () => Promise<Answer<T>>): Promise<Answer<T>> {
  try {
    return await command();
  } catch (error) {
    if (error instanceof JournalWriteError) return unusable(error.message);
    throw error;
  }
}

const unreadable = unusable('it cannot be read.');

function unusable(trouble: string): Refusal {
  return refuse(
    'journal_unavailable',
    `The journal cannot be used, so nobody can tell about payments now: ${trouble}`,
  );
}

function busyText(inHand: OperationStarted | null): string {
  if (inHand === null) return 'The terminal is busy. Try again in a moment.';
  if (inHand.kind === 'batch_close')
    return 'The terminal is closing the batch. Try again when it has finished.';
  const what = inHand.kind === 'sale' ? 'payment' : 'void of payment';
  return `The terminal is busy with ${what} ${inHand.reference}. Try again when it has finished.`;
}

function unresolvedText(row: OperationRow): string {
  const what =
    row.kind === 'batch_close'
      ? 'The batch close'
      : `${row.kind === 'sale' ? 'Payment' : 'The void of payment'} ${row.reference ?? ''}`;
  const next = row.needsPerson
    ? 'Look at the terminal, then decide it in the console or with "tillbridge resolve".'
    : 'Recovery is at work.';
  return `${what} is in doubt (operation ${row.operationId}); nothing that moves money starts until it is decided. ${next}`;
}
