/** The page Log: searches, filters, a line's details and the way to its payment, files. */
import { describe, expect, test } from 'vitest';
import { seriousFindings } from '../support/axe.ts';
import { paymentDetail, paymentView } from '../support/console-data.ts';
import { needs } from '../support/needs.ts';
import { list, row, seen } from './log-on-page.ts';
import { madeUpLog } from './made-up-log.ts';
import { ok, pagesForTests, poll } from './on-page.ts';

describe.skipIf(!needs('chromium'))('the page Log', () => {
  const onPage = pagesForTests();

  test('a search by keyboard goes on until it has found enough, and new lines that fit are added', async () => {
    const log = madeUpLog({
      last: 10_000,
      line: (id) => (id % 100 === 0 ? { message: `Void ${id}`, source: 'zvt', level: 'warn' } : {}),
      linesPerLook: 500,
    });
    await onPage({ route: 'log', answers: { log: log.answer } }, async ({ page, emit, saved }) => {
      await row(page, 10_000).locator('time').waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('void');
      await page.getByText('100 lines found').waitFor();
      expect((await seen(page)).slice(-2)).toEqual([9_900, 10_000]);
      await emit(log.grow(100));
      await page.getByText('101 lines found').waitFor();
      await poll(async () => (await seen(page)).at(-1)).toBe(10_100);
      // More came than changes told.
      log.grow(100);
      await emit(log.grow(50));
      await page.getByText('102 lines found').waitFor();

      const exporting = page.getByRole('button', { name: 'Export' });
      for (let step = 0; step < 20 && !(await exporting.evaluate((e) => e.matches(':focus'))); step++) {
        await page.keyboard.press('Shift+Tab');
      }
      await page.keyboard.press('Enter');
      await page.getByText('Saved: file').waitFor();
      expect(saved).toEqual([{ kind: 'log', filter: { minLevel: 'debug', sources: null, text: 'void' } }]);
    });
  });

  test('a long search says so and can be stopped', async () => {
    let invoked = 0;
    const waiting: (() => void)[] = [];
    const answer = async (before: number | null) => {
      invoked += 1;
      if (invoked > 3) await new Promise<void>((resolve) => waiting.push(resolve));
      return ok({ lines: [], next: (before ?? 1_000_000) - 500, first: 1, last: 1_000_000, sources: [] });
    };
    const log = madeUpLog({ last: 1_000_000 });
    const answers = {
      log: (request: Parameters<typeof log.answer>[0]) =>
        request.filter.text === null ? log.answer(request) : answer(request.before),
    };
    await onPage({ route: 'log', answers }, async ({ page }) => {
      await page.getByRole('searchbox').fill('nowhere');
      await page.locator('.log-foot').getByRole('button', { name: 'Stop' }).click();
      await page.getByText('The search was stopped.').waitFor();
      for (const go of waiting.splice(0)) go();
      await page.getByRole('button', { name: 'Continue searching' }).click();
      await poll(() => waiting.length).toBe(1);
      for (const go of waiting.splice(0)) go();
      await poll(() => waiting.length).toBe(1);
      await page.getByRole('searchbox').fill('');
      await row(page, 1_000_000).locator('time').waitFor();
      expect(invoked).toBeGreaterThan(3);
    });
  });

  test('level and sources are what the host is asked for', async () => {
    const log = madeUpLog({
      last: 1_000,
      line: (id) => ({ level: id % 10 === 0 ? 'error' : 'info', source: id % 20 === 0 ? 'zvt' : 'payments' }),
    });
    await onPage({ route: 'log', answers: { log: log.answer } }, async ({ page, invoked }) => {
      await row(page, 1_000).locator('time').waitFor();
      await page.getByLabel('Level').selectOption('Errors only');
      await page.getByText('100 lines found').waitFor();
      await page.getByRole('button', { name: 'All sources' }).click();
      await page.getByRole('checkbox', { name: 'payments' }).uncheck();
      await page.getByText('50 lines found').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: '1 source' }).waitFor();
      expect(invoked.at(-1)?.request).toMatchObject({
        filter: { minLevel: 'error', sources: ['zvt'], text: null },
      });
    });
  });

  test('an address leads to a line, its details to the payment', async () => {
    const payment = paymentView(7);
    const log = madeUpLog({
      last: 100_500,
      line: (id) =>
        id === 4_711
          ? {
              source: 'zvt',
              message: 'to terminal: authorisation',
              operationId: payment.transactionId,
              fields: { ctrl: '0601', hex: '06 01 0c 04', fields: [['amount', '19.00']] },
            }
          : {},
    });
    const answers = { log: log.answer, payment: () => ok(paymentDetail(payment)) };
    await onPage({ route: 'log?line=4711', answers }, async ({ page }) => {
      const details = page.getByRole('complementary', { name: 'Line details' });
      await details.getByText('06 01 0c 04').waitFor();
      expect(await row(page, 4_711).getAttribute('aria-selected')).toBe('true');
      expect(await seen(page)).toContain(4_711);
      expect(await details.innerText()).toContain('19.00');
      await details.getByRole('button', { name: 'Jump to payment' }).click();
      await poll(() => new URL(page.url()).hash).toBe(`#/payments/${payment.transactionId}`);
    });
  });

  test('a line’s details stay while a filter hides it', async () => {
    const log = madeUpLog({ last: 400, line: (id) => (id === 7 ? { message: 'Void 7' } : {}) });
    await onPage({ route: 'log?line=399', answers: { log: log.answer } }, async ({ page }) => {
      const details = page.getByRole('complementary', { name: 'Line details' });
      await details.locator('.log-details-message').waitFor();
      const said = await details.locator('.log-details-message').innerText();
      await page.getByRole('searchbox').fill('Void');
      await page.getByText('1 line found').waitFor();
      expect(await details.locator('.log-details-message').innerText()).toBe(said);
      expect(await details.innerText()).not.toContain('Loading…');
    });
  });

  test('a line that was never here is fetched for its details when a filter hides it', async () => {
    const log = madeUpLog({ last: 100_000, line: (id) => (id > 90_000 ? { message: `Void ${id}` } : {}) });
    let slow = false;
    const never = new Promise<never>(() => {});
    const answers = {
      log: (request: Parameters<typeof log.answer>[0]) =>
        slow && request.filter.text === null && request.limit > 1 ? never : log.answer(request),
    };
    await onPage({ route: 'log', answers }, async ({ page }) => {
      await row(page, 100_000).locator('time').waitFor();
      slow = true;
      await list(page).focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('Enter');
      const details = page.getByRole('complementary', { name: 'Line details' });
      await details.getByRole('heading', { name: 'Line 1', exact: true }).waitFor();
      await page.getByRole('searchbox').fill('Void');
      await page.getByText('lines found').waitFor();
      await details.getByText('line 1', { exact: true }).waitFor();
      expect(await details.innerText()).not.toContain('Loading…');
    });
  });

  test('a row has reference, direction, amount and duration; what was found is marked, also where no cell has it', async () => {
    const log = madeUpLog({
      last: 3,
      line: (id) =>
        [
          {
            source: 'zvt',
            message: 'to terminal: authorisation',
            reference: 'A-1001',
            fields: {
              direction: 'to_terminal',
              frame: 'authorisation',
              fields: [
                ['amount', '1200.50'],
                ['currency', 'EUR'],
              ],
            },
          },
          {
            source: 'listener',
            message: '/CreatePayment answered',
            reference: 'A-1001',
            fields: { reference: 'A-1001', request_id: '7f3c-cafe-0001', duration_ms: 1_250 },
          },
          { message: 'Lines <b>of</b> another kind', fields: { amount: 'much', duration_ms: 'long' } },
        ][id - 1] ?? {},
    });
    await onPage({ route: 'log', answers: { log: log.answer } }, async ({ page }) => {
      const cell = (id: number, name: string) => row(page, id).locator(`.log-${name}`);
      await cell(1, 'figure').waitFor();
      expect(await cell(1, 'figure').innerText()).toBe('€1,200.50');
      expect(await cell(1, 'reference').innerText()).toBe('A-1001');
      expect(await cell(1, 'message').innerText()).toBe('authorisation');
      expect(await cell(2, 'figure').innerText()).toBe('1.3 secs');
      expect(await cell(3, 'figure').count()).toBe(0);
      expect(await list(page).ariaSnapshot()).toContain('to the terminal authorisation A-1001 €1,200.50');
      const found = (id: number) => row(page, id).locator('mark').allInnerTexts();

      await page.getByRole('searchbox').fill('a-1001');
      await page.getByText('1 line found').waitFor();
      expect(await found(2)).toEqual(['A-1001']);
      expect(await cell(2, 'hidden-match').count()).toBe(0);
      await page.getByRole('searchbox').fill('CAFE');
      await cell(2, 'hidden-match').waitFor();
      expect(await cell(2, 'hidden-match').innerText()).toBe('request id: 7f3c-cafe-0001');
      expect(await found(2)).toEqual(['cafe']);
      await page.getByRole('searchbox').fill('<B>of');
      await row(page, 3).locator('mark').waitFor();
      expect(await found(3)).toEqual(['<b>of']);
    });
  });

  test('says what happened in German, and finds it in German and in English', async () => {
    const log = madeUpLog({
      last: 3,
      line: (id) =>
        id === 2
          ? { source: 'zvt', message: 'a damaged frame came', fields: { reason: 'Card expired' } }
          : {},
    });
    await onPage({ route: 'log', language: 'de', answers: { log: log.answer } }, async ({ page }) => {
      const text = row(page, 2).locator('.log-message');
      expect(await text.innerText()).toBe('Eine beschädigte Nachricht kam an');
      expect(await row(page, 1).locator('.log-source').innerText()).toBe('Zahlungen');
      for (const [search, marked] of [
        ['BESCHÄDIGTE', ['beschädigte']],
        ['damaged', ['damaged']],
        ['Karte abgelaufen', []],
      ] as const) {
        await page.getByRole('searchbox').fill(search);
        await page.getByText('1 Zeile gefunden').waitFor();
        expect(await row(page, 2).locator('mark').allInnerTexts()).toEqual(marked);
        await page.getByRole('searchbox').fill('');
        await row(page, 1).waitFor();
      }
      await text.click();
      const details = page.getByRole('complementary');
      expect(await details.locator('dt:text-is("Grund") + dd').innerText()).toBe('Karte abgelaufen');
    });
  });

  test('is as it was left when one comes back to it', async () => {
    const log = madeUpLog({
      last: 400,
      line: (id) => (id === 7 ? { message: 'Void 7', level: 'warn' } : {}),
    });
    await onPage({ route: 'log', answers: { log: log.answer } }, async ({ page }) => {
      await page.getByRole('searchbox').fill('Void');
      await page.getByLabel('Level').selectOption('Warnings and errors');
      await page.getByText('1 line found').waitFor();
      await page.getByRole('link', { name: 'Payments' }).click();
      await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
      await page.goBack();
      await page.getByText('1 line found').waitFor();
      expect(await page.getByRole('searchbox').inputValue()).toBe('Void');
      expect(await page.getByLabel('Level').inputValue()).toBe('warn');
      // A link to a line leads to the whole log.
      await page.evaluate(`window.location.hash = '#/log?line=399'`);
      await page.getByRole('complementary').getByRole('heading', { name: 'Line 399' }).waitFor();
      expect(await page.getByRole('searchbox').inputValue()).toBe('');
    });
  });

  test('a void that is no payment of its own is found by its reference; a line that is gone is said to be', async () => {
    const log = madeUpLog({
      first: 100,
      last: 400,
      line: () => ({ operationId: 'void-1', fields: { reference: 'A-1001' } }),
    });
    const refusal = { code: 'payment_not_found' as const, message: 'There is no such payment.' };
    const answers = { log: log.answer, payment: () => ({ ok: false as const, refusal }) };
    await onPage({ route: 'log?line=7', answers }, async ({ page }) => {
      await page.getByText('Line 7 is no longer in the log.').waitFor();
      await list(page).focus();
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await page.getByRole('complementary').getByRole('heading', { name: 'Line 400' }).waitFor();
      await page.keyboard.press('ArrowUp');
      await page.getByRole('complementary').getByRole('heading', { name: 'Line 399' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('complementary').waitFor({ state: 'detached' });
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Jump to payment' }).click();
      await page.waitForURL('**/*#/payments?text=A-1001');
      expect(new URL(page.url()).hash).toBe('#/payments?text=A-1001');
    });
  });

  test('the support bundle says what is in it before it is made', async () => {
    await onPage(
      { route: 'log', answers: { log: madeUpLog({ last: 3 }).answer } },
      async ({ page, saved }) => {
        await page.getByRole('button', { name: 'Support bundle' }).click();
        const dialog = page.getByRole('dialog', { name: 'Support bundle' });
        expect(await dialog.innerText()).toContain('It contains no card numbers');
        expect(saved).toEqual([]);
        await dialog.getByRole('button', { name: 'Create bundle' }).click();
        await dialog.getByText('Saved: file').waitFor();
        expect(saved).toEqual([{ kind: 'support_bundle' }]);
      },
    );
  });

  test('a dialog stays open when what was typed just before it is noted in the address', async () => {
    await onPage({ route: 'log', answers: { log: madeUpLog({ last: 3 }).answer } }, async ({ page }) => {
      await page.keyboard.press('/');
      await page.keyboard.type('A-1001');
      await page.getByRole('button', { name: 'Support bundle' }).click();
      await page.waitForURL(/text=A-1001/);
      // The event comes after the address.
      await page.evaluate('new Promise((seen) => setTimeout(seen))');
      expect(await page.getByRole('button', { name: 'Create bundle' }).count()).toBe(1);
    });
  });

  test('an empty log and one that cannot be had say so', async () => {
    await onPage({ route: 'log', lines: [], language: 'de' }, async ({ page }) => {
      await page.getByText('Das Protokoll ist noch leer').waitFor();
      expect(await page.getByRole('listbox').count()).toBe(0);
    });
    let refuses = true;
    const log = madeUpLog({ last: 20 });
    const refusal = { code: 'no_bridge' as const, message: 'The bridge is not running.' };
    const answers = {
      log: (request: Parameters<typeof log.answer>[0]) =>
        refuses ? { ok: false as const, refusal } : log.answer(request),
    };
    await onPage({ route: 'log', answers }, async ({ page }) => {
      await page.getByText('The bridge is not running.').waitFor();
      refuses = false;
      await page.getByRole('button', { name: 'Try again' }).click();
      await row(page, 20).locator('time').waitFor();
    });
  });

  test.each(['light', 'dark'] as const)('axe finds nothing serious (%s)', async (colorScheme) => {
    const levels = ['debug', 'info', 'warn', 'error'] as const;
    const log = madeUpLog({
      last: 500,
      line: (id) => ({ level: levels[id % 4] ?? 'info', fields: { reference: 'A-1001', hex: '06 00' } }),
    });
    await onPage({ route: 'log', colorScheme, answers: { log: log.answer } }, async ({ page }) => {
      await row(page, 498).click();
      await page.getByRole('complementary').waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'All sources' }).click();
      expect(await seriousFindings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Support bundle' }).click();
      expect(await seriousFindings(page)).toEqual([]);
    });
  });
});
