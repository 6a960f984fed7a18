/** The page Settings: checked as typed, saved together, and what cannot be changed here. */
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import type { RequestOf, SettingsView } from '../../src/contract/console/index.ts';
import { seriousFindings } from '../support/axe.ts';
import { at, consoleState, settingsView } from '../support/console-data.ts';
import type { FakeConsole } from '../support/console-page.ts';
import { needs } from '../support/needs.ts';
import { ok, pagesForTests, poll } from './on-page.ts';

type Settings = RequestOf<'saveSettings'>;

/** A host that keeps what is saved. */
function keeper(changes: Partial<SettingsView> = {}) {
  let view = settingsView(changes);
  const saves: Settings[] = [];
  const keep = (settings: Settings) => {
    saves.push(settings);
    view = { ...view, settings };
    return ok(view);
  };
  return {
    saves,
    answers: {
      settings: () => ok(view),
      saveSettings: keep,
      allowOrigin: ({ origin }: { origin: string }) => {
        const { settings } = view;
        const allowedOrigins = [...settings.bridge.allowedOrigins, origin];
        view = { ...view, settings: { ...settings, bridge: { ...settings.bridge, allowedOrigins } } };
        return ok(view);
      },
    },
  };
}

const port = (page: Page) => page.locator('[data-setting="port"]');
const bar = (page: Page) => page.getByRole('region', { name: 'Changes' });
const save = (page: Page) => bar(page).getByRole('button', { name: 'Save' });

