/** One payment: its head, what can be done with it, and everything that happened in the words of each language. */
import { describe, expect, test } from 'vitest';
import type { PaymentDetail, TimelineEntry } from '../../src/contract/console/index.ts';
import german from '../../src/locales/de.json' with { type: 'json' };
import english from '../../src/locales/en.json' with { type: 'json' };
import { seriousFindings } from '../support/axe.ts';
import { consoleState, inDoubtView, logLine, paymentDetail, paymentView } from '../support/console-data.ts';
import type { FakeConsole } from '../support/console-page.ts';
import { needs } from '../support/needs.ts';
import { everyEntry, eventsOf } from './every-entry.ts';
import { framesOf, kpayAnswer } from './protocol-frames.ts';
import { missingKey, ok, pagesForTests, poll, type PageOptions } from './on-page.ts';

/** "timeline.event.ended", … */
function keysOf(words: object, path: string): string[] {
  return Object.entries(words).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null ? keysOf(value, `${path}.${name}`) : [`${path}.${name}`],
  );
}

test.each(['payments', 'timeline', 'resolve', 'batches'] as const)(
  'the section "%s" has the same texts in both languages',
  (section) => {
    expect(keysOf(german[section], section)).toEqual(keysOf(english[section], section));
  },
);

describe.skipIf(!needs('chromium'))('a payment with its timeline', () => {
  const onPage = pagesForTests();
  const payment = paymentView(7, { receiptLines: ['  MUSTER-MARKT', '  EUR 19,00'], batchNumber: '12' });
  const route = `payments/${payment.transactionId}`;

  /** The page with this payment open. */
  async function onPayment(
    detail: Partial<PaymentDetail>,
    options: PageOptions,
    work: (fake: FakeConsole) => Promise<void>,
  ) {
    const answers = { payment: () => ok(paymentDetail(payment, detail)), ...options.answers };
    await onPage({ route, payments: [payment], ...options, answers }, async (fake) => {
      await fake.page.locator('.timeline').waitFor();
      await work(fake);
    });
  }

  test.each([
    ['en', 'light'],
    ['de', 'dark'],
  ] as const)('has words for every fact and every kind of entry (%s, %s)', async (language, colorScheme) => {
    const timeline = everyEntry();
    await onPayment({ timeline, leftOut: 3 }, { language, colorScheme }, async ({ page }) => {
      await page.getByLabel(language === 'en' ? 'Wire' : 'Leitung').check();
      expect(await page.locator('.entry').count()).toBe(timeline.length);
      for (const [type, events] of Object.entries(eventsOf))
        expect(await page.locator(`[data-event=${type}]`).count()).toBe(events.length);
      for (const kind of ['pos_request', 'pos', 'journal_event', 'discrepancy', 'frame', 'log', 'left_out'])
        expect(await page.locator(`[data-entry=${kind}]`).count()).toBeGreaterThan(0);
      const text = await page.locator('.payment-detail').innerText();
      expect(text).not.toMatch(missingKey);
      expect(text).not.toMatch(/\{\{|undefined|NaN|\[object/);
      expect(text).toContain('slip 0123 is in the drawer');
      expect(text).toContain('The record is not the next one.');
      expect(text).toContain(
        language === 'en' ? 'In doubt: the outcome is not known' : 'Ungeklärt: Das Ergebnis steht noch nicht',
      );
      // Also what the bridge said itself.
      expect(text).toContain(
        language === 'en' ? 'The terminal approved the payment.' : 'Das Terminal hat die Zahlung genehmigt.',
      );
      expect(text).toContain(language === 'en' ? '3 entries in the middle' : '3 Einträge in der Mitte');
      expect(await seriousFindings(page)).toEqual([]);
    });
  });

  test('shows what the POS asked and what it was told, word for word and as text; an older log has neither', async () => {
    const at = '2026-05-12T08:00:00.000Z';
    const call = { at, command: 'CreatePayment', requestId: 'r-1', logLineId: 1 };
    const asked = '{"amount":"19.00","retrieval_reference_number":"A-1007"}';
    const told = '{"success":true,"message":"<b>€19.00</b> approved.","card":"541333******0041"}';
    const timeline: TimelineEntry[] = [
      { kind: 'pos_request', ...call, body: asked },
      { kind: 'pos', ...call, httpStatus: 200, durationMs: 5, body: told },
      { kind: 'pos_request', ...call, requestId: 'r-2', logLineId: 2 },
      { kind: 'pos', ...call, requestId: 'r-2', logLineId: 2, httpStatus: 200, durationMs: 5 },
    ];
    await onPayment({ timeline }, {}, async ({ page }) => {
      const bodies = page.locator('.pos-body');
      // The story folds them behind its steps; all of them can be opened.
      const folds = page.locator('.timeline button[aria-expanded=false]');
      while ((await folds.count()) > 0) await folds.first().click();
      expect(await bodies.allInnerTexts()).toEqual([asked, told]);
      await page.getByLabel('Wire').check();
      await page.locator('.entry').first().waitFor();
      expect(await bodies.allInnerTexts()).toEqual([asked, told]);
      expect(await page.locator('.pos-body b').count()).toBe(0);
      expect(await seriousFindings(page)).toEqual([]);
    });
  });

  test('shows what is known, the slip, the frames with their bytes, and times from the start', async () => {
    await onPayment({ timeline: everyEntry() }, {}, async ({ page }) => {
      const text = await page.locator('.payment-detail').innerText();
      for (const part of [
        '€19.00',
        'The money was taken.',
        'card •••• 0041',
        'Debit Mastercard',
        '472910',
        'MUSTER-MARKT',
      ])
        expect(text).toContain(part);
      expect(await page.locator('[data-field=startedAt] time').getAttribute('title')).toMatch(
        /2026.*\d\d:\d\d/,
      );
      await page.getByLabel('Wire').check();
      const frame = page.locator('[data-entry=frame]').first();
      expect(await frame.innerText()).toMatch(/To the terminal:\s*Authorisation\s*06 01/);
      expect(await frame.locator('code').innerText()).toBe('06 01 0c 04 00 00 00 00 19 00 49 09 78 19 40');
      expect(await frame.locator('.entry-time').innerText()).toMatch(/\d\d:\d\d\.\d{3}[\s\S]*\+\d+ ms/);
      expect(await page.locator('[data-entry=frame]').nth(2).innerText()).toContain('could not be read');
      await page.getByRole('link', { name: 'Log line 418' }).click();
      await poll(() => page.url()).toMatch(/#\/log\?line=418$/);
    });
  });

  test('marks the bytes of a field and the field of bytes, and stars what is masked in both columns', async () => {
    await onPayment({ timeline: everyEntry() }, { language: 'de' }, async ({ page }) => {
      await page.getByLabel('Leitung').check();
      const frame = page.locator('[data-entry=frame]').first();
      const marked = frame.locator('.frame-dump [data-marked]');
      const field = frame.locator('.frame-fields [data-marked]');
      expect(await marked.count()).toBe(0);
      await frame.getByText('Betrag').hover();
      await poll(() => marked.allInnerTexts()).toEqual(['04 00 00 00 00 19 00', '·······']);
      await frame.locator('.dump-hex').getByText('19 40').hover();
      await poll(() => field.innerText()).toMatch(/Zahlungsart\s+40: die Karte entscheidet/);
      await page.mouse.move(0, 0);
      await poll(() => marked.count()).toBe(0);
      // One stop for Tab, and arrows from field to field.
      expect(await frame.locator('[tabindex="0"]').count()).toBe(1);
      await frame.locator('[tabindex="0"]').focus();
      await poll(() => marked.first().innerText()).toBe('04 00 00 00 00 19 00');
      await page.keyboard.press('ArrowDown');
      await poll(() => marked.first().innerText()).toBe('49 09 78');
      await poll(() => page.evaluate('document.activeElement.parentElement.innerText')).toMatch(
        /Währung\s+EUR/,
      );

      const result = page.locator('[data-entry=frame]').nth(1);
      const words = await result.locator('.frame-fields').innerText();
      expect(words).toMatch(/Ergebnis\s+6C: Abbruch durch Zeitablauf oder Abbruchtaste/);
      expect(words).toMatch(/Kartennummer\s+541333 •••• 0041/);
      expect(words).toMatch(/Zahlungsart\s+40/);
      await result.getByText('Kartennummer').hover();
      const markedIn = async (column: string) =>
        (await result.locator(`${column} [data-marked]`).allInnerTexts()).join(' ');
      expect(await markedIn('.dump-hex')).toBe('22 f1 0f ** ** ** ** ** ** ** ** 00 41');
      expect(await markedIn('.dump-text')).toBe('"··** ******·A');
    });
  });

  test('shows the view that its address names, keeps it for the next payment, and says it there', async () => {
    const detail = { timeline: everyEntry() };
    await onPayment(detail, {}, async ({ page }) => {
      await page.locator('.story').waitFor();
      expect(page.url()).not.toContain('view=');
      await page.getByLabel('Wire').check();
      await poll(() => page.url()).toMatch(/\?view=wire$/);
      expect(await page.locator('.story').count()).toBe(0);
      await page.evaluate(`window.location.hash = '#/${route}?status=approved'`);
      await poll(() => page.url()).toMatch(/\?status=approved&view=wire$/);
      await page.getByLabel('Story').check();
      await poll(() => page.url()).toMatch(/\?status=approved$/);
      await page.locator('.story').waitFor();
    });
    await onPayment(detail, { route: `${route}?view=wire` }, async ({ page }) => {
      await page.locator('.frame-dump').first().waitFor();
      expect(await page.getByLabel('Wire').isChecked()).toBe(true);
    });
  });

  test('the simulator’s display speaks the window’s language, a real one its own', async () => {
    const frame = {
      kind: 'frame',
      at: '2026-05-12T08:00:00.000Z',
      direction: 'to_terminal',
      name: 'authorisation',
      control: '0601',
      lengthBytes: 20,
      hex: null,
      fields: [],
      logLineId: 1,
    } as const;
    const status = (logLineId: number, code: string, display: string): TimelineEntry => ({
      ...frame,
      direction: 'from_terminal',
      name: 'intermediate-status',
      control: '04ff',
      fields: [
        ['status', code],
        ['display', display],
      ],
      logLineId,
    });
    const timeline = [
      { ...frame, fields: [] },
      status(2, '01: Please watch the PIN pad', 'Enter PIN'),
      status(3, '04: Waiting for the host', 'Waiting for the host'),
    ];
    const story = async (simulated: boolean) => {
      let text = '';
      const detail = { timeline, payment: { ...payment, simulated } };
      await onPayment(detail, { language: 'de' }, async ({ page }) => {
        text = await page.locator('.story').innerText();
      });
      return text;
    };
    const simulated = await story(true);
    expect(simulated).toContain('Auf seinem Display: „PIN eingeben“');
    // The step says it already.
    expect(simulated.match(/Warten auf die Bank/g)).toHaveLength(1);
    expect(simulated).not.toMatch(/Enter|Waiting/);
    expect(await story(false)).toContain('Auf seinem Display: „Enter PIN“');
  });

  test.each([
    [
      'transbank',
      framesOf('transbank'),
      ['Zahlung 0200', 'Betrag\n1.200', '81: PIN eingeben', '00: Genehmigt', 'Datum\n23. November 2026'],
    ],
    [
      'ecr17',
      framesOf('ecr17'),
      [
        'Terminalstatus\n2: Bereit',
        'Summe des Terminals\n12,00',
        '\n23. November 2026, 05:14',
        '\nTag 327 des Jahres, 05:14',
      ],
    ],
    [
      'ecr-edc',
      framesOf('ecr-edc'),
      ['Vorgang\n20: Zahlung', 'Betrag\n12,00', 'Datum\n23. November 2026', '\n04:40:54'],
    ],
    ['kpay', [kpayAnswer()], ['/v2/pos/query', '10000: ', 'Betrag\n19,00\u00a0HK$']],
  ] as const)(
    'has the frames of %s in words, with the command as the protocol has it',
    async (_protocol, frames, words) => {
      await onPayment(
        { timeline: [...frames] },
        { language: 'de', route: `${route}?view=wire` },
        async ({ page }) => {
          await page.locator('.frame-dump').first().waitFor();
          const text = await page.locator('.payment-detail').innerText();
          for (const part of words) expect(text).toContain(part);
          expect(text).not.toMatch(/of the (terminal|bank)|connection test|: (Ready|Declined|payment|void)/);
          expect(text).not.toMatch(missingKey);
        },
      );
    },
  );

  test('tells a story whose steps hold everything, one click away', async () => {
    const timeline = everyEntry();
    await onPayment({ timeline, leftOut: 3 }, {}, async ({ page }) => {
      const steps = page.locator('[data-row=step]');
      expect(await page.locator('[data-row=left_out]').innerText()).toContain('3 entries are not shown here');
      expect(await steps.locator('.step-entries').count()).toBe(0);
      const buttons = steps.locator('.step-more');
      for (let index = 0; index < (await buttons.count()); index += 1) await buttons.nth(index).click();
      expect(await buttons.first().getAttribute('aria-expanded')).toBe('true');
      expect(await page.locator('.step-entries [data-entry]').count()).toBe(timeline.length - 1);
      expect(await page.locator('.story').innerText()).toMatch(
        /Decided by Kim: “slip 0123 is in the drawer”/,
      );
      expect(await seriousFindings(page)).toEqual([]);
    });
  });

  test('asks once more, but not for each of many, when something happens to this payment', async () => {
    await onPayment({ timeline: everyEntry() }, {}, async ({ invoked, emit, page }) => {
      const times = () => invoked.filter(({ name }) => name === 'payment').length;
      const before = times();
      const told = { kind: 'payment', payment: { ...payment, updatedAt: '2026-05-13T08:00:00.000Z' } };
      await page.evaluate(`(async () => {
        for (let count = 0; count < 40; count += 1) {
          window.emitToWindow(${JSON.stringify(told)});
          await new Promise((resolve) => setTimeout(resolve, 0));
        }
      })()`);
      await poll(times).toBeGreaterThan(before);
      const line = logLine(500, { operationId: payment.transactionId });
      const gathered = times();
      expect(gathered - before).toBeLessThan(20);
      await emit({ kind: 'log', lines: [logLine(499), line], last: 500 });
      await poll(times).toBeGreaterThan(gathered);
    });
  });

  test('copies a summary that can be sent to support', async () => {
    await onPayment({ timeline: everyEntry() }, {}, async ({ page }) => {
      await page.evaluate(`navigator.clipboard.writeText = async (text) => { window.copied = text; }`);
      await page.getByRole('button', { name: 'Copy for support' }).click();
      await page.getByText('Copied').waitFor();
      const text = await page.evaluate<string>('window.copied');
      for (const part of [
        'Reference: A-1007',
        'Amount: €19.00',
        'Status: Approved',
        'Authorisation 06 01',
        'Kim',
      ])
        expect(text).toContain(part);
      expect(text).not.toMatch(missingKey);
    });
  });

  test('offers to void what is approved, asks first, and shows a refusal', async () => {
    const voidPayment = () => ({
      ok: false as const,
      refusal: { code: 'void_declined' as const, message: 'The terminal refused to reverse it.' },
    });
    await onPayment({}, { answers: { voidPayment } }, async ({ page, invoked }) => {
      await page.getByRole('button', { name: 'Void', exact: true }).click();
      const dialog = page.getByRole('dialog');
      expect(await dialog.innerText()).toContain('€19.00 (payment A-1007)');
      expect(invoked.some(({ name }) => name === 'voidPayment')).toBe(false);
      await dialog.getByRole('button', { name: 'Void', exact: true }).click();
      await dialog.getByText('The terminal refused to reverse it.').waitFor();
      expect(invoked.find(({ name }) => name === 'voidPayment')?.request).toEqual({ reference: 'A-1007' });
    });
    const settled = { payment: paymentView(7, { status: 'settled' }) };
    await onPayment(settled, {}, async ({ page }) => {
      expect(await page.getByRole('button', { name: 'Void', exact: true }).count()).toBe(0);
    });
  });

  test('offers to cancel only what is on the terminal, and to resolve only what is in doubt', async () => {
    const currentOperation = {
      operationId: payment.transactionId,
      kind: 'sale' as const,
      reference: payment.reference,
      amountMinor: payment.amountMinor,
      currency: 'EUR' as const,
      startedAt: payment.createdAt,
      cancelRequested: false,
    };
    const running = { payment: paymentView(7, { status: 'in_progress', completedAt: null }) };
    await onPayment(
      running,
      { state: consoleState({ currentOperation }) },
      async ({ page, invoked, setState }) => {
        await page.getByRole('button', { name: 'Cancel payment' }).click();
        await poll(() => invoked.find(({ name }) => name === 'cancelPayment')?.request).toEqual({
          reference: 'A-1007',
        });
        await setState(consoleState({ currentOperation: { ...currentOperation, cancelRequested: true } }));
        await page.getByText('Cancellation was requested.').waitFor();
        await setState(consoleState({ currentOperation: null }));
        await poll(() => page.getByRole('button', { name: 'Cancel payment' }).count()).toBe(0);
      },
    );
    const unknown = {
      payment: paymentView(7, { status: 'unknown', completedAt: null }),
      doubtOperationId: payment.transactionId,
    };
    await onPayment(unknown, { state: consoleState({ doubts: [inDoubtView()] }) }, async ({ page }) => {
      await page.locator('main').getByRole('button', { name: 'Resolve' }).click();
      await page.getByRole('dialog', { name: 'Payment in doubt' }).waitFor();
      expect(await page.getByRole('button', { name: 'Cancel payment' }).count()).toBe(0);
    });
  });
});
