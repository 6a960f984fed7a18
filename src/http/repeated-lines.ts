/**
 * Log lines that anybody can cause as often as they like: refused requests, broken connections, calls that start
 * nothing. The first of a kind is said at once, and where it matters some more; the others are counted and said together, at the
 * end of an interval that grows while they go on:
 *
 *     1,204 requests without a token in the last minute   from: ["curl/8.5.0", …]
 *
 * All kinds together have one allowance of such lines, so that nothing that callers vary makes more of them: at most 2,900
 * lines a day, and for each kind some 30 sums. A payment's own lines never come through here.
 */
import { groupedDigits } from '../base/grouped-digits.ts';
import { createTokenBucket } from '../base/token-bucket.ts';
import type { Clock } from '../base/clock.ts';
import type { LineLog, LogFields, LogLevel } from '../log/index.ts';

/** What is counted together. Kinds are named in the code, never by a caller, so their number is bounded. */
export interface RepeatedKind {
  /** Told apart by this. */
  name: string;
  level: LogLevel;
  /** The single line. */
  message: string;
  /** "requests without a token", for the sum. */
  many: string;
  /** More than the first are worth a line of their own, as far as the allowance goes. */
  detailed?: true;
}

export interface RepeatedLines {
  /**
   * Says the line, or counts it. `from` is the caller's own word for itself, if it has one. What takes work to put
   * together is asked for only when it is said.
   */
  note(kind: RepeatedKind, from: string | undefined, fields: LogFields | (() => LogFields)): void;
  /** Says what has been counted. May be called again and again. */
  flush(): void;
}

const firstIntervalMs = 60_000;
const maxIntervalMs = 60 * 60_000;
/** Single lines of all kinds that may come at once, and how soon one more may. */
const maxSingleLines = 100;
const singleLineEveryMs = 30_000;
const maxCallers = 3;
const maxCallerCharacters = 100;

interface Counted {
  readonly kind: RepeatedKind;
  intervalMs: number;
  beganAtMs: number;
  /** Not said yet. */
  count: number;
  readonly from: Set<string>;
  moreCallers: boolean;
  cancel: () => void;
}

export function createRepeatedLines(log: LineLog, clock: Clock): RepeatedLines {
  const kinds = new Map<string, Counted>();
  const allowance = createTokenBucket(clock, { capacity: maxSingleLines, refillMs: singleLineEveryMs });

  const begin = (kind: RepeatedKind): Counted => {
    const counted: Counted = {
      kind,
      intervalMs: firstIntervalMs,
      beganAtMs: clock.elapsed(),
      count: 0,
      from: new Set(),
      moreCallers: false,
      cancel: () => {},
    };
    kinds.set(kind.name, counted);
    counted.cancel = clock.after(counted.intervalMs, () => endInterval(counted));
    return counted;
  };

  const endInterval = (counted: Counted) => {
    if (counted.count === 0) {
      kinds.delete(counted.kind.name);
      return;
    }
    say(counted);
    counted.intervalMs = Math.min(counted.intervalMs * 2, maxIntervalMs);
    counted.cancel = clock.after(counted.intervalMs, () => endInterval(counted));
  };

  const say = (counted: Counted) => {
    const { kind, count, from, moreCallers } = counted;
    const nowMs = clock.elapsed();
    log[kind.level](`${groupedDigits(count)} ${kind.many} in the last ${span(nowMs - counted.beganAtMs)}`, {
      count,
      ...(from.size === 0 ? {} : { from: moreCallers ? [...from, '…'] : [...from] }),
    });
    counted.beganAtMs = nowMs;
    counted.count = 0;
    counted.from.clear();
    counted.moreCallers = false;
  };

  return {
    note(kind, from, fields) {
      const known = kinds.get(kind.name);
      if (known === undefined) begin(kind);
      // The first of a kind is always said; a kind that goes on is remembered, so that this is bounded, too.
      if (known === undefined || (kind.detailed === true && allowance.take()))
        return log[kind.level](kind.message, typeof fields === 'function' ? fields() : fields);
      known.count += 1;
      if (from === undefined || from === '') return;
      const caller = from.slice(0, maxCallerCharacters);
      if (known.from.size < maxCallers) known.from.add(caller);
      else if (!known.from.has(caller)) known.moreCallers = true;
    },

    flush() {
      for (const counted of kinds.values()) {
        counted.cancel();
        if (counted.count > 0) say(counted);
      }
      kinds.clear();
    },
  };
}

function span(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes === 60) return 'hour';
  return minutes <= 1 ? 'minute' : `${minutes} minutes`;
}
