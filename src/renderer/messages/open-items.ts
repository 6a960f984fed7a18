/** What waits for a person: discrepancies and operations in doubt. */
import type { TFunction } from 'i18next';
import { discrepancyHold, type DiscrepancyView } from '../../contract/discrepancy.ts';
import type { Formats } from './formats.ts';
import type { InDoubtView } from '../../contract/in-doubt.ts';

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

/** In the currency's own form, which only the event of the start can give; of a batch what the journal expected. */
export function inDoubtAmount(inDoubt: InDoubtView, formats: Formats): string | null {
  for (const { event } of inDoubt.facts) {
    if (event.type !== 'operation_started') continue;
    const minor = event.kind === 'batch_close' ? event.expected.totalMinor : event.amountMinor;
    return formats.money(minor, event.currency);
  }
  return inDoubt.amount === null ? null : `${inDoubt.amount} ${inDoubt.currency ?? ''}`.trimEnd();
}
