/** Closing the day: which of our payments a close covers, and the terminal's totals against the journal's. */
import type { BatchStarted } from '../../contract/journal-events.ts';
import type { Currency } from '../../contract/money.ts';
import {
  agreeIfTold,
  type SchemeTotal,
  type TerminalIdentity,
  type TerminalRecord,
} from '../../contract/terminal.ts';
import type { Journal, OperationRow, PaymentRow, TerminalState } from '../journal/index.ts';
import { knownByHand, notInClose, type KnownByHand } from './history.ts';
import type { Settlement } from './operation-machine.ts';

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

/**
 * The open batch as it stood when this close began: what was seen of the terminal since may already be the boundary that it
 * made. Where a damaged journal has lost its end it is in doubt again, and has payments behind it.
 */
export function openAtStart(
  journal: Pick<Journal, 'unsettledPayments'>,
  started: BatchStarted,
  { position }: Pick<OperationRow, 'position'>,
): PaymentRow[] {
  return before(openBatch(journal.unsettledPayments(started.batchEpoch), started), position);
}

/** Those of `payments` that began before the operation at `position`. */
export function before(payments: PaymentRow[], position: number): PaymentRow[] {
  return payments.filter((payment) => payment.position < position);
}

/** An id that has not been told yet is no other one. */
export function sameTerminal(payment: PaymentRow, state: Pick<TerminalState, 'terminal'>): boolean {
  if (state.terminal === null || payment.terminal.protocol !== state.terminal.protocol) return false;
  return agreeIfTold(idOf(payment), state.terminal.terminalId);
}

/** The one that answered: another may have come on the line before anybody noticed. */
function idOf({ terminal, result }: PaymentRow): string | null {
  return result?.terminalId ?? terminal.terminalId;
}

export interface Total {
  count: number;
  totalMinor: number;
}

export function totalOf(payments: PaymentRow[]): Total {
  return sum(payments.map((payment) => approvedMinor(payment)));
}

/**
 * What a close counts in: the currency of all of `payments`; that of the settings where they have several, or there are none.
 */
export function currencyOfClose(payments: PaymentRow[], configured: Currency): Currency {
  const [first, ...others] = payments;
  if (first === undefined) return configured;
  return others.every(({ currency }) => currency === first.currency) ? first.currency : configured;
}

/**
 * Nothing says that it was taken by another terminal. Where no id had been told when it began, and only a person's word says
 * that it was charged, a terminal that has told its id since may have been put in that one's place.
 */
function isPlaced(payment: PaymentRow, closing: TerminalIdentity | null): boolean {
  return idOf(payment) !== null || payment.result !== null || (closing?.terminalId ?? null) === null;
}

/** What was actually approved, which a tip may have raised over what was asked. */
function approvedMinor(payment: PaymentRow): number {
  return payment.result?.amountMinor ?? payment.amountMinor;
}

/** A group of payments that the terminal tells one total of. */
interface Group {
  /** A scheme; `all` where the terminal tells no more than one sum. */
  scheme: string;
  payments: PaymentRow[];
  ours: Total;
  /** Ours, and what is known to have been done by hand. */
  withHand: Total;
  terminal: TerminalTotal;
}

/** The count is null where the terminal tells none. */
interface TerminalTotal {
  count: number | null;
  totalMinor: number;
}

/**
 * What a done batch close settles. `record` is the terminal's word, or null when a person said that it closed. Covered is
 * what the receipt range holds and the totals agree with, also where they hold what is known to have been done by hand.
 * Where they do not agree, the payments that could be missing are in question and stay as they are: those of the one
 * amount that explains the difference, else all of the scheme. A payment of another currency than the close is in none of
 * its totals, and in question.
 */
