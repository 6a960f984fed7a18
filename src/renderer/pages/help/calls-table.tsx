/** Who has called lately: when, from where, with what result. */
import { useTranslation } from 'react-i18next';
import type { RecentCallView } from '../../../contract/console/index.ts';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../messages/formats.ts';

export function CallsTable({ calls }: { calls: RecentCallView[] }) {
  const { t } = useTranslation();
  const { number } = useFormats();
  return (
    <section className="card diagnosis-calls" aria-labelledby="diagnosis-calls">
      <h2 id="diagnosis-calls">{t('diagnosis.calls.title')}</h2>
      {calls.length === 0 ? (
        <p className="calm">{t('diagnosis.calls.none')}</p>
      ) : (
        // It scrolls by itself in a small window, and the keyboard has to get there.
        <div className="diagnosis-table" tabIndex={0} role="region" aria-labelledby="diagnosis-calls">
          <table>
            <thead>
              <tr>
                <th scope="col">{t('diagnosis.calls.when')}</th>
                <th scope="col">{t('diagnosis.calls.who')}</th>
                <th scope="col">{t('diagnosis.calls.what')}</th>
                <th scope="col">{t('diagnosis.calls.result')}</th>
                <th scope="col">{t('diagnosis.calls.times')}</th>
              </tr>
            </thead>
            <tbody>
              {calls.map(({ at, path, caller, address, code, count }) => (
                <tr key={`${path} ${caller} ${address} ${code}`}>
                  <td>
                    <Time at={at} show="dateTime" />
                  </td>
                  <td title={address ?? undefined}>
                    {caller ?? address ?? t('diagnosis.calls.unknownCaller')}
                  </td>
                  <td>{path === 'other' ? t('diagnosis.calls.unknownPath') : path.slice(1)}</td>
                  <td>{code === null ? t('diagnosis.calls.answered') : <code>{code}</code>}</td>
                  <td data-figures>{number(count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
