/**
 * The code tables of ZVT PA00P015 as texts for people. Host codes (01–63) as card complete documents them; a terminal's
 * own text (BMP 3C, tag 24) is better than any of these.
 */

/** Codes of the network or the authorisation host. */
const firstHostCode = 0x01;
const lastHostCode = 0x63;

const hostTexts: Readonly<Record<number, string>> = {
  0x01: 'call the acquirer',
  0x02: 'call the acquirer',
  0x03: 'wrong merchant number',
  0x04: 'retain the card',
  0x06: 'card invalid',
  0x0a: 'not allowed',
  0x0d: 'amount wrong',
  0x0e: 'card invalid',
  0x19: 'reversal declined',
  0x1e: 'format error',
  0x29: 'retain the card',
  0x2b: 'retain the card',
  0x36: 'card expired',
  0x37: 'wrong PIN',
  0x38: 'wrong PIN',
  0x39: 'wrong card',
  0x40: 'amount wrong',
  0x50: 'card expired',
  0x56: 'terminal inactive',
  0x57: 'terminal needs initialisation',
  0x59: 'terminal blocked',
  0x5f: 'try again',
  0x62: 'extended diagnosis needed',
};

const resultTexts: Readonly<Record<number, string>> = {
  0x00: 'OK',
  0x64: 'Card unreadable',
  0x65: 'Card data missing',
  0x66: 'Processing error',
  0x67: 'Not allowed for girocard and Maestro cards',
  0x68: 'Not allowed for credit and fuel cards',
  0x6a: 'Turnover file full',
  0x6b: 'Function switched off, terminal not registered',
  0x6c: 'Aborted by timeout or cancel key',
  0x6e: 'Card is on the blocked list',
  0x6f: 'Wrong currency',
  0x71: 'Credit on the chip too low',
  0x72: 'Chip error',
  0x73: 'Card data wrong',
  0x74: 'DUKPT key exhausted',
  0x75: 'Text not authentic',
  0x76: 'Card not on the white list',
  0x77: 'End of day not possible',
  0x78: 'Card expired',
  0x79: 'Card not yet valid',
  0x7a: 'Card unknown',
  0x7b: 'Fallback to magnetic stripe not possible for girocard',
  0x7c: 'Fallback to magnetic stripe not possible',
  0x7d: 'Communication module does not answer',
  0x7e: 'Fallback to magnetic stripe not possible, direct debit possible',
  0x83: 'Function not possible',
  0x85: 'Key missing',
  0x89: 'PIN pad defective',
  0x9a: 'ZVT protocol error',
  0x9b: 'Dial-up error',
  0x9c: 'Please wait',
  0xa0: 'Receiver not ready',
  0xa1: 'Remote station does not answer',
  0xa3: 'No connection to the bank',
  0xa4: 'GeldKarte submission not possible',
  0xa5: 'Not allowed by PCI or P2PE rules',
  0xb1: 'Memory full',
  0xb2: 'Merchant journal full',
  0xb4: 'Already reversed',
  0xb5: 'Reversal not possible',
  0xb7: 'Pre-authorisation amount wrong or too high',
  0xb8: 'Pre-authorisation error',
  0xbf: 'Supply voltage low',
  0xc0: 'Card lock defective',
  0xc1: 'Merchant card locked',
  0xc2: 'Diagnosis needed',
  0xc3: 'Maximum amount exceeded',
  0xc4: 'Card profile invalid, reload needed',
  0xc5: 'Payment method not supported',
  0xc6: 'Currency not applicable',
  0xc8: 'Amount too small',
  0xc9: 'Maximum transaction amount too small',
  0xcb: 'Only possible in EUR',
  0xcc: 'Printer not ready',
  0xcd: 'Cashback not possible',
  0xd2: 'Not allowed for service and bank cards',
  0xdc: 'Card inserted',
  0xdd: 'Card eject error',
  0xde: 'Card insert error',
  0xe0: 'Remote maintenance active',
  0xe2: 'Card reader does not answer',
  0xe3: 'Shutter closed',
  0xe4: 'Terminal activation needed',
  0xe7: 'Goods group missing',
  0xe8: 'No goods table loaded',
  0xe9: 'Restriction code not permitted',
  0xea: 'Card not activated',
  0xeb: 'PIN algorithm unknown',
  0xec: 'PIN entry not possible',
  0xed: 'PIN pad defective',
  0xf0: 'End of day must be run first',
  0xf1: 'Offline error for girocard and Maestro',
  0xf5: 'OPT error',
  0xf6: 'OPT data missing',
  0xfa: 'Clearing error',
  0xfb: 'Turnover record defective',
  0xfc: 'Device missing or defective',
  0xfd: 'Baud rate not supported',
  0xfe: 'Register unknown',
  0xff: 'System error',
};

