/**
 * Puts payments together and offers them as `PaymentsApi`: queries of the journal are answered here, and who subscribed
 * hears of what happens.
 *
 * The way of a payment: `commands/perform.ts` (waits, joins) → `commands/sale.ts` (what is to be done) →
 * `operation-runner.ts` (journals it, ends it) → `terminal-runner.ts` (when the terminal may be given it) → the driver.
 */
import { createAfterwards } from '../../base/afterwards.ts';
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import { createEmitter } from '../../base/emitter.ts';
import { within } from '../../base/abort.ts';
import { refuse, type PaymentState, type Refused, type Result } from '../../contract/errors.ts';
import type { JournalEvent, OperationStarted } from '../../contract/journal-events.ts';
import type { Currency } from '../../contract/money.ts';
import { isNews } from '../../contract/operation.ts';
import { idsNow, otherTerminalText } from '../../contract/other-terminal.ts';
import type { ProgressStep, TerminalIdentity } from '../../contract/terminal.ts';
import type { Journal, PaymentRow } from '../journal/index.ts';
import { type Log, shownReference } from '../../log/index.ts';
import { createCommands } from './commands/perform.ts';
import { journalUnusable } from './commands/decision.ts';
import { createAdmissions, createWaiters } from './commands/waiters-and-admissions.ts';
import { createHistory } from './history.ts';
import { createJournalWriter, labelsOf } from './journal-writer.ts';
import {
  acknowledge,
  createResolver,
  holdsSales,
  maxListedDiscrepancies,
  rowsInDoubt,
  stoppedBeforeEnd,
} from './manual-decisions.ts';
import { discrepancyToTell, moneyState } from './money-state.ts';
import { kindText } from './operation-machine.ts';
import { createOperationRunner } from './operation-runner.ts';
import type { PaymentsEvent, PaymentsApi, PaymentsStatus, TerminalStatus } from './payments-api.ts';
import { createRecordContinuity } from './record-continuity.ts';
import { createRecovery } from './recovery.ts';
import { createRepeatedFindings } from './repeated-findings.ts';
import { connectionOf, terminalCheck, textOf } from './terminal-messages.ts';
import {
  createTerminalRunner,
  defaultRunnerSettings,
  headStartMs,
  type RunnerSettings,
} from './terminal-runner.ts';
import type { TerminalEnvironment } from './terminal-link.ts';

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
  /**
   * Why no sale with this reference may start, seen from the other terminals of the bridge. Asked in the turn in which
   * the sale is journaled, so that of two terminals one at most starts it. Left out: there are no others.
   */
  elsewhere?: (reference: string) => Refused | null;
  runner: { heartbeatMs: number } & Partial<RunnerSettings>;
  /** How long a stop waits for the operation on the terminal, in milliseconds. */
  stopTimeoutMs: number;
}

export interface Payments extends PaymentsApi {
  /** Marks what an earlier run left open as in doubt, and begins to connect. Nothing that moves money is sent. */
  start(): void;
  stop(): Promise<void>;
}

