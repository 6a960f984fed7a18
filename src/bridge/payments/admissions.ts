/**
 * The payments that were asked for and have not started, because the terminal is being polled: one table, so that
 * nobody takes them for unknown. A query waits for the end of an admission, and a cancel withdraws it: nothing was sent.
 */
export type AdmissionEnd = 'decided' | 'withdrawn';

export interface Admission {
  readonly reference: string;
  readonly withdrawn: boolean;
  /** Resolves with the end of it. */
  readonly ended: Promise<AdmissionEnd>;
  /** Resolves as soon as it is withdrawn; otherwise never. */
  readonly whenWithdrawn: Promise<void>;
}

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
