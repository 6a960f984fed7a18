/** What is said of a value that its setting does not take. */
import { settingOf } from '../../contract/configuration.ts';
import type { ExplicitValue } from './source-reading.ts';

/** The setting that an issue is about: its path without the place in a list. */
export function keyOf(issuePath: PropertyKey[]): string {
  return issuePath.filter((name) => typeof name === 'string').join('.');
}

/** The longest part of a wrong value that a message repeats. */
const maxShownLength = 100;

/** The sentence for a value that its setting does not take. */
export function wrongValue({ key, value, origin, inFile }: ExplicitValue): string {
  const setting = settingOf(key);
  const mustBe = `is not right; it must be ${setting.mustBe}.`;
  // Only the place in the file is named: the reader of the message may not be allowed to read the file.
  if (inFile === true) return `${origin} ${mustBe}`;
  if (setting.secret) return `${origin}: (its value is not shown) ${mustBe}`;
  const text = JSON.stringify(value);
  const shown = text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
  return `${origin}: ${shown} ${mustBe}`;
}
