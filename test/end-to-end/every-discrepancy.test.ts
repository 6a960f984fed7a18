/**
 * Each kind of discrepancy on every surface where somebody may look: the command line, /health, /events, QueryPayment
 * and the console in both languages. A kind that is new has to be provoked here before this file compiles.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { repairJournal } from '../../src/bridge/journal/index.ts';
import type { Resolution } from '../../src/contract/operation.ts';
import {
  discrepancyHold,
  discrepancyKindSchema,
  type DiscrepancyKind,
  type DiscrepancyView,
} from '../../src/contract/discrepancy.ts';
import deLocale from '../../src/locales/de.json' with { type: 'json' };
import enLocale from '../../src/locales/en.json' with { type: 'json' };
import { bridgeSentence } from '../../src/locales/index.ts';
import { discrepancyTitles } from '../../src/headless/journal-event-text.ts';
import { dialects } from '../../src/simulator/dialects.ts';
import { defaultTimings } from '../../src/simulator/simulated-terminal.ts';
import { flipByte, options as journalOptions } from '../bridge/journal/folder.ts';
import { read } from '../bridge/listener/event-reader.ts';
import { run } from '../headless/test-context.ts';
import { newFolder, readyHost, type HostKit } from '../host/host-kit.ts';
import { pagesForTests } from '../renderer/on-page.ts';
import { seriousFindings } from '../support/axe.ts';
import { consoleState } from '../support/console-data.ts';
import { needs } from '../support/needs.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { closeRigsAfterEach, is, once, rigUp } from '../support/rigs.ts';

closeRigsAfterEach();

const { discrepancy: en } = enLocale;
const { discrepancy: de } = deLocale;

/** How the simulator brings one about, over the real way. */
interface Provocation {
  options?: RigOptions;
  /** A payment that it is about, as QueryPayment has to say. */
  reference: string | null;
  happen(rig: Rig): Promise<unknown>;
}

const slowHost = { ...defaultTimings, slowHostMs: 400_000, progressEveryMs: 400_000 };

const provocations: Record<DiscrepancyKind, Provocation> = {
  contradicted_outcome: {
    reference: 'A',
    async happen(rig) {
      await paid(rig, '1.00', 'BEFORE');
      rig.tap.loseToTerminal = once(is('0601'));
      await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A', conditionCode: '00' });
      await rig.until(() => rig.status('A') === 'failed', 'the end by evidence');
      await rig.ready();
      rig.simulator.payManually(1_200);
    },
  },
  late_result_refused: {
    options: { simulator: { timings: slowHost } },
    reference: 'A',
    async happen(rig) {
      await paid(rig, '1.00', 'BEFORE');
      rig.simulator.queueScenario('slow_host');
      await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A', conditionCode: '00' });
      await rig.until(() => rig.status('A') === 'unknown', 'doubt');
      decide(rig, 'not-charged');
    },
  },
  unexplained_payment: {
    reference: null,
    async happen(rig) {
      await paid(rig, '1.00', 'BEFORE');
      rig.simulator.payManually(700);
    },
  },
  unexplained_reversal: {
    reference: 'A',
    async happen(rig) {
      await paid(rig, '12.00', 'A');
      rig.simulator.reverseManually('0001');
    },
  },
  unseen_records: {
    reference: 'A',
    async happen(rig) {
      await paid(rig, '12.00', 'A');
      rig.simulator.payManually(700);
      await paid(rig, '13.00', 'B');
    },
  },
  unexplained_batch_close: {
    reference: 'A',
    async happen(rig) {
      await paid(rig, '12.00', 'A');
      rig.simulator.closeDayManually();
    },
  },
  changed_terminal: {
    reference: 'A',
    async happen(rig) {
      await paid(rig, '12.00', 'A');
      await rig.crash();
      rig.simulator.replaceTerminal('68000002');
      rig.restart();
    },
  },
  amount_differs: {
    options: { simulator: { dialect: dialects.tips } },
    reference: 'A',
    async happen(rig) {
      await rig.payments.createPayment({ amountMinor: 1_200, reference: 'A', conditionCode: '00' });
    },
  },
  batch_differs: {
    reference: 'A',
    async happen(rig) {
      await paid(rig, '12.00', 'A');
      // The payment is reversed unseen, right before the day is closed.
      rig.simulator.reverseManually('0001');
      await rig.payments.submitBatch(60_000);
    },
  },
  journal_loss: {
    reference: null,
    async happen(rig) {
      await paid(rig, '1.00', 'BEFORE');
      await paid(rig, '12.00', 'A');
      await rig.crash();
      const file = join(rig.folder, 'journal.sqlite');
      flipByte(file, readFileSync(file).lastIndexOf('"reference":"A') + '"reference":"A'.length - 1);
      const person = { by: 'Ada', reason: 'The disk was replaced.', uuid: randomUUID };
      expect(repairJournal({ ...journalOptions(rig.folder), ...person })).toMatchObject({ kind: 'repaired' });
      rig.restart();
    },
  },
};

async function paid(rig: Rig, amount: string, reference: string) {
  expect(await rig.sale(amount, reference)).toBe('approved');
  await rig.ready();
}

function decide(rig: Rig, resolution: Resolution) {
  const operationId = rig.payments.operationsInDoubt()[0]?.operationId ?? '';
  const word = { by: 'Kim', reason: 'nobody gets at the terminal', terminalUnreachable: true };
  expect(rig.payments.resolve({ operationId, resolution, ...word })).toMatchObject({ ok: true });
}

