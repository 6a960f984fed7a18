/** Which terminal something is about, where it is not the main one: the person has to look at the right one. */
import { useTranslation } from 'react-i18next';

export function OnTerminal({ name }: { name: string | undefined }) {
  const { t } = useTranslation();
  return (
    name !== undefined && (
      <p>
        <strong>{t('openItems.terminal', { name })}</strong>
      </p>
    )
  );
}
