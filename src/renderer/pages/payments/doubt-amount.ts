import type { InDoubtView } from '../../../contract/in-doubt.ts';
import type { Formats } from '../../words/format.ts';

/** In the currency's own form, which only the started fact can give; of a batch what the journal expected. */
export function doubtAmount(doubt: InDoubtView, formats: Formats): string | null {
  for (const { event } of doubt.facts) {
    if (event.type !== 'operation_started') continue;
    const minor = event.kind === 'batch_close' ? event.expected.totalMinor : event.amountMinor;
    return formats.money(minor, event.currency);
  }
  return doubt.amount === null ? null : `${doubt.amount} ${doubt.currency ?? ''}`.trimEnd();
}
