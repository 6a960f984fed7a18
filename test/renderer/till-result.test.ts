/** The moment in which a result arrives: large on the card, with what can be done next, and gone when it is over. */
import { describe, expect, test } from 'vitest';
import type { ConsoleState, LastEnded, PaymentView } from '../../src/contract/console/index.ts';
import { seriousFindings } from '../support/axe.ts';
import {
  consoleState,
  currentOperationView,
  inDoubtView,
  nowMs,
  paymentView,
  terminalState,
} from '../support/console-data.ts';
import type { FakeConsole } from '../support/console-page.ts';
import { needs } from '../support/needs.ts';
import { pagesForTests, poll, type PageOptions } from './on-page.ts';

/** The page's time of the results here: that at which it is made to stand still. */
const standMs = nowMs + 600_000;
/** A little ahead of it, so that no result is old however long a test takes. */
const endedMs = standMs + 3_600_000;
const payment = paymentView(7, { cardScheme: 'girocard', maskedCardNumber: '672500******4771' });

describe.skipIf(!needs('chromium'))('a result that arrives', () => {
  const open = pagesForTests();
  /** Opens the till with a payment on the terminal; its clock stands still. */
  const onTill = (options: PageOptions, work: (fake: FakeConsole) => Promise<void>) =>
    open({ state: operating(), ...options }, async (fake) => {
      await fake.page.locator('[data-situation="operation"]').waitFor();
      await fake.page.clock.pauseAt(standMs);
      await work(fake);
      await fake.page.clock.resume();
    });
  const now = '.till-now';
  const situation = (kind: string) => `[data-situation="${kind}"]`;

  test('is large with amount, card, Print and Details, and gives way to "Ready"', async () => {
    await onTill({}, async ({ page, setState }) => {
      const said = page.locator('.till > [role=status]');
      expect(await said.textContent()).not.toBe('');
      await said.evaluate((place) => Reflect.set(globalThis, 'watched', place));
      await setState(ended('approved'));
      await page.locator(situation('result')).waitFor();
      const text = await page.locator(now).innerText();
      for (const part of ['Approved', '€19.00', 'girocard •••• 4771', 'A-1007', 'The money was taken.']) {
        expect(text).toContain(part);
      }
      const link = (name: string) => page.locator(now).getByRole('link', { name });
      expect(await link('Print receipt').getAttribute('href')).toBe(
        `#/payments/${payment.transactionId}/receipt`,
      );
      expect(await link('Details').getAttribute('href')).toBe(`#/payments/${payment.transactionId}`);
      // One place is watched, and it was there before: what is new with its words is not read out.
      expect(await said.evaluate((place) => place === Reflect.get(globalThis, 'watched'))).toBe(true);
      expect(await said.textContent()).toBe('Approved: €19.00. The money was taken.');
      expect(await page.locator('.till-now [role=status]').count()).toBe(0);
      await page.clock.runFor(6_000);
      await page.locator(situation('ready')).waitFor();
      expect(await page.locator('.till-last').innerText()).toContain('Approved');
    });
  });

  test('with another amount than was asked for says both', async () => {
    await onTill({}, async ({ page, setState }) => {
      await setState(ended('approved', { amountMinor: 1_200, approvedMinor: 1_320 }));
      await poll(() => page.locator('.till-now .till-amount').innerText()).toBe('€13.20');
      expect(await page.locator(now).innerText()).toContain('Requested: €12.00');
    });
  });

  test.each([
    [
      'declined',
      { status: 'declined', approvedMinor: null, reason: 'The card is blocked.' },
      'The card is blocked.',
    ],
    ['voided', { status: 'voided' }, 'The customer has the money back.'],
    ['not_voided', { status: 'approved' }, 'the customer does not have the money back'],
  ] as const)(
    'of the kind %s says what became of the money, and offers no receipt',
    async (outcome, changes, text) => {
      await onTill({}, async ({ page, setState }) => {
        await setState(ended(outcome, changes));
        await page.locator(now).getByText(text).waitFor();
        expect(await page.locator(now).getByRole('link', { name: 'Details' }).count()).toBe(1);
        expect(await page.locator(now).getByRole('link', { name: 'Print' }).count()).toBe(0);
      });
    },
  );

  test('of a batch close is told without any payment', async () => {
    await onTill({}, async ({ page, setState }) => {
      await setState(ended('closed'));
      await page.locator(now).getByText('The day is closed.').waitFor();
      expect(await page.locator(now).innerText()).not.toContain('€');
    });
  });

  test('stays while the keyboard is on its buttons', async () => {
    await onTill({}, async ({ page, setState }) => {
      await setState(ended('approved'));
      await page.locator(situation('result')).waitFor();
      await page.locator('.till-now a').first().focus();
      // The page takes what Playwright focuses for the keyboard's doing only after a key.
      await page.keyboard.press('Tab');
      await page.clock.runFor(60_000);
      expect(await page.locator(situation('result')).count()).toBe(1);
      await page.keyboard.press('Tab');
      await page.locator(situation('ready')).waitFor();
    });
  });

  test('that nobody knows is no result: it waits for a person, as long as it takes', async () => {
    await onTill({}, async ({ page, setState }) => {
      await setState(consoleState({ doubts: [inDoubtView()] }));
      await page.locator(situation('in_doubt')).waitFor();
      await page.clock.runFor(600_000);
      expect(await page.locator(now).innerText()).toContain('do not charge again');
    });
  });

  test('gives way to the next payment at once, and is plainly the previous one then', async () => {
    await onTill({}, async ({ page, setState }) => {
      await setState(ended('approved'));
      await page.locator(situation('result')).waitFor();
      await page.clock.runFor(6_000);
      await page.locator(situation('ready')).waitFor();
      const last = page.locator('.till-last');
      expect(await last.getByRole('heading').innerText()).toBe('Last result');
      const colour = () =>
        page.evaluate(`getComputedStyle(document.querySelector('.till-last .status')).color`);
      const strong = await colour();
      await setState({ ...operating(), lastEnded: ended('approved').lastEnded });
      await page.locator(situation('operation')).waitFor();
      expect(await last.getByRole('heading').innerText()).toBe('Previous payment');
      expect(await colour()).not.toBe(strong);
    });
  });

  test('is not said twice: beside it is the payment before', async () => {
    for (const [payments, beside] of [
      [[payment, paymentView(6)], 'A-1006'],
      [[payment], 'No earlier payments.'],
    ] as const) {
      await onTill({ payments: [...payments] }, async ({ page, setState }) => {
        await setState(ended('approved'));
        await page.locator(situation('result')).waitFor();
        const last = page.locator('.till-last');
        await poll(async () => {
          // What has been fetched is shown by a timer of the page.
          await page.clock.runFor(1);
          return last.innerText();
        }).toContain(beside);
        expect(await last.getByRole('heading').innerText()).toBe('Previous payment');
        expect(await last.innerText()).not.toContain('A-1007');
      });
    }
  });

  test('is shown on the page to which somebody comes back in time', async () => {
    await onTill({}, async ({ page, setState }) => {
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('heading', { name: 'Settings' }).first().waitFor();
      await setState(ended('approved'));
      await page.getByRole('link', { name: 'Till' }).click();
      await poll(() => page.locator(situation('result')).count()).toBe(1);
    });
  });

  test.each(['light', 'dark'] as const)(
    'fits at 900 × 600 and at twice the size, and axe finds nothing serious, %s',
    async (colorScheme) => {
      for (const scale of [1, 2]) {
        await onTill(
          { width: 900, height: 600, scale, colorScheme, language: 'de' },
          async ({ page, setState }) => {
            for (const [outcome, changes] of [
              ['approved', { amountMinor: 1_200, approvedMinor: 99_999_999_99 }],
              ['not_voided', { reference: 'X'.repeat(40) }],
            ] as const) {
              await setState(ended(outcome, changes));
              await page.locator(`[data-outcome="${outcome}"]`).waitFor();
              // The keyboard on its button holds it, while the clock goes on for axe.
              await page.locator('.till-now a').last().focus();
              await page.clock.resume();
              expect(await page.evaluate(tooWide)).toEqual([]);
              expect(await seriousFindings(page)).toEqual([]);
            }
          },
        );
      }
    },
  );
});

function operating(): ConsoleState {
  return consoleState({
    currentOperation: currentOperationView(),
    terminal: terminalState({ connection: 'operating', progressStep: 'insert_card' }),
    lastPayment: payment,
  });
}

function ended(outcome: LastEnded['outcome'], changes: Partial<PaymentView> = {}): ConsoleState {
  return consoleState({
    lastPayment: { ...payment, ...changes },
    lastEnded: { operationId: outcome, outcome, at: new Date(endedMs).toISOString() },
  });
}

/** Parts of the page whose content is wider than they are. */
const tooWide = `[document.documentElement, ...document.querySelectorAll('main, .till, .card')]
  .filter((part) => part.scrollWidth > part.clientWidth + 1)
  .map((part) => part.tagName + ' ' + part.className)`;
