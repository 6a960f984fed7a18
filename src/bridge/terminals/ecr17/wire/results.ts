/** What answers mean, in values that a driver can act on: numbers as numbers, null for what did not come. */
import type { FieldName } from './layouts.ts';
import type { Ecr17Message } from './messages.ts';

/**
 * Whether a payment or a reversal was done. `cancelled` and `declined` are both result 01; only the text tells them apart.
 * `unknown`: a result that no document has, or a message that lacks something.
 */
type ResultOutcome = 'approved' | 'declined' | 'cancelled' | 'failed' | 'unknown';

export interface PaymentResult {
  outcome: ResultOutcome;
  result: string | null;
  /** Why it was not done, as the terminal says it. */
  description: string | null;
  last4: string | null;
  /** Null where it is none of those that the documents have. */
  entryMode: 'chip' | 'contactless' | 'magnetic_stripe' | 'manual' | null;
  authorizationCode: string | null;
  /** DDDHHMM, the day counted in the year: to compare with, not to book by. */
  hostDateTime: string | null;
  stan: string | null;
  onlineId: string | null;
  /** Three digits of the acquirer's host, for information. */
  actionCode: string | null;
  /** The answer to a reversal, which is told by its length alone. */
  isReversal: boolean;
  /**
   * Euro cents, from the extended answer and from that with a conversion, where it is the amount before it; no other names
   * what it is the answer to.
   */
  hostAmountMinor: number | null;
}

/** Words of a customer or cashier who gave up: annullata, abbandonata, tasto annulla. */
const cancelledPattern = /ANNULL|ABBAND|TASTO/i;

/** The words with a result 01 say that a person gave up. */
export function saysCancelled(description: string): boolean {
  return cancelledPattern.test(description);
}

const entryModes: Readonly<Record<string, NonNullable<PaymentResult['entryMode']>>> = {
  ICC: 'chip',
  CLI: 'contactless',
  CLM: 'contactless',
  MAG: 'magnetic_stripe',
  MAN: 'manual',
};

/** Of an answer E or V; null for anything else. */
export function paymentResultOf(message: Ecr17Message): PaymentResult | null {
  if (message.direction !== 'from_terminal' || (message.code !== 'E' && message.code !== 'V')) return null;
  const text = (name: FieldName) => textOf(message, name);
  const entry = text('entry') ?? '';
  return {
    outcome: outcomeOf(message),
    result: text('result'),
    description: text('description'),
    // Some terminals send zeros in place of the number.
    last4: text('panLast4'),
    entryMode: Object.hasOwn(entryModes, entry) ? (entryModes[entry] ?? null) : null,
    authorizationCode: text('authorizationCode'),
    hostDateTime: text('hostDateTime'),
    stan: text('stan'),
    onlineId: text('onlineId'),
    actionCode: text('actionCode'),
    isReversal: message.code === 'E' && message.places.has('actionCode') && !message.places.has('hostAmount'),
    hostAmountMinor: centsOf(text('hostAmount') ?? text('originalAmount')),
  };
}

function outcomeOf(message: Ecr17Message): ResultOutcome {
  if (!message.complete) return 'unknown';
  switch (message.values.result ?? '') {
    case '00':
      return 'approved';
    case '01':
      return saysCancelled(message.values.description ?? '') ? 'cancelled' : 'declined';
    case '05':
    case '09':
      return 'failed';
    default:
      return 'unknown';
  }
}

export interface Totals {
  /** 00: they are there, and of a close: it is done. */
  result: string | null;
  /** Euro cents, sales and reversals together. */
  posTotalMinor: number | null;
  hostTotalMinor: number | null;
  description: string | null;
}

/** Of an answer T or C; null for anything else. */
export function totalsOf(message: Ecr17Message): Totals | null {
  if (message.direction !== 'from_terminal' || (message.code !== 'T' && message.code !== 'C')) return null;
  return {
    result: textOf(message, 'result'),
    posTotalMinor: centsOf(textOf(message, 'posTotal')),
    hostTotalMinor: centsOf(textOf(message, 'hostTotal')),
    description: textOf(message, 'description'),
  };
}

/** What ends a ticket: six times "new line", and ESC. */
const ticketEnd = '}'.repeat(6) + '\u001b';

/** A part of a ticket is the last one of its ticket. */
export function endsTicket({ code, direction, values }: Ecr17Message): boolean {
  return code === 'S' && direction === 'from_terminal' && (values.text ?? '').endsWith(ticketEnd);
}

function textOf({ values }: Ecr17Message, name: FieldName): string | null {
  const text = values[name] ?? '';
  return text === '' ? null : text;
}

/** Digits only; as many as a number holds exactly. How a negative total looks, no source says. */
function centsOf(text: string | null): number | null {
  if (text === null || !/^\d{1,16}$/.test(text)) return null;
  const cents = Number(text);
  return Number.isSafeInteger(cents) ? cents : null;
}
