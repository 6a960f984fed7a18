/** An amount of the office's, whose currency may be one that this version does not know. */
import { currencySchema } from '../../../contract/money.ts';
import type { Formats } from '../../messages/formats.ts';

export function moneyText(formats: Formats, minor: number, currency: string): string {
  const known = currencySchema.safeParse(currency);
  return known.success ? formats.money(minor, known.data) : `${formats.number(minor)} (${currency})`;
}
