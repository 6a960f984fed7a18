/** One payment with its timeline, asked for again whenever something happens to it. */
import { useEffect, useRef } from 'react';
import { useChanges, useConsoleState } from '../../store/console-context.tsx';
import { useMethod } from '../../store/queries.ts';

/** Many facts and frames come together: one question for all of them. */
const gatherMs = 80;

export function usePaymentDetail(transactionId: string) {
  const { result, retry } = useMethod('payment', { transactionId });
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const operations = useRef(new Set<string>());

  useEffect(() => {
    if (result.kind !== 'answered') return;
    operations.current = new Set(
      result.value.timeline.flatMap((entry) =>
        entry.kind === 'journal_event' &&
        'operationId' in entry.stored.event &&
        entry.stored.event.operationId !== null
          ? [entry.stored.event.operationId]
          : [],
      ),
    );
  }, [result]);
  useRetryOnDiscrepancies(result.kind === 'answered' ? result.value.payment.reference : null, retry);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );
  useChanges((change) => {
    const about =
      (change.kind === 'payment' && change.payment.transactionId === transactionId) ||
      (change.kind === 'log' &&
        change.lines.some(({ operationId }) => operationId !== null && operations.current.has(operationId)));
    if (!about || timer.current !== null) return;
    timer.current = setTimeout(() => {
      timer.current = null;
      retry();
    }, gatherMs);
  });
  return { result, retry };
}

/** What is found or acknowledged about a payment changes none of its own facts: the state tells of it. */
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
