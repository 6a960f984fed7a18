/** Several terminals on one bridge: each page is about one of them, says which, and nothing of one is shown as another's. */
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import type { ConsoleState, PaymentView, RequestOf } from '../../src/contract/console/index.ts';
import { seriousFindings } from '../support/axe.ts';
import {
  batchView,
  consoleState,
  currentOperationView,
  daySummary,
  inDoubtView,
  otherTerminalState,
  paymentView,
  serialPort,
  terminalState,
} from '../support/console-data.ts';
import type { FakeConsole, FakeConsoleOptions } from '../support/console-page.ts';
import { needs } from '../support/needs.ts';
import { missingKey, pagesForTests, poll } from './on-page.ts';

const ok = <T>(value: T) => ({ ok: true as const, value });
const lost = terminalState({ connection: 'lost', text: 'The terminal cannot be reached.' });
const bar = otherTerminalState();
const terrace = otherTerminalState({ name: 'terrace', terminal: lost });

function several(changes: Partial<ConsoleState> = {}): ConsoleState {
  return consoleState({ otherTerminals: [bar, terrace], ...changes });
}

const ofMain = paymentView(7);
const ofBar = paymentView(7, {
  transactionId: '01a1ffe8-3316-7291-ad76-0000000000b7',
  reference: 'B-2007',
  onTerminal: 'bar',
});

/** Each terminal has payments of its own, and a day of its own. */
const answers = {
  payments({ terminal, filter: { text } }: RequestOf<'payments'>) {
    const all: PaymentView[] = terminal === 'bar' ? [ofBar] : terminal === undefined ? [ofMain] : [];
    const payments = all.filter(({ reference }) => reference.startsWith(text ?? ''));
    return ok({ payments, next: null });
  },
  today: ({ terminal }: RequestOf<'today'>) =>
    ok({ ...daySummary(), count: terminal === 'bar' ? 22 : 11, sumMinor: 100 }),
  batches: ({ terminal }: RequestOf<'batches'>) =>
    ok({
      batches: [batchView(terminal === 'bar' ? 2 : 1)],
      next: null,
      open: {
        count: 3,
        sums: [{ count: 3, sumMinor: terminal === 'bar' ? 2_200 : 1_100, currency: 'EUR' as const }],
      },
    }),
} satisfies FakeConsoleOptions['answers'];

const asked = ({ invoked }: FakeConsole, name: string) =>
  invoked.filter((each) => each.name === name).map(({ request }) => request as { terminal?: string });
const switchOf = (page: Page) => page.locator('.terminal-overview, .terminal-field');
const pressedIn = (page: Page) =>
  page.locator('[data-terminal][aria-pressed="true"]').getAttribute('data-terminal');
const count = (page: Page) => page.locator('[data-figure="count"]').innerText();

/** As another tab of the same browser does. */
async function chooseElsewhere(page: Page, name: string): Promise<void> {
  const other = await page.context().newPage();
  await other.goto(new URL('/another-tab', page.url()).href);
  await other.evaluate(`localStorage.setItem('terminal', '${name}')`);
  await other.close();
}

describe.skipIf(!needs('chromium'))('with one terminal', () => {
  const onPage = pagesForTests();

  test.each(['till', 'payments', 'batches', 'till/today/report'])('%s has no switch', async (route) => {
    await onPage({ route: `${route}?terminal=bar` }, async (fake) => {
      await fake.page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
      await poll(() => fake.invoked.length).toBeGreaterThan(2);
      expect(await switchOf(fake.page).count()).toBe(0);
      expect(await fake.page.locator('body').innerText()).not.toContain('Main terminal');
      for (const { request } of fake.invoked) expect(request).not.toHaveProperty('terminal');
    });
  });
});

