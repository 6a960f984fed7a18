/** The first start: a terminal is connected, or the simulator tried; by keyboard alone, and nothing moves money. */
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import type { ConnectionTest, FoundTerminal, SettingsView } from '../../src/contract/console/index.ts';
import { noSearch } from '../../src/host/find/search.ts';
import { seriousFindings } from '../support/axe.ts';
import { connectionTestKinds } from '../support/contract-values.ts';
import {
  protocolSettings,
  consoleState,
  serialPort,
  settingsView,
  terminalState,
} from '../support/console-data.ts';
import type { FakeConsole, FakeConsoleOptions } from '../support/console-page.ts';
import { needs } from '../support/needs.ts';
import { ok, pagesForTests, poll } from './on-page.ts';

const nothingYet = consoleState({
  bridge: { kind: 'first_start' },
  terminal: null,
  listener: { kind: 'off' },
  lastPayment: null,
});

function noTerminal(): SettingsView {
  const view = settingsView();
  view.settings.app = { ...view.settings.app, language: 'system', theme: 'system' };
  view.settings.bridge.terminal = null;
  return view;
}

const ports = () =>
  ok({
    ports: [
      serialPort('/dev/ttyUSB0', { name: 'Scale' }),
      serialPort('/dev/ttyUSB1', { name: 'Card terminal' }),
    ],
  });

type Answers = NonNullable<FakeConsoleOptions['answers']>;

