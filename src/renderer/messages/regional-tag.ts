/** The window's language as the region of `browser` (a language tag) writes it: English in Germany has no AM and PM. */
export function regionalTag(language: string, browser: string): string {
  const region = localeOf(browser)?.maximize().region;
  return region === undefined ? language : `${language}-${region}`;
}

/** Null for what is no language tag, such as "en-US@posix", which a browser may say all the same. */
export function localeOf(browser: string): Intl.Locale | null {
  try {
    return new Intl.Locale(browser);
  } catch {
    return null;
  }
}
