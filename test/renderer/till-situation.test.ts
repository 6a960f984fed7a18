/** Out of all that the state tells: the one thing that the cashier must know now. */
import { describe, expect, test } from 'vitest';
import type { ConsoleState } from '../../src/contract/console/index.ts';
import { situationOf } from '../../src/renderer/situation/situation.ts';
import { needs } from '../support/needs.ts';
import { pagesForTests, poll } from './on-page.ts';
import { consoleState, inDoubtView, currentOperationView, terminalState } from '../support/console-data.ts';

describe('what the cashier must know', () => {
  const view = { settings: null, connected: true, late: false, shutOut: null };
  const kindWith = (changes: Partial<ConsoleState>, connected = true) =>
    situationOf({ ...view, connected, state: consoleState(changes) }).kind;

  test('is "ready" only when a payment would reach the terminal and be written down', () => {
    expect(kindWith({})).toBe('ready');
    expect(kindWith({ listener: { kind: 'off' } })).toBe('listener');
    expect(kindWith({ terminal: terminalState({ connection: 'lost' }) })).toBe('terminal');
    expect(kindWith({ journal: { writable: false, text: 'full', damaged: false } })).toBe('journal');
    expect(kindWith({ heldElsewhere: 'bar' })).toBe('held');
    // Of many discrepancies the state has only the first ones.
    expect(kindWith({ salesHeld: true, discrepancies: [] })).toBe('held');
    expect(kindWith({ bridge: { kind: 'starting' }, terminal: null })).toBe('bridge');
    expect(kindWith({ doubts: [inDoubtView()] })).toBe('in_doubt');
    expect(kindWith({}, false)).toBe('disconnected');
  });

  test('is the operation on the terminal, whatever else is wrong, unless the window hears nothing any more', () => {
    const changes = {
      currentOperation: currentOperationView(),
      doubts: [inDoubtView()],
      listener: { kind: 'off' },
    } as const;
    expect(kindWith({ ...changes, doubts: [...changes.doubts] })).toBe('operation');
    expect(kindWith({ currentOperation: currentOperationView() }, false)).toBe('disconnected');
  });

  test('is the doubt that a person must decide before one that is still being asked', () => {
    const invoked = inDoubtView({ operationId: 'asked', needsDecision: false });
    const person = inDoubtView({ operationId: 'person', needsDecision: true });
    const situation = situationOf({ ...view, state: consoleState({ doubts: [invoked, person] }) });
    expect(situation).toMatchObject({ kind: 'in_doubt', inDoubt: { operationId: 'person' } });
  });
});

describe.skipIf(!needs('chromium'))('a terminal that needs attention first', () => {
  const onPage = pagesForTests();
  const text = 'The terminal refuses the password. Set the password that is set at the terminal.';

  test.each([
    ['setting', 'A setting is wrong', 'Check the settings', '#/settings'],
    ['batch_close', 'Terminal needs attention', 'Close the day', '#/batches'],
  ] as const)('leads to what is to be done: %s', async (requiredAction, title, link, place) => {
    const terminal = terminalState({ connection: 'attention', requiredAction, text });
    await onPage({ route: 'till', state: consoleState({ terminal }) }, async ({ page }) => {
      const now = page.locator('.till-now');
      await now.getByText(title, { exact: true }).waitFor();
      await now.getByRole('link', { name: link }).click();
      await poll(() => page.evaluate('window.location.hash')).toBe(place);
    });
  });

  test('says so in the header, too', async () => {
    const terminal = terminalState({ connection: 'attention', requiredAction: 'setting', text });
    await onPage({ language: 'de', state: consoleState({ terminal }) }, async ({ page }) => {
      await page.locator('.header').getByText('Terminal: Einstellung prüfen').waitFor();
      expect(await page.locator('.till-now').innerText()).not.toContain('Eingriff');
    });
  });
});