export function createPayments(options: PaymentsOptions): Payments {
  const { journal, clock, chance, log, currency, environment } = options;
  const { protocol, lineName } = environment;
  const uuid = () => chance.uuid();
  const afterwards = createAfterwards(clock, (err) =>
    log.error('a fault in what follows an answer', { err }),
  );
  const emitter = createEmitter<PaymentsEvent>({
    onFault: (err) => log.error('a subscriber of the payments failed', { err }),
    later: afterwards.soon,
  });
  const waiters = createWaiters(clock);
  const admissions = createAdmissions();
  let stopping = false;
  let progress: { text: string; step: ProgressStep } | null = null;
  /** Kept beside the journal, so that nothing on the way of a payment has to read it. */
  let { terminal } = journal.terminalState();
  /** What the terminal that is connected now has told of its ids. */
  let connected: string[] = [];
  /** The operation that was started last, as far as anybody listened. */
  let latest: { operationId: string; paymentId: string | null } | null = null;

  journal.subscribe((stored) => {
    // What is told later is the payment as this event left it.
    if (emitter.hasSubscribers)
      emitter.emit({ kind: 'journal_event', stored, payment: paymentOfEvent(stored.event) });
    checkWaiters();
  });

  const history = createHistory(journal);
  const recordContinuity = createRecordContinuity(journal, protocol, history);
  const writer = createJournalWriter(
    journal,
    log,
    (seen) => recordContinuity.of(seen),
    () => runner.wake(),
    uuid,
  );
  const { apply, append } = writer;
  const currentOperationId = () => operations.current?.operationId ?? null;
  const inDoubt = () => rowsInDoubt(journal, currentOperationId());
  const repeats = createRepeatedFindings(journal, clock);
  const recovery = createRecovery({
    journal,
    protocol,
    recordContinuity,
    repeats,
    history,
    log,
    apply,
    append,
    rowsInDoubt: inDoubt,
    currency,
    clock,
    uuid,
  });
  const runner = createTerminalRunner(
    environment,
    { ...defaultRunnerSettings, ...options.runner },
    afterwards,
    {
      progress(text, step) {
        if (progress?.text === text && progress.step === step) return;
        progress = { text, step };
        emitTerminal();
      },
      lateResult: (record, isKeptUnder) => writer.read(() => recovery.lateResult(record, isKeptUnder), false),
      traits: (terminalId) => new Set(knowledgeOf(terminalId).traits),
      mayBeAnother(reason) {
        connected = [];
        return recovery.connectionLost(reason);
      },
      learned(terminalId, trait, explanation) {
        if (knowledgeOf(terminalId).traits.includes(trait)) return;
        log.warn(explanation, { terminal_id: terminalId, trait });
        append({ type: 'terminal_trait_learned', terminal: identityOf(terminalId), trait, explanation });
      },
      observed(identity, lastRecord, readyFor, lookedUp) {
        terminal = identity;
        connected = idsNow(identity, lastRecord);
        if (writer.trouble !== null) recovery.announceAgain();
        return writer.read(() => recovery.observed(identity, lastRecord, readyFor, lookedUp), 'again');
      },
      toLookUp: (asked) => writer.read(() => recovery.toLookUp(asked), []),
      connectionLost(reason) {
        connected = [];
        recovery.connectionLost(reason);
      },
      inDoubt: () => writer.read(() => inDoubt().length > 0, true),
      stateChanged: emitTerminal,
    },
  );
  const operations = createOperationRunner({
    journal,
    writer,
    terminal: runner,
    recordContinuity,
    recovery,
    clock,
    log,
    uuid,
    onAnswer: () => (progress = null),
    onEnd(awaited) {
      checkWaiters();
      // Milliseconds of work, which neither the next payment should wait for nor whoever reads this one's answer.
      if (awaited) clock.after(headStartMs, () => afterwards.soon(catchUp));
      else afterwards.soon(catchUp);
    },
  });
  function catchUp() {
    log.writeWaiting();
    journal.operationEnded();
  }

  const commands = createCommands({
    journal,
    writer,
    operations,
    terminal: runner,
    waiters,
    admissions,
    clock,
    chance,
    lineName,
    currency,
    maxTipPercent: options.maxTipPercent,
    simulated: options.simulated,
    protocol,
    elsewhere: options.elsewhere ?? (() => null),
    rowsInDoubt: inDoubt,
    stopping: () => stopping,
  });
  const resolver = createResolver(journal, uuid, {
    currentOperation: currentOperationId,
    repeats,
    connected: () => connected,
  });

  function checkWaiters() {
    writer.read(() => waiters.check(), undefined);
  }

  function paymentOfEvent(event: JournalEvent) {
    const operationId = 'operationId' in event ? event.operationId : null;
    if (operationId === null) return null;
    if (event.type === 'operation_started') latest = { operationId, paymentId: paymentIdOf(event) };
    return writer.read(() => paymentOfOperation(operationId), null);
  }

  function paymentOfOperation(operationId: string) {
    // Which payment an operation is about never changes, and nearly every question is about the latest.
    const paymentId =
      latest?.operationId === operationId
        ? latest.paymentId
        : (journal.operation(operationId)?.paymentId ?? null);
    return paymentId === null ? null : journal.payment(paymentId);
  }

  function emitTerminal() {
    if (emitter.hasSubscribers) emitter.emit({ kind: 'terminal', terminal: terminalStatus() });
  }

  function identityOf(terminalId: string | null): TerminalIdentity {
    return { protocol: protocol.name, terminalId };
  }

  function knowledgeOf(terminalId: string | null) {
    const nothing = { showsRecords: false, traits: [] };
    return writer.read(() => journal.terminalKnowledge(identityOf(terminalId)), nothing);
  }

  function terminalStatus(): TerminalStatus {
    return {
      connection: connectionOf(runner.state),
      ...(runner.state.kind === 'attention' ? { requiredAction: runner.state.requiredAction } : {}),
      text: textOf(runner.state, lineName),
      line: lineName,
      terminal,
      simulated: options.simulated,
      progress: progress?.text ?? null,
      progressStep: progress?.step ?? null,
    };
  }

  function status(): PaymentsStatus {
    const { current } = operations;
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
  }

  const lostPayment = (reference: string) =>
    `Nobody can tell whether there was a payment ${shownReference(reference)}: the journal has lost events, and no person has ` +
    `acknowledged that yet.`;

  function queryPayment(reference: string): Result<PaymentRow> {
    return writer.read<Result<PaymentRow>>(() => {
      const payment = journal.paymentByReference(reference);
      if (payment === null) {
        return hasLoss()
          ? refuse('payment_unresolved', lostPayment(reference))
          : refuse('payment_not_found', `There is no payment ${shownReference(reference)}.`);
      }
      return { ok: true, value: payment };
    }, unreadable);
  }

  /** Nothing else holds every sale back (`discrepancyHold`). */
  function hasLoss(): boolean {
    return journal.openDiscrepancyCount() > 0 && holdsSales(journal);
  }

  function paymentState(...[command, reference]: Parameters<PaymentsApi['paymentState']>): PaymentState {
    if (command === 'CreatePayment' && reference !== null && admissions.of(reference) !== null)
      return 'unknown';
    return writer.read(() => moneyState(journal, command, reference), 'unknown' as const);
  }

  return {
    ...commands,
    admission: (reference) => admissions.of(reference)?.ended.then(() => {}) ?? null,
    queryPayment,
    async waitForNews({ reference, status: known }, waitMs, signal) {
      const news = () => {
        const answer = queryPayment(reference);
        return !answer.ok || isNews(answer.value.status, known) ? answer : null;
      };
      return (await waiters.wait(news, waitMs, signal)) ?? queryPayment(reference);
    },
    paymentState,
    operationsInDoubt: () => writer.read(() => resolver.operationsInDoubt(), []),
    async checkTerminal(waitMs) {
      log.info('someone asked for the terminal to be checked now');
      const checked = await runner.check(waitMs);
      const other = writer
        .read(() => resolver.operationsInDoubt(), [])
        .find(({ otherTerminal }) => otherTerminal !== undefined)?.otherTerminal;
      return other === undefined
        ? terminalCheck(checked, runner.state, lineName)
        : { kind: 'other_terminal', text: otherTerminalText(other) };
    },
    discrepancies: (after) => writer.read(() => journal.openDiscrepancies(maxListedDiscrepancies, after), []),
    salesHeld: () => writer.read(hasLoss, false),
    mayMissPayments: () => writer.read(hasLoss, true),
    discrepancyOf: (reference) =>
      writer.read(() => discrepancyToTell(journal.discrepanciesOf(reference)), null),
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
    status,
    subscribe: emitter.subscribe,
    eventsAfter: (seq, limit) => journal.eventsAfter(seq, limit),
    lastSeq: () => writer.read<number | null>(() => journal.lastSeq(), null),
    paymentOfOperation,
    start() {
      for (const row of inDoubt()) {
        if (row.phase === 'in_doubt') continue;
        log.warn(`a ${kindText(row.kind)} of an earlier run is in doubt`, labelsOf(row.started));
        apply(row.operationId, stoppedBeforeEnd);
      }
      runner.start();
    },
    async stop() {
      stopping = true;
      await within(clock, options.stopTimeoutMs, operations.ended);
      await runner.stop();
      await operations.ended;
      waiters.releaseAll();
      // Whoever closes streams next has told everything before.
      emitter.flush();
    },
  };
}

const unreadable = journalUnusable('it cannot be read.');

/** The payment that an operation makes or reverses; null for a batch close. */
function paymentIdOf(operation: OperationStarted): string | null {
  switch (operation.kind) {
    case 'sale':
      return operation.operationId;
    case 'void':
      return operation.paymentId;
    case 'batch_close':
      return null;
  }
}
