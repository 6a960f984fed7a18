/** Which versions the bridges have: how far a roll-out has come, and who is left behind. */
import { useTranslation } from 'react-i18next';
import type { VersionView } from '../../../contract/office-page.ts';
import { Empty } from '../../components/notices.tsx';
import { useFormats } from '../../messages/formats.ts';
import { DataTable } from '../parts/data-table.tsx';
import { NotThere } from '../parts/refused.tsx';
import { officeHref } from '../route.ts';
import { useAsked } from '../session.tsx';

const everyMs = 5_000;

export function VersionsView() {
  const { t } = useTranslation();
  const formats = useFormats();
  const asked = useAsked<{ officeVersion: string; versions: VersionView[] }>('/versions', { everyMs });
  const versions = asked.data?.versions ?? [];
  const all = versions.reduce((sum, { bridges }) => sum + bridges, 0);
  return (
    <>
      <div className="page-head">
        <h1>{t('office.page.versions')}</h1>
        {versions.some(({ isOld }) => isOld) && (
          <a className="button" href={officeHref('overview', undefined, { state: 'old_version' })}>
            {t('office.versions.showOld')}
          </a>
        )}
      </div>
      {asked.data === null ? (
        <NotThere asked={asked} />
      ) : (
        <>
          <p className="calm">{t('office.versions.office', { version: asked.data.officeVersion })}</p>
          {versions.length === 0 ? (
            <Empty title={t('office.versions.none')} />
          ) : (
            <DataTable
              label={t('office.versions.table')}
              rows={versions}
              keyOf={({ version }) => version}
              columns={[
                {
                  name: 'version',
                  label: t('office.versions.column.version'),
                  width: 'minmax(9rem, 2fr)',
                  cell: ({ version, isOld }) => (
                    <>
                      <strong>{version}</strong>
                      {isOld && <span className="tone-warn"> {t('office.versions.old')}</span>}
                    </>
                  ),
                },
                ...(['shops', 'bridges', 'heard'] as const).map((name) => ({
                  name,
                  label: t(`office.versions.column.${name}`),
                  width: 'minmax(5rem, 7rem)',
                  cell: (row: VersionView) => <span data-figures>{formats.number(row[name])}</span>,
                })),
                {
                  name: 'share',
                  label: t('office.versions.column.share'),
                  width: 'minmax(8rem, 2fr)',
                  cell: ({ bridges }) => (
                    <span className="version-share">
                      <progress max={all} value={bridges} aria-hidden="true" />
                      <span data-figures>{formats.share(bridges / all)}</span>
                    </span>
                  ),
                },
              ]}
            />
          )}
        </>
      )}
    </>
  );
}
