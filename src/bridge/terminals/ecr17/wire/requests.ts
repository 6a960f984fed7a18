/** What the till asks. Only digits go into the places for digits: a decimal point would shift every field behind it. */
import { encodeMessage, type Encoding, type MessageParts } from './messages.ts';

/** Eight digits of cents. */
export const maxAmountMinor = 99_999_999;
const maxTextCharacters = 128;

/** Both are digits, 8 at most for the till's number. */
export interface Addressing {
  /** 8 digits; `00000000`: any terminal. */
  terminalId: string;
  cashRegisterId: string;
}

/** Which card may pay: whatever the terminal decides, debit (PagoBANCOMAT), credit, another kind. */
const paymentTypes = { any: '0', debit: '1', credit: '2', other: '3' } as const;

export interface PaymentRequest extends Addressing {
  /** Euro cents, 1 to `maxAmountMinor`. */
  amountMinor: number;
  /** X, whose answer names the amount that the host has taken; P, whose answer names none. */
  extendedAnswer: boolean;
  paymentType?: keyof typeof paymentTypes;
  /** For the ticket: at most 128 characters of printable ASCII. */
  text?: string;
}

/** P or X. */
export function paymentRequest(payment: PaymentRequest): Encoding {
  const { amountMinor, extendedAnswer, paymentType = 'any', text = '', ...to } = payment;
  if (!Number.isInteger(amountMinor) || amountMinor < 1 || amountMinor > maxAmountMinor)
    return refuse(`${amountMinor} is no amount in cents from 1 to ${maxAmountMinor}`);
  if (!/^[ -~]*$/.test(text) || text.length > maxTextCharacters)
    return refuse(`a text has at most ${maxTextCharacters} printable characters`);
  return request(to, {
    code: extendedAnswer ? 'X' : 'P',
    values: { amount: String(amountMinor), paymentType: paymentTypes[paymentType], text },
  });
}

/** S: the terminal's last operation, if its STAN is this one. 000000 would take any, so it is refused. */
export function reversalRequest({ stan, ...to }: Addressing & { stan: string }): Encoding {
  if (!/^\d{6}$/.test(stan) || Number(stan) === 0) return refuse('a STAN has 6 digits, and not only zeros');
  return request(to, { code: 'S', values: { stan } });
}

/** G, T and C: the last result again, the totals, the close. */
export function plainRequest(name: 'lastResult' | 'totals' | 'close', to: Addressing): Encoding {
  return request(to, { code: { lastResult: 'G', totals: 'T', close: 'C' }[name] });
}

/** s. Changes nothing, and can be repeated freely. */
export function statusRequest(terminalId: string): Encoding {
  return encodeMessage({ code: 's', direction: 'to_terminal', terminalId });
}

/** E: whether tickets come to the till. Falls back to no after every operation. */
export function printOnTillRequest(terminalId: string, onTill: boolean): Encoding {
  return encodeMessage({
    code: 'E',
    direction: 'to_terminal',
    terminalId,
    values: { printOnEcr: onTill ? '1' : '0' },
  });
}

function request(to: Addressing, { code, values }: Pick<MessageParts, 'code' | 'values'>): Encoding {
  if (!/^\d{1,8}$/.test(to.cashRegisterId)) return refuse('a till’s number has 1 to 8 digits');
  return encodeMessage({
    code,
    direction: 'to_terminal',
    terminalId: to.terminalId,
    values: { cashRegisterId: to.cashRegisterId, ...values },
  });
}

function refuse(error: string): Encoding {
  return { ok: false, error };
}
