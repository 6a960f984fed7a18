/** One payment with its timeline, fetched again whenever something happens to it. */
import { useEffect, useRef } from 'react';
import type { ConsoleChange, PaymentDetail } from '../../../contract/console/index.ts';
import { useConsoleState } from '../../store/console-context.tsx';
import { useMethod, type MethodQuery } from '../../store/queries.ts';

/** Many journal events and frames come together: one request for all of them. */
const gatherMs = 80;

export function usePaymentDetail(transactionId: string): MethodQuery<'payment'> {
  const query = useMethod(
    'payment',
    { transactionId },
    {
      isAbout: (change, detail) => isAbout(change, transactionId, detail),
      delayMs: gatherMs,
      everyMs: 0,
    },
  );
  useRetryOnDiscrepancies(query.data?.payment.reference ?? null, query.retry);
  return query;
}

function isAbout(change: ConsoleChange, transactionId: string, detail: PaymentDetail | null): boolean {
  if (change.kind === 'payment') return change.payment.transactionId === transactionId;
  if (change.kind !== 'log' || detail === null) return false;
  const operations = operationsOf(detail);
  return change.lines.some(({ operationId }) => operationId !== null && operations.has(operationId));
}

/** The sale, and the voids of it. */
function operationsOf({ timeline }: PaymentDetail): Set<string> {
  return new Set(
    timeline.flatMap((entry) =>
      entry.kind === 'journal_event' &&
      'operationId' in entry.stored.event &&
      entry.stored.event.operationId !== null
        ? [entry.stored.event.operationId]
        : [],
    ),
  );
}

/** What is found or acknowledged about a payment changes none of its own events: the state tells of it. */
function useRetryOnDiscrepancies(reference: string | null, retry: () => void) {
  const { discrepancies } = useConsoleState();
  const about = discrepancies
    .filter(({ references }) => reference !== null && references.includes(reference))
    .map(({ discrepancyId }) => discrepancyId)
    .join(' ');
  const seen = useRef<{ reference: string; about: string } | null>(null);
  useEffect(() => {
    if (reference === null) return;
    const isNew =
      seen.current !== null && seen.current.reference === reference && seen.current.about !== about;
    seen.current = { reference, about };
    if (isNew) retry();
  }, [reference, about, retry]);
}
