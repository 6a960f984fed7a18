/** "Why is it not working?": the page, and the way to it from everything that does not work. */
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import type { ConsoleState, Diagnosis, DiagnosisFindingName } from '../../src/contract/console/index.ts';
import { diagnosisFindings } from '../../src/contract/console/index.ts';
import { seriousFindings } from '../support/axe.ts';
import {
  consoleState,
  diagnosis,
  discrepancyView,
  finding,
  inDoubtView,
  settingsView,
  terminalState,
} from '../support/console-data.ts';
import { flatMessages, messageTree } from '../support/messages.ts';
import { needs } from '../support/needs.ts';
import { ok, pagesForTests, poll } from './on-page.ts';

const why = 'Why is it not working?';
const noBridge = { terminal: null, listener: { kind: 'off' }, lastPayment: null } as const;
const refusal = { code: 'terminal_busy', message: 'The terminal is busy.' } as const;
const refused = () => ({ ok: false, refusal }) as const;

/** Each state that does not work, and the part of the page that has to lead on from there. */
const broken: [what: string, part: string, state: Partial<ConsoleState>][] = [
  ['a lost terminal, in the header', '.header [data-connection]', lostTerminal('lost')],
  ['a lost terminal, on the till', '.till-now', lostTerminal('lost')],
  ['a terminal that needs attention, in the header', '.header [data-connection]', lostTerminal('attention')],
  ['a terminal that needs attention, on the till', '.till-now', lostTerminal('attention')],
  ['a terminal that is asked', '.till-now', lostTerminal('recovering')],
  ['a listener that is off, in the header', '.header [data-listener]', { listener: { kind: 'off' } }],
  ['a listener that is off, on the till', '.till-now', { listener: { kind: 'off' } }],
  ['a listener that failed, in the header', '.header [data-listener]', failedListener()],
  ['a listener that failed, on the till', '.till-now', failedListener()],
  ['a bridge that failed, in the banner', '.banner-bad', failedBridge()],
  ['a bridge that failed, on the till', '.till-now', failedBridge()],
  ['a bridge that stopped', '.header', { bridge: { kind: 'stopped' }, ...noBridge }],
  ['a journal that is not written, in the banner', '.banner-bad', noJournal()],
  ['a journal that is not written, on the till', '.till-now', noJournal()],
  ['a doubt, in the banner', '.banner-warn', { doubts: [inDoubtView()] }],
  ['a doubt, on the till', '.till-now', { doubts: [inDoubtView()] }],
  ['a discrepancy', '[data-banner="discrepancies"]', { discrepancies: [discrepancyView(1)] }],
  ['sales that are held', '.till-now', { discrepancies: [discrepancyView(1, { kind: 'journal_loss' })] }],
  ['a web page that was refused', '.banner-calm', { blockedOrigins: [blocked('https://pos.example')] }],
];

function lostTerminal(connection: 'lost' | 'attention' | 'recovering'): Partial<ConsoleState> {
  return { terminal: terminalState({ connection, text: 'The bridge’s sentence.' }) };
}
function failedListener(): Partial<ConsoleState> {
  return { listener: { kind: 'failed', code: 'port_in_use', port: 8080, text: '' } };
}
function failedBridge(): Partial<ConsoleState> {
  return { bridge: { kind: 'failed', text: 'The journal is locked.' }, ...noBridge };
}
function noJournal(): Partial<ConsoleState> {
  return { journal: { writable: false, text: 'The disk is full.', damaged: false } };
}
function blocked(origin: string) {
  return { origin, at: '2026-05-12T08:00:00.000Z' };
}

/** A diagnosis with these findings instead of those of the same checks. */
function withFindings(...findings: Diagnosis['findings']): Diagnosis {
  const checks = findings.map(({ finding: name }) => diagnosisFindings[name][0]);
  const usual = diagnosis();
  return {
    ...usual,
    findings: usual.findings.map((one) => {
      const place = checks.indexOf(diagnosisFindings[one.finding][0]);
      return findings[place] ?? one;
    }),
  };
}

