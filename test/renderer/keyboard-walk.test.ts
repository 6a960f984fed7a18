/** The whole console with the keyboard alone: each thing is reached once, in order, has a name, and is seen to have the focus; and axe finds nothing. */
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import type { UpdateState } from '../../src/contract/console/index.ts';
import {
  consoleState,
  currentOperationView,
  discrepancyView,
  at,
  batchView,
  inDoubtView,
  logLine,
  nowMs,
  paymentDetail,
  paymentView,
  settingsView,
  terminalState,
} from '../support/console-data.ts';
import type { FakeConsole } from '../support/console-page.ts';
import { seriousFindings } from '../support/axe.ts';
import { moneyBatchId } from '../support/money-data.ts';
import { needs } from '../support/needs.ts';
import { everyEntry } from './every-entry.ts';
import { walkBack, walkThere } from './keyboard-walk.ts';
import { ok, pagesForTests, poll, type PageOptions } from './on-page.ts';

const payment = paymentView(7);
const { transactionId } = payment;
const simulated = terminalState({ simulated: true });
const needsPerson = consoleState({
  terminal: simulated,
  doubts: [inDoubtView()],
  discrepancies: [discrepancyView(1)],
  blockedOrigins: [{ origin: 'https://x.pos.example', at: at(1) }],
});
const operating = consoleState({
  currentOperation: currentOperationView(),
  terminal: terminalState({ connection: 'operating' }),
});
const wentBack = { kind: 'went_back', version: '0.2.0', from: '0.1.0', notes: null } as const;
const newVersion: UpdateState = {
  checkedAt: at(1),
  step: { kind: 'ready', release: { version: '0.3.0', notes: 'Faster.' }, installsAt: at(600) },
};
const refused = () => ({ ok: false as const, refusal: { code: 'no_bridge' as const, message: '' } });
const lines = Array.from({ length: 60 }, (_, index) =>
  logLine(index + 1, { fields: { hex: '06 01 0c', nested: { attempt: 1 } }, reference: 'A-1007' }),
);
const histogram = {
  span: { from: at(0), until: at(20) },
  bars: Array.from({ length: 20 }, (_, lines) => ({ lines, warnings: lines % 3, errors: 0 })),
};
const log: PageOptions = { route: 'log', lines, answers: { logHistogram: () => ok(histogram) } };
const told = {
  payment: () => ok(paymentDetail(payment, { timeline: everyEntry(), discrepancies: [discrepancyView(1)] })),
};
const saved = settingsView();
saved.settings.app.logFilters = [{ name: 'Mine', query: 'text=a' }];

/** Goes to the button of this name and presses it, by keyboard. */
async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name }).first().focus();
  await page.keyboard.press('Enter');
}

interface WalkedPage {
  what: string;
  options: PageOptions;
  /** All of it is there when these are. */
  there: string[];
  prepare?: (fake: FakeConsole) => Promise<void>;
  /** No other test looks at it with axe. */
  axe?: true;
  /** What `prepare` opens may close when Tab leaves it. */
  closes?: true;
}

const day = ['.till-chart canvas'];
const detail = ['.payment-grid time', '.payment-detail .timeline'];
const settings = ['text=Prolific', 'text=There are no tokens yet'];

