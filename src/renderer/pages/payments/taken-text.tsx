import { useTranslation } from 'react-i18next';
import type { TakenSum } from '../../../contract/console/index.ts';
import { useFormats } from '../../messages/formats.ts';

/** A sum for each currency; the tooltip says what is counted. Nothing where nothing was taken. */
export function TakenText({ taken, label }: { taken: TakenSum[]; label?: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (taken.length === 0) return null;
  return (
    <span title={t('payments.takenMeaning')}>
      {label !== undefined && `${label} `}
      <span className="taken-sum">
        {taken.map(({ currency, sumMinor }) => formats.money(sumMinor, currency)).join(' · ')}
      </span>
    </span>
  );
}
