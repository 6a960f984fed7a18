/** One payment with its timeline, asked for again whenever something happens to it. */
import { useEffect, useRef } from 'react';
import { useChanges, useConsoleState } from '../../store/console-context.tsx';
import { useMethod } from '../../store/use-question.ts';

/** Many facts and frames come together: one question for all of them. */
const gatherMs = 80;

export function usePaymentDetail(transactionId: string) {
  const { asked, again } = useMethod('payment', { transactionId });
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const operations = useRef(new Set<string>());

  useEffect(() => {
    if (asked.kind !== 'answered') return;
    operations.current = new Set(
      asked.value.timeline.flatMap((entry) =>
        entry.kind === 'fact' &&
        'operationId' in entry.stored.event &&
        entry.stored.event.operationId !== null
          ? [entry.stored.event.operationId]
          : [],
      ),
    );
  }, [asked]);
  useAgainWithDiscrepancies(asked.kind === 'answered' ? asked.value.payment.reference : null, again);
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
      again();
    }, gatherMs);
  });
  return { asked, again };
}

/** What is found or acknowledged about a payment changes none of its own facts: the state tells of it. */
function useAgainWithDiscrepancies(reference: string | null, again: () => void) {
  const { discrepancies } = useConsoleState();
  const about = discrepancies
    .filter(({ references }) => reference !== null && references.includes(reference))
    .map(({ discrepancyId }) => discrepancyId)
    .join(' ');
  const seen = useRef<{ reference: string; about: string } | null>(null);
  useEffect(() => {
    if (reference === null) return;
    const isNews =
      seen.current !== null && seen.current.reference === reference && seen.current.about !== about;
    seen.current = { reference, about };
    if (isNews) again();
  }, [reference, about, again]);
}
