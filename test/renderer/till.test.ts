/** The page for the cashier's glance: what is on the terminal now, what came of the last payment, and the day. */
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import type { ConsoleState, CurrentOperation, Span } from '../../src/contract/console/index.ts';
import { situationOf } from '../../src/renderer/situation/situation.ts';
import { seriousFindings } from '../support/axe.ts';
import {
  consoleState,
  daySummary,
  inDoubtView,
  currentOperationView,
  nowMs,
  paymentView,
  settingsView,
  terminalState,
} from '../support/console-data.ts';
import { needs } from '../support/needs.ts';
import { ok, pagesForTests, poll } from './on-page.ts';

function operating(changes: Partial<CurrentOperation> = {}, progress: string | null = null): ConsoleState {
  return consoleState({
    currentOperation: currentOperationView(changes),
    terminal: terminalState({ connection: 'operating', progressStep: 'insert_card', progress }),
  });
}

describe.skipIf(!needs('chromium'))('the page Till', () => {
  const open = pagesForTests();
  const onPage: typeof open = (options, work) =>
    open(options, async (fake) => {
      await fake.page.locator('.till').waitFor();
      await work(fake);
    });
  const now = '.till-now';

  test('shows the current payment, its amount, what the terminal says, and the time that passes', async () => {
    const startedAt = new Date(nowMs - 65_000).toISOString();
    await onPage({ state: operating({ startedAt }, 'BITTE KARTE') }, async ({ page }) => {
      const text = await page.locator(now).innerText();
      expect(text).toContain('Payment');
      // Read out as two words.
      expect(await page.getByRole('heading', { name: 'Payment A-1007', exact: true }).count()).toBe(1);
      expect(text).toContain('A-1007');
      expect(text).toContain('€1,234.56');
      expect(text).toContain('Insert or tap card');
      expect(text).toContain('BITTE KARTE');
      const timer = page.getByRole('timer');
      const first = await timer.innerText();
      expect(first).toMatch(/^0?1:\d\d$/);
      await page.clock.runFor(1_000);
      expect(await timer.innerText()).not.toBe(first);
    });
  });

  test('shows the terminal’s own text only where it says something else', async () => {
    await onPage({ state: operating({}, 'INSERT OR TAP CARD') }, async ({ page, setState }) => {
      expect(await page.locator(now).innerText()).not.toContain('The terminal shows');
      await setState(operating({}, 'Karte stecken'));
      await page.locator(now).getByText('Karte stecken').waitFor();
    });
  });

  test('the simulator’s display speaks the window’s language, a real one its own', async () => {
    const state = operating({}, 'Enter PIN');
    const simulated = { ...state, terminal: terminalState({ ...state.terminal, simulated: true }) };
    await onPage({ language: 'de', state: simulated }, async ({ page, setState }) => {
      const shown = () => page.locator(now).innerText();
      await poll(shown).toContain('Das Terminal zeigt: PIN eingeben');
      await setState({ ...simulated, terminal: { ...simulated.terminal, progress: 'Waiting for the bank' } });
      await poll(shown).toContain('Das Terminal zeigt: Warten auf die Bank');
      await setState(state);
      await poll(shown).toContain('Das Terminal zeigt: Enter PIN');
    });
  });

  test('a terminal that says nothing for long is to be looked at', async () => {
    const silent = (ago: number) => {
      const state = operating({ startedAt: new Date(nowMs - ago).toISOString() });
      return {
        ...state,
        terminal: state.terminal === null ? null : { ...state.terminal, progressStep: null },
      };
    };
    await onPage({ state: silent(1_000) }, async ({ page, setState }) => {
      const hint = page.locator(now).getByText('No answer from the terminal yet');
      expect(await hint.count()).toBe(0);
      await setState(silent(20_000));
      await hint.waitFor();
      await setState(operating({ startedAt: new Date(nowMs - 20_000).toISOString() }));
      await hint.waitFor({ state: 'detached' });
    });
  });

  test('a start in the future, after the clock was set back, passes no time', async () => {
    const startedAt = new Date(nowMs + 90_000).toISOString();
    await onPage({ state: operating({ startedAt }) }, async ({ page }) => {
      expect(await page.getByRole('timer').innerText()).toMatch(/^0?0:00$/);
    });
  });

  test('cancels by keyboard, and says that it is asked for', async () => {
    await onPage(
      { state: operating(), answers: { cancelPayment: () => ok({ payment: paymentView(7) }) } },
      async ({ page, invoked, setState }) => {
        await page.getByRole('button', { name: 'Cancel payment' }).focus();
        await page.keyboard.press('Enter');
        await poll(() => invoked.filter(({ name }) => name === 'cancelPayment')).toEqual([
          { name: 'cancelPayment', request: { reference: 'A-1007' } },
        ]);
        await setState(operating({ cancelRequested: true }));
        await page.getByText('Cancellation requested').waitFor();
        expect(await page.getByRole('button', { name: 'Cancel payment' }).isDisabled()).toBe(true);
      },
    );
  });

  test('a cancel that came too late is told in clear words, also when the payment is over by then', async () => {
    const refusal = { code: 'cancel_too_late' as const, message: 'The terminal went on.' };
    await onPage(
      { state: operating(), answers: { cancelPayment: () => ({ ok: false, refusal }) } },
      async ({ page, setState }) => {
        await page.getByRole('button', { name: 'Cancel payment' }).click();
        await page.getByText('Too late: the terminal has approved the payment').waitFor();
        const last = paymentView(7);
        await setState(consoleState({ lastPayment: last }));
        await page.locator('[data-situation="ready"]').waitFor();
        const link = page.getByRole('alert').getByRole('link', { name: 'Open the payment' });
        expect(await link.getAttribute('href')).toBe(`#/payments/${last.transactionId}`);
        await setState(operating({ reference: 'A-1008', operationId: 'another' }));
        await page.getByText('A-1008').waitFor();
        expect(await page.getByText('Too late').count()).toBe(0);
      },
    );
  });

  test('a void and a batch close cannot be cancelled', async () => {
    await onPage({ state: operating({ kind: 'void' }) }, async ({ page, setState }) => {
      await page.locator(now).getByRole('heading', { name: 'Void' }).waitFor();
      expect(await page.getByRole('button', { name: 'Cancel payment' }).count()).toBe(0);
      await setState(operating({ kind: 'batch_close', reference: null, amountMinor: null }));
      await page.locator(now).getByRole('heading', { name: 'Batch close' }).waitFor();
      expect(await page.getByRole('button', { name: 'Cancel payment' }).count()).toBe(0);
    });
  });

  test('a doubt says what to do, and opens the dialog that resolves it', async () => {
    await onPage({ state: consoleState({ doubts: [inDoubtView()] }) }, async ({ page }) => {
      await page.locator('[data-situation="in_doubt"]').getByText('do not charge again').waitFor();
      await page.locator(now).getByRole('button', { name: 'Resolve' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await page.getByRole('dialog').count()).toBe(1);
    });
  });

  test('the last result has status, amount, reference and a link; before the first there are words', async () => {
    const payment = paymentView(3, { status: 'declined' });
    await onPage({ state: consoleState({ lastPayment: payment }) }, async ({ page, setState }) => {
      const last = page.locator('.till-last');
      expect(await last.innerText()).toContain('Declined');
      expect(await last.innerText()).toContain('€15.00');
      expect(await last.getByRole('link', { name: 'A-1003' }).getAttribute('href')).toBe(
        `#/payments/${payment.transactionId}`,
      );
      await setState(consoleState({ lastPayment: null, listener: { kind: 'off' } }));
      await last.getByText('No payment yet').waitFor();
    });
  });

  test('asks for the local day, shows its figures, and the charts’ content in words', async () => {
    await onPage({ state: consoleState() }, async ({ page, invoked }) => {
      await page.locator('[data-figure="count"]').waitFor();
      expect(await page.locator('[data-figure]').allInnerTexts()).toEqual(['42', '€1,234.50', '95.1%']);
      const request = invoked.find(({ name }) => name === 'today')?.request;
      expect(request).toEqual(
        await page.evaluate(`{
          const day = new Date();
          const midnight = (days) =>
            new Date(day.getFullYear(), day.getMonth(), day.getDate() + days).toISOString();
          ({ from: midnight(0), until: midnight(1) });
        }`),
      );
      const busy = daySummary().hours.filter(({ count }) => count > 0).length;
      expect(await page.locator('.till-chart').first().locator('tbody tr').count()).toBe(busy);
      const rows = await page.locator('.till-schemes tbody tr').allTextContents();
      expect(rows).toEqual([
        'girocard24€700.0056.7%',
        'Debit Mastercard9€400.0032.4%',
        'Visa5€130.0010.5%',
        'Other cards1€4.500.4%',
      ]);
      await page
        .getByText(/^usually .* slowest/)
        .first()
        .waitFor();
    });
  });

  test('the charts are drawn in the colours of the theme, and again when it changes', async () => {
    /** How many pixels of each chart have a colour near that of `token` now. */
    const inkOf = (token: string) => `[...document.querySelectorAll('.chart canvas')].map((canvas) => {
      const probe = document.createElement('span');
      probe.style.color = 'var(${token})';
      document.body.append(probe);
      const wanted = getComputedStyle(probe).color.match(/\\d+/g).map(Number);
      probe.remove();
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let found = 0;
      for (let at = 0; at < data.length; at += 4) {
        if (wanted.every((part, index) => Math.abs(part - data[at + index]) < 3) && data[at + 3] > 250) found += 1;
      }
      return found;
    })`;
    const drawn = (page: Page) => page.evaluate<number[]>(inkOf('--accent'));
    await onPage({ answers: { today: () => ok(dayNow()) } }, async ({ page, emit }) => {
      await page.locator('.chart canvas').nth(1).waitFor();
      expect(await page.locator('.chart canvas').count()).toBe(2);
      await poll(async () => (await drawn(page)).every((count) => count > 20)).toBe(true);
      const before = await page.evaluate<string>(`getComputedStyle(document.body).color`);
      const view = settingsView();
      view.settings.app.theme = 'dark';
      await emit({ kind: 'settings', view });
      await poll(() => page.evaluate(`getComputedStyle(document.body).color`)).not.toBe(before);
      await poll(async () => (await drawn(page)).every((count) => count > 20)).toBe(true);
    });
  });

  test('many payments at once are two requests: one at once, one after the last', async () => {
    let requests = 0;
    const today = ({ from }: Span) => {
      if (isWeekBefore(from)) return ok(daySummary());
      requests += 1;
      return ok(daySummary({ count: requests }));
    };
    await onPage({ answers: { today } }, async ({ page, emit }) => {
      const figure = (count: number) =>
        page.locator('[data-figure="count"]').getByText(String(count), { exact: true }).waitFor();
      const change = { kind: 'payment' as const, payment: paymentView(31) };
      await figure(1);
      await page.evaluate(
        `for (let time = 0; time < 30; time += 1) window.emitToWindow(${JSON.stringify(change)})`,
      );
      await figure(3);
      // Had there been more requests than two, this one would not be the fourth.
      await emit(change);
      await figure(4);
      expect(requests).toBe(4);
    });
  });

  test('a host that is slow is asked for the day by one request at a time, and once more for what came meanwhile', async () => {
    const held = Promise.withResolvers<void>();
    let requests = 0;
    const today = async ({ from }: Span) => {
      if (isWeekBefore(from)) return ok(daySummary());
      requests += 1;
      const count = requests;
      if (count === 2) await held.promise;
      return ok(daySummary({ count }));
    };
    await onPage({ answers: { today } }, async ({ page, emit }) => {
      const figure = (count: number) =>
        page.locator('[data-figure="count"]').getByText(String(count), { exact: true }).waitFor();
      await figure(1);
      await emit({ kind: 'payment', payment: paymentView(31) });
      await poll(() => requests).toBe(2);
      for (let second = 0; second < 5; second += 1) {
        await emit({ kind: 'payment', payment: paymentView(32 + second) });
        await page.clock.runFor(1_000);
      }
      await figure(1);
      expect(requests).toBe(2);
      held.resolve();
      await poll(() => requests).toBe(3);
      await figure(3);
    });
  });

  test('says so where the terminal does not show when a card is there', async () => {
    const responseTimes = daySummary().responseTimes.map((time) => ({ ...time, cardMs: null }));
    await onPage({ answers: { today: () => ok(daySummary({ responseTimes })) } }, async ({ page }) => {
      await page.getByText('This terminal does not show when a card is presented.').waitFor();
      await page.getByText('First answer of the terminal to a payment: usually').waitFor();
      expect(await page.locator('.chart').count()).toBe(1);
    });
  });

  test('a day without payments has words instead of charts', async () => {
    const day = daySummary({ count: 0, approved: 0, decided: 0, sumMinor: 0, responseTimes: [] });
    await onPage({ answers: { today: () => ok(day) } }, async ({ page }) => {
      await page.getByText('No payments today yet').waitFor();
      expect(await page.locator('.chart').count()).toBe(0);
    });
  });

  test.each([
    [900, 600, 1],
    [1_600, 1_000, 1],
    [900, 600, 2],
  ])(
    'fits %i × %i at scale %i without a sideways scroll, and charts follow the width',
    async (width, height, scale) => {
      const doubt = consoleState({ doubts: [inDoubtView()], terminal: terminalState({ simulated: true }) });
      const states = [operating({}, 'BITTE KARTE EINSTECKEN ODER AUFLEGEN'), doubt, consoleState()];
      await onPage({ width, height, scale, language: 'de' }, async (fake) => {
        await fake.page.locator('.chart canvas').nth(1).waitFor();
        for (const state of states) {
          await fake.setState(state);
          await fake.page.locator(`[data-situation="${kindOf(state)}"]`).waitFor();
          await poll(() => fake.page.evaluate<string[]>(tooWide)).toEqual([]);
          expect(await fake.page.evaluate(tooWide)).toEqual([]);
        }
      });
    },
  );

  test.each(['light', 'dark'] as const)('axe finds nothing serious, %s', async (colorScheme) => {
    const states = [
      consoleState(),
      operating({ cancelRequested: true }, 'KARTE'),
      consoleState({ doubts: [inDoubtView()] }),
      consoleState({
        listener: { kind: 'failed', code: 'port_in_use', port: 8080, text: '' },
        lastPayment: null,
      }),
    ];
    await onPage({ colorScheme }, async ({ page, setState }) => {
      await page.locator('.chart canvas').nth(1).waitFor();
      for (const state of states) {
        await setState(state);
        await page.locator(`[data-situation="${kindOf(state)}"]`).waitFor();
        expect(await seriousFindings(page)).toEqual([]);
      }
    });
  });
});

const kindOf = (state: ConsoleState) =>
  situationOf({ settings: null, connected: true, late: false, shutOut: null, state }).kind;

/** Not of the day itself, but of the one with which it is compared. */
const isWeekBefore = (from: string) => Date.parse(from) < nowMs - 86_400_000;

/** Parts of the page whose content is wider than they are. */
const tooWide = `[document.documentElement, ...document.querySelectorAll('main, .till, .card, .chart')]
  .filter((part) => part.scrollWidth > part.clientWidth + 1)
  .map((part) => part.tagName + ' ' + part.className)`;

/** The summary of `console-data` moved to today, so that the charts have something within their day. */
function dayNow() {
  const midnightMs = new Date(nowMs).setHours(0, 0, 0, 0);
  const at = (hours: number) => new Date(midnightMs + hours * 3_600_000).toISOString();
  const day = daySummary();
  return {
    ...day,
    hours: day.hours.map((hour, index) => ({ ...hour, from: at(index) })),
    responseTimes: day.responseTimes.map((time, index) => ({ ...time, at: at(8 + index / 4) })),
  };
}
