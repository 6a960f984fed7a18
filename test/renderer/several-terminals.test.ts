/** Several terminals on one bridge: what is open on one that the pages do not show must be seen all the same. */
import { describe, expect, test } from 'vitest';
import { seriousFindings } from '../support/axe.ts';
import {
  consoleState,
  discrepancyView,
  inDoubtView,
  otherTerminalState,
  terminalState,
} from '../support/console-data.ts';
import type { FakeConsoleOptions } from '../support/console-page.ts';
import { needs } from '../support/needs.ts';
import { missingKey, ok, pagesForTests, poll } from './on-page.ts';

const bar = otherTerminalState();

describe.skipIf(!needs('chromium'))('a terminal beside the main one', () => {
  const onPage = pagesForTests();

  test.each(['en', 'de'] as const)('is named with what is in doubt on it (%s)', async (language) => {
    const state = consoleState({
      otherTerminals: [bar],
      doubts: [inDoubtView({ onTerminal: 'bar' })],
      discrepancies: [{ ...discrepancyView(1), onTerminal: 'bar' }],
      discrepancyCount: 1,
    });
    const name = language === 'de' ? 'Terminal „bar“' : 'Terminal “bar”';
    await onPage({ route: 'till', state, language }, async ({ page, invoked }) => {
      const banner = page.getByRole('alert').filter({ hasText: name });
      await banner.waitFor();
      await banner.getByRole('button').click();
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await poll(async () => (await dialog.innerText()).split(name).length - 1).toBe(2);
      await dialog.getByRole('listitem').first().getByRole('button').click();
      await poll(async () => (await page.getByRole('dialog').innerText()).includes(name)).toBe(true);
      expect(await page.locator('body').innerText()).not.toMatch(missingKey);
      expect(await seriousFindings(page)).toEqual([]);
      // Only that one is asked: what another one says is no answer about this payment.
      await page.locator('[data-resolve="ways"]').getByRole('button').first().click();
      await poll(() => invoked.find((call) => call.name === 'checkTerminal')?.request).toEqual({
        terminal: 'bar',
      });
    });
  });

  test('is within reach page by page, however much is open, and a journal that cannot be read hides nothing', async () => {
    const numbers = { main: [1, 2, 3], bar: [1, 2, 3, 4], terrace: [9] };
    const on = (name: keyof typeof numbers, after: number) =>
      numbers[name]
        .filter((number) => number > after)
        .map((number) => ({
          ...discrepancyView(number, { message: `${name}: ${number}.` }),
          seq: number,
          ...(name === 'main' ? {} : { onTerminal: name }),
        }));
    const state = consoleState({
      otherTerminals: [bar, otherTerminalState({ name: 'gone' }), otherTerminalState({ name: 'terrace' })],
      discrepancies: [...on('bar', 0).slice(0, 2), ...on('main', 0).slice(0, 1)],
      discrepancyCount: 8,
    });
    const damaged = { code: 'journal_unavailable' as const, message: 'The journal is damaged.' };
    const answers: FakeConsoleOptions['answers'] = {
      discrepancies: ({ after, terminal = 'main' }) =>
        terminal === 'gone'
          ? { ok: false, refusal: damaged }
          : ok({ discrepancies: on(terminal as keyof typeof numbers, after).slice(0, 2) }),
    };
    await onPage({ state, answers }, async ({ page }) => {
      await page.locator('[data-banner="discrepancies"] button').click();
      const list = page.getByRole('dialog');
      const texts = () => list.locator('.open-item p > [lang="en"]').allInnerTexts();
      const first = ['bar: 1.', 'bar: 2.', 'main: 1.'];
      expect(await texts()).toEqual(first);
      const more = list.getByRole('button', { name: 'Show more' });
      await more.click();
      await poll(texts).toEqual([...first, 'main: 2.', 'main: 3.']);
      await more.click();
      await poll(texts).toEqual([...first, 'main: 2.', 'main: 3.', 'bar: 3.', 'bar: 4.']);
      await more.click();
      await poll(texts).toEqual([...first, 'main: 2.', 'main: 3.', 'bar: 3.', 'bar: 4.', 'terrace: 9.']);
      expect(await more.count()).toBe(0);
      await list.getByText('The journal is damaged.').waitFor();
    });
  });

  test.each([
    ['en', 'light'],
    ['de', 'dark'],
  ] as const)(
    'whose journal cannot be read is named where everything open is (%s, %s)',
    async (language, colorScheme) => {
      const text = 'The journal is damaged and was set aside, so payments are blocked. Call support.';
      const damaged = otherTerminalState({ journal: { writable: false, text, damaged: true } });
      const state = consoleState({ heldElsewhere: 'bar', otherTerminals: [damaged] });
      const name = language === 'de' ? 'Terminal „bar“' : 'Terminal “bar”';
      await onPage({ route: 'till?open=items', state, language, colorScheme }, async ({ page, setState }) => {
        const list = page.getByRole('dialog');
        await list.getByText(name).waitFor();
        expect(await list.innerText()).toContain(text);
        const nothing = list.getByText(
          language === 'de' ? 'Es ist nichts mehr offen.' : 'There is nothing left to do.',
        );
        expect(await nothing.count()).toBe(0);
        expect(await page.locator('body').innerText()).not.toMatch(missingKey);
        expect(await seriousFindings(page)).toEqual([]);
        // One thing that is open is not all that is to be seen.
        await setState({ ...state, doubts: [inDoubtView()] });
        await list.getByRole('listitem').waitFor();
        await list.getByText(name).waitFor();
        // It is read no more, whatever it was when it was opened.
        const unread = { ...damaged, journal: { ...damaged.journal, damaged: false } };
        await setState({ ...state, otherTerminals: [unread] });
        await list.getByText(name).waitFor();
        await setState(consoleState({ otherTerminals: [bar] }));
        await nothing.waitFor();
      });
    },
  );

  test('does not keep the main one from being ready', async () => {
    const state = consoleState({ otherTerminals: [bar], doubts: [inDoubtView({ onTerminal: 'bar' })] });
    await onPage({ route: 'till', state }, async ({ page }) => {
      await page.getByRole('alert').filter({ hasText: 'Terminal “bar”' }).waitFor();
      await poll(() => page.getByRole('main').innerText()).toContain('Ready');
      expect(await page.getByRole('main').innerText()).not.toContain('in doubt');
    });
  });

  test('is told of where it cannot be reached, unless it is in the configuration no more', async () => {
    const lost = otherTerminalState({
      terminal: terminalState({
        connection: 'lost',
        text: 'The terminal on tcp:10.0.0.5:20007 cannot be reached: refused',
      }),
    });
    const state = consoleState({ otherTerminals: [lost, { ...lost, name: 'terrace', retired: true }] });
    await onPage({ route: 'payments', state }, async ({ page }) => {
      const banner = page.getByRole('alert').filter({ hasText: 'Terminal “bar”' });
      await banner.waitFor();
      expect(await banner.innerText()).toContain('tcp:10.0.0.5:20007');
      expect(await page.getByRole('alert').filter({ hasText: 'terrace' }).count()).toBe(0);
    });
  });
});
