/** What terminal and journal disagree about: banner, list, dialog, payment; and a doubt that a terminal cannot end. */
import { describe, expect, test } from 'vitest';
import { discrepancyKindSchema } from '../../src/contract/discrepancy.ts';
import { seriousFindings } from '../support/axe.ts';
import {
  at,
  consoleState,
  discrepancyView,
  inDoubtView,
  paymentDetail,
  paymentView,
} from '../support/console-data.ts';
import { needs } from '../support/needs.ts';
import { missingKey, ok, pagesForTests, poll } from './on-page.ts';

const refused = {
  ok: false as const,
  refusal: { code: 'terminal_busy' as const, message: 'It is at work.' },
};

describe.skipIf(!needs('chromium'))('discrepancies', () => {
  const onPage = pagesForTests();
  const discrepancy = discrepancyView(1);

  test('are acknowledged by keyboard alone, with name and reason', async () => {
    const state = consoleState({ discrepancies: [discrepancy] });
    await onPage({ route: 'batches', state, answers: { acknowledge: () => ok({}) } }, async (fake) => {
      const { page, invoked, setState } = fake;
      const { keyboard } = page;
      await page.getByRole('button', { name: 'Look at it' }).focus();
      await keyboard.press('Enter');
      // One alone is no list.
      const dialog = page.getByRole('dialog', { name: 'The terminal contradicts the journal' });
      const text = await dialog.innerText();
      for (const part of [
        'A-1007',
        '€19.00',
        'but the terminal shows that it was charged',
        'receipt 0007',
        'no payment of exactly €19.00 can start',
        'Compare the terminal’s own journal',
      ])
        expect(text.toLowerCase()).toContain(part.toLowerCase());

      // Nothing is acknowledged without a name and a reason; the first that is missing gets the focus.
      await dialog.getByRole('button', { name: 'Acknowledge' }).focus();
      await keyboard.press('Enter');
      await dialog.getByText('Enter your name.').waitFor();
      await dialog.getByText('Enter a reason.').waitFor();
      await keyboard.type('Kim');
      await keyboard.press('Tab');
      await keyboard.type('refunded by hand, slip 0123');
      expect(invoked.filter(({ name }) => name === 'acknowledge')).toEqual([]);
      await keyboard.press('Tab');
      await keyboard.press('Enter');
      await poll(() => dialog.count()).toBe(0);
      expect(invoked.filter(({ name }) => name === 'acknowledge').map(({ request }) => request)).toEqual([
        { discrepancyId: discrepancy.discrepancyId, by: 'Kim', reason: 'refunded by hand, slip 0123' },
      ]);
      await setState(consoleState());
      await poll(() => page.locator('[data-banner="discrepancies"]').count()).toBe(0);
    });
  });

  test.each([
    ['en', 1, '1 discrepancy of the real terminal is open.'],
    ['en', 2, '2 discrepancies of the real terminal are open.'],
    ['de', 1, '1 Unstimmigkeit am echten Terminal ist offen.'],
    ['de', 2, '2 Unstimmigkeiten am echten Terminal sind offen.'],
  ] as const)(
    'of the real terminal are told while the simulator runs (%s, %i)',
    async (language, count, words) => {
      const state = consoleState({ discrepanciesElsewhere: count });
      await onPage({ language, state }, async ({ page }) => {
        await page.getByRole('alert').getByText(words).waitFor();
        expect(await seriousFindings(page)).toEqual([]);
      });
    },
  );

  test.each([
    ['en', 'The journal in /shop/till, which belongs to the real terminal, cannot be read'],
    ['de', 'Das Journal in /shop/till, das zum echten Terminal gehört, ist nicht lesbar.'],
  ] as const)(
    'of a journal that cannot be read nobody knows, and that is told (%s)',
    async (language, words) => {
      const state = consoleState({ unreadableElsewhere: ['/shop/till'] });
      await onPage({ language, state }, async ({ page, setState }) => {
        const banner = page.getByRole('alert').filter({ hasText: words });
        expect(await banner.locator('code').textContent()).toBe(
          'tillbridge journal verify --data-dir "/shop/till"',
        );
        await setState(consoleState({ unreadableElsewhere: [`/${'till'.repeat(100)}`] }));
        await page.getByText('tilltilltill').waitFor();
        const box = page.locator('.banner-warn');
        expect(await box.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
        expect(await seriousFindings(page)).toEqual([]);
      });
    },
  );

  test('stay open when acknowledging is refused, and say why', async () => {
    const state = consoleState({ discrepancies: [discrepancy] });
    const answers = {
      acknowledge: () => ({
        ok: false as const,
        refusal: { code: 'journal_unavailable' as const, message: 'The disk is full.' },
      }),
    };
    await onPage({ state, answers }, async ({ page }) => {
      await page.getByRole('button', { name: 'Look at it' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Your name').fill('Kim');
      await dialog.getByLabel('What was it?').fill('a test');
      await dialog.getByRole('button', { name: 'Acknowledge' }).click();
      await dialog.getByText('The disk is full.').waitFor();
      expect(await dialog.getByLabel('What was it?').inputValue()).toBe('a test');
    });
  });

  test('say that somebody else has acknowledged them', async () => {
    await onPage({ state: consoleState({ discrepancies: [discrepancy] }) }, async ({ page, setState }) => {
      await page.getByRole('button', { name: 'Look at it' }).click();
      await page.getByRole('dialog').getByLabel('Your name').waitFor();
      await setState(consoleState());
      await page.locator('[data-discrepancy="gone"]').waitFor();
      expect(await page.getByLabel('Your name').count()).toBe(0);
      await page.getByRole('button', { name: 'Close' }).last().click();
      await poll(() => page.getByRole('dialog').count()).toBe(0);
    });
  });

  test('stand in one list with doubts, each with its own dialog', async () => {
    const other = discrepancyView(2, {
      kind: 'journal_loss',
      references: [],
      record: null,
      amountMinor: null,
    });
    const state = consoleState({
      doubts: [inDoubtView()],
      discrepancies: [discrepancy, other],
      discrepancyCount: 9,
    });
    await onPage({ state }, async ({ page }) => {
      await page.locator('[data-banner="discrepancies"] button').click();
      const list = page.getByRole('dialog', { name: 'Waiting for you' });
      expect(await list.getByRole('listitem').count()).toBe(3);
      await list.getByText('7 more are open.').waitFor();
      await list.getByRole('button', { name: 'Resolve' }).click();
      await page.getByRole('dialog', { name: 'Payment in doubt' }).waitFor();
      await page.keyboard.press('Escape');
      await list.getByRole('button', { name: 'Look at it' }).nth(1).click();
      const loss = page.getByRole('dialog', { name: 'The journal has lost events' });
      await loss.getByText('Until this is acknowledged, no payment can start.').waitFor();
      await page.keyboard.press('Escape');
      await list.waitFor();
      await page.keyboard.press('Escape');
      await poll(() => page.getByRole('dialog').count()).toBe(0);
    });
  });

  test('are all within reach, page by page, also when one is acknowledged meanwhile', async () => {
    let open = [1, 2, 3, 4, 5].map((number) =>
      discrepancyView(number, { message: `What differs: ${number}.` }),
    );
    const page = (after: number) => open.filter(({ seq }) => seq > after).slice(0, 2);
    const state = () => consoleState({ discrepancies: page(0), discrepancyCount: open.length });
    const answers = { discrepancies: ({ after }: { after: number }) => ok({ discrepancies: page(after) }) };
    await onPage({ state: state(), answers }, async (fake) => {
      await fake.page.locator('[data-banner="discrepancies"] button').click();
      const list = fake.page.getByRole('dialog');
      const texts = () => list.locator('.open-item p > [lang="en"]').allInnerTexts();
      const told = (numbers: number[]) => numbers.map((number) => `What differs: ${number}.`);
      const more = list.getByRole('button', { name: 'Show more' });
      await list.getByText('3 more are open.').waitFor();
      await more.click();
      await list.getByText('1 more is open.').waitFor();
      expect(await texts()).toEqual(told([1, 2, 3, 4]));
      await more.click();
      await poll(texts).toEqual(told([1, 2, 3, 4, 5]));
      expect(await more.count()).toBe(0);
      open = open.filter(({ seq }) => seq !== 4);
      await fake.setState(state());
      await poll(texts).toEqual(told([1, 2, 3, 5]));
    });
  });

  test('of a payment stand beside it, and what changes is asked for again', async () => {
    const payment = paymentView(7, { status: 'failed', approvedMinor: null });
    let open = [discrepancy];
    const answers = { payment: () => ok(paymentDetail(payment, { discrepancies: open })) };
    const state = consoleState({ discrepancies: [discrepancy] });
    await onPage({ route: `payments/${payment.transactionId}`, state, answers }, async (fake) => {
      const { page, setState, invoked } = fake;
      const note = page.locator('.detail-discrepancy');
      await note.getByText('The terminal contradicts the journal').waitFor();
      await note.getByRole('button', { name: 'Look at it' }).click();
      await page.getByRole('dialog', { name: 'The terminal contradicts the journal' }).waitFor();
      await page.keyboard.press('Escape');
      const before = invoked.filter(({ name }) => name === 'payment').length;
      open = [];
      await setState(consoleState());
      await poll(() => note.count()).toBe(0);
      expect(invoked.filter(({ name }) => name === 'payment').length).toBeGreaterThan(before);
    });
  });

  test.each([
    ['en', 'light'],
    ['de', 'dark'],
  ] as const)(
    'have words for every kind, and nothing serious for axe (%s, %s)',
    async (language, colorScheme) => {
      const discrepancies = discrepancyKindSchema.options.map((kind, index) =>
        discrepancyView(index + 1, { kind }),
      );
      const state = consoleState({ discrepancies, doubts: [inDoubtView()] });
      await onPage({ state, language, colorScheme }, async ({ page }) => {
        await page.locator('[data-banner="discrepancies"] button').click();
        const list = page.getByRole('dialog');
        expect(await list.getByRole('listitem').count()).toBe(discrepancies.length + 1);
        expect(await list.innerText()).not.toMatch(missingKey);
        expect(await list.innerText()).not.toMatch(/discrepancy\.|openItems\.|\{\{|undefined|NaN/);
        expect(await seriousFindings(page)).toEqual([]);
        for (const [index] of discrepancies.entries()) {
          await list
            .locator('.open-item button')
            .nth(index + 1)
            .click();
          await page.locator('textarea').waitFor();
          const text = await page.getByRole('dialog').innerText();
          expect(text).not.toMatch(/discrepancy\.|\{\{|undefined|NaN/);
          if (index === 0) expect(await seriousFindings(page)).toEqual([]);
          await page.keyboard.press('Escape');
        }
      });
    },
  );
});

describe.skipIf(!needs('chromium'))('a doubt whose terminal has not been seen idle', () => {
  const onPage = pagesForTests();
  const facts = inDoubtView().facts.filter(({ event }) => event.type !== 'evidence_found');

  test('is decided only with the statement that the terminal cannot be reached', async () => {
    const doubt = inDoubtView({ needsDecision: false, terminalSeenIdle: false, facts });
    const state = consoleState({ doubts: [doubt] });
    await onPage({ state, answers: { resolve: () => ok({}) } }, async ({ page, invoked }) => {
      await page.locator('.banner').getByRole('button', { name: 'Resolve' }).click();
      const dialog = page.getByRole('dialog', { name: 'Payment in doubt' });
      await dialog.getByText('Tillbridge is still checking with the terminal').waitFor();
      // It may never be there again: that is no dead end.
      await dialog.getByRole('button', { name: 'Decide without the terminal' }).click();
      await dialog.getByText('has not been idle since then').waitFor();
      await dialog.getByRole('radio', { name: 'The customer was not charged' }).check();
      await dialog.getByLabel('Your name').fill('Kim');
      await dialog.getByLabel('How do you know?').fill('no slip, terminal burnt');
      await dialog.getByRole('button', { name: 'Continue' }).click();
      await dialog.getByText('or state that it cannot be reached').waitFor();
      const statement = dialog.getByRole('checkbox', { name: 'The terminal cannot be reached' });
      expect(await statement.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(
        true,
      );
      expect(await seriousFindings(page)).toEqual([]);
      await statement.check();
      await dialog.getByRole('button', { name: 'Continue' }).click();
      await dialog.getByText('It was stated that the terminal cannot be reached.').waitFor();
      await dialog.getByRole('button', { name: 'Confirm decision' }).click();
      await poll(() => dialog.count()).toBe(0);
      expect(invoked.filter(({ name }) => name === 'resolve').map(({ request }) => request)).toEqual([
        {
          operationId: doubt.operationId,
          resolution: 'not-charged',
          by: 'Kim',
          reason: 'no slip, terminal burnt',
          terminalUnreachable: true,
        },
      ]);
    });
  });

  test('that was seen idle asks for no statement; when the bridge refuses all the same, it is offered', async () => {
    const state = consoleState({ doubts: [inDoubtView({ startedAt: at(7) })] });
    await onPage({ state, answers: { resolve: () => refused } }, async ({ page, invoked }) => {
      await page.locator('.banner').getByRole('button', { name: 'Resolve' }).click();
      const dialog = page.getByRole('dialog', { name: 'Payment in doubt' });
      await dialog.getByRole('radio', { name: 'The customer was charged' }).check();
      expect(await dialog.getByRole('checkbox').count()).toBe(0);
      await dialog.getByLabel('Your name').fill('Kim');
      await dialog.getByLabel('How do you know?').fill('slip 0123');
      await dialog.getByRole('button', { name: 'Continue' }).click();
      await dialog.getByRole('button', { name: 'Confirm decision' }).click();
      await dialog.getByText('It is at work.').waitFor();
      await dialog.getByRole('button', { name: 'Back' }).click();
      await dialog.getByRole('checkbox', { name: 'The terminal cannot be reached' }).check();
      await dialog.getByRole('button', { name: 'Continue' }).click();
      await dialog.getByRole('button', { name: 'Confirm decision' }).click();
      await poll(() => invoked.filter(({ name }) => name === 'resolve').length).toBe(2);
      expect(invoked.findLast(({ name }) => name === 'resolve')?.request).toMatchObject({
        terminalUnreachable: true,
      });
    });
  });
});
