import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Journal, PaymentAmount, PaymentRow, PaymentSearch } from '../../../src/bridge/journal/index.ts';
import { prepareQueries, type Statements } from '../../../src/bridge/journal/query-sql.ts';
import { paymentAmounts } from '../../../src/bridge/journal/payment-amounts.ts';
import { searchPayments } from '../../../src/bridge/journal/payment-search.ts';
import { everyPosition, positionsOf, type Positions } from '../../../src/bridge/journal/span-positions.ts';
import type { Currency } from '../../../src/contract/money.ts';
import type { TransactionStatus } from '../../../src/contract/operation.ts';
import type { AmountRange, PaymentFilter } from '../../../src/contract/payment-queries.ts';
import { filledReference, fillJournal } from '../../support/fill-journal.ts';
import { ended, inDoubt, record, sale } from './sample-events.ts';
import { dataFolder, newJournal, open, options } from './folder.ts';

const everything: PaymentSearch = { span: null, status: null, text: null, before: null, limit: 3 };

/** All pages one after the other; ends by itself or fails. */
function allPages(search: (before: number | null) => ReturnType<Journal['searchPayments']>): PaymentRow[] {
  const found: PaymentRow[] = [];
  let before: number | null = null;
  for (let calls = 0; calls < 1_000; calls += 1) {
    const page = search(before);
    found.push(...page.payments);
    if (page.next === null) return found;
    before = page.next;
  }
  throw new Error('It does not end.');
}

function found(journal: Journal, part: Partial<PaymentSearch>): string[] {
  const pages = allPages((before) => journal.searchPayments({ ...everything, ...part, before }));
  return pages.map((payment) => payment.reference);
}

describe('a text', () => {
  const card = '************0815';
  const journal = () => {
    const made = newJournal();
    const result = record({
      approvalCode: 'Ab12_x',
      receiptNumber: '0042',
      traceNumber: '000077',
      maskedCardNumber: card,
    });
    const paid = sale({ reference: 'Paid-1', amountMinor: 123_456 });
    const other = sale({ reference: 'OTHER-1', amountMinor: 123_457 });
    made.append(paid, ended(paid, 'approved', { result }), other, ended(other, 'approved'), sale());
    return made;
  };

  it.each([
    ['the beginning of the reference', 'paid'],
    ['the whole reference', 'PAID-1'],
    ['the approval code', 'aB12_X'],
    ['the receipt number', '0042'],
    ['the trace number', '000077'],
    ['the last digits of the card', '815'],
    ['the amount in wire form', '1234.56'],
    ['blanks around it', ' 0042 '],
  ])('finds a payment by %s', (_, text) => {
    expect(found(journal(), { text })).toEqual(['Paid-1']);
  });

  it.each([
    ['the middle of the reference', 'aid-1'],
    ['a part of the approval code', 'b12_x'],
    ['its wildcards', 'ab12%'],
    ['a part of the receipt number', '42'],
    ['the masked part of the card', '*0815'],
    ['the amount otherwise', '1234.5'],
    ['other words of its events', 'approved'],
    ['quotes', '"'],
    ['a backslash', '\\'],
  ])('does not find it by %s', (_, text) => {
    expect(found(journal(), { text })).toEqual([]);
  });

  it.each([
    ['JPY', 1_200],
    ['EUR', 120_000],
    ['KWD', 1_200_009],
  ] as const)('finds an amount in %s as it goes over the wire', (currency, amountMinor) => {
    const made = newJournal();
    made.append(sale({ reference: 'IT', currency, amountMinor }), sale({ currency, amountMinor: 120 }));
    expect(found(made, { text: '1200.00' })).toEqual(['IT']);
  });

  it('that is empty or none finds everything', () => {
    for (const text of [null, '', '  ']) expect(found(journal(), { text })).toHaveLength(3);
  });
});

