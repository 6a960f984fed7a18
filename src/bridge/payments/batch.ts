/** Closing the day: which of our payments a close covers, and the terminal's totals against the journal's. Pure. */
import type { Currency } from '../../contract/money.ts';
import type { SchemeTotal, TerminalRecord } from '../../contract/terminal.ts';
import type { PaymentRow, TerminalState } from '../journal/journal.ts';
import type { Settlement } from './machine.ts';

/** What the journal knows to have been done by hand since the batch was opened. */
export interface KnownByHand {
  /** Payments that are not ours. */
  payments: TerminalRecord[];
  /** Reversals of payments that are not ours. */
  reversals: TerminalRecord[];
  /** References of ours that were reversed at the terminal. */
  reversed: string[];
}

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

/** An id that has not been told yet is no other one. */
export function sameTerminal(payment: PaymentRow, state: Pick<TerminalState, 'terminal'>): boolean {
  if (state.terminal === null || payment.terminal.protocol !== state.terminal.protocol) return false;
  const [one, other] = [payment.terminal.terminalId, state.terminal.terminalId];
  return one === null || other === null || one === other;
}

export interface Total {
  count: number;
  totalMinor: number;
}

export function totalOf(payments: PaymentRow[]): Total {
  return sum(payments.map((payment) => approvedMinor(payment)));
}

/** What was actually approved, which a tip may have raised over what was asked. */
function approvedMinor(payment: PaymentRow): number {
  return payment.result?.amountMinor ?? payment.amountMinor;
}

/** A group of payments that the terminal tells one total of. */
interface Group {
  /** A scheme; `all` where the terminal tells no more than one sum. */
  scheme: string;
  ours: PaymentRow[];
  /** Ours, and what is known by hand. */
  journal: Total;
  /** The count is null where the terminal tells none. */
  terminal: { count: number | null; totalMinor: number };
}

/**
 * What a done batch close settles. `record` is the terminal's word, or null when a person said that it closed. Covered is
 * what the receipt range holds and the totals agree with. Where they differ, the payments that could be missing are in
 * question and stay as they are: those of the one amount that explains the difference, else all of the scheme.
 */
export function settle(options: {
  open: PaymentRow[];
  record: TerminalRecord | null;
  currency: Currency;
  batchNumber: string;
  known: KnownByHand;
}): Settlement {
  const { record, currency, batchNumber, known } = options;
  const open = options.open.filter(({ reference }) => !known.reversed.includes(reference));
  const inRange = open.filter((payment) => isCovered(payment, record));
  const unnumbered = open.filter((payment) => !inRange.includes(payment) && receiptOf(payment) === null);
  const totals = record?.totals ?? [];
  const groups =
    totals.length > 0
      ? groupsOf(totals, inRange, known)
      : record === null || record.amountMinor === null
        ? []
        : [groupOfAll(record.amountMinor, inRange, known)];
  // Payments of a scheme that nobody told may be in any group, and those without a receipt number in the batch at all.
  const loose = totals.length > 0 ? inRange.filter((payment) => schemeOf(payment) === null) : [];
  const differing = groups.filter(({ terminal, journal }) => !agree(terminal, journal));
  const explained = [loose, [...loose, ...unnumbered]].some((more) => agreeTogether(differing, more));
  const differences = explained ? [] : differing;
  const inQuestion = explained ? [] : [...differing.flatMap((group) => candidates(group, loose)), ...loose];
  const settled = inRange.filter((payment) => !inQuestion.includes(payment));
  const counts = groups.map(({ terminal, journal }) =>
    agree(terminal, journal) && terminal.count !== null ? journal.count : terminal.count,
  );
  const toldCount = groups.length > 0 && counts.every((count) => count !== null);
  return {
    batch: {
      batchNumber: record?.batchNumber ?? batchNumber,
      count: toldCount ? counts.reduce((all, count) => all + count, 0) : null,
      totalMinor:
        groups.length > 0 ? groups.reduce((all, { terminal }) => all + terminal.totalMinor, 0) : null,
      currency,
      reconciled:
        record?.approved === true && groups.length > 0 && differences.length === 0 && inQuestion.length === 0,
      differences: differences.map(({ scheme, terminal, journal }) => ({
        scheme,
        terminalCount: terminal.count,
        terminalTotalMinor: terminal.totalMinor,
        journalCount: journal.count,
        journalTotalMinor: journal.totalMinor,
      })),
      totals,
    },
    settled: settled.map((payment) => payment.transactionId),
    uncovered: open.filter((payment) => !settled.includes(payment)).map((payment) => payment.reference),
    inQuestion: inQuestion.map((payment) => payment.reference),
  };
}

