/** The list of payments by amount, and what they add up to, over the console's interface. */
import { describe, expect, it } from 'vitest';
import type { JournalReading } from '../../src/bridge/bridge.ts';
import type { PaymentFilter, PaymentOrder } from '../../src/contract/console/index.ts';
import { createPagesByAmount, sortedAmounts } from '../../src/host/views/payments-by-amount.ts';
import { paymentsCsv } from '../../src/host/saved-files/payments-csv.ts';
import { paymentTotals } from '../../src/host/views/payment-views.ts';
import { finished } from '../support/parts.ts';
import { fillJournal } from '../support/fill-journal.ts';
import { ended, record, sale } from '../bridge/journal/sample-events.ts';
import { dataFolder, newJournal, open } from '../bridge/journal/folder.ts';
import { isReady, newHost, readyHost } from './host-kit.ts';

const everything: PaymentFilter = { span: null, status: null, text: null };

describe('payments by amount', () => {
  it('are in order however many parts were looked at, and what a file says is the same', () => {
    const folder = dataFolder();
    fillJournal(folder, 3_300);
    const journal = open(folder);
    for (const order of ['highest', 'lowest'] as const) {
      const amounts = finished(sortedAmounts(journal, { filter: everything, order }));
      const minors = amounts.map(({ minor }) => minor);
      const sign = order === 'highest' ? -1 : 1;
      expect(minors).toEqual(minors.toSorted((one, other) => sign * (one - other)));
      expect(new Set(amounts.map(({ position }) => position)).size).toBe(3_300);
      const lines = [...paymentsCsv(journal, everything, order)].join('').split('\r\n').slice(1, -1);
      expect(lines.map((line) => Math.round(Number(line.split('","')[2]) * 100))).toEqual(minors);
    }
  });

  /** All pages one after the other; `between` happens before each of them. */
  async function references(
    journal: JournalReading,
    order: 'highest' | 'lowest',
    between: (page: number) => void = () => {},
  ): Promise<string[]> {
    const pages = createPagesByAmount(() => true);
    const found: string[] = [];
    let before: number | null = null;
    for (let count = 0; count < 20; count += 1) {
      between(count);
      const page = await pages.page(journal, { filter: everything, order, before, limit: 2 });
      found.push(...(page?.payments ?? []).map(({ reference }) => reference));
      before = page?.next ?? null;
      if (before === null) return found;
    }
    throw new Error('It does not end.');
  }

  const paid = (reference: string, amountMinor: number, takenMinor = amountMinor) => {
    const started = sale({ reference, amountMinor });
    return [started, ended(started, 'approved', { result: record({ amountMinor: takenMinor }) })];
  };

  it('go by what the terminal took, the newest of the same amount first, each currency by itself', async () => {
    const journal = newJournal();
    journal.append(...paid('10', 1_000), ...paid('tip', 900, 1_500), ...paid('12', 1_200));
    journal.append(sale({ reference: 'CHF', amountMinor: 9_900, currency: 'CHF' }), ...paid('12b', 1_200));
    expect(await references(journal, 'highest')).toEqual(['CHF', 'tip', '12b', '12', '10']);
    expect(await references(journal, 'lowest')).toEqual(['CHF', '10', '12b', '12', 'tip']);
  });

  it('come once each though others come meanwhile, and though the one a page ended with has changed', async () => {
    const journal = newJournal();
    const open = sale({ reference: '20', amountMinor: 2_000 });
    journal.append(...paid('30', 3_000), ...paid('10', 1_000), open, ...paid('15', 1_500));
    const found = await references(journal, 'highest', (page) => {
      if (page === 1) journal.append(...paid('99', 9_900), ...paid('17', 1_700), ended(open, 'declined'));
    });
    expect(found).toEqual(['30', '20', '17', '15', '10']);
  });

  it.each([500, 9_000])(
    'leaves none out where the payment that ended a page got %i taken meanwhile',
    async (taken) => {
      const journal = newJournal();
      const open = sale({ reference: '20', amountMinor: 2_000 });
      journal.append(
        ...paid('30', 3_000),
        ...paid('10', 1_000),
        open,
        ...paid('15', 1_500),
        ...paid('3', 300),
      );
      for (const order of ['highest', 'lowest'] as const) {
        const pages = createPagesByAmount(() => true);
        const found: string[] = [];
        let before: number | null = null;
        do {
          const page = await pages.page(journal, { filter: everything, order, before, limit: 2 });
          found.push(...(page?.payments ?? []).map(({ reference }) => reference));
          before = page?.next ?? null;
          if (order === 'highest' && found.length === 2)
            journal.append(ended(open, 'approved', { result: record({ amountMinor: taken }) }));
        } while (before !== null);
        // What was passed by and comes again further down is shown once by the list.
        expect(new Set(found)).toEqual(new Set(['30', '20', '15', '10', '3']));
      }
    },
  );

  it('goes on where a payment stood that fits no more', async () => {
    const journal = newJournal();
    const open = sale({ reference: '20', amountMinor: 2_000 });
    journal.append(
      open,
      sale({ reference: '30', amountMinor: 3_000 }),
      sale({ reference: '10', amountMinor: 10 }),
    );
    const filter = { ...everything, status: 'in_progress' as const };
    const pages = createPagesByAmount(() => true);
    const first = await pages.page(journal, { filter, order: 'highest', before: null, limit: 2 });
    journal.append(ended(open, 'declined'));
    const rest = await pages.page(journal, {
      filter,
      order: 'highest',
      before: first?.next ?? null,
      limit: 2,
    });
    expect(rest?.payments.map(({ reference }) => reference)).toEqual(['10']);
  });

  it('are looked at once for all pages as long as nothing happens', async () => {
    const journal = newJournal();
    journal.append(...paid('1', 1), ...paid('2', 2), ...paid('3', 3), ...paid('4', 4), ...paid('5', 5));
    let looks = 0;
    const counted: JournalReading = {
      ...journal,
      paymentAmounts: (search) => {
        looks += 1;
        return journal.paymentAmounts(search);
      },
    };
    expect(await references(counted, 'lowest')).toEqual(['1', '2', '3', '4', '5']);
    expect(looks).toBe(1);
  });

  it('end when the journal is closed meanwhile', async () => {
    const pages = createPagesByAmount(() => false);
    const search = { filter: everything, order: 'lowest' as const, before: null, limit: 2 };
    expect(await pages.page(newJournal(), search)).toBeNull();
  });
});

