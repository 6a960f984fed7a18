import { Archive, CreditCard, Receipt, ScrollText, Settings, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { href, pageNames, useRoute, type PageName } from '../store/route.ts';

const icons: Record<PageName, LucideIcon> = {
  till: CreditCard,
  payments: Receipt,
  batches: Archive,
  log: ScrollText,
  settings: Settings,
};

export function Navigation() {
  const { t } = useTranslation();
  const { page } = useRoute();
  return (
    <nav className="navigation" aria-label={t('app.navigation')}>
      {pageNames.map((name) => {
        const Icon = icons[name];
        return (
          <a key={name} href={href(name)} aria-current={name === page ? 'page' : undefined}>
            <Icon aria-hidden="true" />
            <span>{t(`pages.${name}`)}</span>
          </a>
        );
      })}
    </nav>
  );
}
