/** What the list of payments asks for and keeps, without a page. */
import { describe, expect, test } from 'vitest';
import {
  filterOf,
  isDay,
  noFilter,
  queryOf,
  requestOf,
  shiftDay,
} from '../../src/renderer/pages/payments/list-filter.ts';
import { listOf } from '../../src/renderer/pages/payments/payment-list.ts';
import { paymentView } from '../support/console-data.ts';

describe('the filter in the address', () => {
  test('an amount is searched with a comma, too', () => {
    const searched = (text: string) => requestOf({ ...noFilter, text }, 'EUR').text;
    expect(['12,00', ' 12.00 ', 'A,00', '1,2,00'].map(searched)).toEqual([
      '12.00',
      '12.00',
      'A,00',
      '1,2,00',
    ]);
  });

  test('comes back as it was, and leaves out what makes no sense', () => {
    const status = 'declined' as const;
    const day = { ...noFilter, from: '2026-05-12', to: '2026-05-12', status, text: 'A-1' };
    const days = {
      ...noFilter,
      from: '2026-05-01',
      to: '2026-05-12',
      least: '12,5',
      order: 'highest' as const,
    };
    for (const filter of [day, days, { ...noFilter, to: '2026-05-12', most: '3' }])
      expect(filterOf(new URLSearchParams(queryOf(filter)))).toEqual(filter);
    expect(queryOf(day)).toMatchObject({ day: '2026-05-12' });
    expect(filterOf(new URLSearchParams('from=2026-05-12&to=2026-05-01'))).toMatchObject({
      from: '2026-05-01',
      to: '2026-05-12',
    });
    expect(queryOf(noFilter)).toBeUndefined();
    expect(filterOf(new URLSearchParams('day=2026-02-30&status=nice&order=best'))).toEqual(noFilter);
    expect(filterOf(new URLSearchParams({ text: 'x'.repeat(99) })).text).toHaveLength(60);
  });

  test('asks for a local day from its first instant to that of the next, also when the clock changes', () => {
    const { span } = requestOf({ ...noFilter, from: '2026-03-29', to: '2026-03-29' }, 'EUR');
    expect(span).toEqual({
      from: new Date(2026, 2, 29).toISOString(),
      until: new Date(2026, 2, 30).toISOString(),
    });
    const today = new Date(2026, 4, 12, 14);
    expect(shiftDay('2026-03-29', 1, today)).toBe('2026-03-30');
    expect(shiftDay('2026-03-01', -1, today)).toBe('2026-02-28');
    expect(shiftDay(null, -1, new Date(2026, 0, 1, 12))).toBe('2025-12-31');
  });

  test('takes a year only when it has been typed to its end', () => {
    expect(isDay('0202-05-12')).toBe(false);
    expect(isDay('2026-05-12')).toBe(true);
  });
});

describe('the loaded payments', () => {
  const page = (payments = [paymentView(2), paymentView(1)], next: number | null = null) => ({
    payments,
    next,
  });
  const older = (number: number) =>
    paymentView(number, { status: 'in_progress', updatedAt: '2026-01-01T00:00:00.000Z' });
  const fits = (payment = paymentView(3)) => ({ payment, fits: true });
  const fitsNoMore = (payment = paymentView(3)) => ({ payment, fits: false });

  test.each<[string, Parameters<typeof listOf>, string[]]>([
    ['take a new one at the top', [[page()], [fits()]], ['A-1003', 'A-1002', 'A-1001']],
    ['have it once when its page comes too', [[page([paymentView(3)])], [fits()]], ['A-1003']],
    ['forget one that no longer fits', [[page()], [fitsNoMore(paymentView(2))]], ['A-1001']],
    ['keep one that fits again by now', [[page()], [fitsNoMore(older(2))]], ['A-1002', 'A-1001']],
    [
      'leave one that lies behind what is loaded to its own page',
      [[page([paymentView(9)], paymentView(9).position)], [fits()]],
      ['A-1009'],
    ],
    ['put pages together', [[page([paymentView(4)], 3), page()], []], ['A-1004', 'A-1002', 'A-1001']],
    [
      'stay in the order of the host as long as there is one page',
      [[page([paymentView(1), paymentView(2)])], []],
      ['A-1001', 'A-1002'],
    ],
  ])('%s', (_, [pages, changes], references) => {
    expect(listOf(pages, changes).map(({ reference }) => reference)).toEqual(references);
  });

  test.each<[string, Parameters<typeof listOf>]>([
    ['a page that comes late', [[page(), page([older(2)])], []]],
    ['a change that comes late', [[page()], [fits(older(2))]]],
    ['a page from before the change', [[page([older(2)])], [fits(paymentView(2))]]],
  ])('show the newer view whatever brings an older one: %s', (_, [pages, changes]) => {
    expect(listOf(pages, changes)[0]?.status).toBe('approved');
  });
});
