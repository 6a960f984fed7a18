/**
 * The one loop around the terminal's machine: takes an event, steps, carries out the effects, and turns what comes back
 * from lock, line, driver and clock into the next event. It decides nothing, and it holds no queue of commands: an
 * operation is begun at once or not at all.
 */
import type { Afterwards } from '../../base/afterwards.ts';
import type { DriverWatch, OperationAnswer, TerminalDriver } from '../terminals/terminal-driver.ts';
import { createTerminalLink, type TerminalEnvironment } from './terminal-link.ts';
import {
  neverSent,
  operating,
  transition,
  type PollResult,
  type TerminalEffect,
  type TerminalEvent,
  type TerminalState,
  type Wait,
} from './terminal-machine.ts';
import { createTerminalPolls, type PollHooks } from './terminal-polls.ts';

export interface RunnerSettings {
  /** How often the idle terminal is asked whether it is still there. */
  heartbeatMs: number;
  /** Pause before a terminal that is busy, silent or gone is tried again. */
  retryMs: number;
  /** Pause before a terminal that needs a person is asked again. */
  attentionRetryMs: number;
}

export const defaultRunnerSettings: Omit<RunnerSettings, 'heartbeatMs'> = {
  retryMs: 1_000,
  attentionRetryMs: 5_000,
};

/**
 * So long the bridge rests after an answer, in milliseconds. The system wakes the till on the processor that the answer
 * was written on, so that the till reads it only when the bridge is at rest: a payment takes milliseconds.
 */
export const headStartMs = 1;

const faultReason = 'an internal error in the bridge; see the log';

/** What the runner calls. The calls are synchronous; those of `DriverWatch` are what must answer at once. */
export interface RunnerHooks extends PollHooks, DriverWatch {
  stateChanged(state: TerminalState): void;
  connectionLost(reason: string): void;
}

/** An operation that is in the journal. */
interface RunnableOperation {
  operationId: string;
  kind: 'sale' | 'void' | 'batch_close';
  /** Whoever asked for it is answered now, and not when it has ended. */
  answeredFirst: boolean;
  /** By now whoever asked for it has long given up. */
  tooOld(): boolean;
  /** Gives it to the terminal, and journals how it ended; never rejects. */
  carryOut(driver: TerminalDriver): Promise<void>;
  /** Ends it with `answer` instead, as far as that can be journaled: it was never given to the terminal. */
  withdraw(answer: OperationAnswer): void;
}

export type CheckedTerminal = PollResult['kind'] | 'not_connected';

export interface TerminalRunner {
  readonly state: TerminalState;
  /** So long ago was the last poll that one has to come before a command. */
  readonly stale: boolean;
  start(): void;
  /** Gives the terminal back: signs off, closes the line, frees the lock. The caller has waited for the operation. */
  stop(): Promise<void>;
  /**
   * Claims the terminal, from the state `idle` (a batch close also where `attention` allows it). The driver gets the
   * operation once the answers of this turn are out, unless something comes in between: then it is withdrawn.
   */
  begin(operation: RunnableOperation): void;
  /** Asks the running sale to stop, or withdraws one that was not sent yet; nothing when none runs. */
  cancel(): void;
  /** Something was decided: poll the terminal again now. */
  wake(): void;
  /**
   * The same, and what came of it: the next poll's result, or that the connection was tried in vain. Null when nothing
   * has come within `timeoutMs`.
   */
  check(timeoutMs: number): Promise<CheckedTerminal | null>;
  /** Resolves at the next change of state, or after `timeoutMs`. */
  nextChange(timeoutMs: number): Promise<void>;
}

