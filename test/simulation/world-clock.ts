/**
 * The time of the simulated world: it goes from timer to timer, and after each one everything that needs no time comes
 * to rest. Nothing in the simulation waits for anything but timers of this clock, promises, and turns of the event loop, so
 * it is at rest when no promise is left that can be settled, and nobody waits for a turn.
 */
import type { Clock } from '../../src/base/clock.ts';

export interface WorldClock extends Clock {
  /** Goes on until `promise` is settled. Throws when nothing is left to happen, or after `limitMs`. */
  run<T>(promise: Promise<T>, limitMs: number): Promise<T>;
  sleep(delayMs: number): Promise<void>;
  /** No time goes by for so many turns of the event loop. */
  restFor(turns: number): void;
  /** No time goes by until it is settled: for what is done by others than this process, or beside it. */
  resting<T>(work: Promise<T>): Promise<T>;
  /** How many timers were called so far. */
  readonly steps: number;
}

interface Timer {
  dueMs: number;
  order: number;
  call: (() => void) | null;
}

/** More timers at one moment run in circles. */
const maxTimersAtOnce = 20_000;

export function createWorldClock(startsAt: number): WorldClock {
  const heap: Timer[] = [];
  let elapsedMs = 0;
  let order = 0;
  let steps = 0;
  let atOnce = 0;
  let restTurns = 0;

  function push(timer: Timer): void {
    let at = heap.push(timer) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!before(heap[at], heap[parent])) break;
      swap(at, parent);
      at = parent;
    }
  }

  function pop(): Timer | null {
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined) return null;
    if (heap.length === 0) return first;
    heap[0] = last;
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      const right = left + 1;
      let least = at;
      if (before(heap[left], heap[least])) least = left;
      if (before(heap[right], heap[least])) least = right;
      if (least === at) return first;
      swap(at, least);
      at = least;
    }
  }

  function swap(one: number, other: number): void {
    const held = heap[one];
    const taken = heap[other];
    if (held === undefined || taken === undefined) return;
    heap[one] = taken;
    heap[other] = held;
  }

  function next(): Timer | null {
    for (;;) {
      const timer = pop();
      // One that was cancelled.
      if (timer === null || timer.call !== null) return timer;
    }
  }

  function step(): void {
    const timer = next();
    if (timer?.call == null) throw new Error('nothing is left that could happen');
    if (timer.dueMs > elapsedMs) {
      elapsedMs = timer.dueMs;
      atOnce = 0;
    }
    atOnce += 1;
    if (atOnce > maxTimersAtOnce) throw new Error('timers run in circles: the time does not move');
    steps += 1;
    const { call } = timer;
    timer.call = null;
    call();
  }

  const clock: WorldClock = {
    now: () => startsAt + elapsedMs,
    elapsed: () => elapsedMs,
    after(delayMs, call) {
      order += 1;
      const timer: Timer = { dueMs: elapsedMs + Math.max(0, delayMs), order, call };
      push(timer);
      return () => {
        timer.call = null;
      };
    },
    sleep: (delayMs) => new Promise((resolve) => clock.after(delayMs, resolve)),
    async run(promise, limitMs) {
      const untilMs = elapsedMs + limitMs;
      const end = { reached: false };
      const ended = promise.finally(() => {
        end.reached = true;
      });
      // Its rejection is taken below.
      ended.catch(() => {});
      watchTurns();
      await settled();
      while (!end.reached) {
        for (; restTurns > 0 || isTurnAwaited(); restTurns = Math.max(0, restTurns - 1))
          await turnOfEventLoop();
        if (elapsedMs > untilMs) throw new Error(`not over after ${limitMs} ms`);
        step();
        await settled();
      }
      return ended;
    },
    restFor(turns) {
      restTurns = turns;
    },
    resting(work) {
      awaitedTurns += 1;
      return work.finally(() => {
        awaitedTurns -= 1;
      });
    },
    get steps() {
      return steps;
    },
  };
  return clock;
}

function before(one: Timer | undefined, other: Timer | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one.dueMs === other.dueMs ? one.order < other.order : one.dueMs < other.dueMs;
}

/**
 * All promises that can be settled are settled before Node takes the next tick. A turn of the event loop would do as
 * well, and costs calls of the operating system each time.
 */
function settled(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

const nextTurn = globalThis.setImmediate;
/** Calls that were put off to the next turn and have not been made. */
let awaitedTurns = 0;

function isTurnAwaited(): boolean {
  return awaitedTurns > 0;
}

function turnOfEventLoop(): Promise<void> {
  return new Promise((resolve) => nextTurn(resolve));
}

/** Whoever puts a call off to the next turn passes here. Nobody in the simulation calls one off. */
function watchTurns(): void {
  if (globalThis.setImmediate !== nextTurn) return;
  const counting = <Values extends unknown[]>(call: (...values: Values) => void, ...values: Values) => {
    awaitedTurns += 1;
    return nextTurn(() => {
      awaitedTurns -= 1;
      call(...values);
    });
  };
  globalThis.setImmediate = counting as typeof nextTurn;
}
