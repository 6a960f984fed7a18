/** What each acquirer owes for each batch, and when it should come. */
import { minorOf, millionthsOf, shareOf } from './amounts.ts';
import {
  bankingCalendar,
  dateOf,
  dayOf,
  isT2Holiday,
  localTime,
  type BankingCalendar,
} from './banking-days.ts';
import { weekendOf, type Acquirer, type FeeRate, type Rules } from './rules.ts';
import type { ClosedBatch, Receivable, UnclearReason } from './types.ts';

/** A receivable with what the search for its money needs. */
export interface OpenReceivable extends Receivable {
  batch: ClosedBatch;
  rule: Acquirer | null;
  /** Days; see banking-days.ts. */
  closeDay: number;
  expectedDay: number;
  dueDay: number;
  /** The last day on which an entry counts as its money by its amount, and by its number. */
  lastDayByAmount: number;
  lastDayByNumber: number;
  /** Why it cannot be said what should come; null where it can. */
  unknown: UnclearReason | null;
  /** Between which sums what should come is, in minor units, also where it cannot be told exactly. */
  lowMinor: number;
  highMinor: number;
}

/** The computer's clock, or the bank's calendar, may be another day's. */
const clockDays = 1;
/** How much later than the latest day money is still looked for, in banking days. Batch numbers begin again some time. */
const searchedByAmount = 10;
const searchedByNumber = 30;

/** In the order of closing, whatever order the batches come in. */
export function receivablesOf(batches: readonly ClosedBatch[], rules: Rules): OpenReceivable[] {
  const calendar = calendarOf(rules);
  const local = localTime(rules.timeZone);
  // Whoever is listed twice is owed once.
  return [...new Map(batches.map((batch) => [batch.id, batch])).values()]
    .toSorted(
      (one, other) =>
        compare(Date.parse(one.closedAt), Date.parse(other.closedAt)) ||
        compare(one.shop ?? '', other.shop ?? '') ||
        compare(one.terminal, other.terminal) ||
        compare(one.id, other.id),
    )
    .flatMap((batch) => {
      const closed = local(Date.parse(batch.closedAt));
      return partsOf(batch, rules.acquirers).map((part) => dated(part, closed, calendar));
    });
}

export function calendarOf(rules: Rules): BankingCalendar {
  const { calendar = 't2', days } = rules.holidays;
  const own = new Set(days.map(dayOf));
  const isHoliday = (day: number) => own.has(day) || (calendar === 't2' && isT2Holiday(day));
  return bankingCalendar(weekendOf(rules), isHoliday);
}

type Part = Omit<
  OpenReceivable,
  | 'batchId'
  | 'acquirer'
  | 'closedOn'
  | 'expectedOn'
  | 'dueBy'
  | 'closeDay'
  | 'expectedDay'
  | 'dueDay'
  | 'lastDayByAmount'
  | 'lastDayByNumber'
>;

/** One for each acquirer that pays something of it; one without an acquirer for what nobody pays. */
function partsOf(batch: ClosedBatch, acquirers: readonly Acquirer[]): Part[] {
  const payers = acquirers.filter((rule) => pays(rule, batch));
  const named = new Set(payers.flatMap(({ schemes }) => schemes ?? []));
  const [only] = payers;
  if (only !== undefined && payers.length === 1 && named.size === 0) return [partOf(batch, only, null)];
  const totals = addUp(batch) ? batch.totals : null;
  if (totals === null) {
    // Sales and refunds may come to zero together, and to something for each payer.
    if (batch.count === 0 && batch.totalMinor === 0 && payers.length > 0)
      return payers.map((rule) => partOf(batch, rule, []));
    return payers.length === 0
      ? [withoutPayer(batch, null)]
      : payers.map((rule) => ({ ...unknownPart(batch, rule), unknown: 'no-totals' }));
  }
  const rest = totals.map(({ scheme }) => scheme).filter((scheme) => !named.has(schemeName(scheme)));
  const parts = payers.flatMap((rule) => {
    const schemes = rule.schemes === undefined ? rest : schemesIn(totals, rule.schemes);
    return schemes.length === 0 ? [] : [partOf(batch, rule, schemes)];
  });
  const isPaid = rest.length === 0 || payers.some(({ schemes }) => schemes === undefined);
  if (isPaid && parts.length > 0) return parts;
  return isPaid && payers.length > 0
    ? payers.slice(0, 1).map((rule) => partOf(batch, rule, []))
    : [...parts, withoutPayer(batch, rest)];
}

function pays({ currency, shops, terminals, merchantIds }: Acquirer, batch: ClosedBatch): boolean {
  return (
    currency === batch.currency &&
    (terminals === undefined || terminals.includes(batch.terminal)) &&
    (shops === undefined || shops.includes(batch.shop ?? '')) &&
    (merchantIds === undefined || merchantIds.includes(batch.merchantId ?? ''))
  );
}

function schemesIn(totals: ClosedBatch['totals'], wanted: readonly string[]): string[] {
  return totals.map(({ scheme }) => scheme).filter((scheme) => wanted.includes(schemeName(scheme)));
}

/** Terminals write them as they like; rules in small letters. */
function schemeName(scheme: string): string {
  return scheme.trim().toLowerCase();
}

function addUp({ totals, totalMinor }: ClosedBatch): boolean {
  return totals.length > 0 && totals.reduce((sum, each) => sum + each.totalMinor, 0) === totalMinor;
}

