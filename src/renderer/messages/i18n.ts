/** The language that the window speaks. */
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { i18nOptions, languageFor } from '../../locales/index.ts';

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
