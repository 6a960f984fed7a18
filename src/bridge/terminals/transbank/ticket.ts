/** The ticket: up to six characters of ours that the terminal prints and returns, and does not look at. */
import type { SaleOrder } from '../terminal-driver.ts';

export const ticketLength = 6;

export function ticketOf({ terminalReference }: SaleOrder): string {
  if (terminalReference === undefined) throw new Error('a sale without a ticket');
  return terminalReference;
}

/** Terminals fill short tickets and numbers up with zeros on the left. */
export function sameTicket(sent: string | null, ticket: string): boolean {
  if (sent === null || ticket === '') return false;
  return sent.replace(/^0+(?=.)/, '') === ticket.replace(/^0+(?=.)/, '');
}
