/** The payments that have been loaded so far: a pure machine of what was asked, answered and heard. */
import type {
  PaymentFilter,
  PaymentView,
  PaymentsResponse,
  ConsoleRefusal,
} from '../../../contract/console/index.ts';

export interface PaymentList {
  /** Of the filter that `payments` belong to. While another one's first page is on its way, the old ones stay. */
  key: string;
  /** Newest first. */
  payments: PaymentView[];
  /** Where the next page begins; null: everything is here. */
  next: number | null;
  phase: 'loading' | 'idle' | 'stopped' | 'refused';
  /** Why, while the phase is `refused`. */
  refusal: ConsoleRefusal | null;
  /** The first page has come. */
  begun: boolean;
  /** Changes since the last question: its answer may be from before them. */
  changesMeanwhile: Change[];
}

/** A payment is new or has changed, and `fits` the filter or no longer does. */
export interface Change {
  payment: PaymentView;
  fits: boolean;
}

export type ListEvent =
  | { kind: 'asked' }
  | { kind: 'answered'; key: string; first: boolean; response: PaymentsResponse }
  | { kind: 'refused'; refusal: ConsoleRefusal }
  | { kind: 'stopped' }
  | ({ kind: 'changed' } & Change);

export const emptyList: PaymentList = {
  key: '',
  payments: [],
  next: null,
  phase: 'loading',
  refusal: null,
  begun: false,
  changesMeanwhile: [],
};

export function reduceList(list: PaymentList, event: ListEvent): PaymentList {
  switch (event.kind) {
    case 'asked':
      return { ...list, phase: 'loading', refusal: null, changesMeanwhile: [] };
    case 'answered': {
      const { key, first, response } = event;
      const payments = first ? response.payments : merge(list.payments, response.payments);
      const next = { ...list, key, payments, next: response.next, begun: true };
      return {
        ...list.changesMeanwhile.reduce(withChange, next),
        phase: 'idle',
        refusal: null,
        changesMeanwhile: [],
      };
    }
    case 'refused':
      return { ...list, phase: 'refused', refusal: event.refusal };
    case 'stopped':
      return { ...list, phase: 'stopped' };
    case 'changed':
      return withChange(
        { ...list, changesMeanwhile: list.phase === 'loading' ? [...list.changesMeanwhile, event] : [] },
        event,
      );
  }
}

function withChange(list: PaymentList, { payment, fits }: Change): PaymentList {
  const { payments, next } = list;
  if (!fits) return { ...list, payments: payments.filter(({ position }) => position !== payment.position) };
  // One that is older than what has been loaded comes with its own page.
  if (next !== null && payment.position < next) return list;
  return { ...list, payments: merge(payments, [payment]) };
}

/** Newest first, each once; of two views of the same payment the one that is as new or newer stays. */
function merge(known: PaymentView[], more: PaymentView[]): PaymentView[] {
  const byPosition = new Map(known.map((payment) => [payment.position, payment]));
  for (const payment of more) {
    const old = byPosition.get(payment.position);
    if (old === undefined || old.updatedAt <= payment.updatedAt) byPosition.set(payment.position, payment);
  }
  return [...byPosition.values()].toSorted((one, other) => other.position - one.position);
}

/** Whether day and status fit; what a text fits, only the host knows. */
export function fitsWithoutText({ span, status }: PaymentFilter, payment: PaymentView): boolean {
  const started = Date.parse(payment.createdAt);
  return (
    (status === null || payment.status === status) &&
    (span === null || (started >= Date.parse(span.from) && started < Date.parse(span.until)))
  );
}
