/**
 * What cashier and support do in the console, from the first start to the support bundle: through the whole program, on
 * the way that a test file names. Words are those of the language file, so that a changed word is no failure.
 */
import { unzipSync } from 'fflate';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterEach, describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../src/contract/journal-events.ts';
import { emptyRecord } from '../../src/contract/terminal.ts';
import { exportJournal } from '../../src/bridge/journal/index.ts';
import german from '../../src/locales/de.json' with { type: 'json' };
import words from '../../src/locales/en.json' with { type: 'json' };
import { openTestJournal, startedSale } from '../headless/seed-journal.ts';
import { seriousFindings } from '../support/axe.ts';
import type { ConsoleOptions, OpenConsole, Way } from './way.ts';

const pages = ['till', 'payments', 'batches', 'log', 'settings'] as const;
const cardNumber = '4111111111111111';

export function consoleSpecs(way: Way): void {
  let opened: OpenConsole | null = null;
  afterEach(async () => {
    await opened?.close();
    opened = null;
  });
  const open = async (options: Partial<ConsoleOptions> = {}): Promise<OpenConsole> => {
    opened = await way.open({ terminal: 'simulator', ...options });
    return opened;
  };

  describe(`the console (${way.name})`, () => {
    it('goes from an empty folder to the first payment, which is seen in Till, Payments and Log at once', async () => {
      const { page, till } = await open({ terminal: null });
      await page.getByRole('button', { name: words.firstStart.tryNow }).click();
      const pos = await till();
      await page.getByText(words.banner.simulator).waitFor();

      expect((await pos.create('12.00', 'FIRST-1', 20)).body).toMatchObject({
        transaction_status: 'approved',
      });
      await page.locator('[data-status="approved"]').first().waitFor();
      await page.getByRole('link', { name: 'FIRST-1' }).first().waitFor();

      await goTo(page, 'payments');
      await page.getByRole('row', { name: /FIRST-1/ }).waitFor();
      await pos.create('13.01', 'FIRST-2', 20);
      await page.getByRole('row', { name: /FIRST-2.*Declined/ }).waitFor();

      await goTo(page, 'log');
      await page.keyboard.press('/');
      await page.keyboard.type('the sale ended');
      await page.getByText('the sale ended: done').first().waitFor();
      await pos.create('14.02', 'FIRST-3', 20);
      await page.getByText('the sale ended: cancelled').first().waitFor();
    });

    it('shows the current payment, what the terminal wants, and cancels it by keyboard alone', async () => {
      const { page, till } = await open({ pace: 1 });
      const pos = await till();
      await pos.create('44.07', 'HAND-1');
      await page.getByText(words.terminal.progress.waiting_for_host).first().waitFor();
      await page.getByText('€44.07').first().waitFor();

      await tabTo(page, words.till.cancel);
      await page.keyboard.press('Enter');
      await page.locator('[data-status="cancelled"]').first().waitFor();
      expect((await pos.query('HAND-1', 20)).body).toMatchObject({ transaction_status: 'cancelled' });
    });

    it('finds a payment with "/", shows its timeline down to the frames, and voids it, by keyboard alone', async () => {
      const { page, till } = await open();
      const pos = await till();
      for (const reference of ['FIND-1', 'OTHER-1', 'FIND-2']) await pos.create('12.00', reference, 20);
      await tabTo(page, words.pages.payments);
      await page.keyboard.press('Enter');
      await page.getByRole('row', { name: /OTHER-1/ }).waitFor();

      await page.keyboard.press('/');
      await page.keyboard.type('find-1');
      await page.getByRole('row', { name: /OTHER-1/ }).waitFor({ state: 'detached' });
      await tabToFocus(page, '[data-payments]');
      await page.keyboard.press('Enter');

      await page.getByText('CreatePayment').first().waitFor();
      await tabToFocus(page, '[name="timeline-view"]');
      await page.keyboard.press('ArrowRight');
      await page
        .getByText(/06 01 .*12 00/)
        .first()
        .waitFor();
      await page.keyboard.press('ArrowLeft');
      await tabTo(page, words.payments.void);
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await tabTo(page, words.payments.void, 'dialog');
      await page.keyboard.press('Enter');
      await page.locator('[data-status="voided"]').first().waitFor();
      expect((await pos.query('FIND-1')).body).toMatchObject({ transaction_status: 'voided' });
      expect((await pos.query('FIND-2')).body).toMatchObject({ transaction_status: 'approved' });
    });

    it('shows a doubt at once, with its evidence, and keeps who resolved it and why', async () => {
      const folder = (dataDir: string) => path.join(dataDir, 'simulator');
      const { page, dataDir, till } = await open({
        prepare(dataDir) {
          mkdirSync(folder(dataDir), { recursive: true });
          const journal = openTestJournal(folder(dataDir));
          // Another terminal than the one that is there now: its record proves nothing.
          const record = {
            ...emptyRecord(),
            kind: 'payment' as const,
            approved: true,
            terminalId: '11111111',
          };
          const baseline = {
            kind: 'record' as const,
            record: { ...record, receiptNumber: '0099', traceNumber: '000099' },
          };
          const terminal = { protocol: 'zvt' as const, terminalId: '11111111' };
          journal.append({ ...startedSale('DOUBT-1', true), terminal, baseline } as JournalEvent);
          journal.close();
        },
      });
      await page.getByText(words.banner.inDoubtDecision).first().waitFor();
      const pos = await till().catch(() => null);
      await page.getByRole('alert').getByRole('button', { name: words.banner.resolve }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(words.resolve.evidence).waitFor();
      await dialog.getByText('DOUBT-1').first().waitFor();
      await dialog.getByLabel(words.resolution['not-charged']).check();
      await dialog.getByLabel(words.resolve.name).fill('Kim');
      await dialog.getByLabel(words.resolve.why).fill('no slip in the drawer');
      // Its own terminal has not been seen idle, and what is there instead proves nothing.
      await dialog.getByRole('checkbox').check();
      await dialog.getByRole('button', { name: words.resolve.next }).click();
      await page.getByRole('dialog').getByRole('button', { name: words.resolve.confirm }).click();
      await page.getByText(words.banner.inDoubtDecision).first().waitFor({ state: 'detached' });

      const facts: string[] = [];
      exportJournal(folder(dataDir), (line) => facts.push(line));
      expect(facts.find((fact) => fact.includes('"resolvedBy":{'))).toContain('"no slip in the drawer"');
      if (pos !== null)
        expect((await pos.query('DOUBT-1')).body).toMatchObject({ transaction_status: 'failed' });
    });

    it('stops the listener after asking, and starts it again on the same port', async () => {
      const { page, till } = await open({ environment: { TILLBRIDGE_PORT: '0' } });
      const pos = await till();
      await page.getByRole('button', { name: words.listener.stop }).click();
      await page.getByRole('dialog').getByRole('button', { name: words.listener.stop }).click();
      await page.locator('[data-listener="off"]').waitFor();
      await expect(pos.health()).rejects.toThrow('fetch failed');
      await page.getByRole('banner').getByRole('button', { name: words.listener.start }).click();
      await page.locator('[data-listener="on"]').waitFor();
      expect((await (await till()).health()).status).toBe(200);
    });

    it('leaves a payment on the terminal alone when the page is loaded again', async () => {
      const { page, till } = await open({ pace: 1 });
      const pos = await till();
      await pos.create('12.00', 'RELOAD-1');
      await page.reload();
      await page.locator('[data-status="approved"]').first().waitFor();
      expect((await pos.query('RELOAD-1', 20)).body).toMatchObject({ transaction_status: 'approved' });
    });

    it('changes language and theme at once, and keeps them', async () => {
      const { page } = await open();
      await goTo(page, 'settings');
      await page.getByLabel(words.settings.language, { exact: true }).selectOption('de');
      await page.getByRole('heading', { name: german.pages.settings, exact: true }).first().waitFor();
      await page.getByLabel(german.settings.theme, { exact: true }).selectOption('dark');
      await page.locator('html[data-theme="dark"]').waitFor();
      await page.reload();
      await page.locator('html[lang="de"][data-theme="dark"]').waitFor();
      expect(await page.getByText(german.banner.simulator).count()).toBe(1);
    });

    it('exports payments and log, and a support bundle without any card number typed anywhere', async () => {
      const { page, till, saved } = await open();
      const pos = await till();
      await pos.post('/CreatePayment', { amount: '12.00', retrieval_reference_number: cardNumber });
      await pos.create('12.00', 'BUNDLE-1', 20);
      await pos.post(
        '/QueryPayment',
        { retrieval_reference_number: 'BUNDLE-1', note: cardNumber },
        { 'x-request-id': cardNumber },
      );

      await goTo(page, 'payments');
      await page.getByRole('row', { name: /BUNDLE-1/ }).waitFor();
      const csv = await saved(() => page.getByRole('button', { name: words.payments.export }).click());
      expect(csv.toString()).toMatch(/BUNDLE-1.*12\.00/);

      await goTo(page, 'log');
      await page.keyboard.press('/');
      await page.keyboard.type(cardNumber);
      const log = await saved(() =>
        page.getByRole('button', { name: words.log.export, exact: true }).click(),
      );
      expect(digitsOf(log)).not.toContain(cardNumber);
      await page.getByRole('button', { name: words.log.bundle }).click();
      const zip = await saved(() => page.getByRole('button', { name: words.log.bundleMake }).click());
      const files = Object.entries(unzipSync(new Uint8Array(zip)));
      expect(files.map(([name]) => name).join(' ')).toMatch(/journal/);
      for (const [name, content] of files) {
        expect(digitsOf(Buffer.from(content)), name).not.toContain(cardNumber);
      }
      expect(Buffer.concat(files.map(([, content]) => Buffer.from(content))).toString()).toContain(
        'BUNDLE-1',
      );
    });

    it('says in Settings what is new, and under which licences it is', async () => {
      const { page } = await open();
      await goTo(page, 'settings');
      const { about } = words.settings;
      await page.getByRole('button', { name: about.whatsNew, exact: true }).click();
      await page.getByRole('dialog').getByRole('listitem').first().waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: about.licences, exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(about.ownLicence).waitFor();
      expect(await dialog.getByText(/^react-dom \d/).count()).toBe(1);
    });

    it('has nothing serious for axe on any screen, light and dark', async () => {
      const { page, till } = await open();
      await (await till()).create('12.00', 'AXE-1', 20);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const name of pages) {
          await goTo(page, name);
          expect(await seriousFindings(page), `${name}, ${colorScheme}`).toEqual([]);
        }
      }
    });
  });
}

