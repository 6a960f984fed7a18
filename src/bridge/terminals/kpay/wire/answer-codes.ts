/**
 * `code` of an answer: what it says to people, and what it proves about the request ("KPay Official API Specification"
 * v2.0, and what clients in use have seen).
 */

/** Codes that somebody acts on or sends, by name. */
export const answerCode = {
  accepted: 10_000,
  badRequest: 10_001,
  numberUsed: 20_001,
  notFound: 20_005,
  cannotBeVoided: 20_006,
  ofAnotherDay: 20_007,
  alreadyCompleted: 20_010,
  inProgress: 20_011,
  wrongType: 20_012,
  closeAtTerminal: 20_019,
  alreadyRefunded: 20_024,
  wrongSignature: 40_002,
  keysGone: 40_004,
  wrongApplication: 40_007,
  notSignedIn: 40_008,
  unknownError: 50_001,
  busy: 50_002,
  printerFault: 50_003,
  tooFast: 50_004,
  notInBackground: 50_005,
  previousOpen: 50_006,
  settlementFailed: 50_010,
  noSettlementYet: 50_011,
  nothingToSettle: 50_012,
} as const;

/** What the bridge makes of a code. */
export type CodeMeaning =
  /** Taken. Of a sale or a void: started, and nothing more. */
  | 'accepted'
  /** Not started, and no repeat would change that. */
  | 'refused'
  /** This outTradeNo is known to the terminal: an earlier copy of the request arrived. */
  | 'number_used'
  | 'in_progress'
  /** No transaction with this number; of a void: no sale that it could undo. */
  | 'not_found'
  | 'void_refused'
  /** It can no longer be stopped: ask how it ended. */
  | 'already_completed'
  /** Somebody has to stop it at the terminal. */
  | 'close_at_terminal'
  /** The working keys are gone; nothing has started. Sign in and sign anew. */
  | 'keys_gone'
  /** Not started; another sign-in may help, one time. */
  | 'sign_in_once'
  | 'busy'
  /** Not started; the same path again after a second. */
  | 'too_fast'
  | 'not_in_background'
  /** Not started: the transaction before has no end yet. */
  | 'previous_open'
  /** Not started: somebody has to reverse the transaction before at the terminal. */
  | 'reverse_at_terminal'
  | 'settle_first'
  | 'settlement_failed'
  | 'no_settlement_yet'
  | 'nothing_to_settle'
  /** Proves nothing: ask for the result. Each code that nobody has described, too. */
  | 'unknown';

const refusals = [10_001, 20_002, 20_003, 20_004, 20_008, 20_009, 20_013, 20_015, 60_004, 700_004];
const refused = 'The terminal does not accept this request';
const notDone = 'The transaction is still in progress';
const rights = 'The terminal does not accept this application';

const codes: Readonly<Record<number, readonly [CodeMeaning, string]>> = {
  ...Object.fromEntries(refusals.map((code) => [code, ['refused', refused] as const])),
  10_000: ['accepted', 'Accepted'],
  11_000: ['in_progress', notDone],
  20_001: ['number_used', 'The terminal already knows this transaction number'],
  20_005: ['not_found', 'The terminal does not know this transaction'],
  20_006: ['void_refused', 'In this state the payment cannot be voided'],
  20_007: ['void_refused', 'A payment of another day cannot be voided'],
  20_010: ['already_completed', 'The transaction has already ended'],
  20_011: ['in_progress', notDone],
  20_012: ['void_refused', 'A payment of this kind cannot be voided'],
  20_014: ['in_progress', notDone],
  20_016: ['in_progress', notDone],
  20_017: ['unknown', 'The QR code is closed; the customer may have paid'],
  20_018: ['void_refused', 'The manager password is wrong'],
  20_019: ['close_at_terminal', 'The transaction must be stopped at the terminal'],
  20_024: ['void_refused', 'The payment has already been refunded'],
  40_001: ['sign_in_once', rights],
  40_002: ['refused', 'The terminal does not accept the signature'],
  40_003: ['sign_in_once', rights],
  40_004: ['keys_gone', 'The terminal asks for a new sign-in'],
  40_005: ['refused', rights],
  40_006: ['refused', rights],
  40_007: ['refused', 'The application id or its secret is wrong'],
  40_008: ['sign_in_once', 'The terminal is not signed in at KPay'],
  40_010: ['refused', rights],
  40_011: ['refused', rights],
  50_001: ['unknown', 'The terminal reports an unknown error'],
  50_002: ['busy', 'The terminal is busy'],
  50_003: ['unknown', 'The printer of the terminal has a fault'],
  50_004: ['too_fast', 'The requests come too fast for the terminal'],
  50_005: ['not_in_background', 'The terminal’s app must be switched to background mode'],
  50_006: ['previous_open', 'The last transaction has not been completed'],
  50_007: ['reverse_at_terminal', 'The last transaction must be reversed at the terminal'],
  50_008: ['reverse_at_terminal', 'The last transaction must be reversed at the terminal'],
  50_009: ['settle_first', 'The batch must be settled first'],
  50_010: ['settlement_failed', 'The settlement failed'],
  50_011: ['no_settlement_yet', 'There has been no settlement yet'],
  50_012: ['nothing_to_settle', 'There is nothing to settle'],
  700_001: ['busy', 'The terminal is being updated'],
  700_005: ['refused', 'The terminal is not in kiosk mode'],
  700_006: ['refused', 'The terminal is not in kiosk mode'],
  700_007: ['refused', 'The terminal is not in kiosk mode'],
  700_029: ['void_refused', 'The entry of the manager password was cancelled'],
  700_034: ['in_progress', notDone],
  700_035: ['reverse_at_terminal', 'The last transaction must be reversed at the terminal'],
};

/** All codes that are described. */
export const knownCodes: readonly number[] = Object.keys(codes).map(Number);

export function codeMeaning(code: number): CodeMeaning {
  return codes[code]?.[0] ?? 'unknown';
}

/** A short sentence for cashier and support. */
export function codeText(code: number): string {
  return codes[code]?.[1] ?? `Unknown code ${code}`;
}

/** Meanings that say that a request which starts something has started nothing, whatever it was. */
const nothingStarted: ReadonlySet<CodeMeaning> = new Set([
  'refused',
  'keys_gone',
  'sign_in_once',
  'busy',
  'too_fast',
  'not_in_background',
  'previous_open',
  'reverse_at_terminal',
  'settle_first',
]);
const startedMeanings: ReadonlySet<CodeMeaning> = new Set(['accepted', 'number_used', 'in_progress']);
const voidRefusals: ReadonlySet<CodeMeaning> = new Set(['void_refused', 'not_found']);

/** The same of a code. */
export function startedNothing(code: number): boolean {
  return nothingStarted.has(codeMeaning(code));
}

/**
 * What the answer to the first copy of a sale or a void proves: it runs or has run (ask for its result), it certainly
 * never started, or nothing (ask for its result). After a copy that got no answer, `not_started` proves nothing either.
 */
export function startProvedBy(code: number, call: 'sale' | 'void'): 'started' | 'not_started' | 'unknown' {
  const meaning = codeMeaning(code);
  if (startedMeanings.has(meaning)) return 'started';
  if (startedNothing(code) || (call === 'void' && voidRefusals.has(meaning))) return 'not_started';
  return 'unknown';
}
