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
import { emptyList, reduceList } from '../../src/renderer/pages/payments/payment-list.ts';
import { paymentView } from '../support/console-data.ts';

describe('the filter in the address', () => {
  test('comes back as it was, and leaves out what makes no sense', () => {
    const filter = { day: '2026-05-12', status: 'declined', text: 'A-1' } as const;
    expect(filterOf(new URLSearchParams(queryOf(filter)))).toEqual(filter);
    expect(queryOf(noFilter)).toBeUndefined();
    expect(filterOf(new URLSearchParams('day=2026-02-30&status=nice'))).toEqual(noFilter);
    expect(filterOf(new URLSearchParams({ text: 'x'.repeat(99) })).text).toHaveLength(60);
  });

  test('asks for a local day from its first instant to that of the next, also when the clock changes', () => {
    const { span } = requestOf({ ...noFilter, day: '2026-03-29' });
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
  const response = (payments = [paymentView(2), paymentView(1)], next: number | null = null) => ({
    kind: 'answered' as const,
    key: 'all',
    first: true,
    response: { payments, next },
  });

  test('take a new one at the top, once, and forget one that no longer fits', () => {
    const changed = paymentView(3);
    const event = { kind: 'changed', payment: changed, fits: true } as const;
    const list = [response(), event, event].reduce(reduceList, emptyList);
    expect(list.payments.map(({ reference }) => reference)).toEqual(['A-1003', 'A-1002', 'A-1001']);
    expect(reduceList(list, { ...event, fits: false }).payments).toHaveLength(2);
  });

  test('leave one that lies behind what is loaded to its own page', () => {
    const list = reduceList(emptyList, response([paymentView(9)], paymentView(9).position));
    const event = { kind: 'changed', payment: paymentView(3), fits: true } as const;
    expect(reduceList(list, event).payments).toHaveLength(1);
  });

  test('keep what was heard while the response, which is older, was on its way', () => {
    const invoked = reduceList(emptyList, { kind: 'asked' });
    const changesMeanwhile = reduceList(invoked, { kind: 'changed', payment: paymentView(3), fits: true });
    expect(reduceList(changesMeanwhile, response()).payments).toHaveLength(3);
    const older = paymentView(2, { status: 'in_progress', updatedAt: '2026-01-01T00:00:00.000Z' });
    const next = { ...response([older]), first: false };
    expect(reduceList(reduceList(emptyList, response()), next).payments[0]?.status).toBe('approved');
  });
});
