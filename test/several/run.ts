/**
 * Eight terminals that pay at once on one bridge. One after the other has a customer who takes half a minute, while tills at
 * the seven others sell on as fast as their terminals can. At the end each ledger is held against the journal of its own
 * terminal and against what its till was told: no amount comes twice, so what is mixed up shows on both sides.
 */
import { pause, systemClock } from '../../src/base/clock.ts';
import { createSerialQueue, type SerialQueue } from '../../src/base/serial-queue.ts';
import { formatAmount } from '../../src/contract/money.ts';
import type { TransactionStatus } from '../../src/contract/operation.ts';
import { medianOf } from '../../bench/measure/spread.ts';
import { compareAll, type SaleFacts } from '../crash/books.ts';
import type { Doubt } from '../crash/doubts.ts';
import { readJournal } from '../crash/journal-export.ts';
import { settle } from '../crash/round.ts';
import { waitFor } from '../support/real-time.ts';
import type { TillAnswer } from '../support/till.ts';
import { openShop, type Counter, type MemorySample, type Shop } from './shop.ts';

/** The times are those of one till's CreatePayment, from the request to the answer. */
interface Payment {
  terminal: string;
  beganMs: number;
  endedMs: number;
}

export interface SeveralReport {
  /** Usual ones, which take as long as the terminal's pace. */
  payments: readonly Payment[];
  /** Those of the customers who take half a minute. */
  slow: readonly Payment[];
  /** Of the bridge, where it was watched. */
  memory: readonly MemorySample[];
  /** Every disagreement, in words. A good run has none. */
  wrong: string[];
}

/** In the amount's last two digits. */
const slowDigits = 7;
const declinedDigits = 1;
/** How long the slow customer takes, whatever the pace. */
const slowMs = 30_000;
/** Between two slow customers, so that five minutes have one at each terminal. */
const calmMs = 5_000;
/** One in so many is declined, and one in so many is reversed right after it. */
const declinedOneIn = 5;
const voidedOneIn = 3;
/** For an answer of the bridge, in seconds; more than any payment takes. */
const waitS = 200;
/** Until eight slow starters are ready. */
const readyMs = 120_000;

/** They pay for `minutes`, and one after the other has a slow customer, who stays to the end. `pace`: 1: a usual payment takes about a second. */
export function payForMinutes(
  minutes: number,
  pace: number,
  say: (line: string) => void,
): Promise<SeveralReport> {
  return onDay(pace, true, async (day) => {
    const endMs = performance.now() + minutes * 60_000;
    for (let turn = 0; performance.now() + calmMs + slowMs < endMs; turn += 1) {
      await pause(systemClock, calmMs);
      const desk = day.desks[turn % day.desks.length];
      if (desk === undefined) throw new Error('there are no terminals');
      const { terminal, beganMs, endedMs } = await serveSlowly(day, desk, ({ reference }) =>
        desk.counter.till.query(reference, waitS),
      );
      const seconds = ((endedMs - beganMs) / 1_000).toFixed(1);
      say(`${terminal}: ${seconds} s for a slow customer; ${day.report.payments.length} payments so far`);
    }
  });
}

/** They pay until the slow customer at the terminal `name`, which can be stopped, has seen each other one take a payment. */
export function payBesideOne(name: string): Promise<SeveralReport> {
  return onDay(1, false, async (day) => {
    const desk = day.desks.find(({ counter }) => counter.terminal.name === name);
    if (desk === undefined) throw new Error(`no terminal is called ${name}`);
    await serveSlowly(day, desk, async ({ reference }, beganMs) => {
      const waiting = () => whoWaited(day, { terminal: name, beganMs, endedMs: performance.now() });
      await waitFor(() => waiting().length === 0, 'a payment on each other terminal', {
        limitMs: slowMs,
        about: () => waiting().join('\n'),
      });
      return desk.counter.till.cancel(reference);
    });
  });
}

/** A till: one payment after the other. */
interface Desk {
  index: number;
  counter: Counter;
  sales: SaleFacts[];
  queue: SerialQueue;
}

export interface Day {
  desks: readonly Desk[];
  report: { payments: Payment[]; slow: Payment[]; memory: MemorySample[]; wrong: string[] };
}

/** A day with nothing sold yet, as soon as all terminals are ready. */
export async function openDay({ counters }: Shop): Promise<Day> {
  const desks = counters.map((counter, index) => ({
    index,
    counter,
    sales: [],
    queue: createSerialQueue(),
  }));
  const day = { desks, report: { payments: [], slow: [], memory: [], wrong: [] } };
  await Promise.all(desks.map((desk) => beReady(day, desk)));
  return day;
}

async function onDay(
  pace: number,
  watchesMemory: boolean,
  play: (day: Day) => Promise<void>,
): Promise<SeveralReport> {
  const shop = await openShop(pace, { watchesMemory });
  try {
    const day = await openDay(shop);
    const { desks, report } = day;
    const over = new AbortController();
    // Together, so that a till that is broken off ends the day, and none is left behind by one that is.
    await Promise.all([
      play(day).finally(() => over.abort()),
      ...desks.map((desk) => sellOn(day, desk, over.signal)),
    ]);
    report.memory = shop.memory();
    await Promise.all(desks.map((desk) => closeBooks(day, desk)));
    const verified = await shop.command('journal', 'verify');
    if (verified.exitCode !== 0) report.wrong.push(`journal verify: ${verified.output}`);
    report.wrong.push(...report.slow.flatMap((one) => whoWaited(day, one)));
    return report;
  } catch (error) {
    const wrong = [`broken off: ${String(error)}\n${shop.bridge.output().slice(-2_000)}`];
    return { payments: [], slow: [], memory: [], wrong };
  } finally {
    await shop.close();
  }
}

