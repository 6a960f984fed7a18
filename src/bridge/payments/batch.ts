/** Closing the day: which of our payments a close covers, and the terminal's totals against the journal's. Pure. */
import type { Currency } from '../../contract/money.ts';
import type { SchemeTotal, TerminalRecord } from '../../contract/terminal.ts';
import type { PaymentRow, TerminalState } from '../journal/journal.ts';
import type { Settlement } from './machine.ts';

/**
 * Payments that the terminal's open batch can hold: approved on this terminal since the last boundary that certainly
 * closed a batch. The others were closed by somebody else, or are another terminal's.
 */
export function openBatch(
  unsettled: PaymentRow[],
  state: Pick<TerminalState, 'terminal' | 'batchEpoch'>,
): PaymentRow[] {
  return unsettled.filter((payment) => payment.epoch >= state.batchEpoch && sameTerminal(payment, state));
}

export function sameTerminal(payment: PaymentRow, state: Pick<TerminalState, 'terminal'>): boolean {
  return (
    state.terminal !== null &&
    payment.terminal.protocol === state.terminal.protocol &&
    payment.terminal.terminalId === state.terminal.terminalId
  );
}

export function totalOf(payments: PaymentRow[]): { count: number; totalMinor: number } {
  return {
    count: payments.length,
    totalMinor: payments.reduce((sum, payment) => sum + approvedMinor(payment), 0),
  };
}

/** What was actually approved, which a tip may have raised over what was asked. */
function approvedMinor(payment: PaymentRow): number {
  return payment.result?.amountMinor ?? payment.amountMinor;
}

/**
 * What a done batch close settles. `record` is the terminal's word with its totals, or null when a person said that it
 * closed; then nothing can be reconciled.
 */
export function settle(options: {
  open: PaymentRow[];
  record: TerminalRecord | null;
  currency: Currency;
  batchNumber: string;
}): Settlement {
  const { open, record, currency, batchNumber } = options;
  const covered = record === null ? open : open.filter((payment) => isCovered(payment, record));
  const ours = totalOf(open);
  const totals = record?.totals ?? [];
  const terminal =
    totals.length > 0
      ? {
          count: totals.reduce((sum, total) => sum + total.count, 0),
          totalMinor: totals.reduce((sum, total) => sum + total.totalMinor, 0),
        }
      : {
          count: record === null ? ours.count : covered.length,
          totalMinor: record?.amountMinor ?? ours.totalMinor,
        };
  const differences = record === null ? [] : compare(open, totals, terminal);
  return {
    batch: {
      batchNumber: record?.batchNumber ?? batchNumber,
      count: terminal.count,
      totalMinor: terminal.totalMinor,
      currency,
      reconciled: toldTotals(record) && differences.length === 0,
      differences,
      totals,
    },
    settled: covered.map((payment) => payment.transactionId),
    uncovered: open.filter((payment) => !covered.includes(payment)).map((payment) => payment.reference),
  };
}

/** Without a count or a sum of the terminal's own there is nothing to reconcile with. */
function toldTotals(record: TerminalRecord | null): boolean {
  return (
    record !== null && record.approved && ((record.totals ?? []).length > 0 || record.amountMinor !== null)
  );
}

function isCovered(payment: PaymentRow, record: TerminalRecord): boolean {
  const { receiptFrom, receiptTo } = record;
  const receipt = payment.result?.receiptNumber ?? null;
  if (receiptFrom === null || receiptTo === null || receipt === null) return true;
  const [from, to, own] = [Number(receiptFrom), Number(receiptTo), Number(receipt)];
  // The four-digit receipt number may have wrapped within the batch.
  return from <= to ? own >= from && own <= to : own >= from || own <= to;
}

type Differences = Settlement['batch']['differences'];

function compare(
  open: PaymentRow[],
  totals: SchemeTotal[],
  terminal: { count: number; totalMinor: number },
): Differences {
  const ours = totalOf(open);
  if (totals.length === 0) {
    if (terminal.totalMinor === ours.totalMinor) return [];
    return [difference('all', terminal, ours)];
  }
  const schemes = new Set([...totals.map((total) => total.scheme), ...open.map(schemeOf)]);
  const differences: Differences = [];
  for (const scheme of schemes) {
    const theirs = totals.find((total) => total.scheme === scheme) ?? { count: 0, totalMinor: 0 };
    const mine = totalOf(open.filter((payment) => schemeOf(payment) === scheme));
    if (theirs.count !== mine.count || theirs.totalMinor !== mine.totalMinor) {
      differences.push(difference(scheme, theirs, mine));
    }
  }
  return differences;
}

function schemeOf(payment: PaymentRow): string {
  return payment.result?.schemeGroup ?? 'other';
}

function difference(
  scheme: string,
  theirs: { count: number; totalMinor: number },
  mine: { count: number; totalMinor: number },
): Differences[number] {
  return {
    scheme,
    terminalCount: theirs.count,
    terminalTotalMinor: theirs.totalMinor,
    journalCount: mine.count,
    journalTotalMinor: mine.totalMinor,
  };
}
