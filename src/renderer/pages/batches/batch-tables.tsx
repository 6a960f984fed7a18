import { useTranslation } from 'react-i18next';
import type { BatchResult } from '../../../contract/journal-events.ts';
import { useFormats } from '../../messages/formats.ts';

/** Where terminal and journal differ, scheme by scheme. */
export function DifferenceTable({ result: { differences, currency } }: { result: BatchResult }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <div className="batch-scroll" tabIndex={0} role="group" aria-label={t('batches.differences')}>
      <table>
        <caption>{t('batches.differences')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('batches.scheme')}</th>
            <th scope="col">{t('batches.terminalCount')}</th>
            <th scope="col">{t('batches.journalCount')}</th>
            <th scope="col">{t('batches.terminalTotal')}</th>
            <th scope="col">{t('batches.journalTotal')}</th>
            <th scope="col">{t('batches.difference')}</th>
          </tr>
        </thead>
        <tbody>
          {differences.map((difference) => (
            <tr key={difference.scheme}>
              <th scope="row">{difference.scheme === 'all' ? t('batches.allSchemes') : difference.scheme}</th>
              <td>{difference.terminalCount === null ? '–' : formats.number(difference.terminalCount)}</td>
              <td>{formats.number(difference.journalCount)}</td>
              <td>{formats.money(difference.terminalTotalMinor, currency)}</td>
              <td>{formats.money(difference.journalTotalMinor, currency)}</td>
              <td className="tone-warn">
                {formats.money(difference.terminalTotalMinor - difference.journalTotalMinor, currency)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What the terminal counted, scheme by scheme. */
export function TotalsTable({ result: { totals, currency } }: { result: BatchResult }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <table aria-label={t('batches.totals')}>
      <thead>
        <tr>
          <th scope="col">{t('batches.scheme')}</th>
          <th scope="col">{t('batches.count')}</th>
          <th scope="col">{t('batches.total')}</th>
        </tr>
      </thead>
      <tbody>
        {totals.map(({ scheme, count, totalMinor }) => (
          <tr key={scheme}>
            <th scope="row">{scheme}</th>
            <td>{formats.number(count)}</td>
            <td>{formats.money(totalMinor, currency)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