/** `schemes` null: all of the batch. */
function partOf(batch: ClosedBatch, rule: Acquirer, schemes: string[] | null): Part {
  const totals = batch.totals.filter(({ scheme }) => schemes === null || schemes.includes(scheme));
  const grossMinor =
    schemes === null ? batch.totalMinor : totals.reduce((sum, { totalMinor }) => sum + totalMinor, 0);
  const feeMinor = feeOf(batch, rule, schemes === null && !addUp(batch) ? null : totals, grossMinor);
  const isEmpty =
    grossMinor === 0 && (schemes === null ? batch.count === 0 : totals.every(({ count }) => count === 0));
  const expectedMinor =
    rule.payout === 'gross' || isEmpty ? grossMinor : feeMinor === null ? null : grossMinor - feeMinor;
  const toleranceMinor = rule.payout === 'net' ? rule.fee.tolerance : 0;
  const [lowMinor, highMinor] =
    expectedMinor === null
      ? netBounds(rule, batch.count, grossMinor)
      : [expectedMinor - toleranceMinor, expectedMinor + toleranceMinor];
  return {
    batch,
    rule,
    schemes,
    grossMinor,
    feeMinor,
    expectedMinor,
    toleranceMinor,
    lowMinor,
    highMinor,
    unknown: expectedMinor === null ? 'fee-unknown' : null,
  };
}

/** What remains at the highest and at the lowest fee that the rules have. */
function netBounds(
  { fee, currency }: Acquirer,
  count: number | null,
  grossMinor: number,
): [low: number, high: number] {
  const rates = [fee, ...Object.values(fee.schemes)];
  const percents = rates.map(({ percent }) => millionthsOf(percent));
  const fixed = Math.max(...rates.map((rate) => minorOf(rate.fixed, currency) ?? 0));
  const most = shareOf([{ minor: Math.abs(grossMinor), millionths: Math.max(...percents) }]);
  const payments = count ?? (fixed === 0 ? 0 : Infinity);
  return [
    grossMinor - most - fixed * payments - fee.tolerance,
    grossMinor + (grossMinor < 0 ? most : 0) + fee.tolerance,
  ];
}

/** `totals` null: there are none to go by. Null: it cannot be told. */
function feeOf(
  batch: ClosedBatch,
  { fee, currency }: Acquirer,
  totals: ClosedBatch['totals'] | null,
  grossMinor: number,
): number | null {
  const fixedOf = ({ fixed }: FeeRate) => minorOf(fixed, currency) ?? 0;
  if (totals === null) {
    const rates = [fee, ...Object.values(fee.schemes)];
    if (rates.some((rate) => millionthsOf(rate.percent) !== millionthsOf(fee.percent))) return null;
    if (rates.some((rate) => fixedOf(rate) !== fixedOf(fee))) return null;
    if (batch.count === null && fixedOf(fee) !== 0) return null;
    const shared = shareOf([{ minor: grossMinor, millionths: millionthsOf(fee.percent) }]);
    return shared + fixedOf(fee) * (batch.count ?? 0);
  }
  const rates = new Map(Object.entries(fee.schemes));
  const rated = totals.map((total) => ({ ...total, rate: rates.get(schemeName(total.scheme)) ?? fee }));
  return (
    shareOf(
      rated.map(({ totalMinor, rate }) => ({ minor: totalMinor, millionths: millionthsOf(rate.percent) })),
    ) + rated.reduce((sum, { count, rate }) => sum + count * fixedOf(rate), 0)
  );
}

function unknownPart(batch: ClosedBatch, rule: Acquirer | null): Omit<Part, 'unknown'> {
  return {
    batch,
    rule,
    schemes: rule?.schemes ?? null,
    grossMinor: null,
    feeMinor: null,
    expectedMinor: null,
    toleranceMinor: 0,
    ...partBounds(batch),
  };
}

/** A part of sales only is at most all of them; where they come to nothing together, refunds are among them. */
function partBounds({ totalMinor }: ClosedBatch): Pick<Part, 'lowMinor' | 'highMinor'> {
  return totalMinor === 0
    ? { lowMinor: -Infinity, highMinor: Infinity }
    : { lowMinor: Math.min(0, totalMinor), highMinor: Math.max(0, totalMinor) };
}

function withoutPayer(batch: ClosedBatch, schemes: string[] | null): Part {
  return { ...unknownPart(batch, null), schemes, unknown: 'no-acquirer' };
}

function dated(
  part: Part,
  closed: { day: number; minute: number },
  calendar: BankingCalendar,
): OpenReceivable {
  const { batch, rule } = part;
  const day = rule !== null && closed.minute >= minuteOf(rule.cutOff) ? closed.day + 1 : closed.day;
  const expectedDay = calendar.after(day, rule?.delay.usual ?? 0);
  const dueDay = calendar.after(day, rule?.delay.latest ?? 0);
  return {
    ...part,
    batchId: batch.id,
    acquirer: rule?.name ?? null,
    closedOn: dateOf(closed.day),
    expectedOn: rule === null ? null : dateOf(expectedDay),
    dueBy: rule === null ? null : dateOf(dueDay),
    closeDay: closed.day - clockDays,
    expectedDay,
    dueDay,
    lastDayByAmount: calendar.after(dueDay, searchedByAmount),
    lastDayByNumber: calendar.after(dueDay, searchedByNumber),
  };
}

const minutesOfDay = 24 * 60;

function minuteOf(time: string | undefined): number {
  const [hours, minutes] = (time ?? '').split(':');
  return hours === undefined || minutes === undefined ? minutesOfDay : Number(hours) * 60 + Number(minutes);
}

function compare<T extends string | number>(one: T, other: T): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
