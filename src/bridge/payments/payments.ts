/**
 * The payments module: decides commands, journals what begins, and gives it to the terminal's runner. Everything between
 * looking a reference up and journaling `operation_started` happens in one turn of the event loop, which is what makes
 * "at most one sale per reference" hold for requests that race.
 *
 * The way of a payment: this file → `commands/sale.ts` (what is to be done) → `terminal-runner.ts` with its machine (when
 * it may be done) → the driver; `machine.ts` says what the answer means, and the journal keeps it.
 */
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import { cancelWaitS } from '../../contract/commands.ts';
import { refuse, type Result, type PaymentState, type Refused } from '../../contract/errors.ts';
import type { JournalEvent, OperationStarted } from '../../contract/journal-events.ts';
import type { Currency } from '../../contract/money.ts';
import { isDecided } from '../../contract/operation.ts';
import type { ProgressStep, TerminalIdentity, TerminalRecord } from '../../contract/terminal.ts';
import { type Journal, JournalWriteError, type PaymentRow } from '../journal/index.ts';
import { type Log, shownReference } from '../../log/index.ts';
import type { OperationAnswer, OperationWatch, TerminalDriver } from '../terminals/terminal-driver.ts';
import { acknowledge, holdsSales, isOpen, maxListedDiscrepancies } from './acknowledge.ts';
import { createAdmissions, type Admission } from './admissions.ts';
import { decideBatchClose, endOfBatchClose } from './commands/batch-close.ts';
import { decideCancel, endOfCancel } from './commands/cancel.ts';
import { journalUnusable, type CommandView, type Decision, type Order } from './commands/decision.ts';
import { decideSale, nameSale } from './commands/sale.ts';
import { decideVoid, endOfVoid } from './commands/void.ts';
import { asJournalEvent, findingsOfRefusedResult } from './discrepancies.ts';
import { createHistory } from './history.ts';
import { createJournalWriter } from './journal-writer.ts';
import { createRecordContinuity } from './record-continuity.ts';
import type { Settlement } from './operation-machine.ts';
import { moneyState } from './money-state.ts';
import { settlementOf } from './operations.ts';
import type { Caller, PaymentsEvent, PaymentsApi, PaymentsStatus, TerminalStatus } from './payments-api.ts';
import { createRecovery } from './recovery.ts';
import { createResolver, rowsInDoubt } from './resolve.ts';
import {
  createTerminalRunner,
  defaultRunnerSettings,
  type RunnerSettings,
  type TerminalEnvironment,
} from './terminal-runner.ts';
import { connectionOf, textOf } from './terminal-messages.ts';
import { createWaiters } from './waiters.ts';
import { kindOf, labelsOf } from './operation-labels.ts';

export interface PaymentsOptions {
  journal: Journal;
  environment: TerminalEnvironment;
  clock: Clock;
  chance: Chance;
  log: Log;
  currency: Currency;
  /** How much more than asked may be approved, in per cent; 0 where no tips are given. */
  maxTipPercent: number;
  simulated: boolean;
  runner: { heartbeatMs: number } & Partial<RunnerSettings>;
  /** How long a stop waits for the operation on the terminal, in milliseconds. */
  stopTimeoutMs: number;
}

export interface Payments extends PaymentsApi {
  /** Marks what an earlier run left open as in doubt, and begins to connect. Nothing that moves money is sent. */
  start(): void;
  stop(): Promise<void>;
}

/** Who waits for an operation asks right after its end whether it was sent; so few are kept in mind. */
const maxNeverSent = 100;
/** Longest wait for the terminal to finish a heartbeat or the reading of its last record, in milliseconds. */
const freeSoonWaitMs = 5_000;
/** A request that is older starts nothing any more: its caller has long given up, or the machine was asleep. */
const maxRequestAgeMs = 10_000;