describe.skipIf(!needs('chromium'))('with several terminals', () => {
  const onPage = pagesForTests();

  test('a terminal says whose journal keeps new payments from it, and neither of the two is ready', async () => {
    const damaged = { writable: false, text: 'The journal is damaged.', damaged: true };
    const state = several({
      heldElsewhere: 'bar',
      otherTerminals: [
        { ...bar, journal: damaged },
        { ...terrace, heldElsewhere: 'bar' },
      ],
    });
    await onPage({ route: 'till', state }, async ({ page }) => {
      const text = 'Payments may be missing from the journal of another terminal (Terminal “bar”).';
      await page.locator('.till-now[data-situation="held"]').getByText(text).waitFor();
      const conditions = await page
        .locator('.terminal-overview [data-condition]')
        .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-condition')));
      expect(conditions).toEqual(['held', 'held', 'held']);
    });
  });

  test('the till shows which are ready, in doubt or silent, what needs somebody first', async () => {
    const state = several({
      otherTerminals: [
        bar,
        terrace,
        otherTerminalState({ name: 'kiosk', terminal: terminalState({ connection: 'operating' }) }),
        otherTerminalState({ name: 'old', retired: true, terminal: lost }),
        otherTerminalState({ name: 'van' }),
      ],
      doubts: [inDoubtView({ onTerminal: 'van' })],
    });
    await onPage({ route: 'till?terminal=main', state }, async ({ page, emit }) => {
      const buttons = page.locator('.terminal-overview button');
      await buttons.first().waitFor();
      const shown = async () =>
        (await buttons.allInnerTexts()).map((text) => text.replaceAll(/\s*\n\s*/g, ': '));
      expect(await shown()).toEqual([
        'Terminal “van”: In doubt',
        'Terminal “terrace”: Not connected',
        'Main terminal: Ready',
        'Terminal “bar”: Ready',
        'Terminal “kiosk”: Working',
        'Terminal “old”: No longer configured',
      ]);
      // A payment moves none of them, and changes no size.
      const places = async () => Promise.all((await buttons.all()).map((button) => button.boundingBox()));
      const before = await places();
      const working = { ...state, terminal: terminalState({ connection: 'operating' }) };
      await emit({ kind: 'state', state: working });
      await poll(async () => (await shown())[2]).toBe('Main terminal: Working');
      expect(await places()).toEqual(before);
    });
  });

  test.each([
    ['en', 'light'],
    ['de', 'dark'],
  ] as const)(
    'a press shows another one, with nothing left of the one before (%s, %s)',
    async (language, theme) => {
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      const slow = {
        ...answers,
        async today(request: RequestOf<'today'>) {
          if (request.terminal === 'bar') await held;
          return answers.today(request);
        },
      };
      const options = { route: 'till?terminal=main', state: several(), answers: slow, language };
      await onPage({ ...options, colorScheme: theme }, async (fake) => {
        const { page } = fake;
        await poll(() => count(page)).toBe('11');
        await page.locator('[data-terminal="bar"]').press('Enter');
        const title = language === 'de' ? 'Terminal „bar“' : 'Terminal “bar”';
        await poll(() => page.getByRole('banner').innerText()).toContain(title);
        // Its own figures are not there yet: those of the other one are not shown for it.
        expect(await page.locator('[data-figure="count"]').count()).toBe(0);
        release();
        await poll(() => count(page)).toBe('22');
        expect(await page.locator('[data-terminal="bar"]').getAttribute('aria-pressed')).toBe('true');
        expect(await page.evaluate('document.activeElement.dataset.terminal')).toBe('bar');
        expect(await page.locator('body').innerText()).not.toMatch(missingKey);
        expect(await seriousFindings(page)).toEqual([]);
      });
    },
  );

  test('a change is fetched for the terminal that it is about, and for no other', async () => {
    await onPage({ route: 'till?terminal=bar', state: several(), answers }, async (fake) => {
      await poll(() => count(fake.page)).toBe('22');
      const before = asked(fake, 'today').length;
      await fake.emit({ kind: 'payment', payment: ofMain });
      await fake.page.clock.runFor(2_000);
      expect(asked(fake, 'today')).toHaveLength(before);
      await fake.emit({ kind: 'payment', payment: ofBar });
      await fake.page.clock.runFor(2_000);
      await poll(() => asked(fake, 'today').length).toBe(before + 1);
      expect(asked(fake, 'today').at(-1)).toMatchObject({ terminal: 'bar' });
    });
  });

  test('the payment on one of them is shown and cancelled there', async () => {
    const working = otherTerminalState({
      terminal: terminalState({ connection: 'operating' }),
      currentOperation: currentOperationView({ reference: 'B-2008' }),
    });
    const state = several({ otherTerminals: [working, terrace] });
    await onPage({ route: 'till?terminal=bar', state, answers }, async (fake) => {
      await fake.page.getByText('B-2008').waitFor();
      await fake.page.getByRole('button', { name: 'Cancel payment' }).click();
      await poll(() => asked(fake, 'cancelPayment')).toEqual([{ reference: 'B-2008', terminal: 'bar' }]);
      await fake.page.locator('[data-terminal="main"]').click();
      await poll(() => fake.page.getByRole('main').innerText()).toContain('The terminal can take a payment.');
      expect(await fake.page.getByRole('main').innerText()).not.toContain('B-2008');
    });
  });

  test('a tab in which none was chosen stays with its own, whatever is chosen in another one', async () => {
    const working = currentOperationView({ reference: 'A-1008' });
    const state = several({
      currentOperation: working,
      terminal: terminalState({ connection: 'operating' }),
    });
    await onPage({ route: 'till', state, answers }, async (fake) => {
      await fake.page.getByText('A-1008').waitFor();
      await chooseElsewhere(fake.page, 'bar');
      await fake.emit({
        kind: 'state',
        state: { ...state, currentOperation: { ...working, amountMinor: 700 } },
      });
      await fake.page.getByText('€7.00').waitFor();
      await fake.page.getByRole('button', { name: 'Cancel payment' }).click();
      await poll(() => asked(fake, 'cancelPayment')).toEqual([{ reference: 'A-1008' }]);
      await fake.page.reload();
      await fake.page.getByText('A-1008').waitFor();
    });
  });

  test('an address chooses a terminal once: what is chosen afterwards counts when the page is loaded again', async () => {
    await onPage({ route: 'till?terminal=bar&day=x', state: several(), answers }, async ({ page }) => {
      const pressed = () => pressedIn(page);
      await poll(pressed).toBe('bar');
      await poll(() => page.url()).toMatch(/#\/till\?day=x$/);
      await page.locator('[data-terminal="terrace"]').click();
      await page.reload();
      await poll(pressed).toBe('terrace');
      // The same link counts again when somebody follows it again.
      await page.evaluate('void (location.hash = "#/payments?terminal=bar")');
      await poll(() => page.getByRole('combobox', { name: 'Terminal' }).inputValue()).toBe('bar');
      await page.goBack();
      await poll(pressed).toBe('bar');
    });
  });

  test('an address with a name that no terminal has changes nothing', async () => {
    await onPage({ route: 'till?terminal=bar', state: several(), answers }, async ({ page }) => {
      const pressed = () => pressedIn(page);
      await poll(pressed).toBe('bar');
      await page.evaluate('void (location.hash = "#/till?terminal=kiosk")');
      await poll(() => page.url()).toMatch(/#\/till$/);
      await poll(pressed).toBe('bar');
      expect(await page.evaluate('localStorage.getItem("terminal")')).toBe('bar');
    });
  });

  test('an address waits for a bridge that is about to start', async () => {
    const starting = consoleState({ bridge: { kind: 'starting' }, terminal: null });
    await onPage({ route: 'till?terminal=bar', state: starting, answers }, async ({ page, setState }) => {
      await page.locator('.till-now[data-situation="bridge"]').waitFor();
      await setState(several());
      await poll(() => page.locator('[data-terminal="bar"]').getAttribute('aria-pressed')).toBe('true');
    });
  });

  test('the small window of the desktop app goes with the large one', async () => {
    await onPage({ route: 'mini', state: several(), answers }, async ({ page }) => {
      const title = page.locator('.mini-terminal');
      await poll(() => title.innerText()).toBe('Main terminal');
      await chooseElsewhere(page, 'bar');
      await poll(() => title.innerText()).toBe('Terminal “bar”');
    });
  });

  test('payments are those of the chosen one, chosen with the keyboard', async () => {
    await onPage({ route: 'payments?terminal=main', state: several(), answers }, async (fake) => {
      const { page } = fake;
      await page.getByRole('row', { name: /A-1007/ }).waitFor();
      const field = page.getByRole('combobox', { name: 'Terminal' });
      await field.focus();
      await field.selectOption('bar');
      await page.getByRole('row', { name: /B-2007/ }).waitFor();
      expect(await page.getByRole('row', { name: /A-1007/ }).count()).toBe(0);
      expect(await field.evaluate('document.activeElement.tagName')).toBe('SELECT');
      // Both journals count from one: the same position is another payment.
      const voided = { ...ofMain, status: 'voided' as const, updatedAt: '2026-05-13T08:00:00.000Z' };
      await fake.emit({ kind: 'payment', payment: { ...ofBar, status: 'settled' } });
      await fake.emit({ kind: 'payment', payment: voided });
      const next = paymentView(8, { transactionId: 'next', reference: 'B-2008', onTerminal: 'bar' });
      await fake.emit({ kind: 'payment', payment: next });
      await page.getByRole('row', { name: /B-2008/ }).waitFor();
      await poll(() => page.getByRole('row', { name: /B-2007/ }).innerText()).toContain('Settled');
      expect(await page.getByRole('row', { name: /A-1007/ }).count()).toBe(0);
      expect(await seriousFindings(page)).toEqual([]);
    });
  });

  test('a reference is found wherever it was paid, and its payment is voided there', async () => {
    const options = { state: several(), answers, payments: [ofMain, ofBar] };
    await onPage({ ...options, route: 'payments?terminal=main&text=B-2' }, async (fake) => {
      const { page } = fake;
      const elsewhere = page.getByRole('status').filter({ hasText: 'Also found on another terminal' });
      await elsewhere.waitFor();
      expect(await elsewhere.innerText()).toContain('Terminal “bar”');
      await elsewhere.getByRole('link', { name: 'B-2007' }).click();
      const detail = page.getByRole('region', { name: /B-2007/ });
      await detail.getByRole('button', { name: 'Void' }).click();
      const dialog = page.getByRole('dialog');
      expect(await dialog.innerText()).toContain('Terminal “bar”');
      await dialog.getByRole('button', { name: 'Void' }).click();
      await poll(() => asked(fake, 'voidPayment')).toEqual([{ reference: 'B-2007', terminal: 'bar' }]);
    });
  });

  test.each([
    [ofBar, 'Terminal “bar”'],
    [ofMain, 'Main terminal'],
  ])('what is copied for support says on which terminal it was paid', async (payment, terminal) => {
    const route = `payments/${payment.transactionId}`;
    await onPage({ route, state: several(), answers, payments: [ofMain, ofBar] }, async ({ page }) => {
      await page.evaluate(`navigator.clipboard.writeText = async (text) => { window.copied = text; }`);
      await page.getByRole('button', { name: 'Copy for support' }).click();
      const copied = () => page.evaluate<string>('window.copied ?? ""');
      await poll(async () => (await copied()).split('\n').slice(0, 2)).toEqual([
        `Reference: ${payment.reference}`,
        terminal,
      ]);
    });
  });

  test('where nothing is found elsewhere no room is taken, and what is found later is read out', async () => {
    let paid = false;
    const later = {
      ...answers,
      payments: (request: RequestOf<'payments'>) =>
        request.terminal === 'bar' && !paid ? ok({ payments: [], next: null }) : answers.payments(request),
    };
    await onPage({ state: several(), answers: later, route: 'payments' }, async ({ page, emit }) => {
      await page.getByRole('row', { name: /A-1007/ }).waitFor();
      const top = async () => (await page.locator('.payments-card').boundingBox())?.y;
      const before = await top();
      await page.getByRole('searchbox').fill('B-2');
      const elsewhere = page.getByRole('main').getByRole('status').and(page.locator('.payments-elsewhere'));
      await elsewhere.waitFor({ state: 'attached' });
      await page.getByText('No matching payments').first().waitFor();
      expect(await top()).toBe(before);
      paid = true;
      await emit({ kind: 'payment', payment: ofBar });
      await elsewhere.getByRole('link', { name: 'B-2007' }).waitFor();
      expect(await top()).toBeGreaterThan(before ?? Infinity);
    });
  });

  test('a terminal that cannot be searched is named, and searched again when something is paid on it', async () => {
    let fails = true;
    const failing = {
      ...answers,
      payments: (request: RequestOf<'payments'>) =>
        request.terminal === 'bar' && fails
          ? { ok: false as const, refusal: { code: 'journal_unavailable' as const, message: 'damaged' } }
          : answers.payments(request),
    };
    const options = { state: several(), answers: failing, route: 'payments?terminal=main&text=B-2' };
    await onPage(options, async ({ page, emit }) => {
      const elsewhere = page.locator('.payments-elsewhere');
      await poll(() => elsewhere.innerText()).toBe('Terminal “bar” could not be searched.');
      fails = false;
      await emit({ kind: 'payment', payment: ofBar });
      await elsewhere.getByRole('link', { name: 'B-2007' }).waitFor();
      await poll(() => elsewhere.innerText()).not.toContain('could not be searched');
    });
  });

  test('the palette finds a reference on each, and asks about the right one', async () => {
    const working = otherTerminalState({ currentOperation: currentOperationView({ reference: 'B-2008' }) });
    const state = several({ otherTerminals: [working] });
    await onPage({ route: 'log', state, answers }, async (fake) => {
      const { page } = fake;
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill('B-2007');
      await page.getByRole('option', { name: /B-2007 .*Terminal “bar”/ }).waitFor();
      await page.getByRole('dialog').getByRole('combobox').fill('Cancel payment');
      await page.getByRole('option', { name: 'Cancel payment · Terminal “bar”' }).click();
      expect(await page.getByRole('dialog').innerText()).toContain('Terminal “bar”:');
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /Cancel payment/ })
        .click();
      await poll(() => asked(fake, 'cancelPayment')).toEqual([{ reference: 'B-2008', terminal: 'bar' }]);
    });
  });

  test('the palette shows what is on the chosen one first, but a whole reference before it, and some of each', async () => {
    const numbers = [16, 15, 14, 13, 12, 11, 1];
    const onTerminal = (name: string, first: string) =>
      numbers.map((number) =>
        paymentView(number, {
          transactionId: `${name}-${number}`,
          reference: `${first}-${number}`,
          ...(name === 'main' ? {} : { onTerminal: name }),
        }),
      );
    const all = { main: onTerminal('main', 'R-1'), bar: onTerminal('bar', 'R-2'), terrace: [] };
    const found = {
      ...answers,
      payments: ({ terminal = 'main', limit, filter: { text } }: RequestOf<'payments'>) =>
        ok({
          payments: all[terminal as keyof typeof all]
            .filter(({ reference }) => reference.startsWith(text?.toUpperCase() ?? ''))
            .slice(0, limit),
          next: null,
        }),
    };
    await onPage({ route: 'help?terminal=bar', state: several(), answers: found }, async ({ page }) => {
      await page.keyboard.press('Control+k');
      const dialog = page.getByRole('dialog');
      const shown = async () =>
        (await dialog.getByRole('option').allInnerTexts()).map((text) => text.split(' · ')[0]);
      const field = dialog.getByRole('combobox');
      await field.fill('R-');
      await poll(shown).toEqual(['R-2-16', 'R-2-15', 'R-2-14', 'R-2-13', 'R-2-12', 'R-1-16', 'R-1-15']);
      await field.fill('r-1-1');
      await poll(shown).toEqual(['R-1-1', 'R-1-16', 'R-1-15']);
      all.bar.push(paymentView(30, { transactionId: 'bar-30', reference: 'R-1-14-2', onTerminal: 'bar' }));
      await field.fill('r-1-14');
      await poll(shown).toEqual(['R-1-14', 'R-1-14-2']);
    });
  });

  test('a batch is closed on the terminal that the question names', async () => {
    await onPage({ route: 'batches?terminal=main', state: several(), answers }, async (fake) => {
      const { page } = fake;
      await poll(() => page.locator('.open-batch-total').innerText()).toBe('€11.00');
      const closeDay = async (title: string) => {
        await page.locator('.open-batch').getByRole('button', { name: 'Close the day' }).click();
        const dialog = page.getByRole('dialog');
        expect(await dialog.innerText()).toContain(title);
        await dialog.getByRole('button', { name: 'Close the day' }).click();
      };
      await closeDay('Main terminal');
      await page.locator('.open-batch-news .note-good').waitFor();
      await page.getByRole('combobox', { name: 'Terminal' }).selectOption('bar');
      await poll(() => page.locator('.open-batch-total').innerText()).toBe('€22.00');
      // What became of the other one's close is not said of this one.
      expect(await page.locator('.open-batch-news .note-good').count()).toBe(0);
      await closeDay('Terminal “bar”');
      await poll(() => asked(fake, 'submitBatch')).toEqual([{}, { terminal: 'bar' }]);
    });
  });

  test.each([
    ['how a close ended', ok({ text: 'Batch 3 is closed.' }), 'Batch 3 is closed.'],
    [
      'why it was refused',
      {
        ok: false as const,
        refusal: { code: 'payment_unresolved' as const, message: 'Something is in doubt.' },
      },
      'Something is in doubt.',
    ],
  ])('%s is told to somebody who has looked at another terminal meanwhile', async (_, answer, text) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const closing = { ...answers, submitBatch: () => held.then(() => answer) };
    const options = { route: 'batches?terminal=bar', state: several(), answers: closing };
    await onPage(options, async (fake) => {
      const { page } = fake;
      const show = (name: string) =>
        page.getByRole('main').getByRole('combobox', { name: 'Terminal' }).selectOption(name);
      const button = page.locator('.open-batch').getByRole('button', { name: 'Close the day' });
      await button.click();
      await page.getByRole('dialog').getByRole('button', { name: 'Close the day' }).click();
      await page.getByText('The terminal is closing the day.').waitFor();
      await show('main');
      await poll(() => page.locator('.open-batch-total').innerText()).toBe('€11.00');
      expect(await button.isDisabled()).toBe(false);
      await show('bar');
      // It is still under way: another one is not begun.
      await poll(() => button.isDisabled()).toBe(true);
      await page.getByRole('link', { name: 'Till' }).click();
      release();
      await page.getByRole('link', { name: 'Batches' }).click();
      await page.getByText(text).waitFor();
      await show('main');
      await poll(() => page.getByText(text).count()).toBe(0);
      expect(asked(fake, 'submitBatch')).toEqual([{ terminal: 'bar' }]);
    });
  });

  test('the report of a day is of the chosen one, on paper, too', async () => {
    await onPage({ route: 'till/today/report?terminal=bar', state: several(), answers }, async (fake) => {
      await poll(() => asked(fake, 'dayReport').at(-1)).toMatchObject({ terminal: 'bar' });
      await poll(() => fake.page.locator('.report-paper-head').textContent()).toContain('Terminal “bar”');
      await fake.page.getByRole('button', { name: /CSV/ }).click();
      await poll(() => fake.saved.at(-1)).toMatchObject({ kind: 'day_report', terminal: 'bar' });
    });
  });

  test('another device at the port of a named one is accepted for that one', async () => {
    const ports = () =>
      ok({ ports: [serialPort('/dev/ttyUSB1', { terminal: 'unsure' as const, ofTerminal: 'terrace' })] });
    await onPage({ route: 'settings', state: several(), answers: { ports } }, async (fake) => {
      const note = fake.page.locator('.note').filter({ hasText: 'Terminal “terrace”' });
      await note.getByRole('button', { name: 'Use this device' }).click();
      await poll(() => asked(fake, 'acceptDevice')).toEqual([{ terminal: 'terrace' }]);
    });
  });

  test.each([
    [480, 900],
    [900, 600],
    [1_200, 780],
  ])('fit into %i × %i', async (width, height) => {
    const state = several({ doubts: [inDoubtView({ onTerminal: 'bar' })] });
    for (const route of ['till', 'payments?text=B', 'batches', 'till/today/report']) {
      await onPage({ route, state, answers, width, height, language: 'de' }, async ({ page }) => {
        await switchOf(page).first().waitFor();
        const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        expect(await page.evaluate(overflow), route).toBeLessThanOrEqual(0);
        const box = await switchOf(page).first().boundingBox();
        expect((box?.x ?? 0) + (box?.width ?? Infinity), route).toBeLessThanOrEqual(width);
      });
    }
  });
});
