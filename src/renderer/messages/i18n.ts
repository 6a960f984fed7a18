/** The languages of the window. Each is one file in `locales/`; a file that is put there is a language. */
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import english from '../locales/en.json';

type Messages = typeof english;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: Messages };
    /** Keys are checked by the compiler, not by chance at run time. */
    strictKeyChecks: true;
  }
}

const files = import.meta.glob<{ default: Messages }>('../locales/*.json', { eager: true });

/** Language codes with the language's own name, by name. */
export const languages: { code: string; name: string }[] = Object.entries(files)
  .map(([file, { default: messages }]) => ({ code: codeOf(file), name: messages.language.name }))
  .toSorted((one, other) => one.name.localeCompare(other.name));

/** `wanted` is a code of `languages`, or `system` for the computer's language (English where we do not have it). */
export async function startI18n(wanted: string): Promise<void> {
  await i18next.use(initReactI18next).init({
    resources: Object.fromEntries(
      Object.entries(files).map(([file, { default: messages }]) => [codeOf(file), { translation: messages }]),
    ),
    lng: languageFor(wanted),
    fallbackLng: 'en',
    interpolation: { escapeValue: false },
  });
  markPage();
}

export async function changeLanguage(wanted: string): Promise<void> {
  const language = languageFor(wanted);
  if (i18next.language === language) return;
  await i18next.changeLanguage(language);
  markPage();
}

function languageFor(wanted: string): string {
  const wantedTags = wanted === 'system' ? navigator.languages : [wanted];
  const known = languages.map(({ code }) => code);
  for (const tag of wantedTags) {
    const found = known.find((code) => code === tag || code === tag.split('-')[0]);
    if (found !== undefined) return found;
  }
  return 'en';
}

function markPage(): void {
  document.documentElement.lang = i18next.language;
}

function codeOf(file: string): string {
  return file.replace(/^.*\/(.+)\.json$/, '$1');
}
