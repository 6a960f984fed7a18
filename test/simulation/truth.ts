/** What really happened, for the people in the simulation: they can look at the terminal and count. */
import { createBeginnings } from './ledger-lines.ts';
import type { Shop } from './shop.ts';

/** Whether this operation did at the terminal what it was to do, and it still stands. */
export function happened(shop: Shop, operationId: string): boolean {
  const started = shop.started(operationId);
  if (started === null) return false;
  const marks = shop.records.flatMap((record) =>
    record.kind === 'command'
      ? [{ offset: record.ledgerBytes, operationId: record.operationId }]
      : record.kind === 'hand'
        ? [
            { offset: record.ledgerFrom, operationId: null },
            { offset: record.ledgerTo, operationId: 'after' },
          ]
        : [],
  );
  const beganAt = createBeginnings();
  const lines = shop.ledger().map(({ offset, fact }) => {
    const began = beganAt(offset, fact);
    return { fact, by: marks.findLast((one) => one.offset <= began)?.operationId ?? null };
  });
  const mine = lines.filter(({ by }) => by === operationId);
  const has = (event: string) => mine.some(({ fact }) => fact['event'] === event);
  if (started.kind === 'sale') {
    // A journal that has lost its end may have lost the void of it as well, or the one before under the same reference.
    const from = lines.findIndex(({ by, fact }) => by === operationId && fact['event'] === 'charged');
    const isVoided = lines
      .slice(from + 1)
      .some(
        ({ by, fact }) =>
          fact['event'] === 'reversed' &&
          by !== null &&
          shop.started(by)?.kind === 'void' &&
          shop.started(by)?.reference === started.reference,
      );
    return has('charged') && !has('auto_reversed') && !isVoided;
  }
  if (started.kind === 'void') return mine.some(({ fact }) => fact['event'] === 'reversed');
  // Another device that was put in its place closed a day of its own.
  const { terminalId } = started;
  return mine.some(
    ({ fact }) => fact['event'] === 'settled' && (terminalId === null || fact['terminal_id'] === terminalId),
  );
}
