import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button.tsx';
import type { Pages } from './use-pages.ts';

/** Below a list: the next page of it. */
export function More({ pages: { more, busy } }: { pages: Pages<unknown> }) {
  const { t } = useTranslation();
  if (more === null) return null;
  return (
    <div className="office-more">
      <Button busy={busy} onClick={more}>
        {t('app.more')}
      </Button>
    </div>
  );
}
