/** What a discrepancy is and what it holds back, in the window's language. */
import type { TFunction } from 'i18next';
import { discrepancyHold, type DiscrepancyView } from '../../../contract/discrepancy.ts';
import type { Formats } from '../../words/format.ts';

export function amountWords({ amountMinor, currency }: DiscrepancyView, formats: Formats): string | null {
  return amountMinor === null || currency === null ? null : formats.money(amountMinor, currency);
}

/** What does not start while it is open; null where everything does. */
export function heldWords(discrepancy: DiscrepancyView, t: TFunction, formats: Formats): string | null {
  const hold = discrepancyHold[discrepancy.kind];
  if (hold === 'sales') return t('discrepancy.holdsSales');
  const amount = amountWords(discrepancy, formats);
  return hold === 'nothing' || amount === null ? null : t('discrepancy.holdsAmount', { amount });
}
