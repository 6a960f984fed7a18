/**
 * Who waits for what: requests for what becomes of a payment, and payments that were asked for and have not started,
 * because the terminal is being polled.
 */
import type { Clock } from '../../../base/clock.ts';

/** Checked whenever an event has been journaled. */
export interface Waiters {
  /** What `find` finds, as soon as it is not null; null after `waitMs` or when `signal` aborts. */
  wait<T>(find: () => T | null, waitMs: number, signal?: AbortSignal): Promise<T | null>;
  check(): void;
  releaseAll(): void;
}

export function createWaiters(clock: Clock): Waiters {
  const waiting = new Set<{ find(): void; release(): void }>();
  return {
    wait(find, waitMs, signal) {
      const now = find();
      if (now !== null || waitMs <= 0 || signal?.aborted === true) return Promise.resolve(now);
      return new Promise((resolve) => {
        const end = (value: ReturnType<typeof find>) => {
          waiting.delete(waiter);
          cancelTimer();
          signal?.removeEventListener('abort', release);
          resolve(value);
        };
        const release = () => end(null);
        const waiter = {
          find() {
            const found = find();
            if (found !== null) end(found);
          },
          release,
        };
        const cancelTimer = clock.after(waitMs, release);
        signal?.addEventListener('abort', release);
        waiting.add(waiter);
      });
    },
    check() {
      for (const waiter of waiting) waiter.find();
    },
    releaseAll() {
      for (const waiter of waiting) waiter.release();
    },
  };
}

type AdmissionEnd = 'decided' | 'withdrawn';

export interface Admission {
  readonly reference: string;
  readonly withdrawn: boolean;
  /** Resolves with the end of it. */
  readonly ended: Promise<AdmissionEnd>;
  /** Resolves as soon as it is withdrawn; otherwise never. */
  readonly whenWithdrawn: Promise<void>;
}

/**
 * The payments that were asked for and have not started: one table, so that nobody takes them for unknown. A query waits
 * for the end of an admission, and a cancel withdraws it: nothing was sent.
 */
export interface Admissions {
  of(reference: string): Admission | null;
  /** Begins one. There is none with this reference. */
  enter(reference: string): Admission;
  /** Ends it: the payment has started, or was refused. */
  leave(admission: Admission): void;
  /** Ends that of `reference`, or all for null. False: there was none. */
  withdraw(reference: string | null): boolean;
}

export function createAdmissions(): Admissions {
  const table = new Map<string, { admission: Admission; end(how: AdmissionEnd): void }>();

  function end(reference: string, how: AdmissionEnd): void {
    const entry = table.get(reference);
    table.delete(reference);
    entry?.end(how);
  }

  return {
    of: (reference) => table.get(reference)?.admission ?? null,
    enter(reference) {
      if (table.has(reference)) throw new Error(`payment ${reference} is being admitted already`);
      const ended = Promise.withResolvers<AdmissionEnd>();
      const taken = Promise.withResolvers<void>();
      let withdrawn = false;
      const admission: Admission = {
        reference,
        get withdrawn() {
          return withdrawn;
        },
        ended: ended.promise,
        whenWithdrawn: taken.promise,
      };
      table.set(reference, {
        admission,
        end(how) {
          withdrawn = how === 'withdrawn';
          if (withdrawn) taken.resolve();
          ended.resolve(how);
        },
      });
      return admission;
    },
    leave({ reference, withdrawn }) {
      // A withdrawn one is out of the table, and another may have taken its place.
      if (!withdrawn) end(reference, 'decided');
    },
    withdraw(reference) {
      const references = reference === null ? [...table.keys()] : [reference].filter((one) => table.has(one));
      for (const one of references) end(one, 'withdrawn');
      return references.length > 0;
    },
  };
}
