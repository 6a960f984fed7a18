/** The number of ours under which the terminal keeps a payment, where its protocol has one. */
import type { Journal } from '../journal/index.ts';

/** Null: it was given none. */
export function terminalReferenceOf(
  journal: Pick<Journal, 'operation'>,
  transactionId: string,
): string | null {
  const started = journal.operation(transactionId)?.started;
  return started?.kind === 'sale' ? (started.terminalReference ?? null) : null;
}
