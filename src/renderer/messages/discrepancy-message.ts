/** What a discrepancy is and what it holds back, in the window's language. */
import type { TFunction } from 'i18next';
import { discrepancyHold, type DiscrepancyView } from '../../contract/discrepancy.ts';
import type { Formats } from './formats.ts';

export function discrepancyAmount(
  { amountMinor, currency }: DiscrepancyView,
  formats: Formats,
): string | null {
  return amountMinor === null || currency === null ? null : formats.money(amountMinor, currency);
}

/** What does not start while it is open; null where everything does. */
export function holdMessage(discrepancy: DiscrepancyView, t: TFunction, formats: Formats): string | null {
  const hold = discrepancyHold[discrepancy.kind];
  if (hold === 'sales') return t('discrepancy.holdsSales');
  const amount = discrepancyAmount(discrepancy, formats);
  return hold === 'nothing' || amount === null ? null : t('discrepancy.holdsAmount', { amount });
}
