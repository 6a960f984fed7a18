/** What the commands may do with journal and terminal, and what they say when it did not work out. */
import type { Clock } from '../../contract/clock.ts';
import { refuse, type Refusal } from '../../contract/errors.ts';
import type { OperationStarted } from '../../contract/journal-events.ts';
import type { Currency } from '../../contract/money.ts';
import type { LastRecord, TerminalIdentity } from '../../contract/terminal.ts';
import { JournalWriteError, type Journal, type OperationRow } from '../journal/journal.ts';
import type { OperationAnswer, OperationWatch, TerminalDriver } from '../terminals/terminal-driver.ts';
import type { Claim } from './terminal-keeper.ts';

export type GrantedClaim = Extract<Claim, { kind: 'granted' }>;

export interface CommandContext {
  journal: Journal;
  clock: Clock;
  currency: Currency;
  makeReferences: boolean;
  /** The terminal for one operation, or why not. What is granted must be begun in the same turn of the event loop. */
  claim(
    purpose: 'payment' | 'batch_close',
  ): GrantedClaim | Extract<Claim, { kind: 'housekeeping' }> | Refusal;
  /** Waits for housekeeping to end; bounded. */
  settled(timeoutMs: number): Promise<void>;
  /** Journals `operation`, then carries it out behind the caller's back. Throws `JournalWriteError`: nothing was sent. */
  begin(
    claim: GrantedClaim,
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
const housekeepingWaitMs = 5_000;

/**
 * The terminal for one operation: `attempt` looks at everything anew each time, because while the terminal finishes its
 * housekeeping another request may have come first. Whatever it gives other than `housekeeping` is the answer.
 */
export async function afterHousekeeping<T>(
  context: CommandContext,
  attempt: () => T | { kind: 'housekeeping' },
): Promise<T | Refusal> {
  const { clock } = context;
  const end = clock.elapsed() + housekeepingWaitMs;
  for (;;) {
    const outcome = attempt();
    if (!isHousekeeping(outcome)) return outcome;
    const leftMs = end - clock.elapsed();
    if (leftMs <= 0)
      return refuse('terminal_busy', 'The terminal is busy with itself. Try again in a moment.');
    await context.settled(leftMs);
  }
}

function isHousekeeping(outcome: unknown): outcome is { kind: 'housekeeping' } {
  return (
    typeof outcome === 'object' && outcome !== null && 'kind' in outcome && outcome.kind === 'housekeeping'
  );
}

/** Begins `operation`; a refusal when the journal could not be written. */
export function tryToBegin(
  context: CommandContext,
  ...parts: Parameters<CommandContext['begin']>
): Refusal | null {
  try {
    context.begin(...parts);
    return null;
  } catch (error) {
    if (!(error instanceof JournalWriteError)) throw error;
    return refuse(
      'journal_unavailable',
      `The journal cannot be written, so nothing was sent to the terminal: ${error.message}`,
    );
  }
}

/** For an operation that has not ended in time, or that only a person can end. */
export function undecided(row: OperationRow, what: string): Refusal {
  if (row.needsPerson) {
    return refuse(
      'payment_unresolved',
      `Nobody can tell how ${what} ended (operation ${row.operationId}). Look at the terminal, then decide it in the ` +
        `console or with "tillbridge resolve".`,
    );
  }
  return refuse('terminal_timeout', `The terminal has not decided ${what} yet; it goes on. Ask again.`);
}
