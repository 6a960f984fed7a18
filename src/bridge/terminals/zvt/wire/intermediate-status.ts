/**
 * Intermediate status (04 FF; ZVT PA00P015): what the terminal shows now, and how long it may then stay silent. A text
 * of the terminal itself (tag 24) is better than any of ours.
 */
import type { ProgressStep } from '../../../../contract/terminal.ts';
import { printableLine } from '../../../../base/printable-text.ts';
import { type ZvtMessage, characterSetOf } from './apdu-messages.ts';
import { maskCardNumbers } from '../../../../log/index.ts';
import { decodeText, type TextEncoding } from './character-sets.ts';
import { findTlv } from './tlv.ts';

const texts: Readonly<Record<number, string>> = {
  0x00: 'Waiting for amount confirmation',
  0x01: 'Please watch the PIN pad',
  0x02: 'Please watch the PIN pad',
  0x03: 'Not accepted',
  0x04: 'Waiting for the bank',
  0x05: 'Sending auto-reversal',
  0x06: 'Sending post-bookings',
  0x07: 'Card not admitted',
  0x08: 'Card unknown',
  0x09: 'Card expired',
  0x0a: 'Insert card',
  0x0b: 'Remove card',
  0x0c: 'Card unreadable',
  0x0d: 'Processing error',
  0x0e: 'Please wait',
  0x0f: 'Automatic end of day',
  0x10: 'Invalid card',
  0x11: 'Balance is shown',
  0x12: 'System malfunction',
  0x13: 'Payment not possible',
  0x14: 'Credit too low',
  0x15: 'Wrong PIN',
  0x16: 'Limit too low',
  0x17: 'Please wait',
  0x18: 'PIN tries used up',
  0x19: 'Card data wrong',
  0x1a: 'Service mode',
  0x1b: 'Approved, please fill up',
  0x1c: 'Approved, please take the goods',
  0x1d: 'Declined',
  0x26: 'Enter mobile number',
  0x27: 'Repeat mobile number',
  0x28: 'Select currency',
  0x29: 'Select language',
  0x2a: 'Insert card to load',
  0x2b: 'Offline emergency mode',
  0x2c: 'Select debit or credit',
  0x66: 'Enter mobile number, remove card',
  0x67: 'Repeat mobile number, remove card',
  0x68: 'Card insertion detected',
  0x69: 'Select currency conversion',
  0xa0: 'Paid',
  0xa1: 'Paid, remove card',
  0xa2: 'Reversed',
  0xa3: 'Reversed, remove card',
  0xa4: 'Reversal not possible',
  0xa5: 'Reversal not possible, remove card',
  0xc7: 'Enter mileage',
  0xc8: 'Waiting for the cashier',
  0xc9: 'Automatic diagnosis',
  0xca: 'Automatic initialisation',
  0xcb: 'Merchant journal full',
  0xcc: 'Debit not possible, PIN needed',
  0xd2: 'Dial-up connecting',
  0xd3: 'Dial-up connected',
  0xe0: 'Select application',
  0xe1: 'Select language',
  0xe2: 'Please use the cleaning card',
  0xf1: 'Offline',
  0xf2: 'Online',
  0xf3: 'Offline transaction',
};

/** 41–5D repeat 01–1D for a card that has to be taken out. */
const removeCardOffset = 0x40;

/** What a status of 04 FF says to customer or cashier. Unknown ones, and FF (see tag 24), are "Please wait". */
export function intermediateStatusText(code: number): string {
  const own = texts[code];
  if (own !== undefined) return own;
  if (code === 0x0b + removeCardOffset) return 'Remove card';
  const base = code >= 0x41 && code <= 0x5d ? texts[code - removeCardOffset] : undefined;
  return base === undefined ? 'Please wait' : `${base}, remove card`;
}

const steps: Readonly<Record<number, ProgressStep>> = {
  0x00: 'confirm_amount',
  0x01: 'enter_pin',
  0x02: 'enter_pin',
  0x03: 'declined',
  0x04: 'waiting_for_host',
  0x05: 'reversing',
  0x06: 'booking',
  0x07: 'declined',
  0x08: 'declined',
  0x09: 'declined',
  0x0a: 'insert_card',
  0x0b: 'remove_card',
  0x0c: 'card_unreadable',
  0x0e: 'please_wait',
  0x0f: 'booking',
  0x10: 'declined',
  0x13: 'declined',
  0x14: 'declined',
  0x15: 'wrong_pin',
  0x17: 'please_wait',
  0x18: 'declined',
  0x1d: 'declined',
  0xa0: 'approved',
  0xa1: 'approved',
  0xa2: 'reversed',
  0xa3: 'reversed',
  0xd2: 'waiting_for_host',
  0xd3: 'waiting_for_host',
};

/** The step that a status of 04 FF stands for; `other` where there is none for it. */
export function progressStepOf(code: number): ProgressStep {
  const base = code >= 0x41 && code <= 0x5d ? code - removeCardOffset : code;
  return steps[code] ?? steps[base] ?? 'other';
}

/** More than any display shows. */
const maxProgressCharacters = 200;

/** The terminal's own lines (tag 24), or the text of its status code. At most 200 characters. */
export function progressText(message: ZvtMessage, encoding: TextEncoding): string {
  const characterSet = characterSetOf(message, encoding);
  const lines = findTlv(message.tlv, '24', '07')
    .map((line) => decodeText(line.value, characterSet).trim())
    .filter((line) => line !== '');
  // A card number can begin in one line and end in the next.
  const own = printableLine(maskCardNumbers(lines.join(' ')), maxProgressCharacters);
  if (own !== '') return own;
  return intermediateStatusText(statusOf(message));
}

/** The same as a step that the console knows. */
export function progressStep(message: ZvtMessage): ProgressStep {
  return progressStepOf(statusOf(message));
}

/** Statuses with which a terminal asks for a card, and those that it shows only once a card is there. */
const cardAwaited: ReadonlySet<number> = new Set([0x0a, 0x0c, 0x2a]);
const cardPresented: ReadonlySet<number> = new Set([0x01, 0x02, 0x04, 0x0b, 0x15, 0x68, 0xe0]);

/** What a status says of the card: it is asked for, it is there, or nothing (null). */
export function cardSign(message: ZvtMessage): 'awaited' | 'presented' | null {
  const status = statusOf(message);
  const isOffset = status >= 0x41 && status <= 0x5d;
  if (cardAwaited.has(isOffset ? status - removeCardOffset : status)) return 'awaited';
  return isOffset || cardPresented.has(status) ? 'presented' : null;
}

/** FF: only the terminal's own text tells. */
function statusOf(message: ZvtMessage): number {
  const status = message.positional['status'];
  return typeof status === 'string' ? Number.parseInt(status, 16) : 0xff;
}

/** A new T4 in milliseconds (minutes in BCD on the wire), or null when the message sets none. */
export function newSilenceLimitMs(message: ZvtMessage): number | null {
  const minutes = message.positional['timeoutMin'];
  if (typeof minutes !== 'string' || !/^\d\d$/.test(minutes) || minutes === '00') return null;
  return Number(minutes) * 60_000;
}
