/** The list of payments: what it asks, what it shows, and how it is used without a mouse. */
import { describe, expect, test } from 'vitest';
import type { PaymentsRequest } from '../../src/contract/console/index.ts';
import { seriousFindings } from '../support/axe.ts';
import { paymentView } from '../support/console-data.ts';
import type { FakeConsole } from '../support/console-page.ts';
import { needs } from '../support/needs.ts';
import { missingKey, ok, pagesForTests, poll } from './on-page.ts';

describe.skipIf(!needs('chromium'))('the page Payments', () => {
  const onPage = pagesForTests();
  const many = Array.from({ length: 700 }, (_, index) => paymentView(700 - index));
  const row = (fake: FakeConsole, reference: string) =>
    fake.page.locator('[data-payments] [role=row]', { hasText: reference });
  const lists = (fake: FakeConsole) =>
    fake.invoked.filter(({ name }) => name === 'payments').map(({ request }) => request as PaymentsRequest);

  test('amounts and times are the console language’s own, whatever the browser speaks', async () => {
    await onPage({ route: 'payments', language: 'de', locale: 'en-US' }, async ({ page }) => {
      await page.getByRole('heading', { level: 1, name: 'Zahlungen' }).waitFor();
      await page.locator('main').getByText('€').first().waitFor();
      const text = await page.locator('main').innerText();
      expect(text).toMatch(/\d,\d\d\s€/);
      expect(text).not.toMatch(/€\d|\b[AP]M\b|May\b/);
    });
  });

  test('loads further pages as one scrolls, and has only the rows that can be seen', async () => {
    await onPage({ route: 'payments', payments: many }, async (fake) => {
      const grid = fake.page.getByRole('grid');
      await row(fake, 'A-1700').waitFor();
      expect(await fake.page.locator('[role=row]').count()).toBeLessThan(60);
      expect(await grid.getAttribute('aria-rowcount')).toBe('-1');
      await grid.focus();
      // End goes to the last one that is loaded, and so loads more, until there is no more.
      await poll(async () => {
        await fake.page.keyboard.press('End');
        return row(fake, 'A-1001').count();
      }).toBe(1);
      // The head, and the day that they are of.
      expect(await grid.getAttribute('aria-rowcount')).toBe('702');
      expect(await row(fake, 'A-1001').getAttribute('aria-rowindex')).toBe('702');
      expect(lists(fake).length).toBeGreaterThan(5);
      await fake.page.getByRole('status').getByText('700 payments').waitFor();
    });
  });

  test('takes in what happens without losing the place', async () => {
    await onPage({ route: 'payments', payments: many }, async (fake) => {
      await row(fake, 'A-1700').waitFor();
      await fake.emit({ kind: 'payment', payment: paymentView(701, { status: 'in_progress' }) });
      await row(fake, 'A-1701').getByText('In progress').waitFor();
      await fake.emit({
        kind: 'payment',
        payment: paymentView(701, { updatedAt: '2026-05-13T08:00:00.000Z' }),
      });
      await row(fake, 'A-1701').getByText('Approved').waitFor();

      const grid = fake.page.getByRole('grid');
      await grid.evaluate((element) => element.scrollTo(0, 1_000));
      await row(fake, 'A-1675').waitFor();
      const place = async () => (await row(fake, 'A-1675').boundingBox())?.y;
      const before = await place();
      for (const number of [702, 703, 704])
        await fake.emit({ kind: 'payment', payment: paymentView(number) });
      await poll(() => grid.evaluate((element) => element.scrollTop)).toBe(1_000 + 3 * 42);
      expect(await place()).toBe(before);
    });
  });

  test('keeps the filters in the address, so that Back works and a link shows the same', async () => {
    const status = 'declined' as const;
    const payments = many.map((payment, index) => (index % 2 === 0 ? payment : { ...payment, status }));
    await onPage({ route: 'payments', payments }, async (fake) => {
      const { page } = fake;
      await row(fake, 'A-1700').waitFor();
      await page.getByLabel('Status').selectOption('declined');
      await poll(() => row(fake, 'A-1700').count()).toBe(0);
      await row(fake, 'A-1699').waitFor();
      await page.getByLabel('Day', { exact: true }).fill('12/05/2026');
      await page.keyboard.press('Enter');
      await poll(() => page.url()).toContain('#/payments?day=2026-05-12&status=declined');
      await poll(() => lists(fake).at(-1)?.filter.span).toEqual({
        from: new Date(2026, 4, 12).toISOString(),
        until: new Date(2026, 4, 13).toISOString(),
      });
      await page.getByRole('button', { name: 'Previous day' }).click();
      await poll(() => page.url()).toContain('day=2026-05-11');
      await page.goBack();
      await page.goBack();
      await poll(() => page.url()).toMatch(/#\/payments\?status=declined$/);
      await poll(() => page.getByLabel('Day', { exact: true }).inputValue()).toBe('');
      // A change that does not fit the status takes the row away.
      await fake.emit({ kind: 'payment', payment: paymentView(699, { status: 'approved' }) });
      await poll(() => row(fake, 'A-1699').count()).toBe(0);
    });
    await onPage({ route: 'payments?status=declined&text=A-1699', payments }, async (fake) => {
      await row(fake, 'A-1699').waitFor();
      expect(await fake.page.getByLabel('Status').inputValue()).toBe('declined');
      expect(await fake.page.getByRole('searchbox').inputValue()).toBe('A-1699');
    });
  });

  test('goes on searching while answers are short, and stops when asked to', async () => {
    // Each answer has looked at 40 payments and found none or one; the fourth is held back.
    const release: (() => void)[] = [];
    let turn = 0;
    const payments = async ({ filter, before }: PaymentsRequest) => {
      if (filter.text === null) return ok({ payments: many.slice(0, 20), next: null });
      turn += 1;
      if (turn === 4) await new Promise<void>((resolve) => release.push(resolve));
      const from = before ?? 2_801;
      const found = turn === 3 || turn === 6 ? [paymentView(turn)] : [];
      return ok({ payments: found, next: turn >= 6 ? null : from - 160 });
    };
    await onPage({ route: 'payments', answers: { payments } }, async (fake) => {
      const { page } = fake;
      await row(fake, 'A-1700').waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('472910');
      await row(fake, 'A-1003').waitFor();
      await page.getByRole('status').getByText('Searching…').waitFor();
      await page.getByRole('button', { name: 'Stop searching' }).click();
      await page.getByText('The search was stopped.').waitFor();
      for (const go of release) go();
      await page.getByRole('button', { name: 'Continue searching' }).click();
      await row(fake, 'A-1006').waitFor();
      await page.getByText('2 payments').waitFor();
      expect(
        lists(fake)
          .filter(({ filter }) => filter.text === '472910')
          .map(({ before }) => before),
      ).toEqual([null, 2_641, 2_481, 2_321, 2_321, 2_161]);
    });
  });

  test('lets the host say whether a payment that changes fits the search', async () => {
    await onPage({ route: 'payments?text=A-1700', payments: many }, async (fake) => {
      await row(fake, 'A-1700').waitFor();
      const payment = paymentView(699, { updatedAt: '2026-05-13T08:00:00.000Z' });
      await fake.emit({ kind: 'payment', payment });
      await poll(() => lists(fake).at(-1)).toMatchObject({
        before: payment.position + 1,
        limit: 1,
        filter: { text: 'A-1700' },
      });
      expect(await row(fake, 'A-1699').count()).toBe(0);
    });
  });

  test('says why nothing is shown, and what to do', async () => {
    await onPage({ route: 'payments', payments: [] }, async ({ page, emit }) => {
      await page.getByText('No payments yet').waitFor();
      await emit({ kind: 'payment', payment: paymentView(1) });
      await page.getByText('A-1001').waitFor();
    });
    await onPage({ route: 'payments?status=failed', payments: many }, async (fake) => {
      await fake.page.getByText('No matching payments').waitFor();
      await fake.page.getByRole('button', { name: 'Clear filters' }).click();
      await row(fake, 'A-1700').waitFor();
      expect(fake.page.url()).toMatch(/#\/payments$/);
    });
    let refused = true;
    const payments = () =>
      refused
        ? {
            ok: false as const,
            refusal: { code: 'no_bridge' as const, message: 'The bridge is not running.' },
          }
        : ok({ payments: many.slice(0, 3), next: null });
    await onPage({ route: 'payments', answers: { payments } }, async (fake) => {
      await fake.page.getByText('The bridge is not running.').waitFor();
      refused = false;
      await fake.page.getByRole('button', { name: 'Try again' }).click();
      await row(fake, 'A-1700').waitFor();
    });
  });

  test('is used by keyboard alone: search, open, void, back, save', async () => {
    const voided: string[] = [];
    const voidPayment = ({ reference }: { reference: string }) => {
      voided.push(reference);
      return ok({ payment: paymentView(698, { status: 'voided' as const }) });
    };
    await onPage(
      { route: 'payments', payments: many, answers: { voidPayment }, width: 900 },
      async (fake) => {
        const { page } = fake;
        const { keyboard } = page;
        const focused = () => page.evaluate<string>('document.activeElement?.textContent ?? ""');
        const tabTo = async (text: string) => {
          for (let step = 0; step < 30 && !(await focused()).startsWith(text); step += 1)
            await keyboard.press('Tab');
          expect(await focused()).toContain(text);
        };
        await row(fake, 'A-1700').waitFor();
        await keyboard.press('/');
        await keyboard.type('A-169');
        await row(fake, 'A-1699').waitFor();
        await poll(() => row(fake, 'A-1700').count()).toBe(0);
        await tabTo('Time');
        await keyboard.press('ArrowDown');
        await keyboard.press('ArrowDown');
        await keyboard.press('ArrowUp');
        const active = await page.getByRole('grid').getAttribute('aria-activedescendant');
        expect(await row(fake, 'A-1698').getAttribute('id')).toBe(active);
        await keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Payment A-1698' }).waitFor();
        expect(page.url()).toContain(`#/payments/${paymentView(698).transactionId}?text=A-169`);

        await tabTo('Void');
        await keyboard.press('Enter');
        const dialog = page.getByRole('dialog');
        expect(await dialog.innerText()).toMatch(/€80\.00 \(payment A-1698\)/);
        await keyboard.press('Escape');
        await poll(() => dialog.count()).toBe(0);
        expect(voided).toEqual([]);
        await keyboard.press('Enter');
        await dialog.waitFor();
        await tabTo('Cancel');
        await tabTo('Void');
        await keyboard.press('Enter');
        await poll(() => voided).toEqual(['A-1698']);
        await poll(() => dialog.count()).toBe(0);

        await keyboard.press('Escape');
        await poll(() => page.url()).toMatch(/#\/payments\?text=A-169$/);
        // The address changes first, then the page.
        await poll(() => page.evaluate<string>('document.activeElement?.getAttribute("role")')).toBe('grid');
        await keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Payment A-1698' }).waitFor();
        await page.goBack();
        await row(fake, 'A-1698').waitFor();

        await page.getByRole('button', { name: 'Save as CSV' }).focus();
        await keyboard.press('Enter');
        await page.getByText('Saved: file').waitFor();
        expect(fake.saved).toEqual([
          { kind: 'payments', filter: { span: null, status: null, text: 'A-169' }, order: 'newest' },
        ]);
      },
    );
  });

  test('shows the list beside the payment where there is room, and the payment instead of it where not', async () => {
    const route = `payments/${paymentView(690).transactionId}`;
    await onPage({ route, payments: many, width: 1_600, height: 1_000 }, async ({ page }) => {
      await page.getByRole('heading', { name: 'Payment A-1690' }).waitFor();
      await page.getByRole('grid').waitFor();
    });
    await onPage({ route, payments: many, width: 900, height: 600 }, async ({ page }) => {
      await page.getByRole('heading', { name: 'Payment A-1690' }).waitFor();
      expect(await page.getByRole('grid').isVisible()).toBe(false);
      await page.getByRole('link', { name: 'Back' }).click();
      await page.getByRole('grid').waitFor();
    });
  });

  test.each([
    ['wide', 'payments', 1_200],
    ['beside a payment', `payments/${paymentView(9).transactionId}`, 1_200],
    ['narrow', 'payments', 900],
    ['very narrow', 'payments', 520],
  ])('shows reference, amount, status and the card’s last digits (%s)', async (_name, route, width) => {
    const statuses = ['failed', 'cancelled', 'voiding', 'settled'] as const;
    const payments = [
      ...statuses.map((status, index) =>
        paymentView(9 - index, { status, reference: `INV-2026-004${index}` }),
      ),
      paymentView(5, { reference: '0123456789'.repeat(4), amountMinor: 1_234_567_890_123 }),
    ].map((payment) => ({ ...payment, maskedCardNumber: '***************4771' }));
    await onPage({ route, payments, language: 'de', width }, async (fake) => {
      await row(fake, 'INV-2026-0040').waitFor();
      // What is cut off, by its text; a long reference may be, but not all of it.
      const cut = await fake.page.evaluate<string[]>(`[...document.querySelectorAll(
          '.payment-grid-body .payment-row > *, .payment-grid-body .cell-status *, .payment-grid-body .cell-card :last-child')]
        .filter((cell) => cell.offsetParent !== null && cell.scrollWidth > cell.clientWidth + 1 && cell.clientWidth > 0)
        .map((cell) => cell.textContent)`);
      expect(cut.filter((text) => text !== '0123456789'.repeat(4))).toEqual([]);
      const grid = await fake.page.getByRole('grid').boundingBox();
      for (const cell of await fake.page.locator('.payment-grid-body .payment-row > :visible').all()) {
        const box = await cell.boundingBox();
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((grid?.x ?? 0) + (grid?.width ?? 0));
      }
      const long = row(fake, '0123456789').locator('.cell-reference');
      const cell = await long.boundingBox();
      expect(cell?.width).toBeGreaterThan(100);
      const [start, end] = await long.locator('.middle-cut > span').all();
      expect((await start?.boundingBox())?.width).toBeGreaterThan(30);
      const last = await end?.boundingBox();
      expect(await end?.innerText()).toBe('3456789');
      expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(
        (cell?.x ?? 0) + (cell?.width ?? 0) + 1,
      );
    });
  });

  test('names each day once, with what was taken on it, and only the time in its rows', async () => {
    const payments = [
      paymentView(9, { createdAt: '2026-05-12T12:00:00.000Z', amountMinor: 1_000 }),
      paymentView(8, { createdAt: '2026-05-12T11:00:00.000Z', amountMinor: 900, approvedMinor: 990 }),
      paymentView(7, { createdAt: '2026-05-12T10:00:00.000Z', status: 'voided', amountMinor: 5_000 }),
      paymentView(6, { createdAt: '2026-05-12T09:00:00.000Z', currency: 'CHF', amountMinor: 700 }),
      paymentView(5, { createdAt: '2026-05-11T12:00:00.000Z', status: 'settled', amountMinor: 300 }),
    ];
    await onPage({ route: 'payments', payments }, async (fake) => {
      const days = fake.page.locator('.payment-day-row');
      await poll(() => days.allInnerTexts()).toEqual([
        expect.stringMatching(/^Tue, 12 May 2026\s+4 payments\s+CHF\s7\.00 · €19\.90$/),
        expect.stringMatching(/^Mon, 11 May 2026\s+1 payment\s+€3\.00$/),
      ]);
      expect(await row(fake, 'A-1009').locator('.cell-time').innerText()).toMatch(/^\d\d:00:00$/);
      const meaning = await days.first().locator('[title]').getAttribute('title');
      expect(meaning).toContain('Voided payments are not included');
      await fake.page.getByRole('status').getByText('5 payments').waitFor();
      await fake.page.locator('.payments-foot', { hasText: '€22.90' }).waitFor();

      // A new one is added; one that was counted is counted again.
      const created = { createdAt: '2026-05-12T13:00:00.000Z', updatedAt: '2026-05-12T13:00:00.000Z' };
      await fake.emit({ kind: 'payment', payment: paymentView(10, { ...created, amountMinor: 100 }) });
      await poll(() => days.first().innerText()).toMatch(/5 payments\s+CHF\s7\.00 · €20\.90$/);
      const voided = { ...paymentView(9), ...created, status: 'voided' as const };
      payments[0] = { ...voided, createdAt: '2026-05-12T12:00:00.000Z' };
      await fake.emit({ kind: 'payment', payment: payments[0] });
      await poll(() => days.first().innerText()).toMatch(/5 payments\s+CHF\s7\.00 · €10\.90$/);
    });
  });

  test('has two rows of filters beside a payment until more are wanted, and never hides one in force', async () => {
    const route = `payments/${paymentView(7).transactionId}`;
    for (const language of ['en', 'de'] as const) {
      await onPage({ route, payments: many, language, width: 1_200, height: 780 }, async ({ page }) => {
        const day = page.locator('.payment-day');
        const more = page.locator('.payment-filters button[aria-expanded]');
        await more.waitFor();
        expect(await day.isVisible()).toBe(false);
        const tops = await page
          .locator('.payment-filters .toolbar:first-child > :not(.payment-day)')
          .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().bottom));
        expect(new Set(tops.map(Math.round)).size).toBe(1);
        await more.click();
        await day.waitFor();
      });
    }
    await onPage({ route: `${route}?day=2026-05-12`, payments: many, width: 1_200 }, async ({ page }) => {
      await page.locator('.payment-day').waitFor();
    });
    const span = { route: `${route}?from=2026-05-10&to=2026-05-12`, payments: many, width: 1_200 };
    await onPage(span, async ({ page }) => {
      await page.getByLabel('From', { exact: true }).waitFor();
      expect(await page.locator('.payment-day').isVisible()).toBe(false);
    });
  });

  test('keeps the day of the first rows in sight', async () => {
    const payments = many.map((payment, index) => ({
      ...payment,
      createdAt: new Date(Date.UTC(2026, 4, 12, 12) - Math.floor(index / 40) * 86_400_000).toISOString(),
    }));
    await onPage({ route: 'payments', payments }, async (fake) => {
      await row(fake, 'A-1700').waitFor();
      const grid = fake.page.getByRole('grid');
      await grid.evaluate((element) => element.scrollTo(0, 50 * 42));
      const sticky = fake.page.locator('.payment-day-row[data-sticky=true]');
      await poll(() => sticky.innerText()).toMatch(/^Mon, 11 May 2026\s+40 payments/);
      const top = async (of: typeof sticky) => (await of.boundingBox())?.y ?? 0;
      expect((await top(sticky)) - (await top(grid))).toBeCloseTo(36, 0);
    });
  });

  test('says at least how many there are while it counts, stops after a while, and goes on when asked to', async () => {
    // 150 parts of the whole; a day has one.
    const paymentTotals = ({ filter, before }: { filter: { span: unknown }; before: number | null }) => {
      const part = (before ?? 0) + 1;
      const isLast = part === 150 || filter.span !== null;
      return ok({
        count: 1_000,
        taken: [{ currency: 'EUR' as const, count: 900, sumMinor: 90_000 }],
        newest: 2_800,
        next: isLast ? null : part,
        nextAt: isLast ? null : '2026-03-12T12:00:00.000Z',
      });
    };
    await onPage(
      { route: 'payments?status=approved', payments: many, answers: { paymentTotals } },
      async ({ page }) => {
        const foot = page.locator('.payments-foot');
        await poll(() => foot.innerText()).toMatch(
          /At least [\d,]+ payments\s+Taken €[\d,]+\.00\s+Still counting/,
        );
        await poll(() => foot.innerText()).toMatch(
          /^At least 100,000 payments\s+Taken €90,000\.00\s+Counted back to 12 March 2026/,
        );
        await foot.getByRole('button', { name: 'Continue counting' }).click();
        await poll(() => foot.innerText()).toMatch(/^150,000 payments\s+Taken €135,000\.00$/);
      },
    );
  });

  test('sorted by amount, loses no place while payments come, and while one in sight goes elsewhere', async () => {
    const route = 'payments?from=2026-04-12&to=2026-05-12&order=highest';
    await onPage({ route, payments: many }, async (fake) => {
      const grid = fake.page.getByRole('grid');
      const cells = fake.page.locator('.payment-grid-body .cell-reference');
      await cells.first().waitFor();
      await grid.evaluate((element) => element.scrollTo(0, 1_008));
      // The first row below the head, and one further down, once they are drawn where the list was scrolled to.
      const seen = () =>
        grid.evaluate((element) => {
          const edge = element.getBoundingClientRect().top + 36;
          const rows = [...element.querySelectorAll('.payment-grid-body [role=row]')].filter(
            (one) => one.getBoundingClientRect().top >= edge - 1,
          );
          if ((rows[0]?.getBoundingClientRect().top ?? Infinity) > edge + 42) return [];
          return [0, 5].flatMap((at) => rows[at]?.querySelector('.cell-reference')?.textContent ?? []);
        });
      await poll(async () => (await seen()).length).toBe(2);
      const [top = '', other = ''] = await seen();
      const place = async () => (await row(fake, other).boundingBox())?.y;
      const before = await place();
      expect(before).toBeGreaterThan(100);

      for (const number of [701, 702, 703])
        await fake.emit({ kind: 'payment', payment: paymentView(number, { amountMinor: 999_999 }) });
      await poll(() => grid.evaluate((element) => element.scrollTop)).toBe(1_008 + 3 * 42);
      expect(await place()).toBe(before);

      // What the terminal took was less: it goes to the end, and only the rows below it come up.
      const payment = paymentView(Number(top.slice(2)) - 1_000, { amountMinor: 1 });
      await fake.emit({ kind: 'payment', payment: { ...payment, updatedAt: '2026-05-13T08:00:00.000Z' } });
      await poll(() => row(fake, top).count()).toBe(0);
      expect(await place()).toBe(before);
      expect(await grid.evaluate((element) => element.scrollTop)).toBe(1_008 + 2 * 42);
    });
  });

  test('sorts by amount, within a month only, and loads and saves in that order', async () => {
    await onPage({ route: 'payments', payments: many }, async (fake) => {
      const { page } = fake;
      await row(fake, 'A-1700').waitFor();
      await page.getByRole('button', { name: 'More filters' }).click();
      await page.getByLabel('Sort by').selectOption('highest');
      await page.getByText('within 31 days at most').waitFor();
      await page.getByRole('button', { name: 'Last 31 days' }).click();
      const amounts = page.locator('.payment-grid-body .cell-amount');
      await poll(() => amounts.first().innerText()).toBe('€101.00');
      await poll(() => page.url()).toContain('from=2026-04-12&to=2026-05-12&order=highest');
      expect(
        lists(fake)
          .filter(({ order }) => order === 'highest')
          .map(({ filter }) => filter.span),
      ).not.toContain(null);
      expect(await page.locator('.payment-day-row').count()).toBe(0);
      expect(await page.getByRole('columnheader', { name: 'Amount' }).getAttribute('aria-sort')).toBe(
        'descending',
      );
      // One that comes is put where it belongs.
      await fake.emit({ kind: 'payment', payment: paymentView(701, { amountMinor: 999_999 }) });
      await poll(() => amounts.first().innerText()).toBe('€9,999.99');

      await page.getByLabel('Amount to').fill('12,5');
      await poll(() => lists(fake).at(-1)?.filter.amount).toEqual({
        currency: 'EUR',
        fromMinor: null,
        toMinor: 1_250,
      });
      await poll(() => amounts.first().innerText()).toBe('€12.00');
      await page.getByLabel('Amount from').fill('ten');
      await page.getByText('Please enter an amount').waitFor();
      await page.getByRole('button', { name: 'Save as CSV' }).click();
      await page.getByText('Saved: file').waitFor();
      expect(fake.saved).toMatchObject([{ order: 'highest', filter: { amount: { toMinor: 1_250 } } }]);
    });
  });

  test('goes from the search to the list with an arrow, and to the first payment with Enter', async () => {
    await onPage({ route: 'payments', payments: many, width: 900 }, async (fake) => {
      const { page } = fake;
      const { keyboard } = page;
      await row(fake, 'A-1700').waitFor();
      await keyboard.press('/');
      await keyboard.type('A-15');
      // Before what was typed has been searched: its first payment is meant, not that of the list before.
      await keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Payment A-1599' }).waitFor();
      expect(page.url()).toContain('text=A-15');
      await keyboard.press('Escape');
      await row(fake, 'A-1599').waitFor();
      await keyboard.press('/');
      await keyboard.press('ArrowDown');
      await keyboard.press('ArrowDown');
      await keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Payment A-1598' }).waitFor();
    });
  });

  test.each([900, 1_200])(
    'comes back to the row, the filters and the place that it left (%i wide)',
    async (width) => {
      await onPage(
        { route: 'payments?status=approved', payments: many, width, height: 600 },
        async (fake) => {
          const { page } = fake;
          const grid = page.getByRole('grid');
          await row(fake, 'A-1700').waitFor();
          await grid.evaluate((element) => element.scrollTo(0, 2_000));
          await row(fake, 'A-1650').click();
          await page.getByRole('heading', { name: 'Payment A-1650' }).waitFor();
          await fake.emit({ kind: 'payment', payment: paymentView(701) });
          await page.keyboard.press('Escape');
          await poll(() => page.evaluate<string>('document.activeElement?.getAttribute("role")')).toBe(
            'grid',
          );
          expect(page.url()).toMatch(/payments\?status=approved$/);
          await poll(() => grid.evaluate((element) => element.scrollTop)).toBe(2_042);
          await poll(() => row(fake, 'A-1650').getAttribute('data-active')).toBe('true');
          expect(await grid.getAttribute('aria-activedescendant')).toBe(
            await row(fake, 'A-1650').getAttribute('id'),
          );
          await page.keyboard.press('Enter');
          await page.getByRole('heading', { name: 'Payment A-1650' }).waitFor();
        },
      );
    },
  );

  test.each([
    ['en', 'light'],
    ['de', 'dark'],
  ] as const)('is fit for everybody (%s, %s), with no text missing', async (language, colorScheme) => {
    const statuses = ['in_progress', 'approved', 'declined', 'cancelled', 'failed'] as const;
    const more = ['unknown', 'voiding', 'voided', 'settled'] as const;
    const payments = [...statuses, ...more].map((status, index) => paymentView(9 - index, { status }));
    await onPage({ route: 'payments', payments, language, colorScheme }, async (fake) => {
      await row(fake, 'A-1009').waitFor();
      expect(await seriousFindings(fake.page)).toEqual([]);
      expect(await fake.page.locator('main').innerText()).not.toMatch(missingKey);
    });
  });
});
