/**
 * Tickets that a terminal has the till print (Nexi "Traditional POS" developer pages, message S), as plain lines. They come in
 * parts of up to 200 characters that end anywhere:
 *
 *     7D ends a line    7F double height, 7B 7C 7E 5E reserved: left out    7D six times and 1B end the ticket
 *
 * The width of the paper is the POS's business. Receipts follow each other with an empty line between them.
 */
import { printableLines } from '../../../../base/printable-text.ts';
import {
  maxReceiptParts,
  type PrintedLines,
  type ReceiptCopy,
  type ReceiptParts,
} from '../../../../contract/terminal.ts';
import { maskCardNumbers } from '../../../../log/index.ts';

/** More than any receipt has; what comes beyond is dropped. */
const maxReceiptLines = 1_000;
const maxLineCharacters = 256;
const lineEnd = '}';
const ticketEnd = '\u001b';
const attributes = /[\u007f{|~^]/g;

/** `service`: of totals or a close. */
export function ticketLines(parts: readonly string[], ticketsOf: 'payment' | 'service'): PrintedLines {
  const lines: string[] = [];
  const starts: ReceiptParts = [];
  // A card number can begin in one part and end in the next.
  for (const ticket of maskCardNumbers(parts.join('')).split(ticketEnd)) {
    const printed = linesOf(ticket);
    if (printed.length === 0) continue;
    if (lines.length > 0) lines.push('');
    if (starts.length < maxReceiptParts)
      starts.push({
        from: lines.length,
        copy: ticketsOf === 'service' ? 'administration' : copyOf(printed),
      });
    lines.push(...printed);
    if (lines.length > maxReceiptLines) break;
  }
  const receiptLines = lines.slice(0, maxReceiptLines);
  return starts.length === 0 ? { receiptLines } : { receiptLines, receiptParts: starts };
}

function linesOf(ticket: string): string[] {
  const lines = ticket
    .split(lineEnd)
    .map((line) => printableLines(line.replace(attributes, ''), maxLineCharacters).trimEnd());
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}

/** A ticket names whose it is in words alone; null where it does not, or names both. */
function copyOf(lines: readonly string[]): ReceiptCopy | null {
  const text = lines.join(' ');
  const isCustomers = /COPIA\s+(?:PER\s+IL\s+)?CLIENTE/i.test(text);
  const isMerchants = /COPIA\s+(?:PER\s+L[’']\s*)?ESERCENTE/i.test(text);
  if (isCustomers === isMerchants) return null;
  return isCustomers ? 'customer' : 'merchant';
}
