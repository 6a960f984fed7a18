/** Below the list: how many payments there are in all, what was taken, and what a long search or count is doing. */
import { useTranslation } from 'react-i18next';
import type { PaymentFilter } from '../../../contract/console/index.ts';
import { Button } from '../../components/button.tsx';
import { Refused } from '../../components/notices.tsx';
import { useFormats } from '../../messages/formats.ts';
import { TakenText } from './taken-text.tsx';
import type { PaymentList } from './use-payment-list.ts';
import { usePaymentTotals, type PaymentSum } from './use-payment-totals.ts';

export function ListFoot({
  list,
  filter,
  searching,
}: {
  list: PaymentList;
  filter: PaymentFilter;
  searching: boolean;
}) {
  const { t } = useTranslation();
  const sum = usePaymentTotals(filter, list.heard);
  const { payments, phase, stop, goOn, retry } = list;
  // Without rows the card itself says it.
  if (payments.length === 0 && phase !== 'loading') return null;
  if (phase === 'refused' && list.refusal !== null) return <Refused refusal={list.refusal} retry={retry} />;
  const text =
    phase === 'stopped'
      ? t('payments.searchStopped')
      : phase === 'loading' && (searching || payments.length === 0)
        ? t(searching ? 'payments.searching' : 'payments.loading')
        : null;
  return (
    <footer className="payments-foot">
      <CountText sum={sum} list={list} />
      <span role="status">{text}</span>
      {phase === 'loading' && searching && (
        <Button look="quiet" onClick={stop}>
          {t('payments.stopSearch')}
        </Button>
      )}
      {phase === 'stopped' && (
        <Button look="quiet" onClick={goOn}>
          {t('payments.goOnSearch')}
        </Button>
      )}
    </footer>
  );
}

/** As long as not all have been counted, it says at least how many there are. */
function CountText({ sum, list: { payments, more } }: { sum: PaymentSum; list: PaymentList }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const isWhole = sum.phase === 'whole';
  // A search may have found what the count has not come to yet.
  const count = Math.max(sum.count, payments.length);
  const all = t('payments.count', { count, number: formats.number(count) });
  return (
    <span className="payments-count">
      <span role={isWhole ? 'status' : undefined}>
        {isWhole || (!more && sum.phase === 'unknown') ? all : t('payments.atLeast', { payments: all })}
      </span>
      <TakenText taken={sum.taken} label={t('payments.taken')} />
      {sum.phase === 'counting' && <span>{t('payments.counting')}</span>}
      {sum.phase === 'partly' && (
        <>
          {sum.reachedAt !== null && (
            <span>{t('payments.countedTo', { day: formats.day(sum.reachedAt) })}</span>
          )}
          <Button look="quiet" onClick={sum.goOn}>
            {t('payments.goOnCounting')}
          </Button>
        </>
      )}
    </span>
  );
}
