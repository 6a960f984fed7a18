/**
 * What the listener counts. Plain numbers, because they are touched with every request; `metrics.ts` puts them into
 * Prometheus form when somebody asks.
 */

/** Upper bounds of the duration histogram, in seconds; the longest `Prefer: wait` is 300 s. */
export const durationBoundsS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30, 60, 120, 300,
] as const;

export interface DurationCounter {
  /** One for each bound of `durationBoundsS`, and one for what is longer; not cumulative. */
  readonly counts: number[];
  sumS: number;
  count: number;
}

export interface Counters {
  /** By path, then by HTTP status. Paths are ours or `other`, so the number of labels is bounded. */
  readonly requests: Map<string, Map<number, number>>;
  readonly durations: Map<string, DurationCounter>;
  /** Ended operations by outcome since the process started. */
  readonly outcomes: Map<string, number>;
  /** Payments by the status that they came to. */
  readonly statuses: Map<string, number>;
  responded(path: string, status: number, durationMs: number): void;
}

export function createCounters(): Counters {
  const requests = new Map<string, Map<number, number>>();
  const durations = new Map<string, DurationCounter>();

  return {
    requests,
    durations,
    outcomes: new Map(),
    statuses: new Map(),
    responded(path, status, durationMs) {
      let byStatus = requests.get(path);
      if (byStatus === undefined) requests.set(path, (byStatus = new Map<number, number>()));
      count(byStatus, status);

      let counter = durations.get(path);
      if (counter === undefined) {
        counter = { counts: Array.from({ length: durationBoundsS.length + 1 }, () => 0), sumS: 0, count: 0 };
        durations.set(path, counter);
      }
      const durationS = durationMs / 1_000;
      const found = durationBoundsS.findIndex((bound) => durationS <= bound);
      const slot = found === -1 ? durationBoundsS.length : found;
      counter.counts[slot] = (counter.counts[slot] ?? 0) + 1;
      counter.sumS += durationS;
      counter.count += 1;
    },
  };
}

export function count<K>(counter: Map<K, number>, key: K): void {
  counter.set(key, (counter.get(key) ?? 0) + 1);
}
