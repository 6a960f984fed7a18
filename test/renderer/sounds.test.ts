/** Sounds of the till: what is played, where, and what the window says when the browser does not let it. */
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import type { LastEnded } from '../../src/contract/console/index.ts';
import { tones } from '../../src/renderer/sound/tones.ts';
import { consoleState, inDoubtView, nowMs, settingsView } from '../support/console-data.ts';
import type { FakeConsole } from '../support/console-page.ts';
import { needs } from '../support/needs.ts';
import { pagesForTests, poll } from './on-page.ts';

test('each signal has its own melody and rhythm', () => {
  const rhythms = Object.values(tones).map((signal) =>
    signal.map(({ atMs, forMs }) => `${atMs} ${forMs}`).join(),
  );
  expect(new Set(rhythms).size).toBe(3);
  const rises = (signal: keyof typeof tones) =>
    (tones[signal].at(-1)?.hertz ?? 0) - (tones[signal][0]?.hertz ?? 0);
  expect([rises('approved') > 0, rises('not_approved') < 0, rises('needs_person') === 0]).toEqual([
    true,
    true,
    true,
  ]);
});

describe.skipIf(!needs('chromium'))('sounds', () => {
  const onPage = pagesForTests();

  function settingsWith(sounds: boolean) {
    const view = settingsView();
    view.settings.app = { ...view.settings.app, sounds };
    return view;
  }

  /** Writes down each tone that the page begins, by its frequency. */
  const listen = (page: Page) =>
    page.evaluate(`{
      window.tonesInTest = [];
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (...times) {
        window.tonesInTest.push(this.frequency.value);
        return start.apply(this, times);
      };
    }`);
  /** As people's browsers have it: nothing is played before somebody asks for it. Chromium in tests plays at once. */
  const silentAtFirst = `{
    const { AudioContext } = window;
    window.AudioContext = class extends AudioContext {
      constructor() {
        super();
        this.suspend();
      }
    };
  }`;
  const played = (page: Page) => page.evaluate<number[]>('window.tonesInTest');
  const ended = (outcome: LastEnded['outcome'], operationId: string = outcome) =>
    consoleState({ lastEnded: { operationId, outcome, at: new Date(nowMs + 3_600_000).toISOString() } });
  /** A person has clicked, so that the browser lets it play. */
  const click = async ({ page }: FakeConsole) => {
    await page.locator('.till-now').click();
    await page.getByText('Sounds are on, but').waitFor({ state: 'detached' });
  };
  /** Some window plays from now on; what comes before that is heard nowhere. */
  const isOnesTurn = (page: Page) =>
    page.evaluate<boolean>(
      `navigator.locks.query().then(({ held }) => held.some(({ name }) => name === 'tillbridge.sounds'))`,
    );
  const hertzOf = (signal: keyof typeof tones) => tones[signal].map(({ hertz }) => hertz);

  test('are played of results and when a person is needed, after the browser was allowed to', async () => {
    await onPage({ settings: settingsWith(false) }, async ({ page, emit, setState }) => {
      await listen(page);
      await page.evaluate(silentAtFirst);
      await emit({ kind: 'settings', view: settingsWith(true) });
      const note = page.getByText('Sounds are on, but this browser plays none before the first click.');
      await note.waitFor();
      await setState(ended('approved', 'before'));
      await page.getByRole('button', { name: 'Turn on sounds' }).click();
      await note.waitFor({ state: 'detached' });
      await poll(() => isOnesTurn(page)).toBe(true);
      expect(await played(page)).toEqual([]);
      await setState(ended('approved'));
      await poll(() => played(page)).toEqual(hertzOf('approved'));
      await setState(ended('declined'));
      await poll(() => played(page)).toEqual([...hertzOf('approved'), ...hertzOf('not_approved')]);
      await setState({ ...ended('declined'), doubts: [inDoubtView()] });
      await poll(async () => (await played(page)).length).toBe(10);
      expect((await played(page)).slice(4)).toEqual(hertzOf('needs_person'));
    });
  });

  test('are not played as long as they are off, and nothing is said of them', async () => {
    await onPage({ settings: settingsWith(false) }, async (fake) => {
      await listen(fake.page);
      await click(fake);
      await fake.setState(ended('approved'));
      await fake.page.locator('[data-situation="result"]').waitFor();
      expect(await played(fake.page)).toEqual([]);
    });
  });

  test('are played by one window alone', async () => {
    await onPage({ settings: settingsWith(false) }, async (fake) => {
      const { page, emit, setState } = fake;
      await listen(page);
      // Another window has its turn.
      await page.evaluate(`new Promise((begun) => {
        navigator.locks.request('tillbridge.sounds', () => new Promise((end) => {
          window.endTurnInTest = end;
          begun();
        }));
      })`);
      await emit({ kind: 'settings', view: settingsWith(true) });
      await click(fake);
      await setState(ended('approved'));
      await page.locator('[data-situation="result"]').waitFor();
      expect(await played(page)).toEqual([]);
      await page.evaluate('window.endTurnInTest()');
      let results = 0;
      await poll(async () => {
        await setState(ended('declined', String((results += 1))));
        return (await played(page)).length;
      }).toBeGreaterThan(0);
    });
  });

  test('can be tried in the settings, and are turned on at once', async () => {
    await onPage({ route: 'settings' }, async ({ page, invoked }) => {
      await listen(page);
      const section = page.locator('section', { has: page.getByRole('heading', { name: 'Sounds' }) });
      for (const [name, signal] of [
        ['Approved', 'approved'],
        ['Not approved', 'not_approved'],
        ['Attention needed', 'needs_person'],
      ] as const) {
        await page.evaluate('window.tonesInTest = []');
        await section.getByRole('button', { name, exact: true }).click();
        await poll(() => played(page)).toEqual(hertzOf(signal));
      }
      // It is ticked once it is saved.
      await section.getByLabel('Play sounds').click();
      await poll(() => section.getByLabel('Play sounds').isChecked()).toBe(true);
      await section.getByLabel('Volume').selectOption('Loud');
      const saved = () =>
        invoked.flatMap(({ name, request }) =>
          name === 'saveSettings' ? [(request as { app: { sounds: boolean; soundVolume: string } }).app] : [],
        );
      await poll(() => saved().length).toBe(2);
      expect(saved().map(({ sounds, soundVolume }) => [sounds, soundVolume])).toEqual([
        [true, 'medium'],
        [true, 'loud'],
      ]);
    });
  });
});