export function isWithin(payment: Payment, other: Payment): boolean {
  return payment.beganMs >= other.beganMs && payment.endedMs <= other.endedMs;
}

/** Terminals other than that of `slow` that have begun and ended no payment while it went on, in words. */
function whoWaited({ desks, report }: Day, slow: Payment): string[] {
  return desks
    .map(({ counter }) => counter.terminal.name)
    .filter((name) => name !== slow.terminal)
    .filter((name) => !report.payments.some((paid) => paid.terminal === name && isWithin(paid, slow)))
    .map((name) => `"${name}" took no payment while a slow customer was at "${slow.terminal}"`);
}

/** Nothing goes wrong here, so nothing may be left to a person. */
async function beReady({ report }: Day, { counter }: Desk): Promise<void> {
  const doubts: Doubt[] = [];
  await settle(counter, counter.till, doubts, readyMs);
  report.wrong.push(...doubts.map(({ words }) => `"${counter.terminal.name}" left to a person: ${words}`));
}

/** In minor units a multiple of 400, which a Transbank terminal can void, and the digits of a scenario. No other sale has it. */
function ring({ index, counter, sales }: Desk, count: number, digits: number): SaleFacts {
  const { name, currency } = counter.terminal;
  const amountMinor = 400 * (sales.length * count + index + 1) + digits;
  const sale = {
    reference: `${name}-${sales.length}`,
    amount: formatAmount(amountMinor, currency),
    status: null,
  };
  sales.push(sale);
  return sale;
}

/** One payment after the other, until `over`; the one that runs then is brought to its end. */
export async function sellOn(day: Day, desk: Desk, over: AbortSignal): Promise<void> {
  while (!over.aborted) await desk.queue.run(() => sell(day, desk));
}

async function sell(day: Day, desk: Desk): Promise<void> {
  const { counter, sales } = desk;
  const { till, terminal } = counter;
  const number = sales.length + 1;
  const isDeclined = number % declinedOneIn === 0;
  const sale = ring(desk, day.desks.length, isDeclined ? declinedDigits : 0);
  await beReady(day, desk);
  const beganMs = performance.now();
  const answer = await till.create(sale.amount, sale.reference, waitS);
  day.report.payments.push({ terminal: terminal.name, beganMs, endedMs: performance.now() });
  expectOf(day, desk, answer, statusOf(sale, isDeclined ? 'declined' : 'approved'));
  if (isDeclined || number % voidedOneIn !== 0) return;
  await beReady(day, desk);
  expectOf(day, desk, await till.void(sale.reference, waitS), {});
}

/** A sale that takes long, until `wait` gives its end. */
function serveSlowly(
  day: Day,
  desk: Desk,
  wait: (sale: SaleFacts, beganMs: number) => Promise<TillAnswer>,
): Promise<Payment> {
  const { counter, queue } = desk;
  return queue.run(async () => {
    const sale = ring(desk, day.desks.length, slowDigits);
    await beReady(day, desk);
    const beganMs = performance.now();
    const begun = await counter.till.create(sale.amount, sale.reference);
    expectOf(day, desk, begun, statusOf(sale, 'in_progress'));
    const end = await wait(sale, beganMs);
    const payment = { terminal: counter.terminal.name, beganMs, endedMs: performance.now() };
    day.report.slow.push(payment);
    expectOf(day, desk, end, {});
    return payment;
  });
}

function statusOf({ reference }: SaleFacts, status: TransactionStatus): Record<string, unknown> {
  return { transaction_status: status, retrieval_reference_number: reference };
}

/** An answer of this terminal, with these fields. */
function expectOf(
  { report }: Day,
  { counter }: Desk,
  { body }: TillAnswer,
  wanted: Record<string, unknown>,
): void {
  const all = { success: true, terminal: counter.terminal.name, ...wanted };
  if (Object.entries(all).some(([name, value]) => body[name] !== value))
    report.wrong.push(`told ${JSON.stringify(body)}, expected ${JSON.stringify(all)}`);
}

async function closeBooks(day: Day, desk: Desk): Promise<void> {
  const { counter, sales } = desk;
  const { terminal, till } = counter;
  const { wrong } = day.report;
  await beReady(day, desk);
  const batch = await till.batch(waitS);
  expectOf(day, desk, batch, {});
  for (const sale of sales) {
    const answer = await till.query(sale.reference);
    sale.status = answer.body.success ? (answer.body['transaction_status'] as TransactionStatus) : null;
  }
  const journal = await readJournal(counter);
  const ledger = counter.ledger();
  const different = compareAll({ sales, ledger, journal, commands: [] });
  const begun = journal.flatMap(({ event }) =>
    event.type === 'operation_started' && event.kind === 'sale' ? [event.reference] : [],
  );
  if (begun.join() !== sales.map(({ reference }) => reference).join())
    different.push(`the journal has begun ${begun.join(', ')}`);
  wrong.push(...different.map((words) => `"${terminal.name}": ${words}`));
}

/** The median of the times of those payments, in milliseconds; null where there are none. */
export function medianMs(payments: readonly Payment[]): number | null {
  return payments.length === 0 ? null : medianOf(payments.map(({ beganMs, endedMs }) => endedMs - beganMs));
}
