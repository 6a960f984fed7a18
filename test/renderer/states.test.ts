/** Every state has its message, in every language, and its shape. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  listenerStateSchema,
  type ConsoleState,
  type ListenerState,
} from '../../src/contract/console/index.ts';
import { discrepancyKindSchema } from '../../src/contract/discrepancy.ts';
import { transactionStatusSchema } from '../../src/contract/operation.ts';
import { progressStepSchema, terminalConnectionSchema } from '../../src/contract/terminal.ts';
import { builtRenderer, sharedChromium } from '../support/chromium.ts';
import {
  consoleState,
  discrepancyView,
  currentOperationView,
  paymentView,
  settingsView,
  terminalState,
} from '../support/console-data.ts';
import { openConsolePage, type FakeConsole } from '../support/console-page.ts';
import { flatMessages, messageTree, type MessageTree } from '../support/messages.ts';
import { needs } from '../support/needs.ts';

const repository = path.resolve(import.meta.dirname, '../..');
const [listenerOn, listenerOff, listenerStarting, listenerStopping, listenerFailed] =
  listenerStateSchema.options;

const listenerStates: ListenerState[] = [
  listenerOn.parse({ kind: 'on', port: 8080, addresses: ['http://127.0.0.1:8080'] }),
  listenerOff.parse({ kind: 'off' }),
  listenerStarting.parse({ kind: 'starting' }),
  listenerStopping.parse({ kind: 'stopping' }),
  ...listenerFailed.shape.code.options.map((code) => ({
    kind: 'failed' as const,
    code,
    port: 8080,
    text: 'The system said no.',
  })),
];
const failureKeys: Record<Extract<ListenerState, { kind: 'failed' }>['code'], string> = {
  port_in_use: 'listener.portInUse',
  port_forbidden: 'listener.portForbidden',
  address_unknown: 'listener.addressUnknown',
  other: 'listener.otherFailure',
};

describe.skipIf(!needs('chromium'))('in the window', () => {
  let browser: Browser;
  let rendererFolder = '';
  beforeAll(async () => {
    rendererFolder = await builtRenderer();
    browser = await sharedChromium();
  });

  describe.each(['en', 'de'])('in %s', (language) => {
    const messages = flatMessages(messageTree(language));
    const say = (key: string, values: Record<string, string> = {}) => {
      const text = messages.get(key);
      if (text === undefined) throw new Error(`No message for ${key}.`);
      return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
    };
    let fake: FakeConsole;
    beforeAll(async () => {
      const settings = settingsView();
      settings.settings.app.language = language;
      fake = await openConsolePage(browser, { rendererFolder, settings });
      await fake.page.locator(`html[lang="${language}"] .till`).waitFor();
    });
    afterAll(() => fake?.close());

    /** Shows `state`; resolves when the part of the page has all these words: is there a shape beside them? */
    async function shows(state: ConsoleState, part: string, wanted: string[]): Promise<boolean> {
      await fake.setState(state);
      const place = fake.page.locator(part);
      for (const text of wanted) await place.getByText(text, { exact: false }).first().waitFor();
      return place.locator('svg.lucide').first().isVisible();
    }

    test.each(terminalConnectionSchema.options)('a terminal that is %s', async (connection) => {
      const terminal = terminalState({ connection, text: 'The bridge’s sentence.' });
      const header = say(`terminal.connection.${connection}`);
      expect(
        await shows(consoleState({ terminal }), `.header [data-connection="${connection}"]`, [header]),
      ).toBe(true);
      const large = [say(`till.terminal.${connection}`), say(`terminal.next.${connection}`)];
      expect(await shows(consoleState({ terminal }), '.till-now', large)).toBe(true);
    });

    test.each(listenerStates)('a listener that is $kind $code', async (listener) => {
      const text =
        listener.kind === 'failed'
          ? say(failureKeys[listener.code], { port: '8080', text: 'The system said no.' })
          : listener.kind === 'on'
            ? say('listener.onText', { address: 'http://127.0.0.1:8080' })
            : say(listener.kind === 'off' ? 'listener.offText' : `listener.${listener.kind}`);
      const state = consoleState({ listener });
      expect(
        await shows(state, `.header [data-listener="${listener.kind}"]`, [
          say(`listener.${listener.kind}`),
          text,
        ]),
      ).toBe(true);
      // The header has said the address; what is in the way is said once more, in large words.
      const large =
        listener.kind === 'on'
          ? [say('terminal.connection.ready'), say('terminal.next.ready')]
          : [say(`till.listener.${listener.kind}`), text];
      expect(await shows(state, '.till-now', large)).toBe(true);
    });

    test('when what has failed is tried again', async () => {
      const nextTryAt = new Date(2026, 2, 10, 9, 30).toISOString();
      const [before = ''] = say('bridge.nextTry', { time: '|' }).split('|');
      const wanted = [before, '9:30'];
      const listener = {
        kind: 'failed',
        code: 'port_in_use',
        port: 8080,
        text: 'It is taken.',
        nextTryAt,
      } as const;
      expect(await shows(consoleState({ listener }), '.till-now', wanted)).toBe(true);
      const bridge = { kind: 'failed', text: 'The disk is full.', nextTryAt } as const;
      const failed = consoleState({ bridge, terminal: null, listener: { kind: 'off' } });
      expect(await shows(failed, '.till-now', wanted)).toBe(true);
      expect(await shows(failed, '.banner-bad', wanted)).toBe(true);
    });

    test.each(progressStepSchema.options)('a terminal that says %s', async (progressStep) => {
      const state = consoleState({
        terminal: terminalState({ connection: 'operating', progressStep }),
        currentOperation: currentOperationView(),
      });
      expect(
        await shows(state, `[data-step="${progressStep}"]`, [say(`terminal.progress.${progressStep}`)]),
      ).toBe(true);
    });

    test.each(transactionStatusSchema.options)('a payment that is %s', async (status) => {
      const state = consoleState({ lastPayment: paymentView(1, { status }) });
      expect(
        await shows(state, `.till-last:has([data-status="${status}"])`, [
          say(`status.${status}`),
          say(`statusMeaning.${status}`),
        ]),
      ).toBe(true);
    });

    test.each(discrepancyKindSchema.options)('a discrepancy: %s', async (kind) => {
      const discrepancies = [discrepancyView(1, { kind }), discrepancyView(2, { kind })];
      const hold = kind === 'journal_loss' ? 'banner.discrepancyHolds' : 'banner.discrepancyDecision';
      expect(
        await shows(consoleState({ discrepancies }), '[data-banner="discrepancies"]', [
          say('banner.discrepancy_other', { count: '2' }),
          say(hold),
        ]),
      ).toBe(true);
      if (kind === 'journal_loss') {
        expect(await shows(consoleState({ discrepancies }), '.till-now', [say('till.held')])).toBe(true);
      } else {
        const ready = [say('terminal.connection.ready')];
        expect(await shows(consoleState({ discrepancies }), '.till-now', ready)).toBe(true);
      }
    });

    test('a terminal that is asked for its state, with the real reason', async () => {
      const text = 'The terminal answers the registration with 84 9A.';
      const state = consoleState({ terminal: terminalState({ connection: 'recovering', text }) });
      expect(await shows(state, '.till-now', [say('till.terminal.recovering'), text])).toBe(true);
    });

    test('nothing of this was an error for the page', () => {
      expect(fake.errors).toEqual([]);
    });
  });

  test('each status of a payment has a look of its own, beside its colour', async () => {
    const fake = await openConsolePage(browser, { rendererFolder });
    const looks = new Map<string, string[]>();
    for (const status of transactionStatusSchema.options) {
      await fake.setState(consoleState({ lastPayment: paymentView(1, { status }) }));
      const mark = fake.page.locator(`.till-last [data-status="${status}"] svg`);
      const shape = /lucide-[\w-]+/.exec((await mark.getAttribute('class')) ?? '')?.[0] ?? 'none';
      looks.set(shape, [...(looks.get(shape) ?? []), status]);
    }
    await fake.close();
    const shared = [...looks.values()].filter((statuses) => statuses.length > 1);
    // Both are work under way.
    expect(shared).toEqual([['in_progress', 'voiding']]);
  });

  test('another language is one more file, and one line', async () => {
    const tree = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-language-'));
    try {
      for (const part of [
        'src',
        'scripts',
        'LICENSE',
        'CHANGELOG.md',
        'package.json',
        'vite.config.ts',
        'tsconfig.json',
      ]) {
        cpSync(path.join(repository, part), path.join(tree, part), { recursive: true });
      }
      symlinkSync(path.join(repository, 'node_modules'), path.join(tree, 'node_modules'));
      const french = messageTree('en');
      french['language'] = { name: 'Français' };
      const terminal = french['terminal'] as MessageTree;
      terminal['connection'] = { ...(terminal['connection'] as MessageTree), ready: 'Prêt' };
      writeFileSync(path.join(tree, 'src/locales/fr.json'), JSON.stringify(french));
      appendFileSync(
        path.join(tree, 'src/locales/languages.ts'),
        "export { default as fr } from './fr.json' with { type: 'json' };\n",
      );

      const settings = settingsView();
      settings.settings.app.language = 'system';
      const dist = path.join(tree, 'dist');
      execFileSync(
        process.execPath,
        [path.join(repository, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error'],
        { cwd: tree, env: { ...process.env, NODE_ENV: 'production', TILLBRIDGE_DIST: dist } },
      );
      const built = path.join(dist, 'renderer');
      const fake = await openConsolePage(browser, { rendererFolder: built, settings, locale: 'fr-FR' });
      await fake.page.locator('html[lang="fr"]').waitFor();
      await fake.page.locator('.till-now').getByText('Prêt').waitFor();
      await fake.setState(consoleState({ bridge: { kind: 'first_start' }, terminal: null }));
      const offered = await fake.page.locator('.first-start-language option').allInnerTexts();
      expect(offered).toEqual(['Deutsch', 'English', 'Français']);
      await fake.close();
    } finally {
      rmSync(tree, { recursive: true });
    }
  });
});
