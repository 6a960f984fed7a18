import type { InDoubtView } from '../../contract/in-doubt.ts';
import type { Formats } from './formats.ts';

/** In the currency's own form, which only the started fact can give; of a batch what the journal expected. */
export function inDoubtAmount(inDoubt: InDoubtView, formats: Formats): string | null {
  for (const { event } of inDoubt.facts) {
    if (event.type !== 'operation_started') continue;
    const minor = event.kind === 'batch_close' ? event.expected.totalMinor : event.amountMinor;
    return formats.money(minor, event.currency);
  }
  return inDoubt.amount === null ? null : `${inDoubt.amount} ${inDoubt.currency ?? ''}`.trimEnd();
}