/** Codes that the driver acts on. */
/** Abort by timeout or key, also after our 06 B0. */
export const abortedCode = 0x6c;
export const alreadyReversedCode = 0xb4;
export const wrongPasswordCode = 0x37;
/** "Function off, PT not registered." */
export const notRegisteredCode = 0x6b;
export const wrongCurrencyCode = 0x6f;
/** As an answer: unknown, or not possible now. */
export const notPossibleCode = 0x83;
export const pleaseWaitCode = 0x9c;
/** "ZVT protocol error": a command that the terminal does not understand in this form. */
export const protocolErrorCode = 0x9a;

/** Code as people find it in the documents ("6C"). */
function shown(code: number): string {
  return code.toString(16).toUpperCase().padStart(2, '0');
}

/** A code of the network or the authorisation host, in contrast to one of the terminal itself. */
export function isHostCode(code: number): boolean {
  return code >= firstHostCode && code <= lastHostCode;
}

/** What a result code says (BMP 27, 84 xx, 06 1E): a short sentence for cashier and support. */
export function resultText(code: number): string {
  if (isHostCode(code)) {
    return `Declined by the bank: ${hostTexts[code] ?? `code ${shown(code)}`}`;
  }
  return resultTexts[code] ?? `Unknown result code ${shown(code)}`;
}

type RequiredAction = 'none' | 'wait' | 'batch_close' | 'service';

const statuses: Readonly<Record<number, { text: string; requiredAction: RequiredAction }>> = {
  0x00: { text: 'Ready', requiredAction: 'none' },
  0x51: { text: 'Initialisation needed', requiredAction: 'service' },
  0x62: { text: 'Date or time wrong', requiredAction: 'service' },
  0x9c: { text: 'Busy, please wait', requiredAction: 'wait' },
  0x9d: { text: 'Partial issue of goods is open', requiredAction: 'wait' },
  0xb1: { text: 'Memory full, end of day needed', requiredAction: 'batch_close' },
  0xb2: { text: 'Merchant journal full', requiredAction: 'service' },
  0xbf: { text: 'Supply voltage low', requiredAction: 'service' },
  0xc0: { text: 'Card lock defective', requiredAction: 'service' },
  0xc1: { text: 'Merchant card locked', requiredAction: 'service' },
  0xc2: { text: 'Diagnosis needed', requiredAction: 'service' },
  0xc4: { text: 'Card profile invalid, update needed', requiredAction: 'service' },
  0xcc: { text: 'Printer not ready', requiredAction: 'service' },
  // The card goes by itself as soon as its owner takes it.
  0xdc: { text: 'A card is inserted', requiredAction: 'wait' },
  0xdf: { text: 'Out of order', requiredAction: 'service' },
  0xe0: { text: 'Remote maintenance active', requiredAction: 'service' },
  0xe1: { text: 'The card is not fully removed', requiredAction: 'wait' },
  0xe2: { text: 'Card reader does not answer', requiredAction: 'service' },
  0xe3: { text: 'Shutter closed', requiredAction: 'service' },
  0xe4: { text: 'Terminal activation needed', requiredAction: 'service' },
  0xf0: { text: 'End of day needed', requiredAction: 'batch_close' },
  0xf6: { text: 'OPT data missing', requiredAction: 'service' },
};

/** The documents know this code as a terminal status (completion of 05 01). */
export function isTerminalStatus(code: number): boolean {
  return code in statuses;
}

/** What the status of a 05 01 completion says. */
export function statusText(code: number): string {
  return statuses[code]?.text ?? resultTexts[code] ?? `Unknown terminal status ${shown(code)}`;
}

/**
 * What ends this status: nothing to do; wait and ask again; an end of day (06 50); or somebody at the terminal.
 * An unknown status counts as the last.
 */
export function requiredActionOf(code: number): RequiredAction {
  return statuses[code]?.requiredAction ?? 'service';
}

/** A card is inserted, or not fully removed. It goes only when somebody takes it. */
const cardStatuses: ReadonlySet<number> = new Set([0xdc, 0xe1]);

/** It does something by itself that will end by itself. */
export function isAtWork(status: number): boolean {
  return requiredActionOf(status) === 'wait' && !cardStatuses.has(status);
}
