/**
 * Gives memory back while nothing happens. V8 lets garbage lie until there is much of it: a bridge that has just started
 * holds what loading it has left, and after a busy hour several times what it needs. Collecting it takes tens of milliseconds
 * and makes the next payment a little slower, so it waits for a time in which the process has nothing to do (ADR 57).
 */
import type { Clock } from '../base/clock.ts';
import type { ProcessMemory } from '../base/process-memory.ts';

export interface MemoryUpkeepOptions {
  clock: Clock;
  memory: ProcessMemory;
  /** A terminal is at work: not now, even if that costs no processor time. */
  isBusy: () => boolean;
}

/** From one look to the next, in milliseconds. */
const lookMs = 5_000;
/** A process that uses less of a processor than this has nothing to do. */
const quietShare = 0.02;
/** Less is not worth a pause. */
const worthBytes = 16_000_000;

/** Begins; what comes back ends it. */
export function keepMemoryLow({ clock, memory, isBusy }: MemoryUpkeepOptions): () => void {
  let looked = { atMs: clock.elapsed(), usedMs: memory.processorMs() };
  /** What was left the last time. After the start all of it is worth a look. */
  let leftBytes = 0;
  let ended = false;
  let cancel = clock.after(lookMs, look);

  function look(): void {
    const before = looked;
    looked = { atMs: clock.elapsed(), usedMs: memory.processorMs() };
    const isQuiet = looked.usedMs - before.usedMs < quietShare * (looked.atMs - before.atMs);
    if (isQuiet && memory.heldBytes() - leftBytes >= worthBytes && !isBusy()) void collect();
    else cancel = clock.after(lookMs, look);
  }

  async function collect(): Promise<void> {
    try {
      await memory.collect();
    } catch {
      // Where Node cannot do it, V8 decides, as it does in every other program.
      return;
    }
    if (ended) return;
    leftBytes = memory.heldBytes();
    looked = { atMs: clock.elapsed(), usedMs: memory.processorMs() };
    cancel = clock.after(lookMs, look);
  }

  return () => {
    ended = true;
    cancel();
  };
}
