/** What people do at the terminal without the till. It refuses while it works for the till. */
import type { HandRecord } from './evidence.ts';
import type { Shop } from './shop.ts';

export function payManually(shop: Shop, amountMinor: number): void {
  byHand(shop, 'payment', () => shop.terminal.payManually(amountMinor));
}

export function refundManually(shop: Shop, amountMinor: number): void {
  byHand(shop, 'refund', () => shop.terminal.refundManually(amountMinor));
}

export function closeDayManually(shop: Shop): void {
  byHand(shop, 'batch_close', () => shop.terminal.closeDayManually());
}

/** The one that was charged `back` charges ago, if it can still be reversed. */
export function reverseManually(shop: Shop, back: number): void {
  const charged = shop.ledger().filter(({ fact }) => fact['event'] === 'charged');
  const found = charged.at(-1 - back);
  if (found === undefined) return;
  byHand(shop, 'reversal', () => shop.terminal.reverseManually(String(found.fact['receipt_number'])));
}

export function replaceTerminal(shop: Shop, terminalId: string): void {
  byHand(shop, 'replacement', () => shop.terminal.replaceTerminal(terminalId));
}

function byHand(shop: Shop, what: HandRecord['what'], act: () => void): void {
  const ledgerFrom = shop.ledgerBytes();
  try {
    act();
  } catch (error) {
    shop.trace(() => `somebody at the terminal: ${what} is not possible: ${String(error)}`);
    return;
  }
  shop.count(`by hand ${what}`);
  shop.trace(() => `somebody at the terminal: ${what.replace('_', ' ')}`);
  shop.note({ kind: 'hand', what, ledgerFrom, ledgerTo: shop.ledgerBytes(), journalSeq: shop.journalSeq });
}
