/**
 * The payments room: takes commands, keeps the laws of money, and lets the terminal keeper and the journal do the
 * rest. Everything between looking a reference up and journaling `operation_started` is synchronous, which is what
 * makes "at most one sale per reference" hold for requests that race.
 */
import { v7 as uuidv7 } from 'uuid';
import { refuse, type Answer, type Refusal } from '../../contract/errors.ts';
import type { JournalEvent, OperationStarted } from '../../contract/journal-events.ts';
import type { Currency } from '../../contract/money.ts';
import { isDecided } from '../../contract/operation.ts';
import type { Clock } from '../../contract/clock.ts';
import type { LastRecord, TerminalIdentity, TerminalRecord } from '../../contract/terminal.ts';
import { JournalWriteError, type Journal, type OperationRow, type PaymentRow } from '../journal/journal.ts';
import type { Log } from '../log/log.ts';
import type { OperationAnswer, OperationWatch, TerminalDriver } from '../terminals/terminal-driver.ts';
import { batchCommand } from './batch-command.ts';
import { cancelCommand, createCommand, voidCommand } from './payment-commands.ts';
import type { OperationInput } from './machine.ts';
import { applyInputs, settlementOf } from './operations.ts';
import type { Happening, PaymentsApi, PaymentsStatus, TerminalStatus } from './payments-api.ts';
import { createRecovery } from './recovery.ts';
import { createResolver, doubtRows } from './resolve.ts';
import {
  createTerminalKeeper,
  defaultKeeperSettings,
  type Claim,
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

/** What the commands share. */
export interface Engine {
  options: PaymentsOptions;
  journal: Journal;
  /** The terminal for one operation, or why not. */
  claim(purpose: 'payment' | 'batch_close'): Extract<Claim, { kind: 'granted' | 'housekeeping' }> | Refusal;
  /** Waits for housekeeping to end; bounded. */
  settled(timeoutMs: number): Promise<void>;
  /** Journals `operation`, then carries it out behind the caller's back. Throws `JournalWriteError`: nothing was sent. */
  begin(
    claim: Extract<Claim, { kind: 'granted' }>,
    operation: OperationStarted,
    call: (driver: TerminalDriver, watch: OperationWatch) => Promise<OperationAnswer>,
  ): void;
  newOperation(): {
    operationId: string;
    terminal: TerminalIdentity;
    baseline: LastRecord;
    simulated: boolean;
  };
  inHand(): OperationStarted | null;
  /** The row once it has ended, or as it is after `waitMs`. Ends early for one that needs a person. */
  waitForEnd(operationId: string, waitMs: number): Promise<OperationRow>;
  /** True when the operation ended because not one byte of it could be written. */
  wasNeverSent(operationId: string): boolean;
  requestCancel(operation: OperationStarted): void;
}

/** Longest wait for the terminal to finish a heartbeat or the reading of its last record, in milliseconds. */
export const housekeepingWaitMs = 5_000;

export function createPayments(options: PaymentsOptions): Payments {
  const { journal, clock, log } = options;
  let inHand: OperationStarted | null = null;
  let handEnded: Promise<void> = Promise.resolve();
  let stopping = false;
  let progress: string | null = null;
  let journalTrouble: string | null = null;
  const neverSent = new Set<string>();
  const listeners = new Set<(happening: Happening) => void>();
  const waiters = createWaiters(clock);

  journal.subscribe((stored) => {
    const { event } = stored;
    const payment = 'operationId' in event ? paymentOfOperation(event.operationId) : null;
    tell({ kind: 'fact', stored, payment });
    waiters.check();
  });

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

  /** Runs what writes to the journal, and remembers whether the journal can be written. */
  function writing<T>(write: () => T): T {
    try {
      const value = write();
      if (journalTrouble !== null) log.info('the journal can be written again');
      journalTrouble = null;
      return value;
    } catch (error) {
      if (error instanceof JournalWriteError) {
        journalTrouble = error.message;
        log.error('the journal cannot be written', { error });
      }
      throw error;
    }
  }

  /** False: the facts could not be written, or had no place; both are in the log. */
  function apply(operationId: string, ...inputs: OperationInput[]): boolean {
    try {
      const applied = writing(() => applyInputs(journal, operationId, inputs));
      if (!applied.ok)
        log.error('an input had no place', { operation_id: operationId, reason: applied.reason });
      return applied.ok;
    } catch (error) {
      if (error instanceof JournalWriteError) return false;
      throw error;
    }
  }

  function append(...facts: JournalEvent[]): boolean {
    try {
      writing(() => journal.append(...facts));
      return true;
    } catch (error) {
      if (error instanceof JournalWriteError) return false;
      throw error;
    }
  }

  const doubts = () => doubtRows(journal, inHand?.operationId ?? null);
  const recovery = createRecovery({ journal, protocol: options.world.protocol, log, apply, append, doubts });

  const keeper = createTerminalKeeper(
    options.world,
    { ...defaultKeeperSettings, ...options.keeper },
    {
      progress(text) {
        progress = text;
        tellTerminal();
      },
      lateResult: (record) => recovery.lateResult(record),
      observed: (terminal, lastRecord, ready) => recovery.observed(terminal, lastRecord, ready),
      connectionLost: (reason) => recovery.connectionLost(reason),
      inDoubt: () => doubts().length > 0,
      stateChanged: tellTerminal,
    },
  );

  function tellTerminal() {
    tell({ kind: 'terminal', terminal: terminalStatus() });
  }

  function terminalStatus(): TerminalStatus {
    return {
      connection: keeper.connection,
      text: keeper.text,
      line: options.world.lineName,
      terminal: journal.terminalState().terminal,
      simulated: options.simulated,
      progress,
    };
  }

  function watchOf(operationId: string): OperationWatch {
    return {
      persistResult: (record: TerminalRecord) => apply(operationId, { kind: 'result', record, late: false }),
    };
  }

  async function carryOut(
    operation: OperationStarted,
    call: (watch: OperationWatch) => Promise<OperationAnswer>,
  ): Promise<void> {
    const { operationId } = operation;
    const source = log.with({ operation_id: operationId });
    let answer: OperationAnswer;
    try {
      answer = await call(watchOf(operationId));
    } catch (error) {
      source.error('a fault during an operation', { error });
      answer = { kind: 'unknown', reason: 'A fault in the bridge interrupted it; the log has it.' };
    }
    source.info(`the ${operation.kind.replace('_', ' ')} ended: ${answer.kind}`, {
      reason: 'reason' in answer ? answer.reason : '',
    });
    if (answer.kind === 'not_started' && !answer.refusedByTerminal) neverSent.add(operationId);
    inHand = null;
    progress = null;
    const row = journal.operation(operationId);
    const done = answer.kind === 'done' && row !== null ? settlementOf(journal, row, answer.record) : null;
    // What cannot be written stays open in the journal, and so is in doubt.
    apply(operationId, { kind: 'answer', answer, settlement: done });
    if (done !== null) recovery.nameUncovered(done);
    waiters.check();
  }

  const engine: Engine = {
    options,
    journal,
    claim(purpose) {
      const open = doubts()[0];
      if (open !== undefined) return refuse('payment_unresolved', unresolvedText(open));
      if (stopping)
        return refuse('terminal_unavailable', 'The bridge is stopping. Start it again and then repeat.');
      const claim = keeper.tryClaim(purpose);
      // The operation has ended and was journaled; the terminal is free once its last record has been read.
      if (claim.kind === 'busy' && inHand === null) return { kind: 'housekeeping' };
      if (claim.kind === 'busy') return refuse('terminal_busy', busyText(inHand));
      if (claim.kind === 'unavailable') return refuse('terminal_unavailable', claim.text);
      return claim;
    },
    settled: (timeoutMs) => keeper.settled(timeoutMs),
    begin(claim, operation, call) {
      writing(() => journal.append(operation));
      inHand = operation;
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
    const payment = journal.paymentByReference(reference);
    if (payment === null) return refuse('payment_not_found', `There is no payment ${reference}.`);
    return { ok: true, value: payment };
  }

  const resolver = createResolver(journal, () => inHand?.operationId ?? null);

  return {
    createPayment: (request) => createCommand(engine, request),
    cancelPayment: (reference) => cancelCommand(engine, reference),
    voidPayment: (reference, waitMs) => voidCommand(engine, reference, waitMs),
    submitBatch: (waitMs) => batchCommand(engine, waitMs),
    queryPayment,
    async waitUntilDecided(reference, waitMs, signal) {
      const decided = () => {
        const answer = queryPayment(reference);
        return !answer.ok || isDecided(answer.value.status) ? answer : null;
      };
      return (await waiters.wait(decided, waitMs, signal)) ?? queryPayment(reference);
    },
    doubts: () => resolver.doubts(),
    resolve(request) {
      const answer = resolver.resolve(request);
      if (answer.ok) {
        log.warn('an operation was decided by hand', { ...request });
        keeper.kick();
      }
      return answer;
    },
    status(): PaymentsStatus {
      const hand = inHand;
      return {
        terminal: terminalStatus(),
        journal: {
          writable: journalTrouble === null,
          text: journalTrouble ?? 'The journal is in order.',
        },
        inDoubt: doubts().length,
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
