/**
 * What the list of the log shows: rows from the oldest (0) to the newest. Kept outside of React, because lines come by the
 * hundred; whoever shows it is notified at most once per frame.
 */
import type { LogFilter, LogLevel, LogLine, ConsoleRefusal } from '../../../contract/console/index.ts';
import { flushSync } from 'react-dom';
import { createEmitter } from '../../../base/emitter.ts';

export interface LogSnapshot {
  /** Null until the first response. */
  rows: number | null;
  /** How many lines the rows are of: as many, if none is folded. */
  lines: number;
  /** How many rows have come at the top since the start, less those that have gone there. What is shown moves by it. */
  shift: number;
  /** Number of the newest line that there is, whether it fits the filter or not. */
  last: number;
  /** Grows by one with each new line that fits. */
  arrived: number;
  sources: readonly string[];
  /** Older lines: `more` there are perhaps; `searching` right now; `stopped` by a person; `all` are here or can be. */
  older: 'more' | 'searching' | 'stopped' | 'all';
  /** The last request was refused; `retry` sends it again. */
  refusal: ConsoleRefusal | null;
}

/** Lines under one row. */
export interface Fold {
  /** Of its row: a number that no line has. */
  id: number;
  kind: 'payment' | 'heartbeats';
  open: boolean;
  lines: readonly LogLine[];
  /** How often the terminal was asked how it is. */
  heartbeats: number;
  /** The most important one. */
  level: LogLevel;
  /** The line with the amount that the terminal was asked for. */
  amountLine: LogLine | null;
}

export interface LogView {
  /** Begins to fetch and to subscribe. The result ends it. */
  open(): () => void;
  snapshot(): LogSnapshot;
  /** Null: on its way, or out of range. */
  lineAt(row: number): LogLine | null;
  /** The number of the line in this row, also of one that is on its way. Null: out of range. */
  idAt(row: number): number | null;
  /** Null: the view does not have that line. */
  rowOf(id: number): number | null;
  /** What stands for lines that are folded; null: the row is of a line. */
  foldAt(row: number): Fold | null;
  /** The line in this row belongs to the fold above it. */
  isInside(row: number): boolean;
  /** Opens or closes the fold with this number. */
  toggle(id: number): void;
  /** Opens what hides this line. */
  reveal(id: number): void;
  /** These rows (both included) are on the screen: what is missing of them is fetched. */
  show(from: number, to: number): void;
  /** The end is on the screen and is meant to stay there; if not, what is read must not move away. */
  follow(following: boolean): void;
  stopSearch(): void;
  goOnSearching(): void;
  retry(): void;
  /** For useSyncExternalStore. */
  subscribe(listener: () => void): () => void;
  version(): number;
}

/** For views that fold nothing. */
export const nothingFolded: Pick<LogView, 'foldAt' | 'isInside' | 'toggle' | 'reveal'> = {
  foldAt: () => null,
  isInside: () => false,
  toggle: () => undefined,
  reveal: () => undefined,
};

export const wholeLog: LogFilter = { minLevel: 'debug', sources: null, text: null };

export function isWholeLog({ minLevel, sources, text, from, until }: LogFilter): boolean {
  return minLevel === 'debug' && sources === null && (text ?? '') === '' && from == null && until == null;
}

/** Notifies that something has changed, once per frame however often it does. */
export function createFrameUpdates(): {
  changed(): void;
  subscribe(listener: () => void): () => void;
  version(): number;
} {
  const emitter = createEmitter<void>({
    onFault: (error) => console.error('The log could not be drawn.', error),
  });
  let version = 0;
  function emit() {
    version += 1;
    emitter.emit(undefined);
  }
  return {
    changed: () => inNextFrame(emit),
    subscribe: emitter.subscribe,
    version: () => version,
  };
}

const waiting = new Set<() => void>();

/** Does `work` before the next frame is drawn, with what it changes in React; the same function is done once. */
export function inNextFrame(work: () => void): void {
  if (waiting.size === 0) requestAnimationFrame(workOff);
  waiting.add(work);
}

export function notInNextFrame(work: () => void): void {
  waiting.delete(work);
}

function workOff(): void {
  const now = [...waiting];
  waiting.clear();
  flushSync(() => {
    for (const work of now) work();
  });
}