describe('a span of time', () => {
  it('has its start in it and its end not, to the millisecond and however it is written', () => {
    const stamps = ['09:59:59.999', '10:00:00.000', '10:59:59.999', '11:00:00.000'];
    const times = stamps.map((stamp) => Date.parse(`2031-05-06T${stamp}Z`));
    const clock = { ...options('').clock, now: () => times[0] ?? 0 };
    const journal = open(dataFolder(), clock);
    for (const stamp of stamps) {
      journal.append(sale({ reference: stamp.replaceAll(':', '.') }));
      times.shift();
    }
    const inIt = ['10.59.59.999', '10.00.00.000'];
    for (const end of ['Z', '.000Z', '.0000Z', '+00:00']) {
      const span = { from: `2031-05-06T10:00:00${end}`, until: `2031-05-06T11:00:00${end}` };
      expect(found(journal, { span })).toEqual(inIt);
      expect(found(journal, { span, status: 'in_progress' })).toEqual(inIt);
    }
    const empty = { from: '2031-05-06T10:00:00Z', until: '2031-05-06T10:00:00Z' };
    expect(found(journal, { span: empty })).toEqual([]);
    expect(found(journal, { span: { from: '2032-01-01T00:00:00Z', until: '2033-01-01T00:00:00Z' } })).toEqual(
      [],
    );
  });

  it('has all its payments though the clock was set back', () => {
    const hours = ['12', '14', '13', '12', '15', '02'];
    const journal = open(dataFolder(), {
      ...options('').clock,
      now: () => Date.parse(`2031-05-06T${hours[0]}:30:00Z`),
    });
    for (const [i, hour] of [...hours].entries()) {
      journal.append(sale({ reference: `${hour}-${i}` }));
      hours.shift();
    }
    const span = { from: '2031-05-06T12:00:00Z', until: '2031-05-06T14:00:00Z' };
    expect(found(journal, { span })).toEqual(['12-3', '13-2', '12-0']);
  });
});

describe('a long journal', () => {
  const payments = 12_000;
  const folder = () => {
    const made = dataFolder();
    fillJournal(made, payments);
    return made;
  };

  it('gives an old payment at once by its reference, and looks at so many others a call', () => {
    const journal = open(folder());
    const first = journal.searchPayments({ ...everything, text: 'f-00000007' });
    expect(first.payments.map(({ reference }) => reference)).toEqual([filledReference(7)]);
    expect(first.next).not.toBeNull();

    const calls: number[] = [];
    const none = allPages((before) => {
      const page = journal.searchPayments({ ...everything, text: 'nothing', before });
      calls.push(page.payments.length);
      return page;
    });
    expect(none).toEqual([]);
    expect(calls).toHaveLength(Math.ceil(payments / 5_000));

    const year = { from: '2020-01-01T00:00:00Z', until: '2021-01-01T00:00:00Z' };
    const ofYear = journal.searchPayments({ ...everything, text: filledReference(7), span: year });
    expect(ofYear.payments.map(({ reference }) => reference)).toEqual([filledReference(7)]);
  });

  it('reads so many a call where all seem to match, and where all do', () => {
    const journal = open(folder());
    let calls = 0;
    const seeming = allPages((before) => {
      calls += 1;
      return journal.searchPayments({ ...everything, text: 'approved', before });
    });
    expect(seeming).toEqual([]);
    expect(calls).toBeGreaterThan(payments / 400);

    const seen = new Set<number>();
    let before: number | null = null;
    do {
      const page = journal.paymentAmounts({ ...everything, text: '123456', before });
      expect(page.amounts.length).toBeLessThanOrEqual(300);
      for (const { position } of page.amounts) seen.add(position);
      before = page.next;
    } while (before !== null);
    expect(seen.size).toBe(payments);
  });

  it('gives the very reference first, then the others from the highest down, then what else matches', () => {
    const journal = newJournal();
    const receipt = sale({ reference: 'Z' });
    journal.append(receipt, ended(receipt, 'approved', { result: record({ receiptNumber: 'A1' }) }));
    for (const reference of ['a1', 'A1', 'A12', 'a10', 'A11', 'B1', 'a19'])
      journal.append(sale({ reference }));
    const order = ['a1', 'A1', 'a19', 'a10', 'A12', 'A11', 'Z'];
    for (const limit of [1, 2, 3, 7, 100]) expect(found(journal, { text: 'A1', limit })).toEqual(order);
  });

  it('gives the undecided newest first, also with a text: there are few, and none has to be looked for', () => {
    const journal = newJournal();
    for (const reference of ['A2', 'A3', 'B', 'A1']) journal.append(sale({ reference }));
    expect(found(journal, { text: 'a', status: 'in_progress' })).toEqual(['A1', 'A3', 'A2']);
  });

  it('gives what matches below a position, newest first, when asked for a position', () => {
    const journal = newJournal();
    for (const reference of ['A2', 'A1', 'B', 'A3']) journal.append(sale({ reference }));
    const newest = journal.paymentByReference('A3')?.position ?? 0;
    const page = (before: number) => journal.searchPayments({ ...everything, text: 'a', before });
    expect(page(newest + 1).payments.map(({ reference }) => reference)).toEqual(['A3', 'A1', 'A2']);
    expect(page(newest).payments.map(({ reference }) => reference)).toEqual(['A1', 'A2']);
  });

  it('gives each once though others are made meanwhile', () => {
    const journal = newJournal();
    for (const reference of ['A2', 'B1', 'A4', 'B2', 'A6']) {
      const started = sale({ reference });
      journal.append(started, ended(started, 'approved', { result: record({ approvalCode: 'A' }) }));
    }
    let made = 0;
    const payments = allPages((before) => {
      const page = journal.searchPayments({ ...everything, text: 'A', before, limit: 1 });
      made += 1;
      if (made < 10)
        journal.append(sale({ reference: `A${made}x` }), sale({ reference: `A-${made}` }), sale());
      return page;
    });
    const references = payments.map(({ reference }) => reference);
    expect(references).toHaveLength(new Set(references).size);
    expect(references).toEqual(expect.arrayContaining(['A2', 'A4', 'A6', 'B1', 'B2']));
  });
});