export function createPayments(options: PaymentsOptions): Payments {
  const { journal, clock, chance, log } = options;
  let current: OperationStarted | null = null;
  let currentEnded: Promise<void> = Promise.resolve();
  let stopping = false;
  let progress: { text: string; step: ProgressStep } | null = null;
  const neverSent = new Set<string>();
  const listeners = new Set<(paymentsEvent: PaymentsEvent) => void>();
  const waiters = createWaiters(clock);
  const admissions = createAdmissions();

  journal.subscribe((stored) => {
    if (listeners.size > 0) emit({ kind: 'journal_event', stored, payment: paymentOfEvent(stored.event) });
    writer.read(() => waiters.check(), undefined);
  });

  function paymentOfEvent(event: JournalEvent) {
    const operationId = 'operationId' in event ? event.operationId : null;
    return operationId === null ? null : writer.read(() => paymentOfOperation(operationId), null);
  }

  function noteNeverSent(operationId: string) {
    neverSent.add(operationId);
    const [oldest] = neverSent;
    if (neverSent.size > maxNeverSent && oldest !== undefined) neverSent.delete(oldest);
  }

  function emit(paymentsEvent: PaymentsEvent) {
    for (const listener of listeners) {
      try {
        listener(paymentsEvent);
      } catch (error) {
        log.error('a subscriber failed', { error });
      }
    }
  }

  function paymentOfOperation(operationId: string) {
    const paymentId = journal.operation(operationId)?.paymentId ?? null;
    return paymentId === null ? null : journal.payment(paymentId);
  }

  const uuid = () => chance.uuid();
  const history = createHistory(journal);
  const recordContinuity = createRecordContinuity(journal, options.environment.protocol, history);
  const writer = createJournalWriter(
    journal,
    log,
    (seen) => recordContinuity.of(seen),
    () => runner.wake(),
    uuid,
  );
  const { apply, append } = writer;
  /** Kept beside the journal, so that nothing on the way of a payment has to read it. */
  let terminal = journal.terminalState().terminal;

  const inDoubt = () => rowsInDoubt(journal, current?.operationId ?? null);
  const recovery = createRecovery({
    journal,
    protocol: options.environment.protocol,
    recordContinuity,
    history,
    log,
    apply,
    append,
    rowsInDoubt: inDoubt,
    currency: options.currency,
    clock,
    uuid,
  });

  const runner = createTerminalRunner(
    options.environment,
    { ...defaultRunnerSettings, ...options.runner },
    {
      progress(text, step) {
        if (progress?.text === text && progress.step === step) return;
        progress = { text, step };
        emitTerminal();
      },
      lateResult: (record) => writer.read(() => recovery.lateResult(record), false),
      traits: (terminalId) => new Set(knowledgeOf(terminalId).traits),
      learned(terminalId, trait, explanation) {
        if (knowledgeOf(terminalId).traits.includes(trait)) return;
        log.warn(explanation, { terminal_id: terminalId, trait });
        append({ type: 'terminal_trait_learned', terminal: identityOf(terminalId), trait, explanation });
      },
      observed(identity, lastRecord, readyFor) {
        terminal = identity;
        if (writer.trouble !== null) recovery.announceAgain();
        return writer.read(() => recovery.observed(identity, lastRecord, readyFor), 'again');
      },
      connectionLost: (reason) => recovery.connectionLost(reason),
      inDoubt: () => writer.read(() => inDoubt().length > 0, true),
      stateChanged: emitTerminal,
    },
  );

  function identityOf(terminalId: string | null): TerminalIdentity {
    return { protocol: options.environment.protocol.name, terminalId };
  }

  function knowledgeOf(terminalId: string | null) {
    const nothing = { showsRecords: false, traits: [] };
    return writer.read(() => journal.terminalKnowledge(identityOf(terminalId)), nothing);
  }

  function emitTerminal() {
    emit({ kind: 'terminal', terminal: terminalStatus() });
  }

  function terminalStatus(): TerminalStatus {
    const { lineName } = options.environment;
    return {
      connection: connectionOf(runner.state),
      text: textOf(runner.state, lineName),
      line: lineName,
      terminal,
      simulated: options.simulated,
      progress: progress?.text ?? null,
      progressStep: progress?.step ?? null,
    };
  }

  /** Everything that a command is decided by, as it is in this turn. */
  function view(): CommandView {
    return {
      journal,
      currency: options.currency,
      maxTipPercent: options.maxTipPercent,
      terminal: availability(),
      inDoubt: inDoubt(),
      current,
      stopping,
      journalTrouble: writer.trouble,
      newOperation,
      randomInteger: (from, below) => chance.integer(from, below),
    };
  }

  function availability(): CommandView['terminal'] {
    const { state } = runner;
    const text = textOf(state, options.environment.lineName);
    switch (state.kind) {
      case 'idle':
        // The machine slept, or this process stood still: what was known of the terminal is too old.
        if (!runner.stale) return { kind: 'free' };
        runner.wake();
        return { kind: 'free_soon' };
      case 'checking':
        return { kind: 'free_soon' };
      case 'attention':
        if (state.asking) return { kind: 'free_soon' };
        return state.batchCloseAllowed
          ? { kind: 'free_for_batch_close', text }
          : { kind: 'unavailable', text };
      case 'operating':
        // It has ended and was journaled; the terminal is polled in this very turn.
        return current === null ? { kind: 'free_soon' } : { kind: 'operating' };
      case 'stopped':
      case 'connecting':
      case 'lost':
      case 'preparing':
      case 'recovering':
      case 'stopping':
        return { kind: 'unavailable', text };
    }
  }

  function newOperation() {
    const state = journal.terminalState();
    if (state.terminal === null) throw new Error('a ready terminal has no identity');
    return {
      operationId: chance.uuid(),
      terminal: state.terminal,
      baseline: state.lastRecord,
      simulated: options.simulated,
    };
  }

  type Outcome<T> = Refused | { ok: true; value: T } | { joined: string; repeated: boolean };

  /**
   * Carries a decision out: at once, or as soon as the terminal has been polled. Each time everything is decided anew,
   * because another request may have come first. `admission` ends it when it is withdrawn.
   */
  async function perform<T>(
    decide: () => Decision<T>,
    caller: Caller | undefined,
    admission: () => Admission | null = () => null,
  ): Promise<Outcome<T>> {
    const deadline = clock.elapsed() + freeSoonWaitMs;
    for (;;) {
      const decision = decide();
      switch (decision.kind) {
        case 'refuse':
          return decision.refused;
        case 'answer':
          return { ok: true, value: decision.value };
        case 'join':
          return { joined: decision.operationId, repeated: true };
        case 'begin': {
          const refused = expired(caller) ?? begin(decision.operation, decision.order);
          return refused ?? { joined: decision.operation.operationId, repeated: false };
        }
        case 'wait': {
          const leftMs = deadline - clock.elapsed();
          if (leftMs <= 0) {
            return refuse('terminal_busy', 'The terminal is busy with itself. Try again in a moment.');
          }
          const waiting = admission();
          await Promise.race([
            runner.nextChange(leftMs),
            ...(waiting === null ? [] : [waiting.whenWithdrawn]),
          ]);
          if (waiting?.withdrawn === true) return withdrawn(waiting.reference);
        }
      }
    }
  }

  /** The last question before money may move: does anybody still want it? */
  function expired(caller: Caller | undefined): Refused | null {
    if (caller === undefined) return null;
    const { nowMs, elapsedMs } = caller.arrivedAt;
    const old = clock.now() - nowMs > maxRequestAgeMs || clock.elapsed() - elapsedMs > maxRequestAgeMs;
    if (!old && !caller.gone()) return null;
    return refuse(
      'request_expired',
      old
        ? 'The request is more than 10 seconds old, so nothing was started. Ask again if it is still wanted.'
        : 'Whoever asked has hung up, so nothing was started.',
    );
  }

  /** Journals the operation and gives it to the terminal; a refusal when it could not be written: nothing was sent. */
  function begin(operation: OperationStarted, order: Order): Refused | null {
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
    log.debug(`the ${kindOf(operation)} has started`, { ...labelsOf(operation), operation: 'started' });
    const { operationId, kind } = operation;
    const ended = Promise.withResolvers<void>();
    currentEnded = ended.promise;
    runner.begin({
      operationId,
      kind,
      carryOut: (driver) => carryOut(operation, order, driver).finally(ended.resolve),
    });
    return null;
  }

  function watchOf(operation: OperationStarted): OperationWatch {
    const { operationId } = operation;
    return {
      persistResult: (record: TerminalRecord) => apply(operationId, { kind: 'result', record, late: false }),
      resultRefused(record) {
        const events = findingsOfRefusedResult(operation, record).map((finding) =>
          asJournalEvent(finding, uuid),
        );
        if (events.length > 0) append(...events);
      },
      acknowledged: () => void append({ type: 'result_acknowledged', operationId }),
    };
  }

  async function carryOut(operation: OperationStarted, order: Order, driver: TerminalDriver): Promise<void> {
    const source = log.with(labelsOf(operation));
    let answer: OperationAnswer;
    try {
      answer = await order(driver, watchOf(operation));
    } catch (error) {
      source.error('a fault during an operation', { error });
      answer = { kind: 'unknown', reason: 'A fault in the bridge interrupted it; the log has it.' };
    }
    source.info(`the ${kindOf(operation)} ended: ${answer.kind}`, {
      operation: 'ended',
      reason: 'reason' in answer ? answer.reason : '',
    });
    try {
      end(operation, answer);
    } catch (error) {
      // It stays open in the journal, and so is in doubt.
      source.error('a fault after an operation', { error });
    }
  }

  function end({ operationId }: OperationStarted, answer: OperationAnswer): void {
    current = null;
    progress = null;
    if (answer.kind === 'not_started' && !answer.refusedByTerminal) noteNeverSent(operationId);
    if ('record' in answer && answer.kind !== 'done' && answer.record !== null)
      recordContinuity.noteRefusal(answer.record);
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

  /** The row once it has ended, or as it is after `waitMs`. Ends early for one that needs a person. */
  async function waitForEnd(operationId: string, waitMs: number) {
    const row = () => {
      const found = journal.operation(operationId);
      if (found === null) throw new Error(`operation ${operationId} is not in the journal`);
      return found;
    };
    const endedRow = () => (row().phase === 'ended' || row().needsDecision ? row() : null);
    return (await waiters.wait(endedRow, waitMs)) ?? row();
  }

  async function createPayment(...[request]: Parameters<PaymentsApi['createPayment']>) {
    const named = nameSale(view(), request);
    if (!named.ok) return named;
    const sale = named.value;
    const { reference } = sale;
    // The same payment is being admitted for another request: what becomes of that one is the answer to this one, too.
    for (let other = admissions.of(reference); other !== null; other = admissions.of(reference)) {
      if ((await other.ended) === 'withdrawn') return withdrawn(reference);
    }
    let mine: Admission | null = null;
    try {
      if (request.caller !== undefined) {
        mine = admissions.enter(reference);
        await request.caller.allRead();
        if (mine.withdrawn) return withdrawn(reference);
      }
      const outcome = await perform(
        () => decideSale(view(), sale),
        request.caller,
        () => (mine ??= admissions.enter(reference)),
      );
      if (!('joined' in outcome)) return outcome;
      const payment = journal.paymentByReference(reference);
      if (payment === null) throw new Error('a journaled payment cannot be found');
      return { ok: true as const, value: { payment, repeated: false } };
    } finally {
      if (mine !== null) admissions.leave(mine);
    }
  }

  async function cancelPayment(reference: string | null): Promise<Result<{ payment: PaymentRow | null }>> {
    const decision = decideCancel({ current }, reference);
    if (decision.kind === 'refuse') {
      return admissions.withdraw(reference) ? { ok: true, value: { payment: null } } : decision.refused;
    }
    const { operationId } = decision.sale;
    // A wish to stop is worth keeping, but a journal that cannot be written must not keep the cashier from stopping.
    if (journal.operation(operationId)?.cancelRequested === false)
      append({ type: 'cancel_requested', operationId });
    runner.cancel();
    await waitForEnd(operationId, cancelWaitS * 1_000);
    const payment = journal.payment(operationId);
    if (payment === null) throw new Error('the payment on the terminal is not in the journal');
    return endOfCancel(payment);
  }

  async function voidPayment(...[reference, waitMs, caller]: Parameters<PaymentsApi['voidPayment']>) {
    await caller?.allRead();
    const outcome = await perform(() => decideVoid(view(), reference), caller);
    if (!('joined' in outcome)) return outcome;
    const row = await waitForEnd(outcome.joined, waitMs);
    return endOfVoid(journal, row, outcome.repeated, neverSent.has(outcome.joined));
  }

  async function submitBatch(...[waitMs, caller]: Parameters<PaymentsApi['submitBatch']>) {
    await caller?.allRead();
    const outcome = await perform(() => decideBatchClose(view()), caller);
    if (!('joined' in outcome)) return outcome;
    const row = await waitForEnd(outcome.joined, waitMs);
    return endOfBatchClose(journal, row, neverSent.has(outcome.joined));
  }

  function queryPayment(reference: string): Result<PaymentRow> {
    return writer.read<Result<PaymentRow>>(() => {
      const payment = journal.paymentByReference(reference);
      if (payment === null)
        return refuse('payment_not_found', `There is no payment ${shownReference(reference)}.`);
      return { ok: true, value: payment };
    }, unreadable);
  }

  function paymentState(...[command, reference]: Parameters<PaymentsApi['paymentState']>): PaymentState {
    if (command === 'CreatePayment' && reference !== null && admissions.of(reference) !== null)
      return 'unknown';
    return writer.read(() => moneyState(journal, command, reference), 'unknown' as const);
  }

  const resolver = createResolver(journal, uuid, () => current?.operationId ?? null);

  return {
    createPayment: (request) => answered(() => createPayment(request)),
    cancelPayment: (reference) => answered(() => cancelPayment(reference)),
    voidPayment: (...request) => answered(() => voidPayment(...request)),
    submitBatch: (...request) => answered(() => submitBatch(...request)),
    admission: (reference) => admissions.of(reference)?.ended.then(() => {}) ?? null,
    queryPayment,
    async waitUntilDecided(reference, waitMs, signal) {
      const decided = () => {
        const answer = queryPayment(reference);
        return !answer.ok || isDecided(answer.value.status) ? answer : null;
      };
      return (await waiters.wait(decided, waitMs, signal)) ?? queryPayment(reference);
    },
    paymentState,
    operationsInDoubt: () => writer.read(() => resolver.operationsInDoubt(), []),
    discrepancies: (after) => writer.read(() => journal.openDiscrepancies(maxListedDiscrepancies, after), []),
    salesHeld: () => writer.read(() => journal.openDiscrepancyCount() > 0 && holdsSales(journal), false),
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
        runner.wake();
      }
      return answer;
    },
    status(): PaymentsStatus {
      return {
        terminal: terminalStatus(),
        journal: {
          writable: writer.trouble === null,
          text: writer.trouble ?? 'The journal is in order.',
        },
        inDoubt: writer.read(() => inDoubt().length, 0),
        discrepancies: writer.read(() => journal.openDiscrepancyCount(), 0),
        currentOperation:
          current === null
            ? null
            : {
                operationId: current.operationId,
                kind: current.kind,
                reference: current.kind === 'batch_close' ? null : current.reference,
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
      for (const row of inDoubt()) {
        if (row.phase === 'in_doubt') continue;
        log.warn(`a ${kindOf(row.started)} of an earlier run is in doubt`, labelsOf(row.started));
        apply(row.operationId, {
          kind: 'interrupted',
          reason: 'The bridge stopped before the operation had ended.',
        });
      }
      runner.start();
    },
    async stop() {
      stopping = true;
      let cancelTimer = () => {};
      const timeout = new Promise<void>((resolve) => {
        cancelTimer = clock.after(options.stopTimeoutMs, resolve);
      });
      await Promise.race([currentEnded, timeout]);
      cancelTimer();
      await runner.stop();
      await currentEnded;
      waiters.releaseAll();
    },
  };
}

function withdrawn(reference: string): Refused {
  return refuse('withdrawn', `Payment ${reference} was cancelled before it had started. Nothing was sent.`);
}

/** A command's answer; a journal that fails on the way is one, too. */
async function answered<T>(command: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await command();
  } catch (error) {
    if (error instanceof JournalWriteError) return journalUnusable(error.message);
    throw error;
  }
}

const unreadable = journalUnusable('it cannot be read.');