/** What the bridge found, by kind. */
const found = new Map<DiscrepancyKind, DiscrepancyView>();

/** A data folder in whose simulator's journal such a discrepancy was found. */
async function folderWith(kind: DiscrepancyKind): Promise<string> {
  const dataDir = newFolder();
  const folder = join(dataDir, 'simulator');
  mkdirSync(folder);
  const { options, happen } = provocations[kind];
  const rig = await rigUp({ ...options, folder });
  await happen(rig);
  const open = await rig.until(
    () => rig.payments.discrepancies().find((discrepancy) => discrepancy.kind === kind),
    `a discrepancy: ${kind}`,
  );
  found.set(kind, open);
  await rig.ready();
  await rig.crash();
  await rig.clock.run(rig.simulator.close(), 'the end of the simulator');
  return dataDir;
}

/** The one of this kind that the bridge found; provoked if no test has done so yet. */
async function discrepancyOf(kind: DiscrepancyKind): Promise<DiscrepancyView> {
  if (!found.has(kind)) await folderWith(kind);
  const discrepancy = found.get(kind);
  if (discrepancy === undefined) throw new Error(`${kind} was not found`);
  return discrepancy;
}

describe.each(discrepancyKindSchema.options)('a discrepancy: %s', (kind) => {
  it('is seen on the command line, /health, /events, QueryPayment and in the console’s state', async () => {
    const dataDir = await folderWith(kind);
    const { discrepancyId, message, references } = await discrepancyOf(kind);
    const { reference } = provocations[kind];
    const listed = (await run(['discrepancies', '--data-dir', dataDir])).output;
    for (const part of [discrepancyTitles[kind], discrepancyId, message, ...references])
      expect(listed).toContain(part);

    const doubts = (await run(['doubts', '--data-dir', dataDir])).output;
    expect(doubts).toMatch(
      /(discrepancy is|discrepancies are) open as well: see "tillbridge discrepancies --d/,
    );

    const kit = await readyHost({ folder: dataDir });
    expect((await run(['discrepancies', '--data-dir', dataDir])).output).toContain(discrepancyId);
    const state = kit.host.state();
    const shown = state.discrepancies.find((discrepancy) => discrepancy.discrepancyId === discrepancyId);
    expect(shown).toEqual(found.get(kind));

    const holds = state.discrepancies.some((discrepancy) => discrepancyHold[discrepancy.kind] === 'sales');
    const health = await kit.till().health();
    expect(health).toMatchObject({
      status: holds ? 503 : 200,
      body: { discrepancies: state.discrepancyCount },
    });
    expect(health.body['message']).toMatch(/to be looked at by a person/);

    const told = await eventOf(kit, discrepancyId);
    expect(told).toMatchObject({
      discrepancy_status: 'open',
      kind,
      message,
      retrieval_reference_numbers: references,
    });

    expect(references.includes(reference ?? '')).toBe(reference !== null);
    if (reference !== null) {
      const { body } = await kit.till().query(reference);
      expect(body).toMatchObject({ discrepancy: { id: discrepancyId, kind, message } });
    }
  });
});

/** What a reader of the events that comes later is told. */
async function eventOf(kit: HostKit, discrepancyId: string) {
  const reader = await read(Number(new URL(kit.base()).port), { 'last-event-id': '0' });
  return kit.clock.until(
    () =>
      reader.events.find(({ name, data }) => name === 'discrepancy' && data['id'] === discrepancyId)?.data,
    'the event',
  );
}

describe.skipIf(!needs('chromium'))('every discrepancy in the console', () => {
  const onPage = pagesForTests();
  let discrepancies: DiscrepancyView[] = [];

  const provoke = async () => {
    discrepancies = [];
    for (const kind of discrepancyKindSchema.options) discrepancies.push(await discrepancyOf(kind));
  };

  it.each([
    ['en', 'light', en],
    ['de', 'dark', de],
  ] as const)('is in the list and has a dialog of its own (%s, %s)', async (language, colorScheme, words) => {
    await provoke();
    const state = consoleState({ discrepancies });
    await onPage({ state, language, colorScheme }, async ({ page }) => {
      await picture(page, `till-${language}`);
      await page.locator('[data-banner="discrepancies"] button').click();
      const list = page.getByRole('dialog');
      const items = list.getByRole('listitem');
      expect(await items.count()).toBe(discrepancies.length);
      expect(await seriousFindings(page)).toEqual([]);
      await picture(page, `list-${language}`);
      for (const [index, { kind, message: inEnglish, references }] of discrepancies.entries()) {
        const message = bridgeSentence(inEnglish, language) ?? inEnglish;
        expect(message === inEnglish, inEnglish).toBe(language === 'en');
        const row = await items.nth(index).innerText();
        for (const part of [words.kind[kind], message, ...references]) expect(row).toContain(part);
        await items.nth(index).getByRole('button').click();
        await page.locator('textarea').waitFor();
        const dialog = await page.getByRole('dialog').innerText();
        for (const part of [words.kind[kind], words.next[kind], message, ...references])
          expect(dialog).toContain(part);
        expect(dialog).not.toMatch(/\b0603 \d{6}/);
        expect(dialog.includes(words.holdsSales)).toBe(discrepancyHold[kind] === 'sales');
        await picture(page, `${kind}-${language}`);
        await page.keyboard.press('Escape');
      }
    });
  });
});

/** `TILLBRIDGE_PICTURES=FOLDER` keeps what was shown, for a person to look at. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['TILLBRIDGE_PICTURES'];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) });
}