/** Goes on with Tab until `wanted` has the focus. */
async function tabTo(page: Page, wanted: string) {
  for (let step = 0; step < 80; step++) {
    const isThere = await page
      .locator(':focus')
      .evaluateAll((all, selector) => all[0]?.matches(selector), wanted);
    if (isThere === true) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${wanted}.`);
}

describe.skipIf(!needs('chromium'))('the page Settings', () => {
  const onPage = pagesForTests();

  test('a port is changed and saved by keyboard alone', async () => {
    const host = keeper();
    await onPage({ route: 'settings', answers: host.answers }, async ({ page }) => {
      await port(page).waitFor();
      await tabTo(page, '[data-setting="port"]');
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('8099');
      await bar(page).getByText('restarts the bridge').waitFor();
      await tabTo(page, '.settings-bar .button-primary');
      await page.keyboard.press('Enter');
      await bar(page).getByText('Saved').waitFor();
      expect(host.saves.map(({ bridge }) => bridge.port)).toEqual([8_099]);
      expect(await save(page).count()).toBe(0);
    });
  });

  test.each([
    ['en', 'Maximum tip, in per cent', '12.5', 'Enter a number from 0 to 100'],
    ['de', 'Höchstes Trinkgeld in Prozent', '12,5', 'Geben Sie eine Zahl von 0 bis 100 ein'],
  ] as const)(
    'the highest tip is checked as typed and saved (%s)',
    async (language, label, written, words) => {
      const host = keeper();
      host.answers.settings().value.settings.app.language = language;
      await onPage({ route: 'settings', answers: host.answers }, async ({ page }) => {
        const tip = page.getByLabel(label);
        expect(await tip.inputValue()).toBe('0');
        const bar = page.locator('.settings-bar');
        for (const wrong of ['', 'ten', '100.5', '-1', '1.2.3']) {
          await tip.fill(wrong);
          await page.locator('.field', { has: tip }).getByText(words).waitFor();
          expect(await tip.inputValue()).toBe(wrong);
          expect(await bar.locator('.button-primary').isDisabled()).toBe(true);
        }
        await tip.fill(written);
        // A bridge reads it when it starts.
        await bar.getByText(language === 'en' ? 'restarts the bridge' : 'startet die Bridge neu').waitFor();
        await bar.locator('.button-primary').click();
        await bar.getByText(language === 'en' ? 'Saved' : 'Gespeichert').waitFor();
        expect(host.saves.map(({ bridge }) => bridge.maxTipPercent)).toEqual([12.5]);
        await page.reload();
        await poll(() => tip.inputValue()).toBe(written);
      });
    },
  );

  test.each([
    ['en', 'Enter a whole number from 1 to 65535', 'Write the page’s whole origin'],
    ['de', 'Geben Sie eine ganze Zahl von 1 bis 65535 ein', 'Geben Sie die vollständige Adresse'],
  ] as const)('says what is wrong while it is typed (%s)', async (language, portWords, originWords) => {
    const host = keeper();
    host.answers.settings().value.settings.app.language = language;
    await onPage({ route: 'settings', answers: host.answers }, async ({ page }) => {
      for (const wrong of ['', '80a', '65536', '-1', '80.5']) {
        await port(page).fill(wrong);
        await page.getByText(portWords).waitFor();
        expect(await port(page).inputValue()).toBe(wrong);
        expect(await page.locator('.settings-bar .button-primary').isDisabled()).toBe(true);
      }
      await port(page).fill('8080');
      await page.locator('.settings-bar .button-primary').waitFor({ state: 'detached' });

      const origin = page.getByPlaceholder('https://pos.example');
      for (const wrong of ['pos.example', 'https://*.example', 'https://pos.example/till']) {
        await origin.fill(wrong);
        await page.getByText(originWords).waitFor();
      }
      expect(host.saves).toEqual([]);
    });
  });

  test('another protocol brings its usual line and its only currency, and no password', async () => {
    const host = keeper();
    await onPage({ route: 'settings', answers: host.answers }, async ({ page }) => {
      await page.getByLabel('Terminal password').waitFor();
      await page.getByLabel('Protocol').selectOption({ label: 'Transbank (Chile)' });
      await poll(() => page.getByLabel('Currency').inputValue()).toBe('CLP');
      expect(await page.getByLabel('Terminal password').count()).toBe(0);
      await save(page).click();
      await poll(() => host.saves.length).toBe(1);
      expect(host.saves[0]?.bridge).toMatchObject({
        protocol: 'transbank',
        currency: 'CLP',
        serial: { baudRate: 115_200, dataBits: 8, parity: 'none', stopBits: 1 },
      });
    });
  });

  test('each protocol brings its own settings, in the window’s language, and sends them', async () => {
    const host = keeper();
    await onPage({ route: 'settings', answers: host.answers }, async ({ page }) => {
      const protocol = page.getByLabel('Protocol');
      const labels = await protocol.locator('option').allInnerTexts();
      expect(labels).toContain('ZVT (Germany, Austria, Switzerland)');
      expect(labels).toContain('ECR17 (Italy)');
      await protocol.selectOption('ecr17');
      const tillId = page.getByLabel('Number of the till');
      expect(await tillId.inputValue()).toBe('00000001');
      await tillId.fill('7');
      await page.getByText('Eight digits, such as 00000001.').waitFor();
      await tillId.fill('00000007');
      expect(await page.getByLabel('Currency').locator('option').allInnerTexts()).toEqual(['EUR']);
      await page.getByText('Interface details').click();
      await page.getByLabel('Check byte (LRC)').selectOption({ label: 'With ETX' });
      await save(page).click();
      await poll(() => host.saves.length).toBe(1);
      expect(host.saves[0]?.bridge).toMatchObject({
        protocol: 'ecr17',
        ecr17: { terminalId: '00000000', tillId: '00000007', lrc: 'etx' },
        serial: { baudRate: 9_600, stopBits: 1 },
      });
      await protocol.selectOption('ecr-edc');
      expect(await tillId.count()).toBe(0);
      await page.getByLabel('Bank', { exact: true }).selectOption({ label: 'KBank (kbtg)' });
      await save(page).click();
      await poll(() => host.saves.length).toBe(2);
      expect(host.saves[1]?.bridge).toMatchObject({ protocol: 'ecr-edc', 'ecr-edc': { profile: 'kbtg' } });
    });
  });

  test('an address in the network keeps its host and gets the port of another protocol', async () => {
    const view = settingsView();
    const bridge = { ...view.settings.bridge, terminal: 'tcp:10.0.0.5:20007' };
    const host = keeper({ settings: { ...view.settings, bridge } });
    await onPage({ route: 'settings', answers: host.answers }, async ({ page }) => {
      await page.getByLabel('Protocol').selectOption('ecr17');
      await save(page).click();
      await poll(() => host.saves.length).toBe(1);
      expect(host.saves[0]?.bridge.terminal).toBe('tcp:10.0.0.5:8081');
    });
  });

  test('a line that somebody has set stays as it is with another protocol', async () => {
    const view = settingsView();
    const serial = { ...view.settings.bridge.serial, baudRate: 19_200 };
    const bridge = { ...view.settings.bridge, serial };
    const host = keeper({ settings: { ...view.settings, bridge } });
    await onPage({ route: 'settings', answers: host.answers }, async ({ page }) => {
      await page.getByLabel('Protocol').selectOption({ label: 'Transbank (Chile)' });
      await save(page).click();
      await poll(() => host.saves.length).toBe(1);
      expect(host.saves[0]?.bridge).toMatchObject({ protocol: 'transbank', serial });
    });
  });

  test('web pages are added, removed and allowed; the rest of the list is kept', async () => {
    const host = keeper();
    const state = consoleState({ blockedOrigins: [{ origin: 'https://asked.example', at: at(3) }] });
    await onPage({ route: 'settings', state, answers: host.answers }, async ({ page }) => {
      const origin = page.getByPlaceholder('https://pos.example');
      await origin.fill('https://pos.example');
      await page.getByText('This page is already in the list.').waitFor();
      await origin.fill('https://till.example:8443/');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Remove https://pos.example' }).click();
      expect(await bar(page).innerText()).not.toContain('anew');
      await page.getByRole('button', { name: 'Allow https://asked.example' }).click();
      await page.getByRole('button', { name: 'Remove https://asked.example' }).waitFor();
      await save(page).click();
      await bar(page).getByText('Saved').waitFor();
      expect(host.saves.map(({ bridge }) => bridge.allowedOrigins)).toEqual([
        ['https://till.example:8443', 'https://asked.example'],
      ]);
    });
  });

  test('a token is shown once, and the last one is not removed without a word', async () => {
    let tokens: { name: string; createdAt: string }[] = [];
    const answers = {
      tokens: () => ok({ tokens }),
      createToken: ({ name }: { name: string }) => {
        tokens = [{ name, createdAt: at(1) }];
        return ok({ token: 'tb_secret_of_till_1' });
      },
      removeToken: () => {
        tokens = [];
        return ok({});
      },
    };
    await onPage({ route: 'settings', answers }, async ({ page, invoked }) => {
      await page.getByText('There are no tokens yet').waitFor();
      await page.getByRole('button', { name: 'Create a token…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Käse');
      await dialog.getByText('Use 1 to 40 letters').waitFor();
      await dialog.getByLabel('Name').fill('Till 1');
      await page.keyboard.press('Enter');
      await dialog.getByText('shown only now').waitFor();
      // It is not shown again, so a stray key must not take it away.
      for (let press = 0; press < 3; press += 1) await page.keyboard.press('Escape');
      await poll(() => dialog.locator('[data-token]').isVisible()).toBe(true);
      expect(await dialog.locator('[data-token]').innerText()).toBe('tb_secret_of_till_1');
      expect(await page.locator('dialog:modal').count()).toBe(1);
      await dialog.getByRole('button', { name: 'Copy' }).waitFor();
      await dialog.getByRole('button', { name: 'I have copied it' }).click();
      await page.getByRole('list', { name: 'POS tokens' }).getByText('Till 1').waitFor();
      expect(await page.content()).not.toContain('tb_secret');

      await page.getByRole('button', { name: 'Remove “Till 1”' }).click();
      await dialog.getByText('any program on this computer can send payments again').waitFor();
      expect(invoked.some(({ name }) => name === 'removeToken')).toBe(false);
      await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByText('There are no tokens yet').waitFor();
    });
  });

  test('what a source of higher precedence has set is shown and cannot be changed', async () => {
    const fixed = ['port', 'allowedOrigins', 'makeReferences', 'maxTipPercent', 'terminal', 'logLevel'].map(
      (key) => ({
        key,
        by: `--${key}`,
      }),
    );
    const { answers } = keeper({ fixed });
    await onPage({ route: 'settings', answers }, async ({ page }) => {
      await page.getByText('Set by --port, so').waitFor();
      expect(await port(page).isDisabled()).toBe(true);
      expect(await page.getByLabel('Create a reference').isDisabled()).toBe(true);
      expect(await page.getByLabel('Maximum tip').isDisabled()).toBe(true);
      await page.getByText('Set by --maxTipPercent, so').waitFor();
      expect(await page.getByLabel('What is written to the log').isDisabled()).toBe(true);
      expect(await page.getByPlaceholder('https://pos.example').count()).toBe(0);
      expect(await page.getByLabel('By cable').isDisabled()).toBe(true);
      expect(await page.getByLabel('Language').isEnabled()).toBe(true);
    });
  });

  test('refusals stand where they belong', async () => {
    const host = keeper();
    const refusals = [
      { code: 'terminal_busy' as const, message: 'An operation is running on the terminal.' },
      {
        code: 'settings_fixed' as const,
        message: 'Fixed.',
        issues: [{ path: 'bridge.port', message: 'fixed by --port' }],
      },
      {
        code: 'invalid_request' as const,
        message: 'Not right.',
        issues: [{ path: 'bridge.port', message: 'is not right' }],
      },
    ];
    const saveSettings = (settings: Settings) => {
      const refusal = refusals.shift();
      return refusal === undefined ? host.answers.saveSettings(settings) : { ok: false as const, refusal };
    };
    await onPage({ route: 'settings', answers: { ...host.answers, saveSettings } }, async ({ page }) => {
      await port(page).fill('8081');
      await save(page).click();
      await bar(page).getByText('An operation is running on the terminal.').waitFor();
      await save(page).click();
      const field = page.locator('.field', { has: port(page) });
      await field.getByText('set when the program was started').waitFor();
      await port(page).fill('8082');
      await field.getByText('set when the program was started').waitFor({ state: 'detached' });
      await save(page).click();
      await field.getByText('Enter a whole number').waitFor();
      await port(page).fill('8083');
      await save(page).click();
      await bar(page).getByText('Saved').waitFor();
      expect(host.saves.map(({ bridge }) => bridge.port)).toEqual([8_083]);
    });
  });

  test('language and theme are there at once and take nothing else with them', async () => {
    const host = keeper();
    await onPage({ route: 'settings', answers: host.answers }, async ({ page }) => {
      await port(page).fill('8081');
      await page.getByLabel('Theme').selectOption('Dark');
      await poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
      await page.getByLabel('Language').selectOption('Deutsch');
      await page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
      expect(host.saves.map(({ app, bridge }) => [app.language, app.theme, bridge.port])).toEqual([
        ['en', 'dark', 8_080],
        ['de', 'dark', 8_080],
      ]);
      expect(await port(page).inputValue()).toBe('8081');
      await page.getByRole('button', { name: 'Speichern' }).waitFor();
    });
  });

  test('what is saved elsewhere meanwhile is neither lost nor undone', async () => {
    const host = keeper();
    await onPage({ route: 'settings', answers: host.answers }, async (fake) => {
      const { page, emit } = fake;
      await port(page).fill('8081');
      const view = settingsView();
      view.settings.bridge.makeReferences = true;
      await emit({ kind: 'settings', view });
      await page.getByText('is then a second payment').waitFor();
      await save(page).click();
      await bar(page).getByText('Saved').waitFor();
      expect(host.saves.map(({ bridge }) => [bridge.port, bridge.makeReferences])).toEqual([[8_081, true]]);
    });
  });

  test('leaving with changes asks', async () => {
    const host = keeper();
    await onPage({ route: 'settings', answers: host.answers }, async ({ page }) => {
      const hash = () => new URL(page.url()).hash;
      const log = page.getByRole('link', { name: 'Log' });
      const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
      await port(page).fill('8081');
      await log.click();
      await dialog.getByRole('button', { name: 'Stay here' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect([hash(), await port(page).inputValue()]).toEqual(['#/settings', '8081']);

      await log.click();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { name: 'Log', exact: true }).waitFor();
      expect(host.saves.map(({ bridge }) => bridge.port)).toEqual([8_081]);

      await page.getByRole('link', { name: 'Settings' }).click();
      await port(page).fill('8082');
      await page.goBack();
      await dialog.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('heading', { name: 'Log', exact: true }).waitFor();
      await page.getByRole('link', { name: 'Settings' }).click();
      await poll(() => port(page).inputValue()).toBe('8081');
      // Nothing is changed, so nothing asks.
      await log.click();
      await page.getByRole('heading', { name: 'Log', exact: true }).waitFor();
      expect(host.saves.length).toBe(1);
    });
  });

  test('a stored password is not shown and only a new one is sent', async () => {
    const host = keeper({ secretsSet: ['zvt.password'] });
    await onPage({ route: 'settings', answers: host.answers }, async ({ page }: FakeConsole) => {
      const password = page.getByLabel('Terminal password');
      expect(await password.inputValue()).toBe('');
      await password.fill('12');
      await bar(page).getByText('Please correct the marked fields.').waitFor();
      await password.fill('123456');
      await save(page).click();
      await bar(page).getByText('Saved').waitFor();
      await port(page).fill('8081');
      await poll(() => save(page).isEnabled()).toBe(true);
      expect(host.saves.map(({ bridge }) => bridge.zvt.password)).toEqual(['123456']);
    });
  });

  test.each(['light', 'dark'] as const)('axe finds nothing serious (%s)', async (colorScheme) => {
    const state = consoleState({ blockedOrigins: [{ origin: 'https://asked.example', at: at(3) }] });
    const answers = { tokens: () => ok({ tokens: [{ name: 'Till 1', createdAt: at(1) }] }) };
    await onPage({ route: 'settings', state, colorScheme, answers }, async ({ page }) => {
      await port(page).fill('x');
      await page.getByLabel('Create a reference').check();
      await page.getByText('Till 1').waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Create a token…' }).click();
      expect(await seriousFindings(page)).toEqual([]);
    });
  });
});
