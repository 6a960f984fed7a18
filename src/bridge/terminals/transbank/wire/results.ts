/** What answers mean, in values that a driver can act on: trimmed, numbers as numbers, null for what did not come. */
import type { FieldName } from './commands.ts';
import type { TransbankMessage } from './messages.ts';
import { approvedCode, isUncertain } from './result-codes.ts';

export interface SaleResult {
  /** Two digits, or what stood in their place; null where nothing did. */
  responseCode: string | null;
  commerceCode: string | null;
  terminalId: string | null;
  ticket: string | null;
  authorizationCode: string | null;
  /** Whole pesos; null: none, or no number. Whether what the customer added is in it, no source says. */
  amount: number | null;
  /** The tip and the change that was paid out, whole pesos; null: one of them is no number. */
  added: number | null;
  last4: string | null;
  /** What a refund is asked with. */
  operationNumber: string | null;
  /** CR: credit; DB: debit, which cannot be refunded. */
  cardType: string | null;
  cardBrand: string | null;
  /** DDMMYYYY and HHMMSS, as sent. */
  date: string | null;
  time: string | null;
}

const saleCommands = new Set(['0210', '0260', '0261', '0271', '0281']);

/** Of a sale, the last sale or a line of the detail; null for anything else. */
export function saleResultOf(message: TransbankMessage): SaleResult | null {
  if (message.direction !== 'from_terminal' || !saleCommands.has(message.command)) return null;
  const text = (field: FieldName) => textOf(message, field);
  return {
    responseCode: text('responseCode'),
    commerceCode: text('commerceCode'),
    terminalId: text('terminalId'),
    ticket: text('ticket'),
    authorizationCode: text('authorizationCode'),
    amount: pesosOf(text('amount')),
    added: sumOf(message, ['tip', 'change']),
    last4: text('last4'),
    operationNumber: text('operationNumber'),
    cardType: text('cardType'),
    cardBrand: text('cardBrand'),
    date: text('date'),
    time: text('time'),
  };
}

/**
 * What an answer says of the money. `unsure`: so says its code; `contradictory`: it refuses, and names what only an approval
 * has; `unreadable`: there is no code, or not one of two digits.
 */
export type Verdict = 'approved' | 'refused' | 'unsure' | 'contradictory' | 'unreadable';

/** A code that is not known refuses as well: only 00 is approved. */
export function verdictOf(message: TransbankMessage): Verdict {
  const code = textOf(message, 'responseCode');
  if (code === approvedCode) return 'approved';
  if (code === null || !/^\d{2}$/.test(code)) return 'unreadable';
  if (approvalFieldsOf(message).some((field) => isNumbered(message, field))) return 'contradictory';
  return isUncertain(code) ? 'unsure' : 'refused';
}

/** The answer to a refund has the operation number that was asked with. */
function approvalFieldsOf({ command }: TransbankMessage): FieldName[] {
  return command === '1210' ? ['authorizationCode'] : ['authorizationCode', 'operationNumber'];
}

/** Where there is no number, terminals may put zeros for it. */
function isNumbered(message: TransbankMessage, field: FieldName): boolean {
  return /[^0]/.test(textOf(message, field) ?? '');
}

/**
 * The line that ends a series of sales names none. The documentation tells it by its empty authorisation code alone, but a sale
 * that has lost only that must not hide those behind it.
 */
export function endsDetail(message: TransbankMessage): boolean {
  return message.command === '0261' && saleNames.every((field) => !isNumbered(message, field));
}

const saleNames = ['ticket', 'authorizationCode', 'operationNumber'] as const satisfies FieldName[];

export interface BatchTotals {
  responseCode: string | null;
  count: number | null;
  /** Whole pesos. */
  total: number | null;
}

/** Of 0710; null for anything else. */
export function totalsOf(message: TransbankMessage): BatchTotals | null {
  if (message.command !== '0710') return null;
  return {
    responseCode: textOf(message, 'responseCode'),
    count: pesosOf(textOf(message, 'count')),
    total: pesosOf(textOf(message, 'total')),
  };
}

/** Terminals fill up with blanks; nothing but blanks is nothing. */
export function textOf({ values }: TransbankMessage, field: FieldName): string | null {
  const text = values[field]?.trim() ?? '';
  return text === '' ? null : text;
}

/** What is not told counts as nothing. */
function sumOf(message: TransbankMessage, fields: readonly FieldName[]): number | null {
  return fields.reduce<number | null>((sum, field) => {
    const more = pesosOf(textOf(message, field) ?? '0');
    return sum === null || more === null ? null : sum + more;
  }, 0);
}

/** Digits only, as many as the field can have. */
function pesosOf(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}
