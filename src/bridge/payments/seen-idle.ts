/** Whether the terminal of an operation in doubt has been idle since, by what the journal has of the operation. Pure. */
import type { JournalEventOf, StoredEvent } from '../../contract/journal-events.ts';

/** The terminal was idle at some time since the operation came into doubt: nothing of it is under way any more. */
export function seenIdle(events: StoredEvent[]): boolean {
  const since = events.findLastIndex(({ event }) => event.type === 'operation_in_doubt');
  return (
    since >= 0 &&
    events
      .slice(since)
      .some(
        ({ event }) =>
          event.type === 'evidence_found' && event.idle === undefined && !isOfOtherTerminal(event),
      )
  );
}

/** The finding is that another terminal answered; in older journals only its sentence says so. */
export function isOfOtherTerminal({ otherTerminal, evidence }: JournalEventOf<'evidence_found'>): boolean {
  return otherTerminal !== undefined || evidence.explanation === 'Another terminal answers on this line now.';
}
