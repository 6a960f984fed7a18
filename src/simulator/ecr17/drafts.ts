/** Entries as they would be written now. A draft is nothing until it is recorded, and uses up no number. */
import { formatAmount } from '../../contract/money.ts';
import { cardByKey, cardFor } from './cards.ts';
import type { ChargedEntry, RefusedEntry, ReversedEntry, SettledEntry, Told } from './ledger.ts';
import { terminalTime, type Terminal } from './terminal.ts';

function always(terminal: Terminal) {
  return {
    at: new Date(terminal.clock.now()).toISOString(),
    terminal_id: terminal.terminalId,
    currency: terminal.currency,
  };
}

/** `asked`: by P or X; null: without a till. */
export function draftSale(terminal: Terminal, amountMinor: number, asked: 'P' | 'X' | null): ChargedEntry {
  const stan = terminal.memory.nextStan();
  const card = cardFor(amountMinor);
  return {
    ...always(terminal),
    event: 'charged',
    amount: formatAmount(amountMinor, terminal.currency),
    amount_minor: amountMinor,
    receipt_number: stan,
    online_number: onlineNumber(stan),
    authorisation: authorisation(Number(stan), amountMinor),
    host_date_time: terminalTime(terminal.clock).hostDateTime,
    card,
    told: formOf(terminal, asked, cardByKey(card).foreign !== null),
  };
}

function formOf({ dialect }: Terminal, asked: 'P' | 'X' | null, isForeign: boolean): Told | null {
  if (asked === null) return dialect.ownOperations === 'not_kept' ? null : dialect.ownOperations;
  if (dialect.converts && isForeign) return 'conversion';
  return asked === 'X' && dialect.extended === 'answered' ? 'extended' : 'plain';
}

/** `byTill`: the till asked for it. */
export function draftReversal(terminal: Terminal, sale: ChargedEntry, byTill: boolean): ReversedEntry {
  const stan = terminal.memory.nextStan();
  const { amount, amount_minor, receipt_number, card } = sale;
  return {
    ...always(terminal),
    event: 'reversed',
    amount,
    amount_minor,
    receipt_number,
    stan,
    online_number: onlineNumber(stan),
    host_date_time: terminalTime(terminal.clock).hostDateTime,
    card,
    told: byTill || terminal.dialect.ownOperations !== 'not_kept' ? 'reversal' : null,
  };
}

/** `form`: that of the answer; null: without a till. */
export function draftRefusal(
  terminal: Terminal,
  { code, text }: Pick<RefusedEntry, 'code' | 'text'>,
  form: Told | null,
): RefusedEntry {
  const { refusals, ownOperations } = terminal.dialect;
  const ownForm = ownOperations === 'not_kept' ? null : ownOperations;
  return {
    ...always(terminal),
    event: 'refused',
    code,
    text,
    stan: refusals === 'unnumbered' ? null : terminal.memory.nextStan(),
    told: refusals === 'not_kept' ? null : (form ?? ownForm),
  };
}

export function draftSettlement(terminal: Terminal): SettledEntry {
  const { count, totalMinor } = terminal.memory.totals();
  return {
    ...always(terminal),
    event: 'settled',
    count,
    total: formatAmount(totalMinor, terminal.currency),
    total_minor: totalMinor,
    stan: terminal.dialect.numberedClose ? terminal.memory.nextStan() : null,
  };
}

/** The payment by which the terminal was tried out when it was installed; its day is closed. */
export function resultOfInstallation({
  terminalId,
  currency,
}: Pick<Terminal, 'terminalId' | 'currency'>): ChargedEntry {
  const stan = '000001';
  return {
    at: '2020-01-01T11:00:00.000Z',
    terminal_id: terminalId,
    currency,
    event: 'charged',
    amount: '1.00',
    amount_minor: 100,
    receipt_number: stan,
    online_number: onlineNumber(stan),
    authorisation: authorisation(1, 100),
    host_date_time: '0011200',
    card: 'mastercard',
    told: 'extended',
  };
}

function onlineNumber(stan: string): string {
  return String((Number(stan) + 57) % 1_000_000).padStart(6, '0');
}

/** Letters and digits; looks like chance, and is the same for the same payment. */
function authorisation(number: number, amountMinor: number): string {
  const code = (number * 7_919 + amountMinor * 104_729 + 171_717) % 36 ** 5;
  return `A${code.toString(36).padStart(5, '0').toUpperCase()}`;
}
