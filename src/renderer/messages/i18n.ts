/** The language that the window speaks. */
import i18next from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import { bridgeSentence, i18nOptions, languageFor } from '../../locales/index.ts';
import type { ConsoleRefusal } from '../../contract/console/index.ts';

/** `wanted` is a code of `languages`, or `system` for the computer's language. */
export async function startI18n(wanted: string): Promise<void> {
  await i18next.use(initReactI18next).init(i18nOptions(languageFor(wanted, navigator.languages)));
  markPage();
}

export async function changeLanguage(wanted: string): Promise<void> {
  const language = languageFor(wanted, navigator.languages);
  if (i18next.language === language) return;
  await i18next.changeLanguage(language);
  markPage();
}

function markPage(): void {
  document.documentElement.lang = i18next.language;
}

/** A refusal in the window's language: its code's message, with the bridge's sentence where that says more. */
export function useRefusalMessage(): (refusal: ConsoleRefusal) => string {
  const { t, i18n } = useTranslation();
  return (refusal) => {
    const message = t(`refusals.${refusal.code}`);
    // The browser’s own sentence ("Failed to fetch") helps nobody.
    if (refusal.code === 'not_connected') return message;
    // English is the bridge's own language, and its sentence names the payment, the port or the field.
    return i18n.language === 'en'
      ? refusal.message
      : `${message} (${bridgeSentence(refusal.message, i18n.language) ?? refusal.message})`;
  };
}