describe.skipIf(!needs('chromium'))('the first start', () => {
  const open = pagesForTests();
  const onPage: typeof open = (options, work) =>
    open({ state: nothingYet, settings: noTerminal(), ...options }, async (fake) => {
      await fake.page.locator('.first-start').waitFor();
      await work(fake);
    });

  const savedTerminals = ({ invoked }: FakeConsole) =>
    invoked.flatMap(({ name, request }) =>
      name === 'saveSettings' ? [(request as SettingsView['settings']).bridge.terminal] : [],
    );

  test('the simulator is one press away, and the app comes with the state', async () => {
    await onPage({}, async (fake) => {
      await tabTo(fake.page, 'Start the simulator');
      await fake.page.keyboard.press('Enter');
      await fake.page.getByText('Saved. Tillbridge is starting').waitFor();
      expect(savedTerminals(fake)).toEqual(['simulator']);
      await fake.setState(consoleState({ terminal: terminalState({ simulated: true }) }));
      await fake.page.getByText('SIMULATOR – no real payments').waitFor();
    });
  });

  test('a terminal on a cable is chosen, tested and used by keyboard alone', async () => {
    await onPage({ answers: { ports } }, async (fake) => {
      const { page, invoked } = fake;
      await tabTo(page, 'By cable');
      await page.keyboard.press('Space');
      await page.getByRole('radio', { name: 'Card terminal' }).waitFor();
      await tabTo(page, 'Scale');
      await page.keyboard.press('Space');
      await page.keyboard.press('ArrowDown');
      await tabTo(page, 'Terminal password');
      await page.keyboard.type('123456');
      await tabTo(page, 'Test connection');
      await page.keyboard.press('Enter');
      await page.locator('[data-test-result="ready"]').waitFor();
      expect(invoked.find(({ name }) => name === 'testConnection')?.request).toEqual({
        terminal: 'serial:/dev/ttyUSB1',
        protocol: 'zvt',
        serial: { baudRate: 9_600, dataBits: 8, parity: 'none', stopBits: 2 },
        currency: 'EUR',
        ...protocolSettings,
        zvt: { ...protocolSettings.zvt, password: '123456' },
      });
      await tabTo(page, 'Use this terminal');
      await page.keyboard.press('Enter');
      await poll(() => savedTerminals(fake)).toEqual(['serial:/dev/ttyUSB1']);
    });
  });

  test('a network address gets the usual port, and what is wrong is said in words', async () => {
    await onPage({}, async (fake) => {
      const { page } = fake;
      await page.getByRole('button', { name: 'Use this terminal' }).click();
      await page.getByText('First choose how the terminal is connected').waitFor();
      await page.getByRole('radio', { name: 'By network' }).check();
      const address = page.getByLabel('Address of the terminal');
      await address.fill('10.0.0.5:99999');
      await page.getByText('Enter a name or number and the port').first().waitFor();
      await page.getByLabel('Terminal password').fill('12');
      await page.getByText('The password has six digits').waitFor();
      await page.getByRole('button', { name: 'Use this terminal' }).click();
      expect(savedTerminals(fake)).toEqual([]);
      await page.getByLabel('Terminal password').fill('');
      await address.fill('10.0.0.5');
      await page.getByRole('button', { name: 'Use this terminal' }).click();
      await poll(() => savedTerminals(fake)).toEqual(['tcp:10.0.0.5:20007']);
    });
  });

  test('whatever comes of a connection test, it is said what to do', async () => {
    const results = [
      ['ready', 'answers and is ready', 'You can use it'],
      ['attention', 'needs attention first', 'Correct what is named below'],
      ['line', 'cannot be opened', 'Check the cable or the address'],
      ['silent', 'No terminal answers there', 'set to the protocol chosen here'],
      ['busy', 'busy', 'idle screen'],
      ['in_use', 'Another program', 'Close the other program'],
      ['not_saved', 'only be tested after saving', 'still uses the saved values'],
    ] as const;
    expect(results.map(([kind]) => kind).toSorted()).toEqual(connectionTestKinds);
    let answer: ConnectionTest = { kind: 'silent', text: '' };
    await onPage({ answers: { testConnection: () => ok(answer) } }, async ({ page }) => {
      await page.getByRole('radio', { name: 'By network' }).check();
      for (const [number, [kind, words, next]] of results.entries()) {
        const text = `The bridge’s own sentence ${number}.`;
        answer =
          kind === 'ready' || kind === 'attention' ? { kind, terminalId: '52500041', text } : { kind, text };
        // What came of other settings would mislead.
        await page.getByLabel('Address of the terminal').fill(`10.0.0.${number}`);
        await poll(() => page.locator('[data-test-result]').count()).toBe(0);
        await page.getByRole('button', { name: 'Test connection' }).click();
        const shown = await page.locator(`[data-test-result="${kind}"]`).innerText();
        expect(shown).toContain(words);
        expect(shown).toContain(next);
        expect(shown.includes(text)).toBe(kind !== 'ready' && kind !== 'not_saved');
      }
    });
  });

  test('the search says what it does, asks only when it is told to, and its find is used', async () => {
    const found: FoundTerminal = {
      terminal: 'serial:/dev/ttyUSB1',
      protocol: 'transbank',
      device: 'VX 820',
      terminalId: '52500041',
      text: null,
      sure: true,
    };
    const searches = { started: [] as boolean[], looks: 0 };
    const running = { ...noSearch, state: 'running' as const, total: 3, asking: ['serial:/dev/ttyUSB0'] };
    const findTerminals: Answers['findTerminals'] = ({ network }) => {
      searches.started.push(network);
      return ok(running);
    };
    const terminalSearch: Answers['terminalSearch'] = () => {
      searches.looks += 1;
      return searches.looks < 3
        ? ok({ ...running, done: searches.looks })
        : ok({
            ...running,
            state: 'done',
            done: 3,
            asking: [],
            found: [found],
            taken: ['serial:/dev/ttyS0'],
            denied: ['serial:/dev/ttyS1'],
          });
    };
    await onPage({ answers: { ports, findTerminals, terminalSearch } }, async (fake) => {
      const { page } = fake;
      await page.getByRole('button', { name: 'Find my terminal' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('No amount is sent').waitFor();
      await dialog.getByText('A terminal that another till uses over the network may be disturbed').waitFor();
      await dialog.getByRole('checkbox', { name: 'Also search the local network' }).check();
      expect(searches.started).toEqual([]);
      await dialog.getByRole('button', { name: 'Start the search' }).click();
      await dialog.getByText('2 of 3 asked').waitFor();
      await dialog.getByText('VX 820, Transbank').waitFor();
      await dialog.getByText('In use, so not asked: serial:/dev/ttyS0').waitFor();
      await dialog
        .getByText('Not asked, because you are not allowed to open them: serial:/dev/ttyS1')
        .waitFor();
      expect(searches.started).toEqual([true]);
      const { looks } = searches;
      await dialog.getByRole('button', { name: 'Use it: VX 820, Transbank, serial:/dev/ttyUSB1' }).click();
      expect(await page.getByRole('radio', { name: 'Card terminal' }).isChecked()).toBe(true);
      await page.getByRole('button', { name: 'Use this terminal' }).click();
      await poll(() => savedTerminals(fake)).toEqual(['serial:/dev/ttyUSB1']);
      const saved = fake.invoked.findLast(({ name }) => name === 'saveSettings')?.request;
      expect(saved).toMatchObject({
        bridge: { protocol: 'transbank', currency: 'CLP', serial: { baudRate: 115_200, stopBits: 1 } },
      });
      expect(searches.looks).toBe(looks);
    });
  });

  test('a search can be stopped, finds nothing in words, and is refused while a payment runs', async () => {
    const running = { ...noSearch, state: 'running' as const, total: 3 };
    let stopped = 0;
    let busy = true;
    const answers: Answers = {
      findTerminals: () =>
        busy
          ? {
              ok: false,
              refusal: { code: 'terminal_busy', message: 'An operation is running on the terminal.' },
            }
          : ok(stopped === 0 ? running : { ...running, state: 'done' }),
      terminalSearch: () => ok(running),
      stopSearch() {
        stopped += 1;
        return ok({ ...running, state: 'stopped' });
      },
    };
    await onPage({ answers }, async ({ page }) => {
      await page.getByRole('button', { name: 'Find my terminal' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Start the search' }).click();
      await dialog.getByRole('alert').waitFor();
      busy = false;
      await dialog.getByRole('button', { name: 'Start the search' }).click();
      await dialog.getByRole('button', { name: 'Stop the search' }).click();
      await dialog.getByRole('button', { name: 'Search again' }).click();
      await dialog.getByText('No terminal answered').waitFor();
      expect(stopped).toBe(1);
    });
  });

  test('each port says what it probably is and who has it, and another device is used once it is accepted', async () => {
    let accepted = false;
    const described = () =>
      ok({
        ports: [
          serialPort('/dev/ttyUSB0', {
            name: 'Scale',
            holder: { program: 'minicom', processId: 77 },
            guess: { kind: 'adapter', maker: 'FTDI', protocols: [] },
            terminal: accepted ? 'here' : 'unsure',
          }),
          serialPort('/dev/ttyUSB1', { denied: true, group: 'dialout' }),
          serialPort('/dev/ttyACM0', {
            name: 'VX 820',
            guess: { kind: 'terminal', maker: 'Verifone', protocols: ['zvt'] },
          }),
        ],
      });
    const acceptDevice = () => {
      accepted = true;
      return ok({});
    };
    await onPage({ answers: { ports: described, acceptDevice } }, async ({ page }) => {
      await page.getByRole('radio', { name: 'By cable' }).check();
      await page.getByText('used by minicom (process 77)').waitFor();
      await page.getByText('no permission: join the group dialout').waitFor();
      await page.getByText('cable by FTDI').waitFor();
      await page.getByText('probably a card terminal by Verifone').waitFor();
      await page.getByText('another device than the one that the terminal was on before').waitFor();
      await page.getByRole('button', { name: 'Use this device' }).click();
      await page.getByText('the terminal', { exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'Use this device' }).count()).toBe(0);
    });
  });

  test('that no port was found is told in words', async () => {
    await onPage({ answers: { ports: () => ok({ ports: [] }) } }, async ({ page }) => {
      await page.getByRole('radio', { name: 'By cable' }).check();
      await page.getByText('No port was found').waitFor();
      await page.getByRole('radio', { name: 'Another port' }).check();
      await page.getByLabel('Name of the port').fill('COM3');
      expect(await page.getByRole('radio', { name: 'Another port' }).isChecked()).toBe(true);
    });
  });

  test('a refused save is said, and can be tried again', async () => {
    const refusal = { code: 'settings_not_saved' as const, message: 'The disk is full.' };
    await onPage({ answers: { saveSettings: () => ({ ok: false, refusal }) } }, async ({ page }) => {
      const start = page.getByRole('button', { name: 'Start the simulator' });
      await start.click();
      await page.getByText('The disk is full.').waitFor();
      await page.locator('button:enabled', { hasText: 'Start the simulator' }).waitFor();
      expect(await start.isEnabled()).toBe(true);
    });
  });

  test('a terminal that the start command has fixed is shown and cannot be changed', async () => {
    const settings = noTerminal();
    settings.fixed = [{ key: 'terminal', by: '--terminal' }];
    await onPage({ settings }, async ({ page }) => {
      await page.getByText('Set by --terminal').first().waitFor();
      expect(await page.getByRole('radio', { name: 'By cable' }).isDisabled()).toBe(true);
      expect(await page.getByRole('button', { name: 'Start the simulator' }).count()).toBe(0);
    });
  });

  test('the language is chosen right there, and stays with the choice of the terminal', async () => {
    await onPage({}, async (fake) => {
      const { page, invoked } = fake;
      await page.getByLabel('Language').selectOption({ label: 'Deutsch' });
      await page.getByText('Willkommen bei Tillbridge').waitFor();
      expect(await page.evaluate('document.documentElement.lang')).toBe('de');
      await page.getByRole('button', { name: 'Simulator starten' }).click();
      await poll(() => savedTerminals(fake)).toEqual([null, 'simulator']);
      const last = invoked.findLast(({ name }) => name === 'saveSettings')?.request;
      expect(last).toMatchObject({ app: { language: 'de' } });
    });
  });

  test.each(['light', 'dark'] as const)('axe finds nothing serious, %s', async (colorScheme) => {
    await onPage({ colorScheme, answers: { ports } }, async ({ page }) => {
      expect(await seriousFindings(page)).toEqual([]);
      await page.getByRole('radio', { name: 'By cable' }).check();
      await page.getByText('Interface details').click();
      await page.getByRole('radio', { name: 'Card terminal' }).check();
      await page.getByLabel('Terminal password').fill('1');
      await page.getByRole('button', { name: 'Use this terminal' }).click();
      expect(await seriousFindings(page)).toEqual([]);
      await page.getByLabel('Terminal password').fill('');
      await page.getByRole('button', { name: 'Test connection' }).click();
      await page.locator('[data-test-result]').waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Find my terminal' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await seriousFindings(page)).toEqual([]);
    });
  });

  test.each([
    [900, 600, 1],
    [1_600, 1_000, 1],
    [900, 600, 2],
  ])('fits %i × %i at scale %i without a sideways scroll', async (width, height, scale) => {
    await onPage({ width, height, scale, locale: 'de-DE', answers: { ports } }, async ({ page }) => {
      await page.getByRole('radio', { name: 'Mit Kabel' }).check();
      await page.getByText('Einzelheiten der Schnittstelle').click();
      expect(
        await page.evaluate(`[document.documentElement, ...document.querySelectorAll('main, .card, fieldset, .field')]
          .filter((part) => part.scrollWidth > part.clientWidth + 1)
          .map((part) => part.tagName + ' ' + part.className)`),
      ).toEqual([]);
    });
  });
});

/** Presses Tab until the element with this name has the focus; fails after a whole round. */
async function tabTo(page: Page, name: string): Promise<void> {
  const label = `(() => {
    const element = document.activeElement;
    return (element?.labels?.[0] ?? element)?.innerText ?? '';
  })()`;
  for (let press = 0; press < 40; press += 1) {
    if ((await page.evaluate<string>(label)).startsWith(name)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not come to "${name}".`);
}
