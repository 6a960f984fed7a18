/** What waits for a person in any shop. */
import { useTranslation } from 'react-i18next';
import type { OpenItems } from '../../../contract/office-page.ts';
import { OpenLists } from '../parts/open-lists.tsx';
import { NotThere } from '../parts/refused.tsx';
import { useAsked } from '../session.tsx';

const everyMs = 2_000;

export function OpenView() {
  const { t } = useTranslation();
  const asked = useAsked<OpenItems>('/open', { everyMs });
  return (
    <>
      <div className="page-head">
        <h1>{t('office.page.open')}</h1>
      </div>
      {asked.data === null ? (
        <NotThere asked={asked} />
      ) : (
        <OpenLists items={asked.data} withShop onDone={asked.retry} />
      )}
    </>
  );
}
