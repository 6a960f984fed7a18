/** The voids that were begun for a payment, found among the facts behind its sale. */
import type { JournalReading } from '../../bridge/bridge.ts';
import type { PaymentRow } from '../../bridge/journal/index.ts';

const pageEvents = 500;
/** About a thousand payments; a void that came later than that is found in the log only. */
const maxEvents = 5_000;

/** Operation ids, oldest first. */
export function voidsOf(row: PaymentRow, journal: JournalReading): string[] {
  if (!mayHaveVoids(row)) return [];
  const voids: string[] = [];
  let after = row.position;
  for (let looked = 0; looked < maxEvents; looked += pageEvents) {
    const events = journal.eventsAfter(after, pageEvents);
    for (const { seq, event } of events) {
      after = seq;
      if (
        event.type === 'operation_started' &&
        event.kind === 'void' &&
        event.paymentId === row.transactionId
      )
        voids.push(event.operationId);
      // Behind its batch there is nothing to reverse any more.
      if (event.type === 'operation_ended' && event.settled.includes(row.transactionId)) return voids;
    }
    if (events.length < pageEvents) break;
  }
  return voids;
}

/** Only an approved payment can be reversed, and an attempt changes when it got its status. */
function mayHaveVoids({ status, updatedAt, completedAt }: PaymentRow): boolean {
  if (status === 'approved') return updatedAt !== completedAt;
  return status === 'voiding' || status === 'voided' || status === 'settled';
}
