/**
 * Time for tests: it stands still until a test waits, and then goes from timer to timer as fast as the machine can.
 * Before each timer everything comes to rest that needs no time, so nothing is ever late, and the same test always
 * takes the same course, whatever else the machine has to do.
 */
import type { Clock } from '../../src/base/clock.ts';
import { whenAtRest } from './at-rest.ts';

export { settle } from './at-rest.ts';

/** Time that passes while a test waits: the machine's (`real-time.ts`), or the clock of this file. */
export interface TestTime extends Clock {
  /**
   * Goes on until `look`, asked whenever all is at rest, gives something other than null, undefined or false. Rejects
   * when nothing is left that could happen, or after `limitMs` of this clock's time.
   */
  until<T>(look: () => T | null | undefined | false, what: string, limitMs?: number): Promise<T>;
  /** Goes on until `promise` is settled, and gives what it gives. Rejects as `until` does. */
  run<T>(promise: Promise<T>, what: string, limitMs?: number): Promise<T>;
  /** Asks what `until` waits for now, before all is at rest: for what may be gone by then. */
  recheck(): void;
  /** Stops the time until the given function is called: for bytes that are on their way outside this process. */
  hold(): () => void;
}

export interface VirtualClock extends TestTime {
  /** Goes on by `byMs`, and calls what is due on the way, in its order. */
  advance(byMs: number): Promise<void>;
  /** The wall clock is set, or the machine has slept; elapsed time and timers know nothing of it. */
  jump(byMs: number): void;
  /** How many timers wait. */
  readonly waiting: number;
}

interface Timer {
  dueMs: number;
  call: () => void;
}

/** Somebody for whom the time goes on. */
interface Wait {
  /** Asked whenever all is at rest; true ends it. */
  isOver(): boolean;
  fail(error: Error): void;
  /** Something has to happen for it; time alone does not help. */
  needsMore: boolean;
  /** The time does not go past this moment for it. */
  lastMs: number;
  /** All that was due until then has happened, or nothing is left that could. */
  onLast(nothingLeft: boolean): void;
}

export interface VirtualClockOptions {
  /** Of the wall clock, in milliseconds since 1970. */
  startsAt?: number;
  /**
   * Something real happens beside it (a server, a socket) that this clock cannot see. Then it goes on less readily, and
   * does not give up when nothing is left that could happen.
   */
  besideIo?: boolean;
}

/** Turns of the event loop, each of which asks the system for news, before the time goes on beside real things. */
const quietTurnsBesideIo = 20;

const defaultLimitMs = 10 * 60_000;
/** More timers than this at one moment run in circles. */
const maxTimersAtOnce = 10_000;