describe.skipIf(!needs('chromium'))('"Why is it not working?"', () => {
  const onPage = pagesForTests();
  const first = (page: Page) => page.locator('.diagnosis-first');

  describe('is reached', () => {
    test.each(broken)('from %s', async (_what, part, state) => {
      await onPage({ state: consoleState(state) }, async ({ page }) => {
        await page.locator(part).first().getByRole('link', { name: why }).first().click();
        await first(page).waitFor();
        expect(await page.evaluate('window.location.hash')).toBe('#/help');
        // Nothing leads there any more from there.
        expect(await page.locator('.why-link').count()).toBe(0);
      });
    });

    test('from a page that could not be had', async () => {
      await onPage({ route: 'payments', answers: { payments: refused } }, async ({ page }) => {
        await page.locator('.empty').getByRole('link', { name: why }).click();
        await first(page).waitFor();
        expect(await page.evaluate('window.location.hash')).toBe('#/help');
      });
    });

    test('from a dialog in which something was refused, and the dialog is gone', async () => {
      await onPage({ answers: { stopListener: refused } }, async ({ page }) => {
        await page.locator('.header').getByRole('button', { name: 'Stop' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('button', { name: 'Stop' }).click();
        await dialog.getByRole('link', { name: why }).click();
        await first(page).waitFor();
        await poll(() => dialog.count()).toBe(0);
      });
    });

    test('from settings that could not be used, from the first start, and by the navigation', async () => {
      const settings = settingsView({ warnings: ['port is wrong.'] });
      await onPage({ settings }, async ({ page }) => {
        await page.locator('.banner-calm').getByRole('link', { name: why }).click();
        await first(page).waitFor();
        await page.getByRole('link', { name: 'Till', exact: true }).click();
        await page.getByRole('link', { name: 'Help', exact: true }).click();
        await first(page).waitFor();
        expect(await page.title()).toContain('Help');
      });
      const state = consoleState({ bridge: { kind: 'first_start' }, ...noBridge });
      await onPage({ state, answers: { saveSettings: refused } }, async ({ page }) => {
        await page.getByRole('button', { name: 'Start the simulator' }).click();
        await page.locator('.note-bad').getByRole('link', { name: why }).first().click();
        await first(page).waitFor();
      });
    });
  });

  test('all is well: it says so, with each step', async () => {
    await onPage({ route: 'help' }, async ({ page }) => {
      await first(page).getByText('Everything is in order.').waitFor();
      expect(await page.locator('.diagnosis-step[data-verdict="ok"]').count()).toBe(17);
      await page.getByText('12.3 GB free').waitFor();
      const calls = page.locator('.diagnosis-calls');
      await calls.getByText('api_version_missing').waitFor();
      expect(await calls.getByRole('row').count()).toBe(3);
    });
  });

  test('what was found is named in its sentence, and has another one without a name', async () => {
    const steps = (page: Page) => page.locator('.diagnosis-groups').innerText();
    await onPage({ route: 'help' }, async ({ page }) => {
      await first(page).waitFor();
      const text = await steps(page);
      expect(text).toContain('The cable is plugged in: /dev/ttyUSB0 (Prolific USB-Serial)');
      expect(text).toContain('This till is registered with terminal 52500041.');
      expect(text).toContain('The terminal shows its last record: receipt 0042.');
    });
    const unnamed = withFindings(
      finding('cable_seen', { values: { path: 'COM3', name: '' } }),
      finding('registered', { values: { terminal: '' } }),
      finding('record_shown', { values: { receipt: '' } }),
    );
    await onPage({ route: 'help', answers: { diagnosis: () => ok(unnamed) } }, async ({ page }) => {
      await first(page).waitFor();
      const text = await steps(page);
      expect(text).toMatch(/plugged in: COM3$/m);
      expect(text).toMatch(/This till is registered with the terminal\.$/m);
      expect(text).toMatch(/shows its last record\.$/m);
    });
  });

  test('the first fault is on top, before an earlier thing to look at, with its action', async () => {
    const findings = withFindings(
      finding('settings_left_out', { said: 'port is wrong.' }),
      finding('permission_group', {
        values: { path: '/dev/ttyUSB0', group: 'dialout', user: 'till' },
        command: 'sudo usermod -aG dialout till',
      }),
      finding('disk_full', { values: { free: 12e6 } }),
    );
    await onPage({ route: 'help', answers: { diagnosis: () => ok(findings) } }, async ({ page }) => {
      const top = first(page);
      await top.getByText('belongs to the group dialout').waitFor();
      await top.getByText('sudo usermod -aG dialout till').waitFor();
      expect(await top.getAttribute('data-verdict')).toBe('fault');
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await top.getByRole('button', { name: 'Copy the command' }).click();
      await poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('sudo usermod -aG dialout till');
      await page.getByText('port is wrong.').waitFor();
    });
  });

  test('the listener is started, a page allowed and what is open shown, right there', async () => {
    const state = consoleState({ listener: { kind: 'off' }, doubts: [inDoubtView()] });
    const findings = withFindings(
      finding('money_in_doubt', { values: { count: 1 } }),
      finding('listener_off'),
      finding('origin_refused', { values: { origin: 'https://pos.example' } }),
    );
    await onPage({ route: 'help', state, answers: { diagnosis: () => ok(findings) } }, async (fake) => {
      const { page, invoked } = fake;
      const step = (name: DiagnosisFindingName) => page.locator(`[data-finding="${name}"]`);
      await step('listener_off').getByRole('button', { name: 'Start' }).click();
      await step('origin_refused').getByRole('button', { name: 'Allow https://pos.example' }).click();
      await poll(() => invoked.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['startListener', 'allowOrigin']),
      );
      await step('money_in_doubt').getByRole('button', { name: 'Show what is open' }).click();
      await page.getByRole('dialog').getByText('A-1007').first().waitFor();
    });
  });

  test('it looks again when asked, by itself after a while, and when something has changed', async () => {
    let looks = 0;
    const look = () => {
      looks += 1;
      return ok(looks === 1 ? withFindings(finding('disk_full', { values: { free: 1e6 } })) : diagnosis());
    };
    await onPage({ route: 'help', answers: { diagnosis: look } }, async (fake) => {
      const { page } = fake;
      await first(page).getByText('Disk').waitFor();
      await page.getByRole('button', { name: 'Check again' }).click();
      await first(page).getByText('Everything is in order.').waitFor();
      const asked = looks;
      await page.clock.runFor(10_500);
      await poll(() => looks).toBeGreaterThan(asked);
      const before = looks;
      await fake.setState(consoleState({ listener: { kind: 'off' } }));
      await poll(() => looks).toBeGreaterThan(before);
    });
  });

  test('a diagnosis that is refused can be asked for again', async () => {
    await onPage({ route: 'help', answers: { diagnosis: refused } }, async ({ page }) => {
      const again = page.getByRole('button', { name: 'Try again' });
      await again.waitFor();
      expect(await again.isEnabled()).toBe(true);
    });
  });

  test('every finding has its words in each language, and what is no finding stays as it is', () => {
    for (const language of ['en', 'de']) {
      const keys = new Set(flatMessages(messageTree(language)).keys());
      const missing = Object.keys(diagnosisFindings).filter((name) => !keys.has(`diagnosis.finding.${name}`));
      expect(missing).toEqual([]);
    }
  });

  test.each([
    ['en', 'light'],
    ['de', 'dark'],
  ] as const)('axe finds nothing serious, in %s, %s', async (language, colorScheme) => {
    const findings = withFindings(
      finding('money_held'),
      finding('cable_missing', { values: { path: 'COM3' } }),
      finding('pos_never', { values: { address: 'http://127.0.0.1:8080' } }),
      finding('clock_unknown'),
    );
    const options = { route: 'help', language, colorScheme, answers: { diagnosis: () => ok(findings) } };
    await onPage(options, async ({ page }) => {
      await first(page).waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.evaluate("window.location.hash = '#/help/states'");
      await page.locator('.help-state').first().waitFor();
      expect(await seriousFindings(page)).toEqual([]);
    });
  });
});