it('the sum is of what was taken, by currency: not of what was declined, voided or is open', () => {
  const base = { position: 1, status: 'approved' as const, currency: 'EUR' as const, minor: 100 };
  const rest = { next: null, nextAt: null };
  const amounts = [
    { ...base, position: 9 },
    { ...base, status: 'settled' as const, minor: 20 },
    { ...base, currency: 'CHF' as const, minor: 3 },
    ...(['declined', 'voided', 'voiding', 'unknown', 'in_progress', 'failed', 'cancelled'] as const).map(
      (status) => ({ ...base, status }),
    ),
  ];
  expect(paymentTotals({ amounts, ...rest })).toEqual({
    count: 10,
    taken: [
      { currency: 'CHF', count: 1, sumMinor: 3 },
      { currency: 'EUR', count: 2, sumMinor: 120 },
    ],
    newest: 9,
    ...rest,
  });
});

it('over the console’s interface, by amount only within a month', async () => {
  const kit = await readyHost();
  for (const [amount, reference] of [
    ['12.00', 'A-1'],
    ['30.00', 'A-2'],
    ['7.00', 'A-3'],
  ] as const) {
    await kit.till().create(amount, reference, 10);
    await isReady(kit);
  }
  const at = kit.clock.now();
  const days = (count: number) => ({
    from: new Date(at - count * 86_400_000 + 60_000).toISOString(),
    until: new Date(at + 60_000).toISOString(),
  });
  const list = async (order: PaymentOrder, span: PaymentFilter['span']) =>
    (
      await kit.invoke('payments', { filter: { ...everything, span }, order, before: null, limit: 9 })
    ).payments.map(({ reference }) => reference);
  expect(await list('highest', days(31))).toEqual(['A-2', 'A-1', 'A-3']);
  expect(await list('oldest', null)).toEqual(['A-1', 'A-2', 'A-3']);
  expect(await kit.invoke('paymentTotals', { filter: everything, before: null })).toMatchObject({
    count: 3,
    taken: [{ currency: 'EUR', count: 3, sumMinor: 4_900 }],
    next: null,
  });
  for (const span of [null, days(33)]) {
    const request = { filter: { ...everything, span }, order: 'lowest', before: null, limit: 9 };
    expect(await kit.refusal('payments', request)).toMatchObject({ code: 'invalid_request' });
    const file = { kind: 'payments' as const, filter: { ...everything, span }, order: 'lowest' as const };
    await expect(kit.host.console.makeFile(file)).rejects.toThrow('31 days');
  }
  expect(await newHost().refusal('paymentTotals', { filter: everything, before: null })).toMatchObject({
    code: 'no_bridge',
  });
});
