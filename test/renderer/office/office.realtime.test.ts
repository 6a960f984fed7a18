/** The head office's page in a browser, on a real office: each view, what roles see, live changes, keyboard, axe. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemChance } from '../../../src/base/chance.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { seriousFindings } from '../../support/axe.ts';
import { needs } from '../../support/needs.ts';
import { chainOfShops, type ChainOfShops } from './office-window.ts';

let chain: ChainOfShops;

/** What the page shows where a text is missing: the key itself. */
const missingKey = /\b(office|payments|timeline|status|statusMeaning|outcome|discrepancy|app)\.[a-z]/;

const namesOf = (page: Page) => page.locator('.shop-tile-name').allInnerTexts();
const scrollsSideways = (page: Page) =>
  page.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth || [...document.querySelectorAll("main, .data-table, .shop-map")].some((one) => one.scrollWidth > one.clientWidth)',
  );

describe.skipIf(!needs('chromium'))('the head office’s page', () => {
  beforeAll(async () => {
    chain = await chainOfShops();
  });
  afterAll(() => chain?.close());

  const views = ['overview', 'search?reference=R-1001', 'open', 'decisions', 'versions', 'audit'];

  describe.each([
    ['en', 'light'],
    ['de', 'dark'],
  ] as const)('in %s, %s', (language, colorScheme) => {
    test.each([...views, 'payment', 'shop'])(
      '%s has words for all it shows, and axe finds nothing',
      async (view) => {
        const route = view === 'payment' ? `search/${chain.paymentId}` : view === 'shop' ? 'overview' : view;
        const shown = await chain.open({ role: 'administrator', route, language, colorScheme });
        const { page } = shown;
        if (view === 'shop') await page.getByRole('link', { name: /^Berlin/ }).click();
        await page.locator('.data-row, .shop-tile, .office-timeline, .bridge-card').first().waitFor();
        expect(await page.locator('body').innerText()).not.toMatch(missingKey);
        expect(await seriousFindings(page)).toEqual([]);
        for (const width of [1_200, 450]) {
          await page.setViewportSize({ width, height: 800 });
          await page.evaluate(
            'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
          );
          expect([width, await scrollsSideways(page)]).toEqual([width, false]);
          const folder = process.env['TILLBRIDGE_SHOTS'];
          if (folder !== undefined) {
            const name = `${view.split('?')[0]}-${language}-${width}.png`;
            await page.screenshot({ path: `${folder}/${name}` });
          }
        }
        await shown.close();
      },
    );
  });

  test('the overview has the worst first; a state and a name leave the others out', async () => {
    const { page, close } = await chain.open({ role: 'support' });
    await page.locator('.shop-tile').first().waitFor();
    expect((await namesOf(page)).slice(0, 5)).toEqual([
      'Berlin, Kastanienallee',
      'Paris, rue de Rivoli',
      'Madrid',
      'Roma, via Appia Nuova',
      'Oslo',
    ]);
    await page.getByRole('button', { name: /Silent/ }).click();
    await expect.poll(() => namesOf(page)).toEqual(['Madrid']);
    await page.getByRole('button', { name: /All shops/ }).click();
    await page.keyboard.press('/');
    await page.keyboard.type('gra');
    await expect.poll(() => namesOf(page)).toEqual(['Graz']);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('nowhere');
    await page.getByRole('button', { name: 'Show all shops' }).click();
    await expect.poll(async () => (await namesOf(page)).length).toBe(9);
    // Support makes no codes, and has no audit log.
    expect(await page.getByRole('button', { name: 'New code' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Audit' }).count()).toBe(0);
    await close();
  });

  test('the keyboard goes from shop to shop, into one and back', async () => {
    const { page, close } = await chain.open({ role: 'support' });
    await page.locator('.shop-tile').first().waitFor();
    const focused = () => page.evaluate<string>('document.activeElement.innerText.split("\\n")[0]');
    await page.getByRole('searchbox').focus();
    await page.keyboard.press('Tab');
    await expect.poll(focused).toBe('Berlin, Kastanienallee');
    await page.keyboard.press('ArrowRight');
    await expect.poll(focused).toBe('Paris, rue de Rivoli');
    await page.keyboard.press('End');
    await expect.poll(focused).toBe('Lisboa');
    await page.keyboard.press('Home');
    await expect.poll(focused).toBe('Berlin, Kastanienallee');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Berlin, Kastanienallee' }).waitFor();
    await page.getByText('till of Berlin').waitFor();
    // What is open in this shop stands above its bridges.
    expect(await page.getByRole('table').count()).toBe(2);
    await page.goBack();
    await page.locator('.shop-tile').first().waitFor();
    await close();
  });

  test('a search finds by the receipt and its shop, and a payment tells its story', async () => {
    const { page, close } = await chain.open({ role: 'support', route: 'search' });
    await page.getByText('Every search is in the audit log.').waitFor();
    await page.getByLabel('Receipt number').fill('42');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('Also choose the shop').waitFor();
    expect(await page.evaluate('document.activeElement.getAttribute("list")')).toBe('search-shops');
    await page.getByLabel('Shop').fill('Berlin, kastanienallee');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('row').count()).toBe(3);
    expect(await page.getByRole('status').first().innerText()).toBe('2 payments');
    await page.getByRole('link', { name: 'R-1001' }).click();
    await page.getByRole('heading', { level: 1, name: 'Payment R-1001' }).waitFor();
    const text = await page.getByRole('main').innerText();
    expect(text).toContain('€12.50');
    expect(text).toContain('Receipt 0042 is in the drawer.');
    expect(text).toContain('a_thing_of_tomorrow');
    expect(text).toContain('•••• 4771');
    expect(await page.locator('.office-timeline > li').count()).toBe(5);
    await page.getByRole('link', { name: 'Back to the search' }).click();
    await expect.poll(() => page.getByRole('row').count()).toBe(3);
    // By the card, which needs its approval code.
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('Every search is in the audit log.').waitFor();
    await page.getByLabel('Reference').fill('half typed');
    await page.getByRole('button', { name: 'Clear' }).click();
    expect(await page.getByLabel('Reference').inputValue()).toBe('');
    await page.getByLabel('Last four card digits').fill('4771');
    await page.keyboard.press('Enter');
    await page.getByText('Also give the approval code').waitFor();
    await page.getByLabel('Approval code').fill('654321');
    await page.getByLabel('Amount').fill('48');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.locator('.data-reference').allInnerTexts())
      .toEqual(['Reference\nR-1002'.split('\n')[1]]);
    await close();
  });

  test('what changes in a shop is seen at once, and nobody is asked about payments again', async () => {
    const { page, close } = await chain.open({ role: 'support', route: 'open' });
    await page.getByRole('table', { name: 'In doubt' }).waitFor();
    expect(await page.getByRole('link', { name: 'Payment R-1003' }).count()).toBe(1);
    const reference = `R-${systemChance(systemClock).uuid().slice(-8)}`;
    await chain.addDoubt(reference);
    await page.getByRole('link', { name: `Payment ${reference}` }).waitFor();
    await close();
  });

  test('a manager acknowledges a finding with name and reason, and makes a code', async () => {
    const { page, close } = await chain.open({ role: 'manager', route: 'open' });
    const table = page.getByRole('table', { name: 'Journals' });
    await table.getByText('The journal was changed after it was written.').waitFor();
    await table.getByRole('button', { name: 'Acknowledge' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Acknowledge' }).click();
    // Nothing is sent without a name and a reason; the first that is missing has the focus.
    expect(await page.evaluate('document.activeElement.getAttribute("autocomplete")')).toBe('name');
    await page.keyboard.type('Grace Hopper');
    await dialog.getByLabel('What was found out').fill('A disk was replaced.');
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByText('All journals are as they should be.').waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('button', { name: 'New code' }).click();
    await dialog.getByLabel('Shop').fill('Porto');
    await page.keyboard.press('Enter');
    await dialog.getByText(/^[A-Z2-9]{4}(-[A-Z2-9]{4}){3}$/).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Porto' }).waitFor();
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByText('A disk was replaced.').waitFor();
    expect(await page.getByText('Made a code').count()).toBeGreaterThan(0);
    await close();
  });

  test('an administrator takes a key away, after a question', async () => {
    await chain.office.join('Bern');
    const { page, close } = await chain.open({ role: 'administrator' });
    await page.getByRole('link', { name: 'Bern' }).click();
    await page.getByRole('button', { name: 'Take the key away' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take the key away' }).click();
    await page.getByText(/Its key was taken away on/).waitFor();
    expect(await page.getByRole('button', { name: 'Take the key away' }).count()).toBe(0);
    await close();
  });

  test('whoever signs out sees nothing more, and a link works once', async () => {
    const { page, close } = await chain.open({ role: 'support' });
    const before = page.url();
    expect(before).not.toContain('link=');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('This page is for people who have signed in.').waitFor();
    expect(await page.locator('.shop-tile').count()).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);
    // The browser writes what was refused into its console; that is no error of the page.
    await close().catch((error: Error) => expect(error.message).toMatch(/^Failed to load resource.*401/));
  });

  test('ten thousand shops are a map that scrolls', async () => {
    await chain.database.query(
      `INSERT INTO shops (shop_id, name, created_at)
       SELECT gen_random_uuid(), 'Shop ' || lpad(number::text, 5, '0'), now() FROM generate_series(1, 10000) AS number`,
    );
    const { page, close } = await chain.open({ role: 'support' });
    await page.locator('.shop-tile').first().waitFor();
    expect(await page.locator('.shop-tile').count()).toBeLessThan(200);
    expect((await namesOf(page))[0]).toBe('Berlin, Kastanienallee');
    await page.locator('.shop-tile a').first().focus();
    await page.keyboard.press('End');
    await page.getByRole('link', { name: 'Shop 10000' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.innerText')).toContain('Shop 10000');
    expect(await page.locator('.shop-tile').count()).toBeLessThan(200);
    await close();
    await chain.database.query(`DELETE FROM shops WHERE name LIKE 'Shop %'`);
  });
});
