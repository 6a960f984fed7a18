/**
 * The clock of one simulated process. It can be stopped (SIGSTOP: time goes on, and what became due happens at once
 * afterwards), put to sleep (elapsed time stands still, the wall clock goes on) and its wall clock can be set.
 */
import type { Clock } from '../../src/base/clock.ts';
import { unlessKilled } from './killed.ts';
import type { WorldClock } from './world-clock.ts';

export interface BridgeClock extends Clock {
  /** Nothing happens in the process until `goOn`. */
  halt(): void;
  /** `sleptMs`: for so long no time passed for the process. */
  goOn(sleptMs: number): void;
  /** No timer is ever called again. */
  end(): void;
  setWall(byMs: number): void;
  /** Runs now, or when the process goes on, or never. */
  enter(call: () => void): void;
  readonly halted: boolean;
}

export function createBridgeClock(world: WorldClock): BridgeClock {
  const waiting: (() => void)[] = [];
  let state: 'running' | 'halted' | 'ended' = 'running';
  let sleptMs = 0;
  let wallMs = 0;

  function arm(dueMs: number, call: () => void): () => void {
    let cancel = () => {};
    let over = false;
    const look = () => {
      if (over) return;
      const leftMs = dueMs - clock.elapsed();
      // It slept meanwhile.
      if (leftMs > 0) {
        cancel = world.after(leftMs, enterLook);
        return;
      }
      over = true;
      unlessKilled(call);
    };
    const enterLook = () => clock.enter(look);
    cancel = world.after(dueMs - clock.elapsed(), enterLook);
    return () => {
      over = true;
      cancel();
    };
  }

  const clock: BridgeClock = {
    now: () => world.now() + wallMs,
    elapsed: () => world.elapsed() - sleptMs,
    after: (delayMs, call) => arm(clock.elapsed() + Math.max(0, delayMs), call),
    halt() {
      if (state === 'running') state = 'halted';
    },
    goOn(ms) {
      if (state !== 'halted') return;
      sleptMs += ms;
      state = 'running';
      for (const call of waiting.splice(0)) world.after(0, () => clock.enter(call));
    },
    end() {
      state = 'ended';
      waiting.length = 0;
    },
    setWall(byMs) {
      wallMs += byMs;
    },
    enter(call) {
      if (state === 'ended') return;
      if (state === 'halted') waiting.push(call);
      else call();
    },
    get halted() {
      return state === 'halted';
    },
  };
  return clock;
}
