/**
 * What the journal owes after its appends and nobody waits for: the high-water mark, and bringing the write-ahead file into
 * the journal file (a checkpoint, which syncs and takes milliseconds). Neither is done between an append and its answer: the
 * mark by a timer, the checkpoint when nothing was written for a while, or, where that never is, when an operation has just
 * ended. What fails is tried again after the next append.
 */
import type { Clock } from '../../base/clock.ts';
import type { ChainHead } from './chain.ts';

export interface Upkeep {
  /** This is on disk. */
  committed(head: ChainHead): void;
  /** An operation has just ended: the next moments belong to nobody. */
  operationEnded(): void;
  /** Does what cannot wait for the next opening, and nothing after it. */
  end(): void;
}

export interface UpkeepTasks {
  clock: Clock;
  /** Throws nothing. */
  writeMark(head: ChainHead): void;
  /** False: it could not be done, or not to the end. Throws nothing. */
  checkpoint(): boolean;
}

/** So long a mark may be behind what is on disk, in milliseconds. */
const markDelayMs = 100;
/** So long nothing has been written when a checkpoint begins, in milliseconds. */
const quietMs = 300;
/** Fewer are not worth the sync: some ten payments, or a quarter of a megabyte. */
const commitsPerCheckpoint = 32;
/** So many are not left to a quiet time that may never come: some eighty payments, half of what SQLite brings in by itself. */
const mostCommits = 256;

export function createUpkeep({ clock, writeMark, checkpoint }: UpkeepTasks): Upkeep {
  let unmarked: ChainHead | null = null;
  let commits = 0;
  let lastCommitMs = 0;
  let cancel: (() => void) | null = null;

  function mark(): void {
    if (unmarked !== null) writeMark(unmarked);
    unmarked = null;
  }

  function look(): void {
    cancel = null;
    mark();
    if (commits < commitsPerCheckpoint) return;
    const restMs = lastCommitMs + quietMs - clock.elapsed();
    if (restMs > 0) cancel = clock.after(Math.min(restMs, markDelayMs), look);
    else if (checkpoint()) commits = 0;
  }

  return {
    committed(head) {
      unmarked = head;
      commits += 1;
      lastCommitMs = clock.elapsed();
      cancel ??= clock.after(markDelayMs, look);
    },
    operationEnded() {
      if (commits >= mostCommits && checkpoint()) commits = 0;
    },
    end() {
      cancel?.();
      cancel = null;
      mark();
    },
  };
}