export function createTerminalRunner(
  environment: TerminalEnvironment,
  settings: RunnerSettings,
  afterwards: Pick<Afterwards, 'first' | 'rest'>,
  hooks: RunnerHooks,
): TerminalRunner {
  const { clock, log } = environment;
  const events: TerminalEvent[] = [];
  const waiting = new Set<() => void>();
  const checks = new Set<(checked: CheckedTerminal) => void>();
  let stepping = false;
  let state: TerminalState = { kind: 'stopped' };
  let lock: { release(): void } | null = null;
  const link = createTerminalLink(environment, hooks, dispatch);
  let closing: Promise<void> = Promise.resolve();
  /** Calls off what a state waits for, such as a pause. */
  let cancelWait = () => {};
  let operation: { runnable: RunnableOperation; ended: Promise<void> } | null = null;
  const polls = createTerminalPolls({
    clock,
    log,
    heartbeatMs: settings.heartbeatMs,
    hooks,
    isConnected: (driver) => link.driver === driver,
    isWanted: () => checks.size > 0,
    onResult: (result) => dispatch({ kind: 'polled', result }),
    onFault: () => dispatch({ kind: 'line_lost', reason: faultReason }),
  });

  function dispatch(event: TerminalEvent): void {
    events.push(event);
    // What an effect brings about at once waits until the step that caused it is complete.
    if (stepping) return;
    stepping = true;
    try {
      for (let next = events.shift(); next !== undefined; next = events.shift()) {
        try {
          step(next);
        } catch (error) {
          log.error('a fault in the care for the terminal', { err: error });
          startOver();
        }
      }
    } finally {
      stepping = false;
    }
  }

  /** After a fault of ours nothing that was known of the terminal counts: a new connection, and a poll. */
  function startOver(): void {
    if (state.kind === 'stopped' || state.kind === 'stopping') return;
    cancelWait();
    if (state.kind === 'claimed') {
      state = operating(state, faultReason);
      closeLine(false);
      return withdraw(neverSent('There was a fault in the bridge'));
    }
    if (state.kind === 'operating') {
      // Its own answer is still to come, and leads on from there.
      state = { ...state, lost: faultReason };
      return closeLine(false);
    }
    state = { kind: 'lost', reason: faultReason, next: 'open' };
    closeLine(false);
    wait('retry');
  }

  function step(event: TerminalEvent): void {
    const before = state;
    const next = transition(state, event);
    state = next.state;
    if (state !== before) cancelWait();
    for (const effect of next.effects) carryOut(effect);
    const checked = checkedBy(event);
    if (checked !== null) for (const tell of checks) tell(checked);
    if (state === before) return;
    // To everybody else an operation is under way as soon as it is claimed.
    if (before.kind === 'claimed' && state.kind === 'operating') return;
    hooks.stateChanged(state);
    for (const resolve of waiting) resolve();
  }

  function carryOut(effect: TerminalEffect): void {
    switch (effect.kind) {
      case 'acquire_lock':
        return void acquireLock();
      case 'release_lock':
        lock?.release();
        lock = null;
        return;
      case 'open_line':
        // A port that is still closing cannot be opened.
        return void link.open(closing);
      case 'close_line':
        return closeLine(effect.signOff);
      case 'prepare':
        return polls.ask(connectedDriver(), (driver) => driver.prepare());
      case 'probe':
        return polls.ask(connectedDriver(), (driver) => driver.probe());
      case 'give_way':
        cancelWait = giveWay(() => {
          const tooLate = polls.stale || operation?.runnable.tooOld() === true;
          dispatch({ kind: tooLate ? 'too_late' : 'go_ahead' });
        });
        return;
      case 'operate':
        return operate();
      case 'withdraw':
        return withdraw(effect.answer);
      case 'cancel':
        return link.driver?.cancel();
      case 'wait':
        return wait(effect.how);
      case 'announce_lost':
        return hooks.connectionLost(effect.reason);
    }
  }

  async function acquireLock(): Promise<void> {
    const answer = await environment.lockLine();
    const wanted = state.kind === 'connecting';
    if (answer.kind !== 'held') {
      if (wanted) dispatch({ kind: 'lock_taken', reason: answer.message });
      return;
    }
    // Stopped meanwhile: nobody would ever let it go.
    if (!wanted) return answer.release();
    lock = answer;
    dispatch({ kind: 'lock_held' });
  }

  function closeLine(signOff: boolean): void {
    const stopping = state.kind === 'stopping';
    closing = link.close(signOff).then(async () => {
      await operation?.ended;
      if (stopping) dispatch({ kind: 'closed' });
    });
  }

  /** Calls once the answers are out; gives what calls it off. */
  function giveWay(call: () => void): () => void {
    if (operation?.runnable.answeredFirst === true) afterwards.rest(headStartMs);
    return afterwards.first(call);
  }

  function connectedDriver(): TerminalDriver {
    if (link.driver === null) throw new Error('the terminal is used without a connection');
    return link.driver;
  }

  function operate(): void {
    const driver = connectedDriver();
    if (operation === null) throw new Error('there is nothing to give to the terminal');
    const { runnable } = operation;
    const ended = runnable.carryOut(driver).then(() => {
      operation = null;
      dispatch({ kind: 'answer', inDoubt: hooks.inDoubt() });
    });
    operation = { runnable, ended };
  }

  function withdraw(answer: OperationAnswer): void {
    if (operation === null) throw new Error('there is nothing to withdraw');
    const { runnable } = operation;
    operation = null;
    runnable.withdraw(answer);
    dispatch({ kind: 'answer', inDoubt: hooks.inDoubt() });
  }

  function wait(how: Wait): void {
    cancelWait();
    const { heartbeatMs, retryMs, attentionRetryMs } = settings;
    const delayMs = { heartbeat: heartbeatMs, retry: retryMs, attention: attentionRetryMs }[how];
    cancelWait = clock.after(delayMs, () => dispatch({ kind: 'tick' }));
  }

  return {
    get state() {
      return state;
    },
    get stale() {
      return polls.stale;
    },
    start: () => dispatch({ kind: 'start' }),
    async stop() {
      dispatch({ kind: 'stop' });
      await closing;
    },
    begin(runnable) {
      operation = { runnable, ended: Promise.resolve() };
      dispatch({ kind: 'command', operationId: runnable.operationId, operationKind: runnable.kind });
    },
    cancel() {
      if (state.kind === 'claimed' || state.kind === 'operating') dispatch({ kind: 'cancel' });
    },
    wake: () => dispatch({ kind: 'wake' }),
    check(timeoutMs) {
      return new Promise((resolve) => {
        const done = (checked: CheckedTerminal | null) => {
          cancel();
          checks.delete(done);
          resolve(checked);
        };
        const cancel = clock.after(timeoutMs, () => done(null));
        checks.add(done);
        dispatch({ kind: 'wake' });
      });
    },
    nextChange(timeoutMs) {
      return new Promise((resolve) => {
        const done = () => {
          cancel();
          waiting.delete(done);
          resolve();
        };
        const cancel = clock.after(timeoutMs, done);
        waiting.add(done);
      });
    },
  };
}

/** What an event says to those who want the terminal looked at; null where it says nothing of that. */
function checkedBy(event: TerminalEvent): CheckedTerminal | null {
  if (event.kind === 'polled') return event.result.kind;
  return withoutConnection.includes(event.kind) ? 'not_connected' : null;
}

const withoutConnection: readonly TerminalEvent['kind'][] = [
  'open_failed',
  'line_lost',
  'lock_taken',
  'stop',
];
