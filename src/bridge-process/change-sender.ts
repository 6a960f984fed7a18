/**
 * Sends changes to the main process, and no more than it takes: a main process that is held up (a window is dragged, a
 * menu is open) must not make this one keep everything that happens meanwhile.
 */
import { maxChangesUnderWay } from '../contract/bridge-channel.ts';
import type { ConsoleChange } from '../contract/console/index.ts';

export interface ChangeSender {
  send(change: ConsoleChange): void;
  /** So many have arrived. */
  taken(count: number): void;
  /** Nobody takes any more. */
  stop(): void;
}

const maxKeptLines = 500;
/** More payments than change while a window is dragged; the console reads the list again when it is opened. */
const maxKeptPayments = 200;

export function createChangeSender(send: (change: ConsoleChange) => void): ChangeSender {
  let underWay = 0;
  let stopped = false;
  /** What waits, by what takes its place. */
  const kept = new Map<string, ConsoleChange>();

  function keep(change: ConsoleChange): void {
    const key = change.kind === 'payment' ? `payment ${change.payment.transactionId}` : change.kind;
    const before = kept.get(key);
    kept.delete(key);
    kept.set(key, before === undefined ? change : together(before, change));
    if (kept.size <= maxKeptPayments) return;
    const [oldest] = [...kept.keys()].filter((name) => name.startsWith('payment '));
    if (oldest !== undefined) kept.delete(oldest);
  }

  return {
    send(change) {
      if (stopped) return;
      if (underWay >= maxChangesUnderWay) return keep(change);
      underWay += 1;
      send(change);
    },
    taken(count) {
      underWay = Math.max(0, underWay - count);
      for (const [key, change] of kept) {
        if (stopped || underWay >= maxChangesUnderWay) return;
        kept.delete(key);
        underWay += 1;
        send(change);
      }
    },
    stop() {
      stopped = true;
      kept.clear();
    },
  };
}

/** The newest counts; of log lines as many as one change carries, and `last` says that there are more. */
function together(before: ConsoleChange, next: ConsoleChange): ConsoleChange {
  if (before.kind !== 'log' || next.kind !== 'log') return next;
  return { ...next, lines: [...before.lines, ...next.lines].slice(-maxKeptLines) };
}
