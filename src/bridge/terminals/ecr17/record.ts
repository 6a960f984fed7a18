/** Results as the protocol-independent record of `contract/terminal.ts`. */
import { formatAmount } from '../../../contract/money.ts';
import { emptyRecord, type TerminalRecord } from '../../../contract/terminal.ts';
import { paymentResultOf, resultText, totalsOf, type Ecr17Message } from './wire/index.ts';

/** Of an answer E that names no amount (Nexi "Traditional POS" developer pages, answer to P). */
const shortResultLength = 71;

/** A result with another code decides nothing. */
const decidingCodes: ReadonlySet<string> = new Set(['00', '01', '05', '09']);

export function decides({ resultCode }: TerminalRecord): boolean {
  return resultCode !== null && decidingCodes.has(resultCode);
}

/**
 * Of a payment or a reversal, as it came or as it was told again; null for anything else and for one that is not whole. The
 * STAN is trace and receipt number: a void names it. A terminal undoes nothing but its last operation, so a reversal that was
 * done names the one before it.
 */
export function resultRecord(message: Ecr17Message): TerminalRecord | null {
  const result = paymentResultOf(message);
  if (result === null || !message.complete) return null;
  const approved = result.outcome === 'approved';
  const stan = numbered(result.stan);
  const amountMinor = approved ? result.hostAmountMinor : null;
  const [, day = null, time = null] = /^(\d{3})(\d{4})$/.exec(result.hostDateTime ?? '') ?? [];
  const { entryMode } = result;
  return {
    ...emptyRecord(),
    kind: result.isReversal ? 'reversal' : 'payment',
    approved,
    resultCode: result.result,
    resultText: result.description ?? resultText(result.result ?? ''),
    amountMinor,
    currency: amountMinor === null ? null : 'EUR',
    terminalId: message.terminalId,
    traceNumber: stan,
    receiptNumber: stan,
    turnoverNumber: numbered(result.onlineId),
    originalTraceNumber: result.isReversal && approved ? numberBefore(stan) : null,
    approvalCode: result.authorizationCode,
    maskedCardNumber: result.last4 === null ? null : `****${result.last4}`,
    entryMode: entryMode === 'manual' ? null : entryMode,
    hostResponseCode: result.actionCode,
    terminalDate: day,
    terminalTime: time,
  };
}

/**
 * Of the direct answer to a payment. In its short form it names no amount: then it is the one that the terminal was told,
 * because a terminal says nothing unasked, and what it told before is known.
 */
export function paymentRecord(message: Ecr17Message, toldMinor: number): TerminalRecord | null {
  const record = resultRecord(message);
  if (record?.approved !== true || message.length !== shortResultLength) return record;
  return { ...record, amountMinor: toldMinor, currency: 'EUR' };
}

/** Zeros are no number. */
function numbered(digits: string | null): string | null {
  return digits === null || /^0*$/.test(digits) ? null : digits;
}

function numberBefore(stan: string | null): string | null {
  if (stan === null || !/^\d+$/.test(stan)) return null;
  const before = Number(stan) - 1;
  return String(before > 0 ? before : 10 ** stan.length - 1).padStart(stan.length, '0');
}

/** The same result told again: result, STAN, online number, time of the host and authorisation are the same. */
export function isSameResult(one: TerminalRecord, other: TerminalRecord): boolean {
  return (
    one.resultCode === other.resultCode &&
    one.traceNumber === other.traceNumber &&
    one.turnoverNumber === other.turnoverNumber &&
    one.terminalDate === other.terminalDate &&
    one.terminalTime === other.terminalTime &&
    one.approvalCode === other.approvalCode
  );
}

/** Of a close. Two totals that differ do not undo it. */
export function closeRecord(message: Ecr17Message): TerminalRecord | null {
  const totals = totalsOf(message);
  if (totals === null || totals.result === null || !message.complete) return null;
  const approved = totals.result === '00';
  const { posTotalMinor, hostTotalMinor } = totals;
  const amountMinor = approved ? posTotalMinor : null;
  return {
    ...emptyRecord(),
    kind: 'batch_close',
    approved,
    resultCode: totals.result,
    resultText: approved
      ? closedText(posTotalMinor, hostTotalMinor)
      : (totals.description ?? resultText(totals.result)),
    amountMinor,
    currency: amountMinor === null ? null : 'EUR',
    terminalId: message.terminalId,
  };
}

function closedText(terminal: number | null, host: number | null): string {
  if (terminal === null || host === null || terminal === host) return resultText('00');
  return `The batch was closed, but the terminal counted ${formatAmount(terminal, 'EUR')} EUR and the bank ${formatAmount(host, 'EUR')} EUR.`;
}

/**
 * A batch that turned out to be closed. `totalMinor`: what the terminal told that it held right before; undefined where it did
 * not.
 */
export function foundClosed(totalMinor: number | undefined): TerminalRecord {
  return {
    ...emptyRecord(),
    kind: 'batch_close',
    approved: true,
    resultText: 'The terminal’s total is zero again',
    amountMinor: totalMinor ?? null,
    currency: totalMinor === undefined ? null : 'EUR',
  };
}
