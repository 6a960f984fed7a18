/** What a screen reader has of the places that are about money, line by line, and what it is told by itself. */
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import {
  at,
  consoleState,
  currentOperationView,
  discrepancyView,
  inDoubtView,
  logLine,
  nowMs,
  paymentDetail,
  paymentView,
  terminalState,
} from '../support/console-data.ts';
import { needs } from '../support/needs.ts';
import { ok, pagesForTests, poll } from './on-page.ts';

const payment = paymentView(7, { cardScheme: 'girocard', maskedCardNumber: '672500******4771' });
const { transactionId } = payment;
const operating = consoleState({
  currentOperation: currentOperationView(),
  terminal: terminalState({ connection: 'operating', progressStep: 'insert_card' }),
});
const approved = consoleState({
  lastPayment: payment,
  lastEnded: {
    operationId: transactionId,
    outcome: 'approved',
    at: new Date(nowMs + 3_600_000).toISOString(),
  },
});
const said = '.till > [role=status]';

/** Without the addresses of links, and without the times. */
async function readOut(page: Page, place: string): Promise<string[]> {
  const text = await page.locator(place).ariaSnapshot();
  return text
    .split('\n')
    .map((line) => line.trim().replace(/^- /, ''))
    .filter((line) => !line.startsWith('/url:') && !line.startsWith('time:'));
}

