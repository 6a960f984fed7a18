/** Tells the console's windows what has changed: soon, in order, and never on the way of a payment. */
import type { Log } from '../log/index.ts';
import type { Clock } from '../base/clock.ts';
import type { ConsoleChange, ConsoleState } from '../contract/console/index.ts';

/** The state is told again at most this often: about once for each picture that a screen shows. */
const stateEveryMs = 16;

export interface Changes {
  /** False while nobody listens: then nothing needs to be put together. */
  readonly heard: boolean;
  subscribe(listener: (change: ConsoleChange) => void): () => void;
  /** Returns at once; listeners are called in a later turn of the event loop. */
  publish(change: ConsoleChange): void;
  /** Something in the state is different. Told at once, unless it was told just before. */
  stateChanged(): void;
}

export function createChanges(options: { state(): ConsoleState; clock: Clock; log: Log }): Changes {
  const { state, clock, log } = options;
  const listeners = new Set<(change: ConsoleChange) => void>();
  let waiting: ConsoleChange[] = [];
  let scheduled = false;
  let stateDue = false;
  let stateToldMs = Number.NEGATIVE_INFINITY;
  let stateTimer: (() => void) | null = null;

  function schedule() {
    if (scheduled) return;
    scheduled = true;
    setImmediate(flush);
  }

  function flush() {
    scheduled = false;
    const changes = waiting;
    waiting = [];
    for (const change of changes) tell(change);
    if (stateDue) tellState();
  }

  function tellState() {
    const nowMs = clock.elapsed();
    const restMs = stateToldMs + stateEveryMs - nowMs;
    if (restMs > 0) {
      stateTimer ??= clock.after(restMs, () => {
        stateTimer = null;
        if (stateDue) tellState();
      });
      return;
    }
    stateDue = false;
    stateToldMs = nowMs;
    try {
      tell({ kind: 'state', state: state() });
    } catch (error) {
      log.error('the state cannot be told', { err: error });
    }
  }

  function tell(change: ConsoleChange) {
    for (const listener of listeners) {
      try {
        listener(change);
      } catch (error) {
        // Told of this line of the log, it would fail again, and so on for ever.
        listeners.delete(listener);
        log.error('a console failed to hear of a change, and is told no more', { err: error });
      }
    }
  }

  return {
    get heard() {
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
      waiting.push(change);
      schedule();
    },
    stateChanged() {
      if (listeners.size === 0) return;
      stateDue = true;
      schedule();
    },
  };
}
