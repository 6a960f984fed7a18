import { useTranslation } from 'react-i18next';
import { href } from '../../store/route.ts';

/** The line of the log that an entry was made of. */
export function LogLink({ id }: { id: number }) {
  const { t } = useTranslation();
  return (
    <a className="log-link" href={href('log', undefined, { line: String(id) })}>
      {t('timeline.logLine', { id })}
    </a>
  );
}
