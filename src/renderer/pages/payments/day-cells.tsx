/** What stands above the payments of a day: which day, how many there are, and what was taken. */
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { PaymentFilter } from '../../../contract/console/index.ts';
import { useFormats } from '../../messages/formats.ts';
import { onDay } from './list-filter.ts';
import { TakenText } from './taken-text.tsx';
import type { HeardChanges } from './use-payment-list.ts';
import { usePaymentTotals } from './use-payment-totals.ts';

export function DayCells({
  day,
  at,
  filter,
  heard,
  span,
}: {
  day: string;
  /** An instant of it. */
  at: string;
  filter: PaymentFilter;
  heard: HeardChanges;
  /** Columns of the table. */
  span: number;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const ofDay = useMemo(() => onDay(filter, day), [filter, day]);
  const sum = usePaymentTotals(ofDay, heard);
  const known = sum.phase !== 'unknown';
  const count = t('payments.count', { count: sum.count, number: formats.number(sum.count) });
  return (
    <span role="gridcell" aria-colspan={span} className="payment-day-cell">
      <span className="payment-day-name">{formats.weekDay(at)}</span>
      <span className="calm">
        {known && (sum.phase === 'whole' ? count : t('payments.atLeast', { payments: count }))}
      </span>
      {known && <TakenText taken={sum.taken} />}
    </span>
  );
}
