/** The page Log with lines under one row each: by payment, and heartbeats between them. */
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import type { LogLine } from '../../src/contract/console/index.ts';
import { seriousFindings } from '../support/axe.ts';
import { needs } from '../support/needs.ts';
import { list, row, seen } from './log-on-page.ts';
import { madeUpLog } from './made-up-log.ts';
import { pagesForTests, poll } from './on-page.ts';

const frame = (direction: 'to_terminal' | 'from_terminal', name: string, rest: Partial<LogLine> = {}) => ({
  source: 'zvt',
  level: 'debug' as const,
  message: `${direction}: ${name}`,
  ...rest,
  fields: { direction, frame: name, ...rest.fields },
});
const heartbeat = [
  frame('to_terminal', 'status-enquiry'),
  frame('from_terminal', 'positive-ack'),
  frame('from_terminal', 'completion'),
  frame('to_terminal', 'positive-ack'),
];
const paymentLines = (reference: string): Partial<LogLine>[] => [
  { source: 'payments', message: 'the sale has started', reference, operationId: reference },
  frame('to_terminal', 'authorisation', {
    reference,
    operationId: reference,
    fields: {
      fields: [
        ['amount', '12.00'],
        ['currency', 'EUR'],
      ],
    },
  }),
  // The terminal is silent for so long that it is asked meanwhile: no part of the payment.
  { source: 'simulator', message: 'scenario', level: 'warn' },
  { source: 'payments', message: 'the sale ended: done', level: 'error', reference, operationId: reference },
];
/** Numbers 1 to 21. */
const morning: Partial<LogLine>[] = [
  frame('to_terminal', 'registration'),
  frame('from_terminal', 'positive-ack'),
  ...heartbeat, // 3 to 6
  ...heartbeat, // 7 to 10
  ...paymentLines('A-1'), // 11, 12, 14
  ...heartbeat, // 15 to 18
  { source: 'listener', message: '/QueryPayment answered', reference: 'A-1' }, // 19
  { source: 'listener', message: '/CreatePayment refused', reference: 'A-2' }, // 20
  { source: 'listener', message: 'stopped listening' }, // 21
];
const log = () => madeUpLog({ last: morning.length, line: (id) => morning[id - 1] ?? {} });
const folds = (page: Page) => page.locator('.log-fold');
const texts = async (page: Page) =>
  (await folds(page).allInnerTexts()).map((text) =>
    text
      .split(/\s*\n\s*/)
      .slice(1)
      .join(' | '),
  );

describe.skipIf(!needs('chromium'))('the page Log, folded', () => {
  const onPage = pagesForTests();

  test('heartbeats one after the other are one row, which opens and closes', async () => {
    await onPage({ route: 'log', answers: { log: log().answer } }, async ({ page }) => {
      await row(page, 21).locator('time').waitFor();
      await page.getByLabel('Show', { exact: true }).selectOption('Heartbeats folded');
      await folds(page).first().waitFor();
      expect(new URL(page.url()).hash).toBe('#/log?view=heartbeats');
      expect(await seen(page)).toEqual([1, 2, -3, 11, 12, 13, 14, -15, 19, 20, 21]);
      expect(await texts(page)).toEqual([
        expect.stringMatching(/^Detail \| 2 heartbeats \| to \d\d:\d\d:\d\d\.\d{3}$/),
        expect.stringMatching(/^Detail \| 1 heartbeat \| to /),
      ]);
      await row(page, -15).click();
      expect(await seen(page)).toEqual([1, 2, -3, 11, 12, 13, 14, -15, 15, 16, 17, 18, 19, 20, 21]);
      expect(await page.getByRole('complementary').count()).toBe(0);
      await page.keyboard.press('ArrowLeft');
      await poll(() => seen(page)).not.toContain(15);
      await page.keyboard.press('Enter');
      await poll(() => seen(page)).toContain(15);
    });
  });

  test('the lines of a payment are together under its reference, also those that come late', async () => {
    const ours = log();
    morning.push({ source: 'payments', message: 'recovery: done', reference: 'A-1', operationId: 'A-1' });
    await onPage({ route: 'log?view=payments', answers: { log: ours.answer } }, async ({ page, emit }) => {
      await folds(page).first().waitFor();
      // Where its newest line is; a single line needs no fold.
      expect(await seen(page)).toEqual([1, 2, -3, 13, -15, -11, 20, 21]);
      const payment = row(page, -11);
      expect(await payment.innerText()).toMatch(/Error\s+A-1\s+4 lines in \d+ ms\s+€12.00/);
      await emit(ours.grow(1));
      await poll(() => seen(page)).toEqual([1, 2, -3, 13, -15, 20, 21, -11]);
      expect(await payment.innerText()).toContain('5 lines');
      await list(page).focus();
      await page.keyboard.press('End');
      await page.keyboard.press('ArrowRight');
      await poll(() => seen(page)).toEqual([1, 2, -3, 13, -15, 20, 21, -11, 11, 12, 14, 19, 22]);
      expect(await list(page).ariaSnapshot()).toContain('open A-1 5 lines');
      expect(await seriousFindings(page)).toEqual([]);
    });
    morning.pop();
  });

  test('a link to a line that is folded opens what hides it', async () => {
    await onPage({ route: 'log?view=payments&line=12', answers: { log: log().answer } }, async ({ page }) => {
      await page.getByRole('complementary').getByRole('heading', { name: 'Line 12' }).waitFor();
      expect(await row(page, 12).getAttribute('aria-selected')).toBe('true');
      expect(await row(page, -11).getAttribute('data-open')).toBe('true');
    });
  });

  test('a night of heartbeats is one row, and is not fetched to its end unasked', async () => {
    const night = madeUpLog({ last: 100_000, line: (id) => heartbeat[(id - 1) % 4] ?? {} });
    await onPage(
      { route: 'log?view=heartbeats', answers: { log: night.answer }, language: 'de' },
      async ({ page, invoked }) => {
        await page.getByText('Die Suche wurde angehalten.').waitFor();
        expect(await folds(page).count()).toBe(1);
        const asked = invoked.filter(({ name }) => name === 'log').length;
        expect(asked).toBeLessThan(40);
        await page.getByRole('button', { name: 'Weitersuchen' }).click();
        await poll(() => invoked.filter(({ name }) => name === 'log').length).toBeGreaterThan(asked);
      },
    );
  });
});
