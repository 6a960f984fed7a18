/** A refusal in the window's language: its code's own words, with the bridge's sentence where that says more. */
import { useTranslation } from 'react-i18next';
import type { ConsoleRefusal } from '../../contract/console/index.ts';

export function useRefusalMessage(): (refusal: ConsoleRefusal) => string {
  const { t, i18n } = useTranslation();
  return (refusal) => {
    const message = t(`refusals.${refusal.code}`);
    // The browser’s own sentence ("Failed to fetch") helps nobody.
    if (refusal.code === 'not_connected') return message;
    // English is the bridge's own language, and its sentence names the payment, the port or the field.
    return i18n.language === 'en' ? refusal.message : `${message} (${refusal.message})`;
  };
}
