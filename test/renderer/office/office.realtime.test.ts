/** The head office's page in a browser, on a real office: each view, what roles see, live changes, keyboard, axe. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemChance } from '../../../src/base/chance.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { seriousFindings } from '../../support/axe.ts';
import { needs } from '../../support/needs.ts';
import { heartbeatOf } from '../../office/support/running-office.ts';
import { chainOfShops, type ChainOfShops } from './office-window.ts';

let chain: ChainOfShops;

/** What the page shows where a text is missing: the key itself. */
const missingKey =
  /\b(office|money|payments|timeline|status|statusMeaning|outcome|discrepancy|banner|terminal|app)\.[a-z]/;

const ofOtherLanguage = (page: Page) => page.locator('body [lang="en"]').allInnerTexts();
const isOwn = (text: string) => !text.startsWith('535 ');

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

  const views = [
    'overview',
    'search?reference=R-1001',
    'open',
    'alarms',
    'deposits',
    'deposits?show=all',
    'decisions',
    'versions',
    'audit',
  ];

  describe.each([
    ['en', 'light'],
    ['de', 'dark'],
  ] as const)('in %s, %s', (language, colorScheme) => {
    test.each([...views, 'payment', 'shop', 'shop with batches'])(
      '%s has words for all it shows, and axe finds nothing',
      async (view) => {
        const route =
          view === 'payment' ? `search/${chain.paymentId}` : view.startsWith('shop') ? 'overview' : view;
        const shown = await chain.open({ role: 'administrator', route, language, colorScheme });
        const { page } = shown;
        if (view === 'shop') await page.getByRole('link', { name: /^Berlin/ }).click();
        if (view === 'shop with batches') {
          await page.getByRole('link', { name: /^Wien/ }).click();
          await page.locator('.data-batch').first().waitFor();
        }
        await page.locator('.data-row, .shop-tile, .office-timeline, .bridge-card').first().waitFor();
        expect(await page.locator('body').innerText()).not.toMatch(missingKey);
        // What bridge and office say is in the page's language; a mail server has its own.
        if (language !== 'en') expect((await ofOtherLanguage(page)).filter(isOwn)).toEqual([]);
        expect(await seriousFindings(page)).toEqual([]);
        for (const width of [1_200, 450]) {
          await page.setViewportSize({ width, height: 800 });
          await page.evaluate(
            'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
          );
          expect([width, await scrollsSideways(page)]).toEqual([width, false]);
          const folder = process.env['TILLBRIDGE_SHOTS'];
          if (folder !== undefined) {
            const name = `${view.replace('?', '-')}-${language}-${width}.png`;
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
    await page.getByRole('table', { name: 'In doubt' }).waitFor();
    await page.getByRole('table', { name: 'Discrepancies' }).waitFor();
    await page.getByRole('table', { name: 'Journals' }).waitFor();
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
    expect(text).toContain('loyalty_points_given');
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
    // By a status, which needs a shop or a time; so does an address that somebody has handed on.
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('Every search is in the audit log.').waitFor();
    await page.getByLabel('Status').selectOption('unknown');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('Also give a shop, or from when on').waitFor();
    await page.goto(`${chain.office.origin}/#/search?status=unknown`);
    await page.getByText('Also give a shop, or from when on').waitFor();
    await page.getByLabel('Shop').fill('Berlin, kastanienallee');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'R-1003' }).waitFor();
    await close();
  });

  test('a shop’s page has what its terminal is, and its latest batches', async () => {
    const { page, close } = await chain.open({ role: 'support' });
    await page.getByRole('link', { name: /^Wien/ }).click();
    const table = page.getByRole('table', { name: 'Latest batches' });
    await expect.poll(() => table.locator('.data-batch').count()).toBe(4);
    const rows = await table.innerText();
    expect(rows).toContain('Batch 000004');
    expect(rows).toContain('€700.00');
    expect(rows).toContain('3 payments');
    expect(rows).toContain('The terminal and the journal agree');
    const bridge = await page.locator('.bridge-card').innerText();
    expect(bridge).toContain('Terminal 52500041');
    expect(bridge).toContain('ZVT');
    expect(bridge).toContain('It takes no TLV containers.');
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

  test('a shop that changes is asked for alone, and the others stay as they are', async () => {
    const { page, close } = await chain.open({ role: 'support' });
    const tile = page.locator('.shop-tile').filter({ hasText: 'Berlin' });
    await tile.waitFor();
    const [, count = ''] = /(\d+) in doubt/.exec(await tile.innerText()) ?? [];
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname === '/office/v1/overview') asked.push(search);
    });
    await chain.addDoubt(`R-${systemChance(systemClock).uuid().slice(-8)}`);
    await tile.getByText(`${Number(count) + 1} in doubt`).waitFor();
    expect((await namesOf(page)).length).toBeGreaterThan(8);
    expect((await namesOf(page))[0]).toBe('Berlin, Kastanienallee');
    expect(asked[0]).toMatch(/^\?shops=[\w-]{36}$/);
    await close();
  });

  test('alarms: which stand, who was told of each, and what was not delivered; a new one comes by itself', async () => {
    const { page, close } = await chain.open({ role: 'support', route: 'alarms' });
    const standing = page.getByRole('table', { name: 'Standing now' });
    const rowOf = (reference: string) =>
      standing.getByRole('row').filter({ hasText: `The sale ${reference} (` });
    const toldOf = (reference: string) => rowOf(reference).locator('[data-delivery]').allInnerTexts();
    await rowOf('R-1003').getByText('is in doubt:').waitFor();
    await rowOf('R-1003').getByText('Rule “Doubts”').waitFor();
    await expect.poll(() => toldOf('R-1003')).toEqual(['owner not sent yet', 'support sent']);
    expect(await rowOf('R-1003').getByRole('link').innerText()).toBe('Berlin, Kastanienallee');
    await standing.getByText('There is a discrepancy:').waitFor();
    const undelivered = page.getByRole('table', { name: 'Not delivered' });
    await undelivered.getByText('535 wrong password').first().waitFor();
    const sent = page.getByRole('table', { name: 'Sent lately' });
    await sent.getByText('It answered 250 queued').first().waitFor();
    const reference = `R-${systemChance(systemClock).uuid().slice(-8)}`;
    await chain.addDoubt(reference);
    await expect.poll(() => toldOf(reference)).toEqual(['owner not sent yet', 'support sent']);
    // Who reads sends nothing.
    await page.getByText('support', { exact: true }).first().waitFor();
    expect(await page.getByRole('button', { name: 'Send a test message' }).count()).toBe(0);
    await close();
  });

  test('an administrator tries a receiver, and sees what came back', async () => {
    const { page, close } = await chain.open({ role: 'administrator', route: 'alarms', language: 'de' });
    const receivers = page.locator('.alarm-receivers > li');
    await receivers.filter({ hasText: 'support' }).getByRole('button').click();
    await page.getByText('Die Testnachricht wurde gesendet. Die Antwort war 250 queued').waitFor();
    await receivers.filter({ hasText: 'owner' }).getByRole('button').click();
    await page.getByText('Die Testnachricht konnte nicht gesendet werden. 535 wrong password').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await close();
  });

  test('a manager acknowledges a finding with name and reason, and makes a code', async () => {
    const { page, close } = await chain.open({ role: 'manager', route: 'open' });
    const table = page.getByRole('table', { name: 'Journals' });
    // A bridge of tomorrow has its own finding.
    await table.getByText('A bridge is newer than the office.').waitFor();
    const changed = table
      .getByRole('row')
      .filter({ hasText: 'The journal was changed after it was written.' });
    await changed.getByRole('button', { name: 'Acknowledge' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Acknowledge' }).click();
    // Nothing is sent without a name and a reason; the first that is missing has the focus.
    expect(await page.evaluate('document.activeElement.getAttribute("autocomplete")')).toBe('name');
    await page.keyboard.type('Grace Hopper');
    await dialog.getByLabel('What was found out').fill('A disk was replaced.');
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Acknowledge' }).click();
    await changed.waitFor({ state: 'detached' });
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

  test('a manager settles money that has not come, and an entry that nobody can explain', async () => {
    const support = await chain.open({ role: 'support', route: 'deposits' });
    await support.page.getByRole('table', { name: 'Batches' }).waitFor();
    expect(await support.page.getByRole('button', { name: 'Settle' }).count()).toBe(0);
    expect(await support.page.getByRole('button', { name: 'Read a bank statement…' }).count()).toBe(0);
    await support.close();

    const { page, close } = await chain.open({ role: 'manager', route: 'deposits' });
    const batches = page.getByRole('table', { name: 'Batches' });
    const row = batches.getByRole('row').filter({ hasText: '000003' });
    await row.getByText('Unclear').waitFor();
    await row.getByRole('button', { name: 'Settle' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: /LESS THAN IT WAS/ }).check();
    await dialog.getByRole('button', { name: 'Settle' }).click();
    // Nothing is sent without a name and a reason.
    await dialog.getByLabel('What was found out').fill('Acme kept a chargeback.');
    await dialog.locator('[autocomplete=name]').fill('Grace Hopper');
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Settle' }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByText('Every entry of the acquirers is explained.').waitFor();
    await page.getByRole('button', { name: 'All batches' }).click();
    await row.getByText('Decided by Grace Hopper. Acme kept a chargeback.').waitFor();
    // It was the wrong one: there is a way back.
    await row.getByRole('button', { name: 'Take back' }).click();
    await dialog.getByLabel('What was found out').fill('It was of another day.');
    await dialog.locator('[autocomplete=name]').fill('Grace Hopper');
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Take back' }).click();
    await row.getByRole('button', { name: 'Settle' }).waitFor();
    expect(await row.getByText('Acme kept a chargeback.').count()).toBe(0);
    // A file that is none is refused with words that say what is wrong.
    await page.locator('input[type=file]').setInputFiles({
      name: 'letter.xml',
      mimeType: 'text/xml',
      buffer: Buffer.from('<a/>'),
    });
    await page
      .getByRole('alert')
      .getByText(/^letter\.xml cannot be used: /)
      .waitFor();
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByText('Took back that a deposit is settled').waitFor();
    await page.getByText('Settled a deposit').waitFor();
    // The browser writes what was refused into its console; that is no error of the page.
    await close().catch((error: Error) => expect(error.message).toMatch(/^Failed to load resource.*409/));
  });

  test('deposits of one shop: its name leaves the others out, and stays in the address', async () => {
    const { page, close } = await chain.open({ role: 'support', route: 'deposits?show=all' });
    const batches = page.getByRole('table', { name: 'Batches' });
    const unexplained = page.getByRole('heading', { name: 'Nobody can explain' });
    const field = page.getByLabel('Only this shop');
    await unexplained.waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('Graz');
    await page.getByText('No batch is known').waitFor();
    expect(page.url()).toMatch(/#\/deposits\?show=all&shopId=[\w-]{36}&shop=Graz$/);
    // What nobody can explain is no shop's.
    expect(await unexplained.count()).toBe(0);
    await field.fill('wien');
    await expect.poll(() => batches.getByRole('row').count()).toBe(5);
    await page.getByRole('button', { name: 'Needs somebody' }).click();
    await expect.poll(() => page.url()).toMatch(/#\/deposits\?shopId=[\w-]{36}&shop=Wien$/);
    await page.reload();
    await batches.waitFor();
    expect(await field.inputValue()).toBe('Wien');
    await page.goBack();
    await expect.poll(() => batches.getByRole('row').count()).toBe(5);
    await field.fill('Nowhere');
    await page.keyboard.press('Enter');
    await page.getByText('There is no shop of this name.').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await field.fill('');
    await unexplained.waitFor();
    expect(page.url()).toMatch(/#\/deposits\?show=all$/);
    await close();
  });

  test('days that were taken out are named where something of them may be missing', async () => {
    const dayMs = 86_400_000;
    const at = (daysAgo: number) => Date.now() - daysAgo * dayMs;
    const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10);
    const takeOut = (divided: 'events' | 'payments', daysAgo: number) =>
      chain.database.query(
        `INSERT INTO archived_days (divided, day, state, rows, archived_at) VALUES ($1, $2, 'filed', 1, now())`,
        [divided, dayOf(at(daysAgo))],
      );
    try {
      const { page, close } = await chain.open({ role: 'support', route: 'search?amount=12,50' });
      await page.getByRole('link', { name: 'R-1001' }).waitFor();
      expect(await page.locator('.note').count()).toBe(0);
      const again = async () => {
        await page.reload();
        await page.getByRole('link', { name: 'R-1001' }).waitFor();
      };
      await takeOut('payments', 40);
      await again();
      await page
        .getByText(/^The payments of .+ are not in the database any more\. .* from their file\.$/)
        .waitFor();
      await takeOut('payments', 70);
      await again();
      await page
        .getByText(/^The payments of 2 days from .+ to .+ are not in the database any more\./)
        .waitFor();
      expect(await seriousFindings(page)).toEqual([]);

      // The events of a payment that is there, and a payment of a day that is not.
      await takeOut('events', 0);
      await takeOut('events', 1);
      await page.getByRole('link', { name: 'R-1001' }).click();
      await page.getByText(/^What happened on these days may be missing here, because .+: .*\d/).waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      const time = at(40).toString(16).padStart(12, '0');
      const id = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
      await page.goto(`${chain.office.origin}/#/search/${id}`);
      await page.getByText(`The payments of ${dayOf(at(40))} are not in the database any more.`).waitFor();
      await close().catch((error: Error) => expect(error.message).toMatch(/^Failed to load resource.*404/));
    } finally {
      await chain.database.query('DELETE FROM archived_days');
    }
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

  test('a trial is marked, and stands behind the shops with real terminals; a chain of trials says so', async () => {
    const trial = await chain.office.join('Aachen');
    await trial.heartbeat(heartbeatOf({ simulated: true, ready: false }));
    const { page, close } = await chain.open({ role: 'support' });
    const tile = page.locator('.shop-tile').filter({ hasText: 'Aachen' });
    await expect.poll(() => tile.innerText()).toMatch(/^Aachen\nSimulator\nNot ready$/);
    const names = await namesOf(page);
    // Behind it are only those that have not joined.
    expect(names.slice(names.indexOf('Zürich'), names.indexOf('Lisboa'))).toContain('Aachen');
    expect(await page.locator('.shop-tile-trial').count()).toBe(1);
    await page.getByRole('button', { name: /Simulator/ }).click();
    await expect.poll(() => namesOf(page)).toEqual(['Aachen']);
    expect(await seriousFindings(page)).toEqual([]);

    const banner = page.getByText('SIMULATOR – no real payments');
    expect(await banner.count()).toBe(0);
    await chain.database.query('UPDATE chains SET simulated = true');
    // It never said which terminals it has.
    await chain.database.query('UPDATE bridges SET revoked_at = now() WHERE heartbeat IS NULL');
    await chain.database.query(
      `UPDATE bridges SET heartbeat = replace(heartbeat::text, '"simulated": false', '"simulated": true')::jsonb`,
    );
    await page.goto(`${chain.office.origin}/#/overview`);
    await page.reload();
    await banner.waitFor();
    expect((await namesOf(page))[0]).toBe('Berlin, Kastanienallee');
    expect(await page.locator('.shop-tile-trial').count()).toBe(0);
    expect(await page.getByRole('button', { name: /Simulator/ }).count()).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);
    await close();
  });
});