/** What is expected, told by looking at every payment. */
function expected(payments: PaymentRow[], { span, status, text, amount: range }: PaymentSearch): Set<string> {
  const wanted = text?.toLowerCase() ?? '';
  const matching = payments.filter((payment) => {
    const at = Date.parse(payment.createdAt);
    if (span !== null && (at < Date.parse(span.from) || at >= Date.parse(span.until))) return false;
    if (status !== null && payment.status !== status) return false;
    const shown = shownMinor(payment);
    if (range !== undefined && payment.currency !== range.currency) return false;
    if (range !== undefined && shown < (range.fromMinor ?? 0)) return false;
    if (range !== undefined && shown > (range.toMinor ?? Infinity)) return false;
    const amount = (payment.amountMinor / 100).toFixed(2);
    const { approvalCode = null, receiptNumber = null, maskedCardNumber = null } = payment.result ?? {};
    return (
      payment.reference.toLowerCase().startsWith(wanted) ||
      approvalCode?.toLowerCase() === wanted ||
      receiptNumber === wanted ||
      (/^\d+$/.test(wanted) && maskedCardNumber?.endsWith(wanted) === true) ||
      amount === wanted
    );
  });
  return new Set(matching.map((payment) => payment.reference));
}

function allAmounts(
  statement: Statements,
  within: Positions | null,
  filter: PaymentFilter,
  lookRows: number,
): PaymentAmount[] {
  const amounts: PaymentAmount[] = [];
  let before: number | null = null;
  do {
    const page = paymentAmounts(statement, within, { ...filter, before }, lookRows);
    expect(page.nextAt === null).toBe(page.next === null);
    amounts.push(...page.amounts.map((amount) => ({ ...amount })));
    before = page.next;
  } while (before !== null);
  return amounts;
}

function shownMinor({ status, result, amountMinor }: PaymentRow): number {
  return status === 'approved' ? (result?.amountMinor ?? amountMinor) : amountMinor;
}

