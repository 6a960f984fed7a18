/** Deciding what is in doubt: with evidence, name and reason, in two steps. */
import { describe, expect, test } from 'vitest';
import { terminalCheckSchema, type TerminalCheck } from '../../src/contract/in-doubt.ts';
import { operationKindSchema, type Resolution } from '../../src/contract/operation.ts';
import { seriousFindings } from '../support/axe.ts';
import { consoleState, discrepancyView, inDoubtView } from '../support/console-data.ts';
import { needs } from '../support/needs.ts';
import { eventsOf } from './every-entry.ts';
import { missingKey, ok, pagesForTests, poll } from './on-page.ts';

const resolutions: Record<(typeof operationKindSchema.options)[number], Resolution[]> = {
  sale: ['charged', 'not-charged'],
  void: ['voided', 'not-voided'],
  batch_close: ['closed', 'not-closed'],
};

describe.skipIf(!needs('chromium'))('the dialog to resolve', () => {
  const onPage = pagesForTests();
  const state = consoleState({ doubts: [inDoubtView()] });

  test('decides by keyboard alone, in two steps, with name and reason', async () => {
    await onPage({ route: 'batches', state }, async ({ page, invoked, setState }) => {
      const { keyboard } = page;
      await page.getByRole('button', { name: 'Resolve' }).focus();
      await keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Payment in doubt' });
      const text = await dialog.innerText();
      for (const part of [
        'A-1007',
        '€19.00',
        'The line was lost',
        'none, according to the terminal',
        'Look at the terminal first',
      ])
        expect(text).toContain(part);

      // Nothing is decided without a choice, a name and a reason; the first that is missing gets the focus.
      await dialog.getByRole('button', { name: 'Continue' }).focus();
      await keyboard.press('Enter');
      await dialog.getByText('Choose what happened.').waitFor();
      await dialog.getByText('Enter your name.').waitFor();
      await dialog.getByText('Enter a reason.').waitFor();
      await keyboard.press('Space');
      expect(await dialog.getByRole('radio', { name: 'The customer was charged' }).isChecked()).toBe(true);
      await keyboard.press('ArrowDown');
      await keyboard.press('Tab');
      await keyboard.type('Kim');
      await keyboard.press('Tab');
      await keyboard.type('no slip in the drawer');
      await keyboard.press('Tab');
      await keyboard.press('Enter');
      await dialog.getByText('Are you sure?').waitFor();
      expect(await dialog.innerText()).toContain('The payment counts as failed');
      expect(invoked.some(({ name }) => name === 'resolve')).toBe(false);
      await keyboard.press('Tab');
      await keyboard.press('Tab');
      await keyboard.press('Enter');
      await poll(() => dialog.count()).toBe(0);
      expect(invoked.find(({ name }) => name === 'resolve')?.request).toEqual({
        operationId: inDoubtView().operationId,
        resolution: 'not-charged',
        by: 'Kim',
        reason: 'no slip in the drawer',
        terminalUnreachable: false,
      });

      // The name is remembered for the next one.
      await setState(consoleState({ doubts: [inDoubtView({ operationId: 'another' })] }));
      await page.getByRole('button', { name: 'Resolve' }).click();
      expect(await page.getByLabel('Your name').inputValue()).toBe('Kim');
    });
  });

  test('shows a refusal and keeps what was written', async () => {
    const resolve = () => ({
      ok: false as const,
      refusal: { code: 'terminal_busy' as const, message: 'The operation is still running.' },
    });
    await onPage({ state, answers: { resolve } }, async ({ page }) => {
      await page.getByRole('banner').waitFor();
      await page.locator('.banner-warn button').click();
      await page.getByRole('radio').first().check();
      await page.getByLabel('Your name').fill('Kim');
      await page.getByLabel('How do you know?').fill('slip 0123');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('button', { name: 'Confirm decision' }).click();
      await page.getByText('The operation is still running.').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
      expect(await page.getByLabel('How do you know?').inputValue()).toBe('slip 0123');
    });
  });

  test('names another terminal that is connected, and shows the same finding once with its count', async () => {
    const otherTerminal = { expected: '52500041', connected: '68000002' };
    const [found] = inDoubtView().facts;
    const doubt = inDoubtView({
      repeats: [{ seq: found?.seq ?? 0, count: 57, lastAt: '2026-05-12T09:30:00.000Z' }],
      terminalSeenIdle: false,
      otherTerminal,
    });
    await onPage(
      { route: 'batches', state: consoleState({ doubts: [doubt] }) },
      async ({ page, setState }) => {
        await page.locator('.banner-warn button').click();
        const dialog = page.getByRole('dialog');
        const note = dialog.locator('[data-resolve="other-terminal"]');
        expect(await note.innerText()).toContain(
          'Another terminal is connected: 68000002 instead of 52500041',
        );
        expect(await dialog.locator('[data-resolve="again"]').allInnerTexts()).toEqual([
          expect.stringMatching(/^Found 57 more times, last on .*:30:00/),
        ]);
        // That one's being idle is no reason to decide without a word.
        await dialog.getByRole('checkbox', { name: 'The terminal cannot be reached' }).waitFor();
        await setState(consoleState({ doubts: [{ ...doubt, otherTerminal: undefined }] }));
        await poll(() => note.count()).toBe(0);
      },
    );
  });

  test('says that the terminal is still asked, then follows what comes of it', async () => {
    const asking = consoleState({ doubts: [inDoubtView({ needsDecision: false })] });
    await onPage({ route: 'batches', state: asking }, async ({ page, setState }) => {
      await page.locator('.banner-warn button').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Tillbridge is still checking with the terminal').waitFor();
      expect(await dialog.getByRole('radio').count()).toBe(0);
      await setState(state);
      await dialog.getByRole('radio').first().waitFor();
      await setState(consoleState());
      await dialog.getByText('This has already been decided.').waitFor();
      // Of another operation nothing is said here.
      expect(await dialog.locator('[data-outcome]').count()).toBe(0);
      const { operationId } = inDoubtView();
      await setState(
        consoleState({ lastEnded: { operationId, outcome: 'failed', at: '2026-05-12T08:00:00.000Z' } }),
      );
      await dialog.getByText('No money was taken.').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await poll(() => dialog.count()).toBe(0);
    });
  });

  test('is no dead end while the terminal is away: check again, get help, or decide without it', async () => {
    const away = consoleState({ doubts: [inDoubtView({ needsDecision: false, terminalSeenIdle: false })] });
    let answer: (result: TerminalCheck) => void = () => {};
    const checkTerminal = () =>
      new Promise<ReturnType<typeof ok<TerminalCheck>>>((resolve) => {
        answer = (result) => resolve(ok(result));
      });
    await onPage({ route: 'batches', state: away, answers: { checkTerminal } }, async ({ page, invoked }) => {
      await page.locator('.banner-warn button').click();
      const dialog = page.getByRole('dialog', { name: 'Payment in doubt' });
      const check = dialog.getByRole('button', { name: 'Check the terminal again' });
      await check.click();
      await dialog.getByText('This can take 15 seconds').waitFor();
      await poll(() => check.getAttribute('aria-busy')).toBe('true');
      answer({
        kind: 'not_connected',
        text: 'The terminal on tcp:10.0.0.9:20007 cannot be reached: no route',
      });
      await dialog.getByText('cannot be reached: no route').waitFor();
      expect(invoked.find(({ name }) => name === 'checkTerminal')?.request).toEqual({ terminal: 'main' });
      await dialog.getByText('decide without it').waitFor();

      await dialog.getByRole('button', { name: 'Support bundle' }).click();
      const bundle = page.getByRole('dialog', { name: 'Support bundle' });
      await bundle.getByRole('button', { name: 'Cancel' }).click();
      await poll(() => bundle.count()).toBe(0);

      await dialog.getByRole('button', { name: 'Decide without the terminal…' }).click();
      const charged = dialog.getByRole('radio', { name: 'The customer was charged' });
      await poll(() => charged.evaluate((radio) => radio.matches(':focus'))).toBe(true);
      await dialog.getByRole('radio', { name: 'The customer was not charged' }).check();
      await dialog.getByLabel('Your name').fill('Kim');
      await dialog.getByLabel('How do you know?').fill('the acquirer has no such payment');
      await dialog.getByRole('button', { name: 'Continue' }).click();
      await dialog.getByText('or state that it cannot be reached').waitFor();
      await dialog.getByRole('checkbox', { name: 'The terminal cannot be reached' }).check();
      await dialog.getByRole('button', { name: 'Continue' }).click();
      await dialog.getByRole('button', { name: 'Confirm decision' }).click();
      await poll(() => dialog.count()).toBe(0);
      expect(invoked.find(({ name }) => name === 'resolve')?.request).toMatchObject({
        resolution: 'not-charged',
        terminalUnreachable: true,
      });
    });
  });

  test.each(terminalCheckSchema.shape.kind.options)('says what came of a check: %s', async (kind) => {
    const checkTerminal = () => ok({ kind, text: 'The terminal is busy: a card is read' });
    await onPage({ route: 'batches', state, answers: { checkTerminal } }, async ({ page }) => {
      await page.locator('.banner-warn button').click();
      const ways = page.locator('[data-resolve="ways"]');
      await ways.getByRole('button', { name: 'Check the terminal again' }).click();
      await ways.getByRole('status').locator('.note').waitFor();
      const text = await ways.innerText();
      expect(text).not.toMatch(missingKey);
      expect(text.includes('a card is read')).toBe(kind !== 'answered');
    });
  });

  test('lists several doubts and discrepancies together', async () => {
    const doubts = [inDoubtView(), inDoubtView({ operationId: 'second', reference: 'A-1008' })];
    const discrepancies = [discrepancyView(1)];
    const several = consoleState({ doubts, discrepancies, discrepancyCount: 1 });
    await onPage({ route: 'batches', state: several }, async ({ page, setState }) => {
      await page.getByRole('button', { name: 'Resolve' }).click();
      const list = page.getByRole('dialog').locator('.open-item');
      expect(await list.count()).toBe(3);
      await list.nth(1).getByRole('button').click();
      await page.getByRole('dialog').getByText('A-1008').first().waitFor();
      // Somebody else was faster: the payment tells how it ended.
      await setState(consoleState({ doubts: doubts.slice(0, 1) }));
      await page.getByText('This has already been decided.').waitFor();
      const link = page.getByRole('link', { name: 'Show payment' });
      expect(await link.getAttribute('href')).toBe(`#/payments/${inDoubtView().operationId}`);
    });
  });

  test.each([
    ['en', 'light'],
    ['de', 'dark'],
  ] as const)('has words for each kind, and is fit for everybody (%s, %s)', async (language, colorScheme) => {
    await onPage({ route: 'batches', state, language, colorScheme }, async ({ page, setState }) => {
      for (const [index, kind] of operationKindSchema.options.entries()) {
        const event = eventsOf.operation_started[index];
        if (event === undefined) throw new Error('Each kind has a fact that begins it.');
        const [first, ...rest] = inDoubtView().facts;
        if (first === undefined) throw new Error('A doubt has facts.');
        const facts = [{ ...first, event }, ...rest];
        await setState(
          consoleState({ doubts: [inDoubtView({ kind, facts, resolutions: resolutions[kind] })] }),
        );
        await page.locator('.banner-warn button').click();
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('radio').first().check();
        expect(await dialog.innerText()).not.toMatch(missingKey);
        expect(await dialog.innerText()).not.toMatch(/\{\{|undefined|NaN/);
        if (kind === 'sale') expect(await seriousFindings(page)).toEqual([]);
        await page.keyboard.press('Escape');
        await poll(() => dialog.count()).toBe(0);
      }
    });
  });
});
