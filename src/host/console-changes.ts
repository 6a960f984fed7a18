/** Emits changes to the console's windows: soon, in order, and never on the way of a payment. */
import type { Log } from '../log/index.ts';
import type { Clock } from '../base/clock.ts';
import type { ConsoleChange, ConsoleState } from '../contract/console/index.ts';

/** The state is emitted at most this often: about once for each picture that a screen shows. */
const stateEveryMs = 16;

export interface ConsoleChanges {
  /** False: nothing needs to be put together. */
  readonly hasSubscribers: boolean;
  subscribe(listener: (change: ConsoleChange) => void): () => void;
  /** Returns at once; listeners are called in a later turn of the event loop. */
  publish(change: ConsoleChange): void;
  /** Something in the state is different. Emitted at once, unless it was emitted just before. */
  stateChanged(): void;
}

export function createConsoleChanges(options: {
  state(): ConsoleState;
  clock: Clock;
  log: Log;
}): ConsoleChanges {
  const { state, clock, log } = options;
  const listeners = new Set<(change: ConsoleChange) => void>();
  let pending: ConsoleChange[] = [];
  let scheduled = false;
  let stateDue = false;
  let stateEmittedMs = Number.NEGATIVE_INFINITY;
  let stateTimer: (() => void) | null = null;

  function schedule() {
    if (scheduled) return;
    scheduled = true;
    setImmediate(flush);
  }

  function flush() {
    scheduled = false;
    const changes = pending;
    pending = [];
    for (const change of changes) emit(change);
    if (stateDue) emitState();
  }

  function emitState() {
    const nowMs = clock.elapsed();
    const restMs = stateEmittedMs + stateEveryMs - nowMs;
    if (restMs > 0) {
      stateTimer ??= clock.after(restMs, () => {
        stateTimer = null;
        if (stateDue) emitState();
      });
      return;
    }
    stateDue = false;
    stateEmittedMs = nowMs;
    try {
      emit({ kind: 'state', state: state() });
    } catch (error) {
      log.error('the state cannot be emitted', { err: error });
    }
  }

  function emit(change: ConsoleChange) {
    for (const listener of listeners) {
      try {
        listener(change);
      } catch (error) {
        // It would also get this line of the log, fail again, and so on for ever.
        listeners.delete(listener);
        log.error('a subscriber of the console failed on a change and gets no more', { err: error });
      }
    }
  }

  return {
    get hasSubscribers() {
      return listeners.size > 0;
    },
    subscribe(listener) {
      // Its own object, so that one listener may subscribe twice.
      const subscription = (change: ConsoleChange) => listener(change);
      listeners.add(subscription);
      return () => void listeners.delete(subscription);
    },
    publish(change) {
      if (listeners.size === 0) return;
      pending.push(change);
      schedule();
    },
    stateChanged() {
      if (listeners.size === 0) return;
      stateDue = true;
      schedule();
    },
  };
}