describe('whatever is searched for', () => {
  const hour = 3_600_000;
  const start = Date.UTC(2031, 0, 1);
  const payment = fc.record({
    reference: fc.string({ unit: fc.constantFrom('a', 'A', '1', '-'), minLength: 1, maxLength: 4 }),
    hours: fc.nat(2_000),
    amountMinor: fc.constantFrom(100, 1_100, 1_111),
    currency: fc.constantFrom<Currency>('EUR', 'EUR', 'CHF'),
    takenMinor: fc.constantFrom(null, 1_200),
    code: fc.constantFrom(null, 'a1', '11', 'A-1'),
    status: fc.constantFrom<TransactionStatus>('approved', 'declined', 'unknown', 'in_progress'),
  });
  const search = fc.record({
    span: fc.option(fc.tuple(fc.nat(2_000), fc.constantFrom(1, 24, 500, 1_500))),
    status: fc.option(fc.constantFrom<TransactionStatus>('approved', 'declined', 'unknown')),
    text: fc.option(fc.constantFrom('', 'a', 'A1', '1', '11', '-', 'a-1', '11.00', '11.11', 'none')),
    amount: fc.constantFrom<AmountRange | undefined>(
      undefined,
      { currency: 'EUR', fromMinor: 1_100, toMinor: null },
      { currency: 'EUR', fromMinor: null, toMinor: 1_111 },
      { currency: 'CHF', fromMinor: 1_200, toMinor: 1_200 },
    ),
    order: fc.constantFrom(undefined, 'newest' as const, 'oldest' as const),
    limit: fc.integer({ min: 1, max: 5 }),
    lookRows: fc.integer({ min: 1, max: 8 }),
  });

  it('the pages have each payment that matches once, the newest first, and end', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(payment, { minLength: 1, maxLength: 40, selector: ({ reference }) => reference }),
        fc.array(search, { minLength: 1, maxLength: 10 }),
        (payments, searches) => {
          let now = start;
          const folder = dataFolder();
          const journal = open(folder, { ...options('').clock, now: () => now });
          for (const { reference, hours, code, status, takenMinor, ...asked } of payments) {
            now = start + hours * hour;
            const started = sale({ reference, ...asked });
            const codes = { approvalCode: code, receiptNumber: code, amountMinor: takenMinor };
            const result = code === null ? null : record({ ...codes, maskedCardNumber: `****${code}` });
            journal.append(started);
            if (status === 'unknown') journal.append(inDoubt(started));
            if (status === 'approved' || status === 'declined')
              journal.append(ended(started, status, { result }));
          }
          const rows = journal.payments({ limit: 1_000 });
          const database = new DatabaseSync(join(folder, 'journal.sqlite'), { readOnly: true });
          const statement = prepareQueries(database);
          for (const { span: place, lookRows, ...rest } of searches) {
            const { text, order } = rest;
            const span = place && {
              from: new Date(start + place[0] * hour).toISOString(),
              until: new Date(start + (place[0] + place[1]) * hour).toISOString(),
            };
            const asked = { span, ...rest };
            const within = span === null ? everyPosition : positionsOf(statement, span);
            const got = allPages((before) => {
              const page = searchPayments(statement, within, { ...asked, before }, lookRows);
              expect(page.payments.length).toBeLessThanOrEqual(rest.limit);
              return page;
            });
            const references = got.map(({ reference }) => reference);
            expect(new Set(references)).toEqual(expected(rows, { ...asked, before: null }));
            expect(references).toHaveLength(new Set(references).size);
            // By reference first; after that, or without a text, the newest first. The oldest first always.
            const byPosition = got.filter(
              ({ reference }) => !text || !reference.toLowerCase().startsWith(text.toLowerCase()),
            );
            const positions = (text && order !== 'oldest' ? byPosition : got).map(({ position }) => position);
            const inOrder = positions.toSorted((one, other) => other - one);
            expect(positions).toEqual(order === 'oldest' ? inOrder.toReversed() : inOrder);
            expect(allAmounts(statement, within, asked, lookRows)).toEqual(
              got
                .toSorted((one, other) => other.position - one.position)
                .map((row) => ({
                  position: row.position,
                  currency: row.currency,
                  status: row.status,
                  minor: shownMinor(row),
                })),
            );
          }
          database.close();
          journal.close();
        },
      ),
      { numRuns: 60 },
    );
  });
});
