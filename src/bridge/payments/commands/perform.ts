/**
 * The four commands that change something: what is decided (`sale.ts`, `void.ts`, `batch-close.ts`, `cancel.ts`) is
 * carried out, joined or waited for. Everything between looking a reference up and journaling `operation_started`
 * happens in one turn of the event loop, which is what makes "at most one sale per reference" hold for requests that
 * race.
 */
import type { Chance } from '../../../base/chance.ts';
import type { Clock } from '../../../base/clock.ts';
import { cancelWaitS } from '../../../contract/http-commands.ts';
import { refuse, type Refused, type Result } from '../../../contract/errors.ts';
import type { Currency } from '../../../contract/money.ts';
import { type Journal, JournalWriteError, type OperationRow, type PaymentRow } from '../../journal/index.ts';
import type { JournalWriter } from '../journal-writer.ts';
import type { OperationRunner } from '../operation-runner.ts';
import type { Caller, PaymentsApi } from '../payments-api.ts';
import { textOf } from '../terminal-messages.ts';
import type { TerminalRunner } from '../terminal-runner.ts';
import { decideBatchClose, endOfBatchClose } from './batch-close.ts';
import { decideCancel, endOfCancel } from './cancel.ts';
import { journalUnusable, type CommandView, type Decision } from './decision.ts';
import { decideSale, nameSale } from './sale.ts';
import { decideVoid, endOfVoid } from './void.ts';
import type { Admission, Admissions, Waiters } from './waiters-and-admissions.ts';

export type Commands = Pick<PaymentsApi, 'createPayment' | 'cancelPayment' | 'voidPayment' | 'submitBatch'>;

export interface CommandParts {
  journal: Journal;
  writer: JournalWriter;
  operations: OperationRunner;
  terminal: Pick<TerminalRunner, 'state' | 'stale' | 'wake' | 'cancel' | 'nextChange'>;
  waiters: Waiters;
  admissions: Admissions;
  clock: Clock;
  chance: Chance;
  lineName: string;
  currency: Currency;
  maxTipPercent: number;
  simulated: boolean;
  protocol: CommandView['protocol'];
  elsewhere: CommandView['elsewhere'];
  /** Operations in doubt, oldest first. */
  rowsInDoubt(): OperationRow[];
  stopping(): boolean;
}

/** Longest wait for the terminal to finish a heartbeat or the reading of its last record, in milliseconds. */
const freeSoonWaitMs = 5_000;

type Outcome<T> = Refused | { ok: true; value: T } | { joined: string; repeated: boolean };

export function createCommands(parts: CommandParts): Commands {
  const { journal, operations, terminal, admissions, clock, chance } = parts;

  const randomInteger: CommandView['randomInteger'] = (from, below) => chance.integer(from, below);

  /** Everything that a command is decided by, as it is in this turn. */
  function view(): CommandView {
    return {
      journal,
      currency: parts.currency,
      protocol: parts.protocol,
      elsewhere: parts.elsewhere,
      maxTipPercent: parts.maxTipPercent,
      terminal: availability(),
      inDoubt: parts.rowsInDoubt(),
      current: operations.current,
      stopping: parts.stopping(),
      journalTrouble: parts.writer.trouble,
      newOperation,
      randomInteger,
    };
  }

  function availability(): CommandView['terminal'] {
    const { state } = terminal;
    const text = textOf(state, parts.lineName);
    switch (state.kind) {
      case 'idle':
        // The machine slept, or this process stood still: what was known of the terminal is too old.
        if (!terminal.stale) return { kind: 'free' };
        terminal.wake();
        return { kind: 'free_soon' };
      case 'checking':
        return { kind: 'free_soon' };
      case 'attention':
        if (state.asking) return { kind: 'free_soon' };
        return state.batchCloseAllowed
          ? { kind: 'free_for_batch_close', text }
          : { kind: 'unavailable', text };
      case 'claimed':
        return { kind: 'operating' };
      case 'operating':
        // It has ended and was journaled; the terminal is polled in this very turn.
        return operations.current === null ? { kind: 'free_soon' } : { kind: 'operating' };
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
      simulated: parts.simulated,
    };
  }

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
          const refused = operations.begin(decision.operation, decision.order, caller);
          return refused ?? { joined: decision.operation.operationId, repeated: false };
        }
        case 'wait': {
          const leftMs = deadline - clock.elapsed();
          if (leftMs <= 0) {
            return refuse('terminal_busy', 'The terminal is busy with itself. Try again in a moment.');
          }
          const waiting = admission();
          await Promise.race([
            terminal.nextChange(leftMs),
            ...(waiting === null ? [] : [waiting.whenWithdrawn]),
          ]);
          if (waiting?.withdrawn === true) return withdrawn(waiting.reference);
        }
      }
    }
  }

  /** The row once it has ended, or as it is after `waitMs`. Ends early for one that needs a person. */
  async function waitForEnd(operationId: string, waitMs: number): Promise<OperationRow> {
    const row = () => {
      const found = journal.operation(operationId);
      if (found === null) throw new Error(`operation ${operationId} is not in the journal`);
      return found;
    };
    const endedRow = () => (row().phase === 'ended' || row().needsDecision ? row() : null);
    return (await parts.waiters.wait(endedRow, waitMs)) ?? row();
  }

  async function createPayment(...[request]: Parameters<PaymentsApi['createPayment']>) {
    const named = nameSale({ journal, randomInteger }, request);
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
    const { current } = operations;
    const sent = terminal.state.kind === 'operating';
    const decision = decideCancel({ current, protocol: parts.protocol, sent }, reference);
    if (decision.kind === 'refuse') {
      return admissions.withdraw(reference) ? { ok: true, value: { payment: null } } : decision.refused;
    }
    const { operationId } = decision.sale;
    // A wish to stop is worth keeping, but a journal that cannot be written must not keep the cashier from stopping.
    if (journal.operation(operationId)?.cancelRequested === false)
      parts.writer.append({ type: 'cancel_requested', operationId });
    terminal.cancel();
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
    return endOfVoid(journal, row, outcome.repeated, operations.wasNeverSent(outcome.joined));
  }

  async function submitBatch(...[waitMs, caller]: Parameters<PaymentsApi['submitBatch']>) {
    await caller?.allRead();
    const outcome = await perform(() => decideBatchClose(view()), caller);
    if (!('joined' in outcome)) return outcome;
    const row = await waitForEnd(outcome.joined, waitMs);
    return endOfBatchClose(journal, row, operations.wasNeverSent(outcome.joined));
  }

  return {
    createPayment: (request) => orJournalRefusal(() => createPayment(request)),
    cancelPayment: (reference) => orJournalRefusal(() => cancelPayment(reference)),
    voidPayment: (...request) => orJournalRefusal(() => voidPayment(...request)),
    submitBatch: (...request) => orJournalRefusal(() => submitBatch(...request)),
  };
}

function withdrawn(reference: string): Refused {
  return refuse('withdrawn', `Payment ${reference} was cancelled before it had started. Nothing was sent.`);
}

/** What a command comes to; a journal that fails on the way is a refusal. */
async function orJournalRefusal<T>(command: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await command();
  } catch (error) {
    if (error instanceof JournalWriteError) return journalUnusable(error.message);
    throw error;
  }
}
