/**
 * The payment by which a terminal that tells no id shows that it is still the one that an operation was given to: one that
 * this terminal certainly had before. Whoever knows its number is that terminal.
 */
import type { Journal, OperationRow, PaymentRow } from '../journal/index.ts';
import { before, expectedBatch, openAtStart, totalOf, type Total } from './batch.ts';
import { knownByHand, lastConnectionBelow, notInClose } from './history.ts';
import { terminalReferenceOf } from './terminal-reference.ts';

type JournalView = Omit<Journal, 'append' | 'subscribe' | 'close'>;

/** More of them are not looked at: those before them were approved earlier still. */
const maxLookedAt = 20;

/**
 * The newest of these payments that the terminal itself said it has, by its number there; null: there is none. A person's
 * word does not count.
 */
export function newestKept(
  journal: Pick<Journal, 'operation'>,
  payments: readonly PaymentRow[],
): string | null {
  const newest = payments.findLast(isToldByTerminal);
  return newest === undefined ? null : terminalReferenceOf(journal, newest.transactionId);
}

function isToldByTerminal({ result, resolvedBy }: PaymentRow): boolean {
  return result !== null && resolvedBy === null;
}

/** The payments that a close was begun for (`decideBatchClose`); null: the operation is no batch close. */
function batchOfClose(journal: JournalView, row: OperationRow): PaymentRow[] | null {
  const { started, position } = row;
  if (started.kind !== 'batch_close') return null;
  const { reversed } = knownByHand(journal, position);
  return openAtStart(journal, started, row).filter(({ reference }) => !reversed.includes(reference));
}

/** See `OperationInDoubt`; null: the operation is no batch close. */
export function toldBefore(journal: JournalView, row: OperationRow): Total | null {
  const begun = batchOfClose(journal, row);
  if (begun === null) return null;
  const { undone, untold } = notInClose(journal, row.operationId);
  const missing = [...undone, ...untold];
  return totalOf(
    begun.filter((payment) => isToldByTerminal(payment) && !missing.includes(payment.reference)),
  );
}

/**
 * For an operation in doubt. Another terminal may be connected under the same address each time that a connection begins, so a
 * sale or a void has only payments of its own connection; a close was begun only where the terminal knew the newest
 * (`BatchOrder`). Null: there is none.
 */
export function anchorOf(journal: JournalView, row: OperationRow): string | null {
  const begun = batchOfClose(journal, row);
  if (begun !== null) return newestKept(journal, begun);
  const payments = before(expectedBatch(journal), row.position);
  const inDoubt = journal.eventsOf(row.operationId).find(({ event }) => event.type === 'operation_in_doubt');
  const since = lastConnectionBelow(journal, inDoubt?.seq ?? journal.lastSeq() + 1);
  if (since === null) return null;
  const endedAt = ({ transactionId }: PaymentRow) =>
    journal.eventsOf(transactionId).find(({ event }) => event.type === 'operation_ended')?.seq ?? 0;
  return newestKept(
    journal,
    payments.slice(-maxLookedAt).filter((payment) => endedAt(payment) > since),
  );
}
