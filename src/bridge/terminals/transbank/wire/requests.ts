/** What the till asks, in the form of the C and Node.js SDKs: amounts padded to nine digits, no separator at the end. */
import type { Encoding, MessageParts } from './messages.ts';
import { encodeMessage } from './messages.ts';

/** Nine digits; CLP has no minor unit, so these are whole pesos. */
export const maxAmount = 999_999_999;
const amountDigits = 9;
/** Printed on the voucher and returned. There is no escape for what frames are made of, so little is allowed. */
const ticketPattern = /^[A-Za-z0-9]{1,6}$/;
const commercePattern = /^\d{1,12}$/;
const operationPattern = /^\d{1,6}$/;

export interface SaleRequest {
  /** Whole pesos, 1 to `maxAmount`. */
  amount: number;
  /** 1 to 6 letters and digits. The terminal does not look whether it has had it before: use each one once. */
  ticket: string;
  /** Asks for the messages 0900. */
  progress: boolean;
  /** For several merchants on one terminal: the code of the one that is paid, or 0 for none. */
  providerCommerceCode?: string;
}

/** 0200, or 0270 where a provider is named. Refuses what the terminal could read otherwise. */
export function saleRequest({ amount, ticket, progress, providerCommerceCode }: SaleRequest): Encoding {
  if (!Number.isInteger(amount) || amount < 1 || amount > maxAmount)
    return refuse(`${amount} is no amount in whole pesos from 1 to ${maxAmount}`);
  if (!ticketPattern.test(ticket)) return refuse('a ticket has 1 to 6 letters or digits');
  if (providerCommerceCode !== undefined && !commercePattern.test(providerCommerceCode))
    return refuse('a commerce code has 1 to 12 digits');
  const values = {
    amount: String(amount).padStart(amountDigits, '0'),
    ticket,
    status: progress ? '1' : '0',
  };
  return providerCommerceCode === undefined
    ? request({ command: '0200', values })
    : request({ command: '0270', values: { ...values, providerCommerceCode } });
}

/** 1200. `operationNumber` is the one of the sale's result. */
export function refundRequest(operationNumber: string): Encoding {
  if (!operationPattern.test(operationNumber)) return refuse('an operation number has 1 to 6 digits');
  return request({ command: '1200', values: { operationNumber } });
}

/** 0260. To the till line by line, or else printed by the terminal, which is then answered with an ACK only. */
export function detailRequest(sendToEcr: boolean): Encoding {
  return request({ command: '0260', values: { sendToEcr: sendToEcr ? '1' : '0' } });
}

const plainCommands = {
  poll: '0100',
  lastSale: '0250',
  close: '0500',
  totals: '0700',
  loadKeys: '0800',
} as const;

/**
 * Those without a value. Leaving the integrated mode (0300) is not among them: no command comes back from it, so the
 * bridge never sends it.
 */
export function plainRequest(name: keyof typeof plainCommands): Encoding {
  return request({ command: plainCommands[name] });
}

function request(parts: Omit<MessageParts, 'direction'>): Encoding {
  return encodeMessage({ ...parts, direction: 'to_terminal' });
}

function refuse(error: string): Encoding {
  return { ok: false, error };
}
