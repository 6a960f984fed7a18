/** One payment with its timeline, asked for again whenever something happens to it. */
import { useEffect, useRef } from 'react';
import { useChanges } from '../../store/console-context.tsx';
import { useQuestion } from '../../store/use-question.ts';

/** Many facts and frames come together: one question for all of them. */
const gatherMs = 80;

export function usePaymentDetail(transactionId: string) {
  const { asked, again } = useQuestion('payment', { transactionId });
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