/** Without a range all are covered; with one, a payment whose receipt number is not known is not. */
function isCovered(payment: PaymentRow, record: TerminalRecord | null): boolean {
  if (record === null || record.receiptFrom === null || record.receiptTo === null) return true;
  const receipt = receiptOf(payment);
  if (receipt === null) return false;
  const [from, to, own] = [Number(record.receiptFrom), Number(record.receiptTo), Number(receipt)];
  // The four-digit receipt number may have wrapped within the batch.
  return from <= to ? own >= from && own <= to : own >= from || own <= to;
}

function groupsOf(totals: SchemeTotal[], inRange: PaymentRow[], known: KnownByHand): Group[] {
  const byHand = [...known.payments, ...known.reversals].map((record) => record.schemeGroup);
  const schemes = new Set([...totals.map(({ scheme }) => scheme), ...inRange.map(schemeOf), ...byHand]);
  return [...schemes]
    .filter((scheme) => scheme !== null)
    .map((scheme) => {
      const ours = inRange.filter((payment) => schemeOf(payment) === scheme);
      const terminal = totals.find((total) => total.scheme === scheme) ?? { count: 0, totalMinor: 0 };
      const journal = withKnown(totalOf(ours), known, (record) => record.schemeGroup === scheme);
      return { scheme, ours, journal, terminal: { count: terminal.count, totalMinor: terminal.totalMinor } };
    });
}

function groupOfAll(totalMinor: number, inRange: PaymentRow[], known: KnownByHand): Group {
  const journal = withKnown(totalOf(inRange), known, () => true);
  return { scheme: 'all', ours: inRange, journal, terminal: { count: null, totalMinor } };
}

function withKnown(ours: Total, known: KnownByHand, fits: (record: TerminalRecord) => boolean): Total {
  const added = sum(known.payments.filter(fits).map(({ amountMinor }) => amountMinor ?? 0));
  const removed = sum(known.reversals.filter(fits).map(({ amountMinor }) => amountMinor ?? 0));
  return {
    count: ours.count + added.count - removed.count,
    totalMinor: ours.totalMinor + added.totalMinor - removed.totalMinor,
  };
}

/** BMP 60 of ZVT, and others, have one byte for a count, so 300 payments are told as 44. */
const countsWrapAt = 256;

function agree(terminal: Group['terminal'], journal: Total): boolean {
  if (terminal.totalMinor !== journal.totalMinor) return false;
  return terminal.count === null || (terminal.count - journal.count) % countsWrapAt === 0;
}

/** `more` of ours, whose group is not known, make the differing groups agree in all. */
function agreeTogether(differing: Group[], more: PaymentRow[]): boolean {
  const terminal = {
    count: differing.reduce<number | null>((all, group) => add(all, group.terminal.count), 0),
    totalMinor: differing.reduce((all, group) => all + group.terminal.totalMinor, 0),
  };
  const loose = totalOf(more);
  return (
    agree(terminal, {
      count: differing.reduce((all, { journal }) => all + journal.count, loose.count),
      totalMinor: differing.reduce((all, { journal }) => all + journal.totalMinor, loose.totalMinor),
    }) &&
    (differing.length === 0 || more.length > 0)
  );
}

function add(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}

/** Which of ours may be missing in the terminal's total. */
function candidates({ ours, journal, terminal }: Group, loose: PaymentRow[]): PaymentRow[] {
  const missing = journal.totalMinor - terminal.totalMinor;
  const one = terminal.count === null || (journal.count - terminal.count - 1) % countsWrapAt === 0;
  const fitting = ours.filter((payment) => approvedMinor(payment) === missing);
  return one && loose.length === 0 && fitting.length > 0 ? fitting : ours;
}

function schemeOf(payment: PaymentRow): string | null {
  return payment.result?.schemeGroup ?? null;
}

function receiptOf(payment: PaymentRow): string | null {
  return payment.result?.receiptNumber ?? null;
}

function sum(amounts: number[]): Total {
  return { count: amounts.length, totalMinor: amounts.reduce((all, amount) => all + amount, 0) };
}
