/** The window's language as the region of `browser` (a language tag) writes it: English in Germany has no AM and PM. */
export function regionalTag(language: string, browser: string): string {
  const { region } = new Intl.Locale(browser).maximize();
  return region === undefined ? language : `${language}-${region}`;
}
