import { useTranslation } from 'react-i18next';
import { href, useRoute } from '../store/route.ts';

/** Stands beside everything that does not work. `short`: where there is little room. */
export function WhyLink({ short = false }: { short?: boolean }) {
  const { t } = useTranslation();
  const { page } = useRoute();
  // It would lead to where one is.
  if (page === 'help') return null;
  return (
    <a className="why-link" href={href('help')} aria-label={short ? t('diagnosis.why') : undefined}>
      {t(short ? 'diagnosis.whyShort' : 'diagnosis.why')}
    </a>
  );
}