const pages: WalkedPage[] = [
  { what: 'the till', options: {}, there: day },
  {
    what: 'the till with all banners',
    options: { state: needsPerson },
    there: day,
    prepare: ({ page }) => press(page, /more notice/),
  },
  { what: 'the till with a payment', options: { state: operating }, there: day },
  {
    what: 'the till with a result',
    axe: true,
    options: { state: operating },
    there: ['[data-situation="operation"]', ...day],
    async prepare({ page, setState }) {
      const at = new Date(nowMs + 3_600_000).toISOString();
      const lastEnded = { operationId: transactionId, outcome: 'approved', at } as const;
      await setState(consoleState({ lastPayment: payment, lastEnded }));
      await page.locator('.till-result').waitFor();
      await page.locator('.till-last [data-status]').waitFor();
    },
  },
  {
    what: 'the till before its first payment',
    axe: true,
    options: { state: consoleState({ terminal: simulated, lastPayment: null }) },
    there: day,
  },
  {
    what: 'the payments',
    options: { route: 'payments' },
    there: ['.payment-grid time'],
    prepare: ({ page }) => press(page, 'More filters'),
  },
  {
    what: 'a payment and its story',
    options: { route: `payments/${transactionId}`, answers: told, state: needsPerson },
    there: detail,
  },
  {
    what: 'a payment and its frames',
    options: { route: `payments/${transactionId}?view=wire`, answers: told },
    there: detail,
  },
  { what: 'a receipt', options: { route: `payments/${transactionId}/receipt` }, there: ['article'] },
  { what: 'a day report', options: { route: 'till/2026-05-12/report' }, there: ['.report-section'] },
  { what: 'the batches', options: { route: 'batches' }, there: ['summary'] },
  {
    what: 'the report of a batch',
    axe: true,
    options: { route: `batches/${batchView(2).operationId}/report` },
    there: ['.report-scroll'],
  },
  {
    what: 'the money',
    axe: true,
    options: { route: 'money' },
    there: ['.money-table a', '.money-chart .chart'],
  },
  {
    what: 'the money of a batch',
    axe: true,
    options: { route: `money/${moneyBatchId(41)}` },
    there: ['.money-part a, .money-part button'],
  },
  { what: 'the log', options: log, there: ['.log-row time', '.log-bars'] },
  {
    what: 'the log by payment',
    axe: true,
    options: log,
    there: ['.log-row time', '.log-bars'],
    async prepare({ page }) {
      await page.getByLabel('Show').selectOption('By payment');
      await page.locator('.log-fold').first().waitFor();
    },
  },
  {
    what: 'a line of the log',
    options: log,
    there: ['.log-row time', '.log-bars'],
    async prepare({ page }) {
      await page.getByRole('listbox', { name: 'Lines of the log' }).focus();
      for (const key of ['ArrowUp', 'Enter']) await page.keyboard.press(key);
      await page.locator('.log-hex').waitFor();
    },
  },
  {
    what: 'a stretch of the log, and what is behind its range',
    options: { ...log, route: `log?${new URLSearchParams({ from: at(0), until: at(90) }).toString()}` },
    there: ['.log-row time', '.log-bars'],
    prepare: ({ page }) => press(page, /^Time range/),
  },
  ...(['All sources', /^Time range/, 'Saved filters'] as const).map((button) => ({
    what: `the log with what is behind ${String(button)}`,
    closes: true as const,
    axe: true as const,
    options: { ...log, route: 'log?text=line', settings: saved },
    there: ['.log-row time', '.log-bars'],
    prepare: ({ page }: FakeConsole) => press(page, button),
  })),
  { what: 'the settings', options: { route: 'settings' }, there: settings },
  {
    what: 'settings that are not saved yet',
    axe: true,
    options: { route: 'settings' },
    there: settings,
    async prepare({ page }) {
      await page.getByLabel('Port', { exact: true }).fill('8081');
      await page.getByText('Interface details').click();
    },
  },
  {
    what: 'the settings of the desktop app, with a new version and what became of the last one',
    axe: true,
    options: {
      route: 'settings',
      settings: settingsView({ canStartWithSystem: true }),
      state: consoleState({ host: 'desktop', update: { ...newVersion, news: wentBack } }),
    },
    there: [...settings, '.update-status', '[data-banner=update]'],
    prepare: ({ page }) => page.getByText('What is new', { exact: true }).first().click(),
  },
  {
    what: 'a connection test that found no terminal',
    axe: true,
    options: { route: 'settings', answers: { testConnection: () => ok({ kind: 'silent', text: '' }) } },
    there: settings,
    async prepare({ page }) {
      await press(page, 'Test connection');
      await page.locator('[data-test-result]').waitFor();
    },
  },
  {
    what: 'a connection test that was refused',
    axe: true,
    options: { route: 'settings', answers: { testConnection: refused } },
    there: settings,
    async prepare({ page }) {
      await press(page, 'Test connection');
      await page.locator('.connection-test .note-bad a').waitFor();
    },
  },
  {
    what: 'the calendar of a date',
    options: { route: 'payments' },
    there: ['.payment-grid time'],
    async prepare({ page }) {
      await press(page, 'More filters');
      await press(page, /^Calendar/);
      await page.getByRole('gridcell').first().waitFor();
    },
  },
  ...[operating, consoleState({ doubts: [inDoubtView()] })].map((state) => ({
    what: state.currentOperation === null ? 'the small window with a doubt' : 'the small window',
    axe: true as const,
    options: { route: 'mini', width: 340, height: 210, state },
    there: ['.mini button'],
  })),
  { what: 'the help', options: { route: 'help' }, there: ['.diagnosis-table'] },
  { what: 'the states', options: { route: 'help/states' }, there: ['main h2'] },
  {
    what: 'the first start',
    options: {
      state: consoleState({
        bridge: { kind: 'first_start' },
        terminal: null,
        listener: { kind: 'off' },
        lastPayment: null,
      }),
    },
    there: ['text=Prolific'],
  },
];

