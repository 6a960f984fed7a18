/** The names of a line's fields, in the window's words. */
import type { TFunction } from 'i18next';

/** A field that has no name of its own keeps the one that it has in the file, with blanks for underscores. */
export function fieldName(name: string, t: TFunction): string {
  // Any name of a field, for which this one stands.
  return t(`log.fieldNames.${name as 'request_id'}`, { defaultValue: name.replaceAll('_', ' ') });
}
