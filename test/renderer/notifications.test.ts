/** Notifications of the browser: off until somebody asks for them, told once by one window, and where a click leads. */
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { consoleState, inDoubtView } from '../support/console-data.ts';
import type { FakeConsole } from '../support/console-page.ts';
import { needs } from '../support/needs.ts';
import { pagesForTests, poll } from './on-page.ts';

/** A browser whose user is asked, says `answer`, and sees nothing: each notification is written down. */
const browserThat = (answer: 'granted' | 'denied') => `{
  localStorage.removeItem('tillbridge.notifications');
  sessionStorage.removeItem('tillbridge.told');
  window.shownInTest = [];
  window.askedInTest = 0;
  window.Notification = class extends EventTarget {
    static permission = 'default';
    static requestPermission() {
      window.askedInTest += 1;
      window.Notification.permission = '${answer}';
      return Promise.resolve('${answer}');
    }
    constructor(title, options) {
      super();
      Object.assign(this, { title, ...options, isOpen: true });
      window.shownInTest.push(this);
    }
    close() {
      this.isOpen = false;
    }
  };
  document.hasFocus = () => false;
}`;
const shown = (page: Page) =>
  page.evaluate<{ title: string; isOpen: boolean }[]>(
    'window.shownInTest.map(({ title, isOpen }) => ({ title, isOpen }))',
  );
const headless = consoleState({ host: 'headless' });
const doubtful = consoleState({ host: 'headless', doubts: [inDoubtView()] });
const title = 'In doubt: do not charge again';

describe.skipIf(!needs('chromium'))('notifications of the browser', () => {
  const onPage = pagesForTests();
  const inSettings = (answer: 'granted' | 'denied', work: (fake: FakeConsole) => Promise<void>) =>
    onPage({ state: headless, route: 'payments' }, async (fake) => {
      await fake.page.evaluate(browserThat(answer));
      await fake.page.getByRole('link', { name: 'Settings' }).first().click();
      await work(fake);
    });
  const tick = ({ page }: FakeConsole) => page.getByLabel('Show notifications in this browser');

  test('come only after somebody has turned them on, once, and lead to what they tell of', async () => {
    await inSettings('granted', async (fake) => {
      const { page, setState } = fake;
      await setState(doubtful);
      await page.clock.runFor(10_000);
      expect(await page.evaluate('window.askedInTest')).toBe(0);
      expect(await shown(page)).toEqual([]);
      await setState(headless);
      await tick(fake).click();
      await poll(() => tick(fake).isChecked()).toBe(true);
      await setState(doubtful);
      await poll(() => shown(page)).toEqual([{ title, isOpen: true }]);
      await setState({ ...doubtful, doubtsElsewhere: 1 });
      await page.clock.runFor(60_000);
      expect(await shown(page)).toHaveLength(1);
      await page.evaluate(`window.shownInTest[0].dispatchEvent(new Event('click'))`);
      await page.getByRole('dialog').waitFor();
      expect(await page.evaluate('location.hash')).toBe('#/till?open=items');
      expect(await shown(page)).toEqual([{ title, isOpen: false }]);
      await page.keyboard.press('Escape');
      await poll(() => page.evaluate('location.hash')).toBe('#/till');
    });
  });

  test('are told by one window alone', async () => {
    await inSettings('granted', async (fake) => {
      const { page, setState } = fake;
      // Another window has its turn.
      await page.evaluate(`new Promise((begun) => {
        navigator.locks.request('tillbridge.notifications', () => {
          begun();
          return new Promise((end) => { window.endInTest = end; });
        });
      })`);
      await tick(fake).click();
      await setState(doubtful);
      await page.clock.runFor(60_000);
      expect(await shown(page)).toEqual([]);
      await page.evaluate('window.endInTest()');
      // What the other one has told is not told again.
      await page.clock.runFor(60_000);
      expect(await shown(page)).toEqual([]);
    });
  });

  test('that the browser refuses are off, and the settings say why', async () => {
    await inSettings('denied', async (fake) => {
      await tick(fake).click();
      await fake.page.getByText('This browser blocks notifications from this page.').waitFor();
      expect(await tick(fake).isDisabled()).toBe(true);
      await fake.setState(doubtful);
      await fake.page.clock.runFor(60_000);
      expect(await shown(fake.page)).toEqual([]);
    });
  });

  test('are the app’s own in the desktop app, which has them on', async () => {
    await onPage(
      { state: consoleState({ host: 'desktop' }), route: 'settings' },
      async ({ page, invoked }) => {
        const tryOne = page.getByRole('button', { name: 'Show a test notification' });
        await tryOne.click();
        await page.getByText('Sent. If you do not see it, the system hides it').waitFor();
        await page.evaluate(`window.triedInTest = 'refused'`);
        await tryOne.click();
        await page.getByText('The system did not show it.').waitFor();
        const box = page.getByLabel('Show notifications');
        expect(await box.isChecked()).toBe(true);
        await box.click();
        await poll(() => invoked.find(({ name }) => name === 'saveSettings')?.request).toMatchObject({
          app: { notifications: false },
        });
      },
    );
  });
});
