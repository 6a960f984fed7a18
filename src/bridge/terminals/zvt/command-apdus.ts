/**
 * The commands that the bridge gives to a terminal, as APDUs (ZVT PA00P015, chapter 2). "P" is the password, three
 * bytes BCD; amounts are six bytes BCD in minor units.
 */
import { currencyNumeric, type Currency } from '../../../contract/money.ts';
import type { ZvtSettings } from '../../../contract/configuration.ts';
import { buildApdu, amountToBcd, fromHex, hex, maxAmountMinor } from './wire/index.ts';

/** Our answers to messages of the terminal. */
export const positiveAnswer = buildApdu('8000');
/** "Unknown or not possible". */
export const unsupportedAnswer = buildApdu('8483');
/** Refuses a result: the terminal then reverses what it did (ZVT PA00P015, 06 01). */
export const refusingAnswer = buildApdu('846c');

export const registrationCtrl = '0600';
export const statusEnquiryCtrl = '0501';
export const repeatReceiptCtrl = '0620';
const abortCtrl = '06b0';

/** Usual configuration bytes: 08 wants 04 FF, 10 no amount entry at the terminal; BE also prints through the ECR. */
const configurationByteOf = { terminal: '18', pos: 'be' } as const;

export type RegistrationForm = 'full' | 'plain' | 'bare';

/**
 * 06 00 P config [CC [06 …]]. `full` allows the terminal to send TLV containers: its texts for the operator come in
 * them, and for receipts on the POS side tag 26 lists 06 D3. `plain` leaves the container out, for a terminal that
 * does not know it; receipts then come line by line (06 D1). `bare` leaves the currency out as well.
 */
export function registration(settings: ZvtSettings, currency: Currency, form: RegistrationForm): Uint8Array {
  const configuration = settings.configurationByte ?? configurationByteOf[settings.receipts];
  const container = settings.receipts === 'pos' ? '060626040a0206d3' : '0600';
  const data = settings.password + configuration;
  if (form === 'bare') return buildApdu(registrationCtrl, fromHex(data));
  const rest = currencyBcd(currency) + (form === 'full' ? container : '');
  return buildApdu(registrationCtrl, fromHex(data + rest));
}

/**
 * 05 01 P. Without a service byte: each form of the answer is understood, and nothing is in it that a terminal may
 * not know.
 */
export function statusEnquiry(password: string): Uint8Array {
  return buildApdu(statusEnquiryCtrl, fromHex(password));
}

/** 06 20 P 03 03: send the status of the last transaction, print nothing. */
export function repeatReceipt(password: string): Uint8Array {
  return buildApdu(repeatReceiptCtrl, fromHex(`${password}0303`));
}

/** 06 02. */
export function logOff(): Uint8Array {
  return buildApdu('0602');
}

/** 06 B0. */
export function abort(): Uint8Array {
  return buildApdu(abortCtrl);
}

/** A command that moves money. */
export interface MoneyCommand {
  kind: 'sale' | 'void' | 'batch_close';
  ctrl: '0601' | '0630' | '0650';
  apdu: Uint8Array;
}

/**
 * 06 01 04 amount [49 CC] 19 40 (the terminal decides how the customer pays). `currency` null leaves BMP 49 out. Null
 * when BCD cannot hold the amount.
 */
export function authorisation(order: {
  amountMinor: number;
  currency: Currency | null;
}): MoneyCommand | null {
  const amount = amountBcd(order.amountMinor);
  if (amount === null) return null;
  const apdu = buildApdu('0601', fromHex(`04${amount}${currencyBitmap(order.currency)}1940`));
  return { kind: 'sale', ctrl: '0601', apdu };
}

/** 06 30 P 87 receipt 04 amount [49 CC]. Null when receipt number or amount do not fit their fields. */
export function reversal(
  password: string,
  order: { amountMinor: number; currency: Currency | null; receiptNumber: string },
): MoneyCommand | null {
  const amount = amountBcd(order.amountMinor);
  if (amount === null || !/^\d{1,4}$/.test(order.receiptNumber)) return null;
  const receipt = order.receiptNumber.padStart(4, '0');
  const data = `${password}87${receipt}04${amount}${currencyBitmap(order.currency)}`;
  return { kind: 'void', ctrl: '0630', apdu: buildApdu('0630', fromHex(data)) };
}

/** 06 50 P. */
export function endOfDay(password: string): MoneyCommand {
  return { kind: 'batch_close', ctrl: '0650', apdu: buildApdu('0650', fromHex(password)) };
}

function currencyBitmap(currency: Currency | null): string {
  return currency === null ? '' : `49${currencyBcd(currency)}`;
}

function currencyBcd(currency: Currency): string {
  return currencyNumeric(currency).padStart(4, '0');
}

function amountBcd(amountMinor: number): string | null {
  if (!Number.isInteger(amountMinor) || amountMinor <= 0 || amountMinor > maxAmountMinor) return null;
  return hex(amountToBcd(amountMinor));
}