export function settle(options: {
  open: PaymentRow[];
  /** The one that closed it; null where none has been seen. */
  terminal: TerminalIdentity | null;
  record: TerminalRecord | null;
  currency: Currency;
  batchNumber: string;
  known: KnownByHand;
  /** References of which the terminal did not tell that they are in it as they were approved, as has been said already. */
  untold?: string[];
}): Settlement {
  const { terminal, record, currency, batchNumber, known, untold = [] } = options;
  const open = options.open.filter(({ reference }) => !known.reversed.includes(reference));
  const isUntold = ({ reference }: PaymentRow) => untold.includes(reference);
  const inRange = open.filter(
    (payment) => !isUntold(payment) && isCovered(payment, record) && isPlaced(payment, terminal),
  );
  const isCounted = (payment: PaymentRow) => payment.currency === currency;
  const counted = inRange.filter(isCounted);
  const unnumbered = open.filter(
    (payment) => isCounted(payment) && !inRange.includes(payment) && receiptOf(payment) === null,
  );
  const groups = groupsOf(record, counted, known);
  const bySchemes = (record?.totals ?? []).length > 0;
  // Payments of a scheme that nobody told may be in any group, and those without a receipt number in the batch at all.
  const loose = bySchemes ? counted.filter((payment) => schemeOf(payment) === null) : [];
  const differing = groups.filter(({ ours, terminal }) => !agree(terminal, ours));
  const unexplained = differing.filter(({ withHand, terminal }) => !agree(terminal, withHand));
  const together = [loose, [...loose, ...unnumbered]].find((more) => agreeTogether(unexplained, more));
  const chosen = unexplained.filter(
    (group) => group.terminal.count === null && candidates(group, loose).length < group.payments.length,
  );
  const missing =
    together === undefined ? [...unexplained.flatMap((group) => candidates(group, loose)), ...loose] : [];
  const covered = groups.length > 0 ? counted : inRange;
  const settled = covered.filter((payment) => !missing.includes(payment));
  const left = open.filter((payment) => !settled.includes(payment));
  const inQuestion = left.filter((payment) => !isUntold(payment) && together?.includes(payment) !== true);
  const differences = differing.filter((group) => together === undefined || !unexplained.includes(group));
  return {
    batch: {
      batchNumber: record?.batchNumber ?? batchNumber,
      count: countOf(groups),
      totalMinor:
        groups.length > 0 ? sum(groups.map(({ terminal }) => terminal.totalMinor)).totalMinor : null,
      currency,
      reconciled:
        record?.approved === true &&
        groups.length > 0 &&
        differences.length === 0 &&
        inQuestion.length === 0 &&
        !left.some(isUntold),
      differences: differences.map(({ scheme, terminal, ours }) => ({
        scheme,
        terminalCount: terminal.count,
        terminalTotalMinor: terminal.totalMinor,
        journalCount: ours.count,
        journalTotalMinor: ours.totalMinor,
      })),
      totals: record?.totals ?? [],
    },
    settled: settled.map((payment) => payment.transactionId),
    uncovered: left.map((payment) => payment.reference),
    inQuestion: inQuestion.map((payment) => payment.reference),
    mayBeOthers: together === undefined && chosen.length > 0,
    unexplained: together === undefined ? unexplained.map(({ scheme }) => scheme) : [],
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

function groupsOf(record: TerminalRecord | null, inRange: PaymentRow[], known: KnownByHand): Group[] {
  const totals = record?.totals ?? [];
  const group = (scheme: string, payments: PaymentRow[], terminal: TerminalTotal): Group => {
    const ours = totalOf(payments);
    const fits = (one: TerminalRecord) => scheme === wholeBatch || one.schemeGroup === scheme;
    return { scheme, payments, ours, withHand: withKnown(ours, known, fits), terminal };
  };
  if (totals.length > 0) {
    const byHand = [...known.payments, ...known.reversals].map(({ schemeGroup }) => schemeGroup);
    const schemes = new Set([...totals.map(({ scheme }) => scheme), ...inRange.map(schemeOf), ...byHand]);
    return [...schemes]
      .filter((scheme) => scheme !== null)
      .map((scheme) => {
        const told: SchemeTotal | undefined = totals.find((total) => total.scheme === scheme);
        const terminal = { count: told?.count ?? 0, totalMinor: told?.totalMinor ?? 0 };
        return group(
          scheme,
          inRange.filter((payment) => schemeOf(payment) === scheme),
          terminal,
        );
      });
  }
  const totalMinor = record?.amountMinor ?? null;
  return totalMinor === null ? [] : [group(wholeBatch, inRange, { count: null, totalMinor })];
}

const wholeBatch = 'all';

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

function agree(terminal: TerminalTotal, journal: Total): boolean {
  if (terminal.totalMinor !== journal.totalMinor) return false;
  return terminal.count === null || (terminal.count - journal.count) % countsWrapAt === 0;
}

/** What the terminal counted, unwrapped where its sum says how often it wrapped. */
function countOf(groups: Group[]): number | null {
  const counts = groups.map(({ terminal, ours, withHand }) => {
    if (terminal.count === null) return null;
    const same = [ours, withHand].find((total) => agree(terminal, total));
    return same?.count ?? terminal.count;
  });
  if (counts.length === 0) return null;
  return counts.reduce((all, count) => (all === null || count === null ? null : all + count), 0);
}

/** `more` of ours, whose group is not known, make the groups agree in all; nothing more, where there is nothing to explain. */
function agreeTogether(groups: Group[], more: PaymentRow[]): boolean {
  if (groups.length === 0 || more.length === 0) return groups.length === 0 && more.length === 0;
  const loose = totalOf(more);
  const told = groups.map(({ terminal }) => terminal);
  return agree(
    {
      count: told.some(({ count }) => count === null)
        ? null
        : told.reduce((all, { count }) => all + (count ?? 0), 0),
      totalMinor: told.reduce((all, { totalMinor }) => all + totalMinor, 0),
    },
    {
      count: groups.reduce((all, { withHand }) => all + withHand.count, loose.count),
      totalMinor: groups.reduce((all, { withHand }) => all + withHand.totalMinor, loose.totalMinor),
    },
  );
}

/** Which of ours may be missing in the terminal's total. */
function candidates({ payments, withHand, terminal }: Group, loose: PaymentRow[]): PaymentRow[] {
  const missing = withHand.totalMinor - terminal.totalMinor;
  const one = terminal.count === null || (withHand.count - terminal.count - 1) % countsWrapAt === 0;
  const fitting = payments.filter((payment) => approvedMinor(payment) === missing);
  return one && loose.length === 0 && fitting.length > 0 ? fitting : payments;
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

/** The payments that the terminal's open batch is expected to hold. */
export function expectedBatch(journal: Pick<Journal, 'terminalState' | 'unsettledPayments'>): PaymentRow[] {
  const state = journal.terminalState();
  return openBatch(journal.unsettledPayments(state.batchEpoch), state);
}

/** The same, without those that are known to have been reversed at the terminal: what a close is expected to hold. */
export function batchToClose(journal: Omit<Journal, 'append' | 'subscribe' | 'close'>): PaymentRow[] {
  const { reversed } = knownByHand(journal, journal.lastSeq() + 1);
  return expectedBatch(journal).filter(({ reference }) => !reversed.includes(reference));
}

/** What a batch close settles by the journal as it stands; `record` is null when a person says that it closed. */
export function settlementOf(
  journal: Journal,
  row: OperationRow,
  record: TerminalRecord | null,
): Settlement | null {
  const { started } = row;
  if (started.kind !== 'batch_close') return null;
  // Another terminal, put on the line before anybody noticed, closed a day of its own. Its identity counts, and not the
  // id in a record: some terminals carry several.
  const { terminal } = journal.terminalState();
  const open = openAtStart(journal, started, row);
  const known = knownByHand(journal, row.position);
  const { undone, differing, untold } = notInClose(journal, row.operationId);
  return settle({
    open: terminal === null ? open : open.filter((payment) => sameTerminal(payment, { terminal })),
    terminal,
    record: record?.approved === true ? record : null,
    currency: started.currency,
    batchNumber: String(journal.closedBatches() + 1),
    known: { ...known, reversed: [...known.reversed, ...undone] },
    untold: [...differing, ...untold],
  });
}
