/** What the app says, in each of its languages: one file for the window, the tray and the dialogs alike. */
import { createInstance, type InitOptions, type TFunction } from 'i18next';
import * as files from './languages.ts';

export { bridgeSentence, englishFor } from './bridge-sentences.ts';

/** English has every message; the other languages have the same, in the plural forms that they need. */
type Messages = typeof files.en;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: Messages };
    /** Keys are checked by the compiler, not by chance at run time. */
    strictKeyChecks: true;
  }
}

/** Gives the message of a key. */
export type Translate = TFunction;

const messages: Readonly<Record<string, Messages>> = { ...files };

/** Language codes with the language's own name, by name. */
export const languages: { code: string; name: string }[] = Object.entries(messages)
  .map(([code, { language }]) => ({ code, name: language.name }))
  .toSorted((one, other) => one.name.localeCompare(other.name));

/**
 * The code of the language to speak. `wanted`: as in the settings, `system` for the computer's, which `systemLocales`
 * names, the best first ("de-AT"). English where we do not have it.
 */
export function languageFor(wanted: string, systemLocales: readonly string[]): string {
  const locales = wanted === 'system' ? systemLocales : [wanted];
  return (
    locales.flatMap((locale) => [locale, languageOf(locale)]).find((code) => Object.hasOwn(messages, code)) ??
    'en'
  );
}

/** `de` of `de-AT`. */
function languageOf(locale: string): string {
  return locale.toLowerCase().split(/[-_]/)[0] ?? '';
}

/** How i18next is started with all languages. `language`: a code of `languages`. */
export function i18nOptions(language: string): InitOptions {
  return {
    resources: Object.fromEntries(
      Object.entries(messages).map(([code, translation]) => [code, { translation }]),
    ),
    lng: language,
    fallbackLng: 'en',
    interpolation: { escapeValue: false },
    // Everything is here already.
    initAsync: false,
  };
}

const outsideOfPages = createInstance();
void outsideOfPages.init(i18nOptions('en'));

/** For where there is no page: tray and dialogs. `language`: a code of `languages`. */
export function translatorFor(language: string): Translate {
  return outsideOfPages.getFixedT(language);
}