const dialogs: [what: string, options: PageOptions, button: string][] = [
  ['what waits for a person', { state: needsPerson }, 'Resolve'],
  ['a doubt', { route: 'batches', state: consoleState({ doubts: [inDoubtView()] }) }, 'Resolve'],
  [
    'a doubt, the terminal away',
    {
      route: 'batches',
      state: consoleState({
        terminal: terminalState({ connection: 'lost' }),
        doubts: [inDoubtView({ terminalSeenIdle: false })],
      }),
    },
    'Resolve',
  ],
  ['a discrepancy', { state: consoleState({ discrepancies: [discrepancyView(1)] }) }, 'Look at it'],
  ['a void', { route: `payments/${transactionId}` }, 'Void'],
  ['the close of a day', { route: 'batches' }, 'Close the day'],
  ['the stop of the POS connection', {}, 'Stop'],
  ['the support bundle', { route: 'log', lines }, 'Support bundle'],
  ['a token', { route: 'settings' }, 'Create a token…'],
  ['what is new', { route: 'settings' }, 'What is new'],
  ['the licences', { route: 'settings' }, 'Licences'],
  ['the search for the terminal', { route: 'settings' }, 'Find my terminal'],
];

describe.skipIf(!needs('chromium'))('the keyboard alone', () => {
  const onPage = pagesForTests();

  test.each(pages)('walks through $what', async ({ options, there, prepare, axe, closes }) => {
    await onPage(options, async (fake) => {
      for (const part of there) await fake.page.locator(part).first().waitFor();
      await prepare?.(fake);
      await expectWhole(fake.page, closes === true ? () => prepare?.(fake) : undefined);
      for (const theme of axe === true ? ['light', 'dark'] : []) {
        await fake.page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
        expect(await seriousFindings(fake.page), theme).toEqual([]);
      }
    });
  });

  const large = new Set(['the till with all banners', 'the settings', 'the log']);
  test.each(pages.filter(({ what }) => large.has(what)))(
    'walks through $what in a small window',
    async ({ options, there, prepare }) => {
      await onPage({ ...options, width: 900, height: 600 }, async (fake) => {
        for (const part of there) await fake.page.locator(part).first().waitFor();
        await prepare?.(fake);
        expect(await fake.page.evaluate('[innerWidth, innerHeight]')).toEqual([900, 600]);
        await expectWhole(fake.page);
      });
    },
  );

  test.each([
    ['the keys', '?'],
    ['the commands', 'Control+k'],
  ])('goes into the dialog of %s, through it, and back', async (_, key) => {
    await onPage({ route: 'help' }, async ({ page }) => {
      const link = page.getByRole('link', { name: 'What the states mean' });
      await link.focus();
      await page.keyboard.press(key);
      await page.getByRole('dialog').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).focus();
      await expectWhole(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).focus();
      await page.keyboard.press('Escape');
      await poll(() => page.getByRole('dialog').count()).toBe(0);
      expect(await link.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    });
  });

  test.each(dialogs)('goes into the dialog of %s, through it, and back', async (_, options, button) => {
    await onPage(options, async ({ page }) => {
      const opener = page.getByRole('button', { name: button, exact: true }).first();
      await opener.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await poll(() => page.getByRole('dialog').getByText('Loading…').count()).toBe(0);
      await expectWhole(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().focus();
      await page.keyboard.press('Escape');
      await poll(() => page.getByRole('dialog').count()).toBe(0);
      expect(await opener.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    });
  });

  test('goes through both steps of a decision by hand, also when something is missing, and back', async () => {
    const state = consoleState({ doubts: [inDoubtView({ terminalSeenIdle: false })] });
    await onPage({ route: 'batches', state }, async ({ page }) => {
      const { keyboard } = page;
      await press(page, 'Resolve');
      const dialog = page.getByRole('dialog');
      await press(page, 'Continue');
      await dialog.getByText('Enter a reason.').waitFor();
      // The first that is missing has the focus.
      expect(await page.evaluate('document.activeElement.type')).toBe('radio');
      await keyboard.press('Space');
      for (const what of ['Space', 'Kim', 'slip 0123']) {
        await keyboard.press('Tab');
        await (what === 'Space' ? keyboard.press(what) : keyboard.type(what));
      }
      await dialog.getByRole('button', { name: 'Close' }).focus();
      await expectWhole(page);
      await press(page, 'Continue');
      const title = dialog.getByRole('heading', { name: 'Are you sure?' });
      await title.waitFor();
      expect(await title.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
      await dialog.getByRole('button', { name: 'Close' }).focus();
      await expectWhole(page);
      expect(await seriousFindings(page)).toEqual([]);
      await press(page, 'Back');
      await dialog.getByLabel('Your name').waitFor();
      await poll(() => page.evaluate('document.activeElement.closest("dialog") !== null')).toBe(true);
    });
  });

  test('goes through a discrepancy with something missing, and acknowledges it', async () => {
    const state = consoleState({ discrepancies: [discrepancyView(1)] });
    await onPage({ state }, async ({ page, invoked }) => {
      await press(page, 'Look at it');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Acknowledge' }).first().focus();
      await page.keyboard.press('Enter');
      await dialog.getByText('Enter a reason.').waitFor();
      expect(await page.evaluate('document.activeElement.tagName')).toBe('INPUT');
      await page.keyboard.type('Kim');
      await dialog.getByRole('button', { name: 'Close' }).focus();
      await expectWhole(page);
      expect(await seriousFindings(page)).toEqual([]);
      await dialog.getByRole('textbox').last().focus();
      await page.keyboard.type('paid by hand');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await poll(() => invoked.find(({ name }) => name === 'acknowledge')?.request).toMatchObject({
        by: 'Kim',
        reason: 'paid by hand',
      });
    });
  });

  test('goes through a token that is shown once, and is back where it was made', async () => {
    await onPage({ route: 'settings' }, async ({ page }) => {
      await page.getByText('There are no tokens yet').waitFor();
      await press(page, 'Create a token…');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox').focus();
      await page.keyboard.type('Till 1');
      await page.keyboard.press('Enter');
      await dialog.locator('[data-token]').waitFor();
      // What was typed in is gone: the focus is in what has come instead.
      await poll(() => page.evaluate('document.activeElement.closest("dialog") !== null')).toBe(true);
      await dialog.getByRole('button').first().focus();
      await expectWhole(page);
      expect(await seriousFindings(page)).toEqual([]);
      await dialog.getByRole('button').last().focus();
      await page.keyboard.press('Enter');
      await poll(() => dialog.count()).toBe(0);
      const opener = page.getByRole('button', { name: 'Create a token…' });
      expect(await opener.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    });
  });

  test('goes from the first start to the first payment and its result', async () => {
    const terminal = simulated;
    const state = consoleState({
      bridge: { kind: 'first_start' },
      terminal: null,
      listener: { kind: 'off' },
      lastPayment: null,
    });
    await onPage({ state }, async ({ page, invoked, setState }) => {
      const isInside = (selector: string) =>
        page.evaluate<boolean>(`document.activeElement.closest('${selector}') !== null`);
      await press(page, 'Start the simulator');
      await setState(consoleState({ terminal, lastPayment: null }));
      await page.getByRole('button', { name: 'Make a test payment' }).waitFor();
      await poll(() => isInside('#content')).toBe(true);
      for (let steps = 0; steps < 20 && !(await isInside('.till-test')); steps += 1)
        await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await poll(() => invoked.filter(({ name }) => name === 'testPayment').length).toBe(1);
      const working = terminalState({ simulated: true, connection: 'operating' });
      await setState(
        consoleState({ terminal: working, currentOperation: currentOperationView(), lastPayment: null }),
      );
      await page.locator('[data-situation="operation"]').waitFor();
      // The form is gone, but who goes on from there is still in the page.
      await page.keyboard.press('Tab');
      expect(await isInside('#content')).toBe(true);
      const at = new Date(nowMs + 3_600_000).toISOString();
      const lastEnded = { operationId: transactionId, outcome: 'approved', at } as const;
      await setState(consoleState({ terminal, lastPayment: payment, lastEnded }));
      await page.locator('.till-result').waitFor();
      await page.keyboard.press('Tab');
      expect(await isInside('#content')).toBe(true);
    });
  });

  test('comes to the row with which the arrows begin, also when it was scrolled away', async () => {
    await onPage({ route: 'payments' }, async ({ page }) => {
      const grid = page.getByRole('grid');
      await grid.focus();
      await page.keyboard.press('End');
      const active = page.locator('[data-active="true"]');
      await poll(() => active.innerText()).toContain('A-1001');
      await grid.evaluate((element) => element.scrollTo(0, 0));
      await poll(() => active.count()).toBe(0);
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Tab');
      await poll(() => active.innerText()).toContain('A-1001');
    });
  });

  test('hears of a bar of the log what the pointer is told', async () => {
    await onPage(log, async ({ page }) => {
      await page.locator('.log-bars').focus();
      await page.keyboard.press('End');
      const said = page.locator('.log-histogram-ends');
      await poll(() => said.innerText()).toContain('lines 19, warnings 1, errors 0');
      await page.keyboard.press('Shift+ArrowLeft');
      await poll(() => said.innerText()).toContain('lines 37, warnings 1, errors 0');
    });
  });

  test('stays beside what it removed: in the filters that are left, in the part of the settings', async () => {
    await onPage({ ...log, settings: saved }, async ({ page }) => {
      await press(page, 'Saved filters');
      await page.getByRole('button', { name: 'Remove Mine' }).focus();
      await page.keyboard.press('Enter');
      await poll(() => page.getByRole('button', { name: 'Remove Mine' }).count()).toBe(0);
      await poll(() => page.evaluate('document.activeElement.matches(".log-popover:popover-open")')).toBe(
        true,
      );
    });
    await onPage({ route: 'settings' }, async ({ page }) => {
      await page.getByRole('button', { name: 'Remove https://pos.example' }).focus();
      await page.keyboard.press('Enter');
      await poll(() => page.getByRole('button', { name: 'Remove https://pos.example' }).count()).toBe(0);
      const place = page.getByRole('region', { name: 'Web pages' });
      await poll(() => place.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(
        true,
      );
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.tagName')).toBe('INPUT');
      expect(await place.getAttribute('tabindex')).toBeNull();
    });
  });
});

/** `open`: opens what closes when Tab leaves it. */
async function expectWhole(page: Page, open?: () => Promise<void> | undefined): Promise<void> {
  const there = await walkThere(page);
  const { names } = there;
  if (open !== undefined && (await page.locator('.log-popover:popover-open').count()) === 0) await open();
  const back = await walkBack(page);
  const nameOf = ({ place, what }: { place: number; what: string }) => names[place] ?? what;
  for (const [way, stops, wanted] of [
    ['Tab', there.stops, names],
    ['Shift+Tab', back.stops, names.toReversed()],
  ] as const) {
    expect(stops.map(nameOf), way).toEqual(wanted);
    // Who comes back from below has closed it before, so that it covers nothing.
    if (way === 'Shift+Tab' && open !== undefined) continue;
    const unseen = stops.filter(({ unseen }) => unseen !== '');
    expect(
      unseen.map((stop) => `${nameOf(stop)}: ${stop.unseen}`),
      way,
    ).toEqual([]);
  }
  expect(names.filter((name) => name.endsWith(': '))).toEqual([]);
}
