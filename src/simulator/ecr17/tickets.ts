/** Tickets, in the characters of the protocol: 24 columns, 7D ends a line, 7F is double height, 1B ends the ticket. */
import { formatAmount } from '../../contract/money.ts';
import { cardByKey } from './cards.ts';
import type { Result } from './terminal-memory.ts';

const columns = 24;
const maxPartCharacters = 200;
const newLine = '}';
const doubleHeight = '\u007f';
const end = `${newLine.repeat(6)}\u001b`;

/** Those of a payment or a reversal: the customer's and the merchant's. */
export function resultTickets(result: Result): string[] {
  return ['COPIA CLIENTE', 'COPIA ESERCENTE'].map((copy) => ticket([...bodyOf(result), centred(copy)]));
}

/** Of totals or a close. */
export function serviceTicket(title: string, count: number, totalMinor: number): string {
  return ticket([
    centred(title),
    line('OPERAZIONI', String(count)),
    line('TOTALE EUR', formatAmount(totalMinor, 'EUR')),
  ]);
}

function bodyOf(result: Result): string[] {
  if (result.event === 'refused')
    return [line('STAN', result.stan ?? '-'), `${doubleHeight}${centred('TRANSAZIONE NEGATA')}`, result.text];
  const isPayment = result.event === 'charged';
  return [
    centred(isPayment ? 'ACQUISTO' : 'STORNO'),
    line('CARTA', `****${cardByKey(result.card).last4}`),
    line('STAN', isPayment ? result.receipt_number : result.stan),
    line('IMPORTO EUR', result.amount),
    `${doubleHeight}${centred('TRANSAZIONE ESEGUITA')}`,
  ];
}

/** A part holds no more than 200 characters; where it ends says nothing. */
export function ticketParts(text: string): string[] {
  const count = Math.ceil(text.length / maxPartCharacters);
  return Array.from({ length: count }, (_, index) =>
    text.slice(index * maxPartCharacters, (index + 1) * maxPartCharacters),
  );
}

function ticket(lines: readonly string[]): string {
  return lines.map((one) => one + newLine).join('') + end;
}

function line(left: string, right: string): string {
  return left + right.padStart(columns - left.length);
}

function centred(text: string): string {
  return text.padStart(Math.trunc((columns + text.length) / 2)).padEnd(columns);
}