export function createVirtualClock(options: VirtualClockOptions = {}): VirtualClock {
  const { startsAt = Date.UTC(2024, 5, 3, 10, 20, 30), besideIo = false } = options;
  const timers = new Set<Timer>();
  const waits = new Set<Wait>();
  let wallMs = startsAt;
  let elapsedMs = 0;
  let timersAtOnce = 0;
  let going = false;
  let holds = 0;
  let quietTurns = 0;

  function moveTo(momentMs: number): void {
    if (momentMs <= elapsedMs) return;
    wallMs += momentMs - elapsedMs;
    elapsedMs = momentMs;
    timersAtOnce = 0;
  }

  function goOn(): void {
    if (going || holds > 0) return;
    going = true;
    whenAtRest(
      (wasAtRest) => {
        going = false;
        if (holds > 0) return;
        try {
          if (!endWaits() && isQuiet(wasAtRest)) step();
        } catch (error) {
          failAll(asError(error));
        }
        if (waits.size > 0) goOn();
      },
      (reason) => {
        going = false;
        failAll(new Error(reason));
      },
    );
  }

  function isQuiet(wasAtRest: boolean): boolean {
    quietTurns = wasAtRest ? quietTurns + 1 : 0;
    if (besideIo && quietTurns < quietTurnsBesideIo) return false;
    quietTurns = 0;
    return true;
  }

  /** All is at rest; one thing happens. */
  function step(): void {
    // Of those that are due together, the one that was set first.
    const timer = earliest(timers, ({ dueMs }) => dueMs);
    const patient = timer === null && besideIo;
    const wait = earliest(
      patient ? [...waits].filter(({ needsMore }) => !needsMore) : waits,
      ({ lastMs }) => lastMs,
    );
    if (wait === null) return;
    if (timer === null || wait.lastMs < timer.dueMs) {
      waits.delete(wait);
      wait.onLast(timer === null);
      return;
    }
    moveTo(timer.dueMs);
    timersAtOnce += 1;
    if (timersAtOnce > maxTimersAtOnce) throw new Error('timers run in circles: the time does not move');
    timers.delete(timer);
    timer.call();
  }

  /** True when somebody's wait is over: its code runs before anything else happens. */
  function endWaits(): boolean {
    let some = false;
    for (const wait of waits) {
      let over: boolean;
      try {
        over = wait.isOver();
      } catch (error) {
        wait.fail(asError(error));
        over = true;
      }
      if (over) waits.delete(wait);
      some ||= over;
    }
    return some;
  }

  function failAll(error: Error): void {
    const failed = [...waits];
    waits.clear();
    for (const wait of failed) wait.fail(error);
  }

  function add(wait: Wait): void {
    waits.add(wait);
    goOn();
  }

  /** Ends a wait that goes past its limit with an error whose stack shows who waits. */
  function limited(what: string, limitMs: number, fail: (error: Error) => void): Omit<Wait, 'isOver'> {
    const inVain = new Error(`waited in vain for ${what}`);
    const sinceMs = elapsedMs;
    const failWith = (reason: string) => {
      inVain.message += `: ${reason}, ${elapsedMs - sinceMs} ms after the wait began`;
      fail(inVain);
    };
    return {
      fail: (error) => failWith(error.message),
      needsMore: true,
      lastMs: elapsedMs + limitMs,
      onLast: (nothingLeft) =>
        failWith(nothingLeft ? 'nothing is left that could happen' : 'more time would go by than allowed'),
    };
  }

  return {
    now: () => wallMs,
    elapsed: () => elapsedMs,
    after(delayMs, call) {
      // A real timer takes it for a mistake, and says so to whoever reads what the program prints.
      if (delayMs < 0) throw new RangeError(`A timer cannot be due ${-delayMs} ms ago.`);
      const timer = { dueMs: elapsedMs + delayMs, call };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(byMs) {
      const lastMs = elapsedMs + byMs;
      return new Promise((resolve, reject) => {
        const onLast = () => {
          moveTo(lastMs);
          resolve();
        };
        add({ isOver: () => false, fail: reject, needsMore: false, lastMs, onLast });
      });
    },
    until(look, what, limitMs = defaultLimitMs) {
      return new Promise((resolve, reject) => {
        const isOver = () => {
          const found = look();
          if (found === null || found === undefined || found === false) return false;
          resolve(found);
          return true;
        };
        if (!isOver()) add({ isOver, ...limited(what, limitMs, reject) });
      });
    },
    run(promise, what, limitMs = defaultLimitMs) {
      return new Promise((resolve, reject) => {
        const wait = { isOver: () => false, ...limited(what, limitMs, reject) };
        add(wait);
        void promise.then(resolve, reject).finally(() => waits.delete(wait));
      });
    },
    recheck: () => void endWaits(),
    hold() {
      let held = true;
      holds += 1;
      return () => {
        if (!held) return;
        held = false;
        holds -= 1;
        if (waits.size > 0) goOn();
      };
    },
    jump(byMs) {
      wallMs += byMs;
    },
    get waiting() {
      return timers.size;
    },
  };
}

/** An object whose methods take their time on `clock`: while one of their promises is waited for, the time goes on. */
export function onClock<T extends object>(clock: TestTime, object: T): T {
  return new Proxy(object, {
    get(target, name, receiver) {
      const value = Reflect.get(target, name, receiver) as unknown;
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(value, target, args);
        return result instanceof Promise ? clock.run(result, `the end of ${String(name)}`) : result;
      };
    },
  });
}

function earliest<T>(all: Iterable<T>, momentOf: (one: T) => number): T | null {
  let first: T | null = null;
  for (const one of all) if (first === null || momentOf(one) < momentOf(first)) first = one;
  return first;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
