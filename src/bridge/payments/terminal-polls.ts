/**
 * Polls of the terminal: asks how it is and what it says of what is in doubt, has that noted and judged, and says what it
 * means for the terminal's use.
 */
import type { Clock } from '../../base/clock.ts';
import type { LastRecord, TerminalIdentity } from '../../contract/terminal.ts';
import type { Log } from '../../log/index.ts';
import type { OperationInDoubt, Readiness, TerminalDriver } from '../terminals/terminal-driver.ts';
import type { LookedUp, ReadyFor } from './recovery.ts';
import type { PollResult } from './terminal-machine.ts';

/** After so many heartbeats without a poll (the machine slept, the process stood still), one comes before a command. */
const staleHeartbeats = 2;

export interface PollHooks {
  /**
   * The terminal is idle and has shown its last record: note it, and reconcile what is in doubt with it, or with what the
   * terminal said of that very operation. `again`: something is still in doubt that a further poll may decide, or what was
   * seen could not be kept; the terminal is not given out.
   */
  observed(
    terminal: TerminalIdentity,
    lastRecord: LastRecord,
    readyFor: ReadyFor,
    lookedUp: LookedUp,
  ): 'finished' | 'again';
  /** What the terminal is to be asked about one by one, if it can be. `asked`: a person wants to know, not only we. */
  toLookUp(asked: boolean): OperationInDoubt[];
  inDoubt(): boolean;
}

export interface TerminalPolls {
  /** One poll. Of one whose driver is no longer connected nothing is noted, and nobody hears. */
  ask(driver: TerminalDriver, question: (driver: TerminalDriver) => Promise<Readiness>): void;
  /** So long ago did the terminal last show itself that a poll has to come before a command. */
  readonly stale: boolean;
}

export function createTerminalPolls(options: {
  clock: Clock;
  log: Log;
  heartbeatMs: number;
  hooks: PollHooks;
  isConnected(driver: TerminalDriver): boolean;
  /** A person wants to know. */
  isWanted(): boolean;
  onResult(result: PollResult): void;
  /** There was a fault of ours, and it has been logged. */
  onFault(): void;
}): TerminalPolls {
  const { clock, log, heartbeatMs, hooks, isConnected, isWanted, onResult, onFault } = options;
  let seenAt = { nowMs: clock.now(), elapsedMs: clock.elapsed() };
  /** Why the terminal takes no payments, as it was last logged. */
  let obstacle: string | null = null;

  function ask(driver: TerminalDriver, question: (driver: TerminalDriver) => Promise<Readiness>): void {
    question(driver)
      .then(async (readiness) => {
        // Also where a person is needed first: what is in doubt need not wait for that.
        const isThere = readiness.kind === 'ready' || readiness.kind === 'attention';
        const lookedUp = isThere ? await lookUp(driver) : new Map();
        if (isConnected(driver)) onResult(resultOf(readiness, lookedUp));
      })
      .catch((error: unknown) => {
        log.error('a fault while polling the terminal', { err: error });
        if (isConnected(driver)) onFault();
      });
  }

  /** What the terminal says of each operation in doubt, where it can be asked. */
  async function lookUp(driver: TerminalDriver): Promise<LookedUp> {
    const found: LookedUp = new Map();
    if (driver.lookUp === undefined) return found;
    for (const inDoubt of hooks.toLookUp(isWanted())) {
      if (!isConnected(driver)) break;
      found.set(inDoubt.operation.operationId, await driver.lookUp(inDoubt));
    }
    return found;
  }

  /** Has what the terminal showed noted and judged, and says what that means for its use. */
  function resultOf(readiness: Readiness, lookedUp: LookedUp): PollResult {
    switch (readiness.kind) {
      case 'ready':
        seenAt = { nowMs: clock.now(), elapsedMs: clock.elapsed() };
        obstacle = null;
        if (hooks.observed(readiness.terminal, readiness.lastRecord, 'anything', lookedUp) === 'finished')
          return { kind: 'ready' };
        return {
          kind: 'not_finished',
          reason: hooks.inDoubt()
            ? 'The terminal is back; what is in doubt is being cleared up.'
            : 'What the terminal shows cannot be written to the journal; it is not used until it can.',
        };
      case 'attention': {
        logObstacle(readiness.text);
        const closable = readiness.requiredAction === 'batch_close';
        seenAt = { nowMs: clock.now(), elapsedMs: clock.elapsed() };
        const readyFor = closable ? 'batch_close' : 'nothing';
        const seen = hooks.observed(readiness.terminal, readiness.lastRecord, readyFor, lookedUp);
        return {
          kind: 'attention',
          reason: readiness.text,
          requiredAction: readiness.requiredAction,
          batchCloseAllowed: closable && seen === 'finished',
        };
      }
      case 'busy':
        logObstacle(readiness.text);
        return { kind: 'busy', reason: readiness.text };
      case 'silent':
        log.warn('the terminal does not answer', { reason: readiness.reason });
        return { kind: 'silent', reason: `The terminal does not answer: ${readiness.reason}` };
    }
  }

  /** Once, however often the terminal is polled until it is over. */
  function logObstacle(reason: string): void {
    if (reason !== obstacle) log.warn('the terminal takes no payments', { reason });
    obstacle = reason;
  }

  function isStale(): boolean {
    const limitMs = staleHeartbeats * heartbeatMs;
    return clock.now() - seenAt.nowMs > limitMs || clock.elapsed() - seenAt.elapsedMs > limitMs;
  }

  return {
    ask,
    get stale() {
      return isStale();
    },
  };
}