async function goTo(page: Page, name: (typeof pages)[number]): Promise<void> {
  await page.getByRole('link', { name: words.pages[name], exact: true }).click();
  await page.getByRole('heading', { level: 1 }).first().waitFor();
}

/** Presses Tab until what has this name has the focus: proof that the keyboard reaches it. */
async function tabTo(page: Page, name: string, within = 'body'): Promise<void> {
  await tabUntil(
    page,
    `document.activeElement.closest(${JSON.stringify(within)}) !== null &&
      (document.activeElement.ariaLabel ?? document.activeElement.textContent).trim() === ${JSON.stringify(name)}`,
  );
}

async function tabToFocus(page: Page, selector: string): Promise<void> {
  await tabUntil(page, `document.activeElement.matches(${JSON.stringify(selector)})`);
}

const maxTabs = 60;

/** `isThere` is an expression in the page. */
async function tabUntil(page: Page, isThere: string): Promise<void> {
  for (let presses = 0; presses < maxTabs; presses += 1) {
    if (await page.evaluate<boolean>(isThere)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The keyboard does not reach: ${isThere}`);
}

/** Every digit of a file in a row, so that separators hide nothing. */
function digitsOf(content: Buffer): string {
  return content.toString('latin1').replace(/[ \t\u00a0._-]/g, '');
}