describe.skipIf(!needs('chromium'))('read out', () => {
  const onPage = pagesForTests();

  test.each([
    [
      'en',
      'Approved: €19.00. The money was taken.',
      ['Approved', '€19.00', 'The money was taken.', 'Print receipt', 'Details'],
    ],
    [
      'de',
      'Genehmigt: 19,00\u00a0€. Das Geld wurde eingezogen.',
      ['Genehmigt', '19,00 €', 'Das Geld wurde eingezogen.', 'Beleg drucken', 'Details'],
    ],
  ] as const)('a result, in %s', async (language, once, [status, amount, meaning, print, details]) => {
    await onPage({ language, state: operating }, async ({ page, setState }) => {
      // The result stays as long as the clock stands.
      await page.clock.pauseAt(nowMs + 600_000);
      await setState(approved);
      await page.locator('.till-result').waitFor();
      expect((await readOut(page, '.till-now')).slice(1)).toEqual([
        `paragraph: ${status}`,
        `paragraph: ${amount}`,
        'paragraph: girocard •••• 4771 A-1007',
        `paragraph: ${meaning}`,
        `link "${print}":`,
        `link "${details}":`,
        'alert',
      ]);
      expect(await page.locator(said).textContent()).toBe(once);
      await page.clock.resume();
    });
  });

  test('a result says why, and what was asked for; and has no line without words', async () => {
    await onPage({ state: operating }, async ({ page, setState }) => {
      await page.clock.pauseAt(nowMs + 600_000);
      const ended = (number: number, outcome: 'declined' | 'approved' | 'failed', changes: object) => {
        const lastPayment = paymentView(number, { status: outcome, ...changes });
        const at = new Date(nowMs + number * 3_600_000).toISOString();
        return consoleState({
          lastPayment,
          lastEnded: { operationId: lastPayment.transactionId, outcome, at },
        });
      };
      await setState(ended(1, 'declined', { reason: 'The card has expired' }));
      await poll(() => page.locator(said).textContent()).toMatch(
        /No money was taken\. The card has expired\.$/,
      );
      await setState(ended(2, 'approved', { approvedMinor: 1_000 }));
      await poll(() => page.locator(said).textContent()).toBe(
        'Approved: €10.00. Requested: €14.00. The money was taken.',
      );
      await setState(ended(3, 'failed', { reason: '' }));
      await page.locator('[data-outcome=failed]').waitFor();
      expect(await readOut(page, '.till-now')).not.toContain('paragraph');
      await page.clock.resume();
    });
  });

  test('what is being checked ends with one mark, and a choice says once what it means', async () => {
    const state = consoleState({ doubts: [inDoubtView({ needsDecision: false })] });
    await onPage({ state }, async ({ page, setState }) => {
      await poll(() => page.locator(said).textContent()).toMatch(
        /^Checking with the terminal… Payment A-1007/,
      );
      await setState(consoleState({ doubts: [inDoubtView({ terminalSeenIdle: false })] }));
      await page.locator('.till-now').getByRole('button', { name: 'Resolve' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('radio', { name: 'The customer was charged', exact: true }).waitFor();
      const reachable = dialog.getByRole('checkbox', { name: 'The terminal cannot be reached', exact: true });
      expect(await reachable.getAttribute('aria-describedby')).not.toBeNull();
    });
  });

  test.each([
    ['en', 'In doubt: do not charge again', 'Resolve', 'Why is it not working?'],
    ['de', 'Ungeklärt: nicht noch einmal kassieren', 'Klären', 'Warum funktioniert es nicht?'],
  ] as const)('a doubt, in %s', async (language, title, resolve, why) => {
    await onPage({ language, state: operating }, async ({ page, setState }) => {
      await setState(consoleState({ doubts: [inDoubtView()] }));
      await page.locator('[data-situation="in_doubt"]').waitFor();
      const lines = (await readOut(page, '.till-now')).slice(1);
      expect(lines[0]).toContain(title);
      expect(lines[1]).toContain('A-1007');
      expect(lines.slice(2)).toEqual([`button "${resolve}"`, `link "${why}":`, 'alert']);
      await poll(() => page.locator(said).textContent()).toContain(`${title}. `);
      expect(await page.locator(said).textContent()).toContain('A-1007');
    });
  });

  test('a payment on the terminal says its step once, and nothing of the time that passes', async () => {
    await onPage({ state: operating }, async ({ page }) => {
      const told = await page.locator(said).textContent();
      expect(told).toBe('Insert or tap card.');
      await page.evaluate(`new MutationObserver(() => { window.toldAgain = true; })
        .observe(document.querySelector('${said}'), { childList: true, characterData: true, subtree: true })`);
      const passed = page.getByRole('timer');
      const before = await passed.textContent();
      await page.clock.runFor(5_000);
      await poll(() => passed.textContent()).not.toBe(before);
      expect(await page.evaluate('window.toldAgain === true')).toBe(false);
      expect(
        await page.locator('[role=timer]').evaluate((timer) => timer.closest('[aria-live], [role=status]')),
      ).toBeNull();
    });
  });

  test('the small window has one place that stays for each step and each result', async () => {
    const small = { route: 'mini', width: 340, height: 210 };
    await onPage({ ...small, state: operating }, async ({ page, setState }) => {
      await page.clock.pauseAt(nowMs + 600_000);
      const place = page.locator('.mini-body > [role=status]');
      await poll(() => place.textContent()).toBe('Insert or tap card.');
      await page.evaluate(`window.place = document.querySelector('.mini-body > [role=status]')`);
      await setState(approved);
      await page.locator('[data-situation="result"]').waitFor();
      await poll(() => page.evaluate('window.place.textContent')).toBe('Approved: €19.00.');
      await setState(consoleState({ doubts: [inDoubtView()] }));
      await poll(() => page.evaluate('window.place.textContent')).toBe('In doubt: do not charge again.');
      expect(await page.evaluate('window.place.isConnected')).toBe(true);
      await page.clock.resume();
    });
  });

  test('a bridge that cannot start is one alert, and not another with each new time of the next try', async () => {
    const failed = (nextTryAt: string) =>
      consoleState({ bridge: { kind: 'failed', text: 'The disk is full.', nextTryAt }, terminal: null });
    await onPage({ state: failed(at(1)), route: 'log' }, async ({ page, setState }) => {
      const banner = page.locator('.banner-bad');
      const before = await banner.innerText();
      await page.evaluate(`new MutationObserver(() => { window.toldAgain = true; })
        .observe(document.querySelector('.banner [role=alert]'), { childList: true, characterData: true, subtree: true })`);
      await setState(failed(at(9)));
      await poll(() => banner.innerText()).not.toBe(before);
      expect(await banner.getByRole('alert').innerText()).toContain('The disk is full.');
      expect(await page.locator('[role=alert]:has(.banner-bad), .banner-bad[role=alert]').count()).toBe(0);
      expect(await page.evaluate('window.toldAgain === true')).toBe(false);
    });
  });

  test('a line of the log says which of how many it is', async () => {
    const lines = Array.from({ length: 300 }, (_, index) => logLine(index + 1));
    await onPage({ route: 'log', lines }, async ({ page, emit }) => {
      const list = page.getByRole('listbox', { name: 'Lines of the log' });
      await list.focus();
      const chosen = () =>
        page.locator('.log-row[aria-selected=true]').evaluate((row) => [row.ariaPosInSet, row.ariaSetSize]);
      await page.keyboard.press('End');
      await page.keyboard.press('ArrowUp');
      await poll(chosen).toEqual(['299', '300']);
      await emit({ kind: 'log', lines: [logLine(301)], last: 301 });
      await poll(chosen).toEqual(['299', '301']);
      await page.keyboard.press('Home');
      await poll(chosen).toEqual(['1', '301']);
    });
  });

  test('a payment that cannot be had is not for ever loading', async () => {
    const answers = {
      payment: () => ({ ok: false as const, refusal: { code: 'no_bridge' as const, message: 'Gone.' } }),
    };
    await onPage({ route: `payments/${transactionId}`, answers }, async ({ page }) => {
      await poll(() => page.locator('.payment-detail').getAttribute('aria-label')).toBe('Payment');
    });
  });

  test('on the till the header is silent, on other pages it tells', async () => {
    await onPage({}, async ({ page }) => {
      const live = page.locator('.header-part[data-connection] [aria-live]');
      expect(await live.getAttribute('aria-live')).toBe('off');
      await page.getByRole('link', { name: 'Batches' }).click();
      await poll(() => live.getAttribute('aria-live')).toBe('polite');
    });
  });

  test('a dialog has no header of a page, and what waits says to what each button leads', async () => {
    const state = consoleState({ doubts: [inDoubtView()], discrepancies: [discrepancyView(1)] });
    await onPage({ state }, async ({ page }) => {
      await page.locator('.banners').getByRole('button', { name: 'Resolve' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Resolve' }).waitFor();
      const lines = await readOut(page, 'dialog');
      expect(lines.filter((line) => /^(banner|contentinfo)/.test(line))).toEqual([]);
      const described = await dialog.getByRole('button', { name: 'Resolve' }).evaluate((button) =>
        (button.getAttribute('aria-describedby') ?? '')
          .split(' ')
          .map((id: string) => button.ownerDocument.getElementById(id)?.textContent)
          .join(' '),
      );
      expect(described).toMatch(/^Payment in doubt A-1007 · €19\.00/);
    });
  });

  test('a payment that was opened says what it is, from a place that was there; so does one that cannot be had', async () => {
    const discrepancies = [discrepancyView(1)];
    let detail: ReturnType<typeof paymentDetail> | null = paymentDetail(payment, { discrepancies });
    const answers = {
      payment: () =>
        detail === null
          ? { ok: false as const, refusal: { code: 'no_bridge' as const, message: 'No bridge runs.' } }
          : ok(detail),
    };
    await onPage({ route: 'payments', answers }, async ({ page }) => {
      await page.locator('.payment-grid time').first().waitFor();
      await page.evaluate(`window.place = document.querySelector('.payments > [role=status]')`);
      const told = () => page.evaluate<string>('window.place.textContent');
      await page.getByRole('grid').focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('Enter');
      await poll(told).toBe(
        'Payment A-1007. Approved: €19.00. The money was taken. The terminal contradicts the journal.',
      );
      await page.locator('.detail-amount').waitFor();
      expect(await page.locator('.payment-detail [role=status]').allTextContents()).toEqual([]);
      await page.keyboard.press('Escape');
      await poll(told).toBe('');
      detail = null;
      await page.keyboard.press('Enter');
      await poll(told).toBe('No bridge runs.');
    });
  });

  test('a step of the story says of what it has entries; decisions stand in words', async () => {
    const decision = {
      operationId: transactionId,
      kind: 'sale',
      at: payment.updatedAt,
      by: 'Kim',
      reason: 'Slip 0123 is there',
      outcome: 'approved',
      terminalUnreachable: true,
    } as const;
    const detail = paymentDetail({ ...payment, decisions: [decision] });
    const answers = { payment: () => ok(detail) };
    await onPage({ route: `payments/${transactionId}`, answers }, async ({ page }) => {
      const step = page.getByRole('button', { name: '1 entry' }).first();
      const id = (await step.getAttribute('aria-describedby')) ?? '';
      expect(await page.locator(`[id="${id}"]`).textContent()).toMatch(/€19\.00/);
      const lines = await readOut(page, '.payment-detail');
      expect(lines).toContain('strong: "Decided by Kim: Approved"');
      expect(lines).toContain('paragraph: "Reason: Slip 0123 is there"');
    });
  });
});
