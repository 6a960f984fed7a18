/** What the day's sum is made of, by card scheme: figures, with a bar behind each share. */
import { useTranslation } from 'react-i18next';
import type { DaySummary } from '../../../contract/console/index.ts';
import { useFormats } from '../../messages/formats.ts';
import { shareOf } from './day-figures.ts';

export function SchemeTable({ day: { schemes, sumMinor, currency } }: { day: DaySummary }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const titleId = 'till-schemes-title';
  return (
    <section className="till-chart till-schemes" aria-labelledby={titleId}>
      <h3 id={titleId}>{t('till.bySchemeTitle')}</h3>
      {schemes.length === 0 || sumMinor === 0 ? (
        <p className="calm till-chart-empty">{t('till.noSchemes')}</p>
      ) : (
        <table aria-labelledby={titleId}>
          <thead className="visually-hidden">
            <tr>
              <th scope="col">{t('till.scheme')}</th>
              <th scope="col">{t('till.count')}</th>
              <th scope="col">{t('till.sum')}</th>
              <th scope="col">{t('till.schemeShare')}</th>
            </tr>
          </thead>
          <tbody>
            {schemes.map(({ scheme, count, sumMinor: part }) => {
              const share = shareOf(part, sumMinor);
              return (
                <tr key={scheme ?? ''} style={{ '--share': share }}>
                  <th scope="row">{scheme ?? t('till.otherCards')}</th>
                  <td>{formats.number(count)}</td>
                  <td>{formats.money(part, currency)}</td>
                  <td>{formats.share(share)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </section>
  );
}
