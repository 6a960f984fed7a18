/** Loads the payments that fit a filter, page by page, and keeps them as they are now. */
import { useEffect, useReducer, useRef, useState } from 'react';
import type { PaymentFilter, PaymentView } from '../../../contract/console/index.ts';
import { useChanges, useClient, useView } from '../../store/console-context.tsx';
import { emptyList, fitsWithoutText, reduceList, type PaymentList } from './payment-list.ts';

/** Payments in one answer. */
const pageSize = 100;
/** As many are loaded beyond what is looked at. */
const ahead = 50;

export interface LoadedPayments {
  list: PaymentList;
  /** Loads until there are so many, or no more. A search that finds few goes on by itself. */
  want: (count: number) => void;
  /** Ends a long search; `goOn` takes it up again. */
  stop: () => void;
  goOn: () => void;
  /** Asks once more from the start, after a refusal. */
  retry: () => void;
}

export function usePaymentList(filter: PaymentFilter): LoadedPayments {
  const client = useClient();
  const { connected } = useView();
  const [list, dispatch] = useReducer(reduceList, emptyList);
  const [wanted, setWanted] = useState(pageSize);
  const [round, setRound] = useState(0);
  // An answer that is overtaken by a later question, or by a stop, is dropped.
  const turn = useRef(0);
  const key = JSON.stringify(filter);

  const invoke = async (before: number | null) => {
    turn.current += 1;
    const mine = turn.current;
    dispatch({ kind: 'asked' });
    const result = await client.invoke('payments', { filter, before, limit: pageSize });
    if (mine !== turn.current) return;
    if (result.ok) dispatch({ kind: 'answered', key, first: before === null, response: result.value });
    else dispatch({ kind: 'refused', refusal: result.refusal });
  };

  // From the start: a filter is new, or the connection is back and what happened meanwhile was not told.
  useEffect(() => {
    if (!connected) return;
    setWanted(pageSize);
    void invoke(null);
    return () => {
      turn.current += 1;
    };
  }, [client, connected, key, round]);

  // A page may be short although there is more; so it goes on until there are as many as are wanted.
  const { phase, next, payments } = list;
  useEffect(() => {
    if (connected && list.key === key && phase === 'idle' && next !== null && payments.length < wanted)
      void invoke(next);
  });

  useChanges((change) => {
    if (change.kind !== 'payment') return;
    const { payment } = change;
    if (!fitsWithoutText(filter, payment)) dispatch({ kind: 'changed', payment, fits: false });
    else if (filter.text === null) dispatch({ kind: 'changed', payment, fits: true });
    else void look(payment);
  });

  /** Lets the host say whether the payment fits the text. */
  const look = async (payment: PaymentView) => {
    const result = await client.invoke('payments', { filter, before: payment.position + 1, limit: 1 });
    if (!result.ok || filterKey.current !== key) return;
    const found = result.value.payments.find(({ position }) => position === payment.position);
    dispatch({ kind: 'changed', payment: found ?? payment, fits: found !== undefined });
  };
  const filterKey = useRef(key);
  useEffect(() => {
    filterKey.current = key;
  }, [key]);

  return {
    list,
    want: (count) => setWanted((before) => Math.max(before, count + ahead)),
    stop: () => {
      turn.current += 1;
      dispatch({ kind: 'stopped' });
    },
    goOn: () => void invoke(list.key === key ? next : null),
    retry: () => setRound((before) => before + 1),
  };
}
