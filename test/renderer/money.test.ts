/** Where the money of the closed batches is: the list, one batch, and what a person decides. */
import { describe, expect, test } from 'vitest';
import {
  maxStatementBytes,
  type FoundMoney,
  type MoneyRequest,
  type ResponseOf,
} from '../../src/contract/console/index.ts';
import { readRules } from '../../src/reconcile/index.ts';
import { sampleRules } from '../../src/renderer/pages/money/sample-rules.ts';
import { seriousFindings } from '../support/axe.ts';
import {
  foundMoney,
  moneyBatchId,
  moneyEntry,
  moneyMatch,
  moneyOfBatch,
  moneyPart,
  moneyRow,
  moneyRows,
} from '../support/money-data.ts';
import { needs } from '../support/needs.ts';
import { ok, pagesForTests, poll } from './on-page.ts';

const untranslated = /\bmoney\.[a-z]/;

test('the example of the rules is one that can be used', () => {
  expect(readRules(JSON.parse(sampleRules))).toMatchObject({ ok: true });
});

describe.skipIf(!needs('chromium'))('the page Money', () => {
  const onPage = pagesForTests();
  const withMoney = (money: ResponseOf<'money'>) => ({ money: () => ok(money) });

  test.each([
    ['en', 'light'],
    ['de', 'dark'],
  ] as const)('shows each batch with its money (%s, %s)', async (language, colorScheme) => {
    await onPage({ route: 'money', language, colorScheme }, async ({ page }) => {
      const states = page.locator('.money-table [data-money]');
      await states.first().waitFor();
      expect(await states.evaluateAll((all) => all.map((one) => one.getAttribute('data-money')))).toEqual([
        'waiting',
        'unclear',
        'late',
        'over',
        'short',
        'arrived',
      ]);
      // Not by colour alone: each has a shape of its own.
      const shapes = await page
        .locator('.money-table [data-money] svg')
        .evaluateAll((all) => all.map((one) => /lucide-[\w-]+/.exec(one.getAttribute('class') ?? '')?.[0]));
      expect(new Set(shapes).size).toBe(6);
      const short = page.locator('tr:has([data-money=short])');
      expect((await short.innerText()).replaceAll(/\s+/g, ' ')).toMatch(
        language === 'en'
          ? /08\/05\/2026 42 Too little High €1,272\.30 €1,200\.00 €72\.30 missing – 6 2 banking days late/
          : /08\.05\.2026 42 Zu wenig Hoch 1\.272,30 € 1\.200,00 € 72,30 € fehlen – 6 2 Bankarbeitstage zu spät/,
      );
      // Not what was expected of it, which is far more than what is missing.
      const tile = page.locator('.money-sums div:has([data-money=short])');
      expect((await tile.innerText()).replaceAll(/\s+/g, ' ')).toBe(
        language === 'en'
          ? 'Too little €72.30 1 batch of €1,272.30 expected'
          : 'Zu wenig 72,30 € 1 Kassenschnitt von 1.272,30 € erwartet',
      );
      const text = await page.locator('main').innerText();
      expect(text).not.toMatch(untranslated);
      expect(text).toContain(
        language === 'en' ? '3 batches need somebody' : 'Um 3 Kassenschnitte muss sich jemand',
      );
      expect(await seriousFindings(page)).toEqual([]);
    });
  });

  test('shows what needs somebody alone, of one terminal, and keeps that in the address', async () => {
    const asked: MoneyRequest[] = [];
    const money = (request: MoneyRequest) => {
      asked.push(request);
      const rows = request.only === 'all' ? moneyRows : moneyRows.filter(({ part }) => part.needsPerson);
      const found = foundMoney({ terminals: ['bar', 'main'], acquirers: ['Acme', 'Amex'] });
      return ok({ ...found, rows, rowCount: rows.length });
    };
    await onPage({ route: 'money', answers: { money } }, async ({ page }) => {
      const rows = page.locator('.money-table tbody tr');
      await poll(() => rows.count()).toBe(6);
      expect(await rows.first().innerText()).toContain('Acme');
      const button = page.getByRole('button', { name: 'Needs somebody (3)' });
      await button.press('Enter');
      await poll(() => rows.count()).toBe(3);
      expect(await button.getAttribute('aria-pressed')).toBe('true');
      await page.getByRole('combobox', { name: 'Terminal' }).selectOption('bar');
      await poll(() => asked.at(-1)).toEqual({ only: 'needs_person', onTerminal: 'bar' });
      expect(page.url()).toContain('#/money?only=needs_person&on=bar');
      await page.goBack();
      await poll(() => page.getByRole('combobox', { name: 'Terminal' }).inputValue()).toBe('');
      await page.goBack();
      await poll(() => rows.count()).toBe(6);
    });
    const none = foundMoney({ rows: [], unexplained: [], days: [] });
    await onPage({ route: 'money?only=open', answers: withMoney(none) }, async ({ page }) => {
      await page.getByText('The money of all these batches has arrived.').waitFor();
      await page.getByText('Nothing needs you now').waitFor();
    });
  });

  test('follows what is looked for again', async () => {
    let found: FoundMoney = foundMoney();
    await onPage({ route: 'money', answers: { money: () => ok(found) } }, async ({ page, emit }) => {
      await page.locator('[data-needs-person="3"]').waitFor();
      found = foundMoney({ rows: moneyRows.slice(-1), unexplained: [], rules: 'changed' });
      await emit({ kind: 'money' });
      await page.locator('[data-needs-person="0"]').waitFor();
      expect(await page.locator('[data-rules=changed]').innerText()).toContain('The rules have changed');
      expect(await page.locator('.money-unexplained').count()).toBe(0);
    });
  });

  test('says what to do where nothing was found yet, or nothing can be used', async () => {
    const file = '/data/reconcile-rules.json';
    await onPage({ route: 'money', answers: withMoney({ kind: 'no_rules', file }) }, async ({ page }) => {
      await page.getByText('Did the money of your batches arrive?').waitFor();
      const text = await page.locator('main').innerText();
      for (const said of [file, 'tillbridge reconcile', 'docs/reconcile.md']) expect(text).toContain(said);
      // There is no such button.
      expect(text).not.toContain('Look now');
      await page.getByText('Show an example').click();
      expect(await page.locator('pre').innerText()).toContain('"timeZone": "Europe/Berlin"');
      expect(await seriousFindings(page)).toEqual([]);
    });
    const wrong = { kind: 'wrong_rules' as const, ruleErrors: ['acquirers[0].fee: must be a number'] };
    await onPage({ route: 'money', answers: withMoney(wrong) }, async ({ page }) => {
      await page.getByText('acquirers[0].fee: must be a number').waitFor();
    });
    await onPage({ route: 'money', answers: withMoney({ kind: 'not_looked' }) }, async ({ page }) => {
      await page.getByText('nobody has looked yet').waitFor();
    });
    const unreadable = { kind: 'unreadable' as const, message: 'results.json is damaged.' };
    await onPage({ route: 'money', answers: withMoney(unreadable) }, async ({ page }) => {
      await page.getByText('results.json is damaged.').waitFor();
    });
    const refusal = { code: 'internal_error' as const, message: 'An internal error; see the log.' };
    await onPage(
      { route: 'money', answers: { money: () => ({ ok: false, refusal }) } },
      async ({ page, invoked }) => {
        const asks = () => invoked.filter(({ name }) => name === 'money').length;
        const before = asks();
        await page.getByRole('button', { name: 'Try again' }).click();
        await poll(asks).toBe(before + 1);
      },
    );
  });

  test('hands in statements of a bank, and looks for the money with them', async () => {
    const keepStatement = ({ name }: { name: string }) => {
      const refusal = { code: 'statement_not_kept' as const, message: `${name} cannot be used.` };
      return name === 'bad.xml'
        ? { ok: false as const, refusal }
        : ok({ name: `kept-${name}`, isNew: name !== 'known.xml' });
    };
    const lookForMoney = () => ok({ notes: [] });
    await onPage({ route: 'money', answers: { keepStatement, lookForMoney } }, async ({ page, invoked }) => {
      const asked = (wanted: string) => invoked.filter(({ name }) => name === wanted);
      const choose = async (files: Record<string, string>) => {
        const opened = page.waitForEvent('filechooser');
        await page.getByRole('button', { name: 'Read a bank statement…' }).press('Enter');
        const chooser = await opened;
        await chooser.setFiles(
          Object.entries(files).map(([name, text]) => ({
            name,
            mimeType: 'text/xml',
            buffer: Buffer.from(text),
          })),
        );
      };
      await choose({ 'june.xml': '<é/>', 'known.xml': '<b/>' });
      await page.getByText('The statement was kept as kept-june.xml.').waitFor();
      await page.getByText('The statement was there already, as kept-known.xml.').waitFor();
      await page.getByText('The money was looked for just now.').waitFor();
      expect(asked('keepStatement').map(({ request }) => request)).toEqual([
        { name: 'june.xml', content: Buffer.from('<é/>').toString('base64') },
        { name: 'known.xml', content: Buffer.from('<b/>').toString('base64') },
      ]);
      expect(await seriousFindings(page)).toEqual([]);
      // What cannot be used is said, and the others count all the same.
      await choose({ 'bad.xml': 'x', 'july.xml': 'y', 'large.xml': 'x'.repeat(maxStatementBytes + 1) });
      await page.getByText('bad.xml cannot be used.').waitFor();
      await page.getByText('large.xml is larger than 8 MB.').waitFor();
      await page.getByText('The statement was kept as kept-july.xml.').waitFor();
      await page.getByText('The money was looked for just now.').waitFor();
      expect(await page.getByText('kept-june.xml').count()).toBe(0);
      // Where nothing was kept nothing is looked for.
      await choose({ 'bad.xml': 'x' });
      await poll(() => page.getByText('The money was looked for just now.').count()).toBe(0);
      await page.getByText('bad.xml cannot be used.').waitFor();
      expect(asked('keepStatement')).toHaveLength(5);
      expect(asked('lookForMoney')).toHaveLength(2);
    });
  });

  test('goes on saying what was kept when there is something to show for the first time', async () => {
    let money: ResponseOf<'money'> = { kind: 'not_looked' };
    const answers = {
      money: () => ok(money),
      lookForMoney: () => {
        money = foundMoney();
        return ok({ notes: [] });
      },
    };
    await onPage({ route: 'money', answers }, async ({ page, emit }) => {
      await page.getByText('nobody has looked yet').waitFor();
      await page.getByRole('button', { name: 'Look now' }).press('Enter');
      await page.getByText('The money was looked for just now.').waitFor();
      await emit({ kind: 'money' });
      await page.locator('.money-table').waitFor();
      expect(await page.getByText('The money was looked for just now.').count()).toBe(1);
    });
  });

  test('looks for the money now, and says what came of it', async () => {
    let refused = true;
    const lookForMoney = () => {
      if (!refused) return ok({ notes: ['2 entries are not booked yet.'] });
      refused = false;
      const refusal = { code: 'money_not_looked_for' as const, message: 'There is no statement.' };
      return { ok: false as const, refusal };
    };
    await onPage({ route: 'money', answers: { lookForMoney } }, async ({ page, invoked }) => {
      const look = page.getByRole('button', { name: 'Look now' });
      await look.press('Enter');
      await page.getByText('There is no statement.').waitFor();
      await look.press('Enter');
      await page.getByText('The money was looked for just now.').waitFor();
      await page.getByText('2 entries are not booked yet.').waitFor();
      expect(await page.getByText('There is no statement.').count()).toBe(0);
      expect(invoked.filter(({ name }) => name === 'lookForMoney')).toHaveLength(2);
    });
    // Its rules lie elsewhere: here it would be looked for by none.
    await onPage(
      { route: 'money', answers: withMoney(foundMoney({ rules: 'missing' })) },
      async ({ page }) => {
        await page.locator('[data-rules=missing]').waitFor();
        expect(await page.getByRole('button', { name: 'Look now' }).count()).toBe(0);
      },
    );
  });

  test('saves the table, and opens a batch by its row', async () => {
    await onPage({ route: 'money' }, async ({ page, saved }) => {
      await page.getByRole('button', { name: 'Save as CSV' }).click();
      await poll(() => saved).toEqual([{ kind: 'money' }]);
      // Anywhere in the row.
      await page.locator('tr:has([data-money=late]) td').nth(3).click({ force: true });
      await poll(() => page.url()).toContain(`#/money/${moneyBatchId(44)}`);
      await page.goBack();
      await page.getByRole('link', { name: '07/05/2026' }).press('Enter');
      await page.getByRole('heading', { name: 'Batch 41' }).waitFor();
    });
  });

  test('tells the figures of the chart to the arrow keys, and all of them to who hears the page', async () => {
    await onPage({ route: 'money' }, async ({ page }) => {
      const chart = page.getByRole('group', { name: 'Arrived, day by day' });
      await chart.locator('canvas').waitFor();
      await chart.press('End');
      const figures = chart.getByRole('status');
      await poll(() => figures.innerText()).toMatch(
        /11\/05\/2026\s+€1,200\.00 of batches\s+€510\.20 unexplained/,
      );
      await chart.press('ArrowLeft');
      await poll(() => figures.innerText()).toMatch(/08\/05\/2026\s+€1,272\.30 of batches$/);
      expect(await page.locator('.money-chart tbody tr').count()).toBe(4);
    });
  });

  test('says of an entry that somebody has decided whose it is', async () => {
    const unexplained = [
      moneyEntry('c90', { decidedSince: true }),
      moneyEntry('c91', { remark: 'another one' }),
    ];
    const answers = withMoney(foundMoney({ rows: [], unexplained }));
    await onPage({ route: 'money', answers }, async ({ page }) => {
      const row = (name: string) => page.locator('.money-unexplained').getByRole('row', { name });
      await row('ACME SETTLEMENT').getByText('Decided, counts later').waitFor();
      expect(await row('another one').getByText('Decided').count()).toBe(0);
    });
  });

  test('matches what nothing explains to batches, by name and reason', async () => {
    const rows = [
      moneyRow(46, { state: 'waiting', expectedMinor: 40_000 }),
      moneyRow(45, { state: 'late', needsPerson: true, expectedMinor: 11_020 }),
      moneyRow(44, { acquirer: 'Amex', state: 'late', expectedMinor: 5_000 }),
      moneyRow(43, { acquirer: null, state: 'unclear', reason: 'no-acquirer' }),
    ];
    const { id, terminal, number, closedAt } = rows[1]!.batch;
    const possibleFor = [{ id, terminal, number, closedAt }];
    const unexplained = [moneyEntry('c90', { date: '2026-05-11', amountMinor: 51_020, possibleFor })];
    await onPage(
      {
        route: 'money',
        answers: { ...withMoney(foundMoney({ rows, unexplained })), decideMoney: () => ok({}) },
      },
      async ({ page, invoked }) => {
        await page.getByText('perhaps batch 45').waitFor();
        await page.getByRole('button', { name: 'Match…' }).press('Enter');
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('button', { name: 'Save decision' }).click();
        await dialog.getByText('Choose at least one.').waitFor();
        const boxes = dialog.getByRole('checkbox');
        await poll(() => boxes.count()).toBe(3);
        // First what it may be the money of, though another was closed later.
        const labels = await dialog.locator('.money-choice').allInnerTexts();
        expect(labels[0]).toContain('Batch 45');
        await dialog.getByRole('checkbox', { name: /Batch 46/ }).check();
        const warned = dialog.locator('.note-warn');
        await warned.getByText('This money may belong to batch 45 instead.').waitFor();
        await dialog.getByRole('checkbox', { name: /Batch 46/ }).uncheck();
        await dialog.getByRole('checkbox', { name: /Batch 45/ }).check();
        await poll(() => dialog.locator('[data-difference]').innerText()).toContain('€400.00 too much.');
        await warned.getByText('it is more than twice what is expected.').waitFor();
        expect(await warned.innerText()).not.toContain('instead');
        await dialog.getByRole('checkbox', { name: /Batch 46/ }).check();
        await poll(() => dialog.locator('[data-difference]').innerText()).toContain('That agrees.');
        expect(await warned.count()).toBe(0);
        expect(await dialog.getByRole('checkbox', { name: /Batch 44/ }).isDisabled()).toBe(true);
        expect(await seriousFindings(page)).toEqual([]);
        await dialog.getByLabel('Your name').fill(' Ada Meier ');
        await dialog.getByRole('button', { name: 'Save decision' }).click();
        await dialog.getByText('Enter a reason.').waitFor();
        expect(invoked.filter(({ name }) => name === 'decideMoney')).toEqual([]);
        await dialog.getByLabel('How do you know?').fill('both days came together');
        // Twice before anything is shown of the first time, as a double click does: it is kept once.
        await page.evaluate(
          `for (const form of [1, 2].map(() => document.querySelector('dialog form'))) form.requestSubmit()`,
        );
        await poll(() => dialog.count()).toBe(0);
        const decided = invoked.filter(({ name }) => name === 'decideMoney');
        expect(decided).toHaveLength(1);
        expect(decided[0]?.request).toEqual({
          kind: 'match',
          batchIds: [moneyBatchId(45), moneyBatchId(46)],
          acquirer: 'Acme',
          entryIds: ['c90'],
          by: 'Ada Meier',
          reason: 'both days came together',
        });
      },
    );
  });

  test('offers what was taken back only to batches that have to pay something back', async () => {
    const rows = [
      moneyRow(46, { state: 'late', expectedMinor: 4_000 }),
      moneyRow(45, { state: 'late', expectedMinor: -1_500 }),
    ];
    const unexplained = [moneyEntry('c91', { amountMinor: -4_000 })];
    await onPage(
      { route: 'money', answers: withMoney(foundMoney({ rows, unexplained })) },
      async ({ page }) => {
        await page.getByRole('button', { name: 'Match…' }).click();
        const boxes = page.getByRole('dialog').getByRole('checkbox');
        await poll(() => boxes.count()).toBe(1);
        await page.getByRole('checkbox', { name: /Batch 45/ }).check();
        await page.getByText('it is more than twice what is expected.').waitFor();
      },
    );
  });

  const unclear = moneyOfBatch(45, {
    parts: [
      {
        ...moneyPart(45, {
          state: 'unclear',
          needsPerson: true,
          reason: 'several-readings',
          possible: ['c1', 'c2'],
          ruledOut: [{ entryId: 'c3', why: 'names-another' }],
        }),
        arrivedMinor: null,
      },
      {
        ...moneyPart(45, {
          acquirer: 'Amex',
          schemes: ['amex'],
          grossMinor: 10_000,
          feeMinor: 200,
          expectedMinor: 9_800,
          match: moneyMatch(45, {
            batchIds: [moneyBatchId(45), moneyBatchId(44)],
            evidence: 'sum',
            certainty: 'fair',
          }),
        }),
        arrivedMinor: 9_800,
      },
    ],
    entries: [
      moneyEntry('c1'),
      moneyEntry('c2', { date: '2026-05-11', remark: 'ACME SETTLEMENT' }),
      moneyEntry('c3', { remark: 'ACME SETTLEMENT BATCH 12' }),
      moneyEntry('c45', { amountMinor: 19_600, remark: 'AMEX' }),
    ],
    companions: [
      { id: moneyBatchId(44), terminal: 'main', number: '44', closedAt: '2026-05-10T19:30:00.000Z' },
    ],
    decisions: [
      {
        kind: 'unmatch',
        batchId: moneyBatchId(45),
        acquirer: 'Acme',
        entryIds: ['c3'],
        by: 'Ada Meier',
        reason: 'That was the deposit',
        at: '2026-05-12T07:00:00.000Z',
      },
    ],
  });
  const ofBatch = { route: `money/${moneyBatchId(45)}`, answers: { moneyOfBatch: () => ok(unclear) } };

  test.each([
    ['en', 'dark'],
    ['de', 'light'],
  ] as const)('shows one batch with all that is known of it (%s, %s)', async (language, colorScheme) => {
    await onPage({ ...ofBatch, language, colorScheme }, async ({ page }) => {
      const [acme, amex] = [page.locator('[data-part=unclear]'), page.locator('[data-part=arrived]')];
      await acme.waitFor();
      await acme.locator('summary').click();
      const text = (await page.locator('main').innerText()).replaceAll('\u00a0', ' ');
      expect(text).not.toMatch(untranslated);
      const said =
        language === 'en'
          ? [
              'fits more than one batch',
              'ACME SETTLEMENT BATCH 12',
              'Its remark names another batch',
              'Amex: American Express',
              'exactly the sum of several batches',
              'Fair',
              '2.00%',
              'Ada Meier: this is not its money',
              'That was the deposit',
              'It counts when the money is looked for the next time.',
            ]
          : [
              'Der Verwendungszweck nennt einen anderen',
              'Mittel',
              '2,00 %',
              'Ada Meier: Das gehört nicht dazu',
            ];
      for (const one of said) expect(text).toContain(one);
      expect(await amex.getByRole('link', { name: /44/ }).getAttribute('href')).toBe(
        `#/money/${moneyBatchId(44)}`,
      );
      expect(await seriousFindings(page)).toEqual([]);
    });
  });

  test('says how much is missing of what came together with another batch', async () => {
    const match = moneyMatch(45, {
      batchIds: [moneyBatchId(45), moneyBatchId(44)],
      expectedMinor: 254_460,
      arrivedMinor: 250_000,
    });
    const short = moneyOfBatch(45, {
      parts: [{ ...moneyPart(45, { state: 'short', needsPerson: true, match }), arrivedMinor: null }],
    });
    await onPage({ ...ofBatch, answers: { moneyOfBatch: () => ok(short) } }, async ({ page }) => {
      await page.getByText('It is there, but €44.60 less than it should be.').waitFor();
      expect(await page.locator('[data-part=short]').count()).toBe(1);
    });
    const alone = moneyMatch(45, { arrivedMinor: 114_507 });
    const parts = [
      { ...moneyPart(45, { state: 'short', needsPerson: true, match: alone }), arrivedMinor: 114_507 },
    ];
    const tenth = moneyOfBatch(45, { parts });
    await onPage({ ...ofBatch, answers: { moneyOfBatch: () => ok(tenth) } }, async ({ page }) => {
      // What is missing is no fee of 10.86 %.
      const kept = page.locator('.decision-fields div', { hasText: 'Fee kept back' });
      await poll(() => kept.locator('dd').innerText()).toBe('–');
    });
  });

  test('matches and unmatches the entries of one batch', async () => {
    let refused = true;
    const decideMoney = () => {
      if (!refused) return ok({});
      refused = false;
      const refusal = { code: 'decision_not_kept' as const, message: 'The decision was not kept: ENOSPC' };
      return { ok: false as const, refusal };
    };
    const answers = { ...ofBatch.answers, decideMoney };
    await onPage({ ...ofBatch, answers }, async ({ page, invoked }) => {
      const decided = () =>
        invoked.filter(({ name }) => name === 'decideMoney').map(({ request }) => request);
      await page.locator('[data-part=unclear]').getByRole('button', { name: 'Match…' }).last().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Which money belongs to batch 45?').waitFor();
      expect(
        await dialog
          .getByRole('checkbox', { name: /ACME SETTLEMENT€?/ })
          .first()
          .isChecked(),
      ).toBe(false);
      expect(await dialog.locator('[data-difference="0"]').innerText()).toContain('That agrees.');
      await dialog.getByLabel('Your name').fill('Ada Meier');
      await dialog.getByLabel('How do you know?').fill('on the statement');
      await dialog.getByRole('button', { name: 'Save decision' }).click();
      await dialog.getByText('The decision was not kept: ENOSPC').waitFor();
      await dialog.getByRole('button', { name: 'Save decision' }).click();
      await poll(() => dialog.count()).toBe(0);
      expect(decided().at(-1)).toMatchObject({
        kind: 'match',
        entryIds: ['c2'],
        batchIds: [moneyBatchId(45)],
      });

      await page.getByRole('button', { name: 'This is not its money…' }).press('Enter');
      expect(await dialog.getByRole('checkbox').first().isChecked()).toBe(true);
      // The same person, who has said so a moment ago.
      expect(await dialog.getByLabel('Your name').inputValue()).toBe('Ada Meier');
      await dialog.getByLabel('How do you know?').fill('that was the rent');
      await dialog.getByRole('button', { name: 'Save decision' }).click();
      await poll(() => dialog.count()).toBe(0);
      expect(decided().at(-1)).toMatchObject({ kind: 'unmatch', acquirer: 'Amex', entryIds: ['c45'] });
    });
  });

  test.each([900, 450])('cuts no amount off at a width of %i', async (width) => {
    await onPage({ route: 'money', language: 'de', width, height: 600 }, async ({ page }) => {
      const table = page.locator('.money-table .report-scroll');
      await table.waitFor();
      const [needed, there] = await table.evaluate((one) => [one.scrollWidth, one.clientWidth]);
      expect(needed).toBe(there);
      expect(await page.getByRole('row').count()).toBeGreaterThan(6);
      expect(await seriousFindings(page)).toEqual([]);
    });
  });

  test('says when a batch is not among those that were looked for', async () => {
    const refusal = { code: 'not_found' as const, message: 'This batch is not among those.' };
    await onPage(
      { ...ofBatch, answers: { moneyOfBatch: () => ({ ok: false, refusal }) } },
      async ({ page }) => {
        await page.getByText('This batch is not among those.').waitFor();
        await page.getByRole('link', { name: 'Money' }).first().click();
        await page.locator('.money-table').waitFor();
        expect(page.url()).toMatch(/#\/money$/);
      },
    );
  });
});
