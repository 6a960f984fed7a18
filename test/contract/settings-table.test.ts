/** A setting is one row of the table: everything else learns of it from there. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { Settings } from '../../src/contract/console/index.ts';
import type { SettingRow } from '../../src/contract/setting-row.ts';
import { settingsTable } from '../../src/contract/settings-table.ts';
import { tempFolder } from '../support/temp-folder.ts';

const source = path.resolve(import.meta.dirname, '../../src');

/** What a new setting needs, but for its label in the languages. */
const madeUp: Record<string, SettingRow> = {
  'zvt.extraTries': {
    schema: z.number().int().min(0).max(9).default(3),
    flag: '--zvt-extra-tries',
    argument: 'NUMBER',
    meaning: 'ZVT: how often something is tried once more.',
    console: { section: 'terminal', field: { label: 'settings.terminal.extraTries' } },
  },
  quietStart: {
    schema: z.boolean().default(false),
    flag: '--quiet-start',
    argument: 'YES|NO',
    meaning: 'Start quietly.',
    appliesAtOnce: true,
    console: { section: 'listener', field: { label: 'settings.listener.quietStart' } },
  },
};

describe('a row that is put into the table', () => {
  beforeAll(() => {
    vi.resetModules();
    vi.doMock('../../src/contract/settings-table.ts', async (original) => ({
      ...(await original<object>()),
      settingsTable: { ...settingsTable, ...madeUp },
    }));
  });
  afterAll(() => {
    vi.doUnmock('react-i18next');
    vi.doUnmock('../../src/contract/settings-table.ts');
    vi.resetModules();
  });

  const load = async (sources: object) => {
    const { loadConfiguration } = await import('../../src/host/settings/load-configuration.ts');
    const folder = tempFolder('settings-table');
    const loaded = loadConfiguration({
      flags: { terminal: 'simulator' },
      configFile: null,
      environment: {},
      currentFolder: folder,
      defaultDataDir: folder,
      ...sources,
    });
    if (!loaded.ok) return loaded.errors;
    const { zvt, quietStart } = loaded.configuration as unknown as {
      zvt: { extraTries: number };
      quietStart: boolean;
    };
    return { extraTries: zvt.extraTries, quietStart };
  };

  test('is in the configuration with its default, its flag, its variable, its key in a file and its messages', async () => {
    const file = path.join(tempFolder('settings-table'), 'till.json');
    writeFileSync(file, JSON.stringify({ terminal: 'simulator', zvt: { extraTries: 5 }, quietStart: true }));
    expect(await load({})).toEqual({ extraTries: 3, quietStart: false });
    expect(await load({ flags: { terminal: 'simulator', 'zvt.extraTries': '7', quietStart: true } })).toEqual(
      {
        extraTries: 7,
        quietStart: true,
      },
    );
    expect(await load({ environment: { TILLBRIDGE_ZVT_EXTRA_TRIES: '8' } })).toMatchObject({ extraTries: 8 });
    expect(await load({ configFile: file })).toEqual({ extraTries: 5, quietStart: true });
    expect(await load({ environment: { TILLBRIDGE_ZVT_EXTRA_TRIES: '12' } })).toEqual([
      'TILLBRIDGE_ZVT_EXTRA_TRIES: 12 is not right; it must be a whole number from 0 to 9.',
    ]);
  });

  test('is in the help and in the docs', async () => {
    const { run } = await import('../headless/test-context.ts');
    const { output } = await run(['bridge', '--help']);
    expect(output).toContain('--zvt-extra-tries <NUMBER>');
    expect(output).toContain('--quiet-start [YES|NO]');
    const { docsFile, withSettings } = await import('../../scripts/configuration-docs.ts');
    expect(withSettings(readFileSync(docsFile, 'utf8'))).toContain(
      '| `zvt.extraTries` | `--zvt-extra-tries NUMBER`<br>`TILLBRIDGE_ZVT_EXTRA_TRIES` ' +
        '| ZVT: how often something is tried once more. | a whole number from 0 to 9 | `3` |',
    );
  });

  test('is shown, checked, stored and in force when it is saved in the console; only one of them needs a restart', async () => {
    const { readyHost } = await import('../host/host-kit.ts');
    const kit = await readyHost();
    const change = (values: { extraTries?: number; quietStart?: boolean }) => (settings: Settings) => {
      const bridge = settings.bridge as unknown as { zvt: { extraTries: number }; quietStart: boolean };
      if (values.extraTries !== undefined) bridge.zvt.extraTries = values.extraTries;
      if (values.quietStart !== undefined) bridge.quietStart = values.quietStart;
    };
    const { settings } = await kit.invoke('settings', {});
    expect(settings.bridge).toMatchObject({ zvt: { extraTries: 3 }, quietStart: false });
    const before = kit.host.bridge;
    await kit.save(change({ quietStart: true }));
    expect(kit.host.bridge).toBe(before);
    await kit.save(change({ extraTries: 6 }));
    expect(kit.host.bridge).not.toBe(before);
    expect(kit.host.running?.configuration).toMatchObject({ zvt: { extraTries: 6 }, quietStart: true });
    expect(JSON.parse(readFileSync(path.join(kit.folder, 'settings.json'), 'utf8'))).toMatchObject({
      zvt: { extraTries: 6 },
      quietStart: true,
    });
    change({ extraTries: 12 })(settings);
    expect(await kit.refusal('saveSettings', settings)).toMatchObject({
      issues: [{ path: 'bridge.zvt.extraTries' }],
    });
  });

  test('is a field of the form', async () => {
    vi.doMock('react-i18next', () => ({
      useTranslation: () => ({ t: (key: string) => key, i18n: { language: 'en' } }),
    }));
    // By their names at run time: the window's components have a compiler configuration of their own.
    const [react, server, form] = (await Promise.all(
      ['react', 'react-dom/server', path.join(source, 'renderer/pages/settings/setting-field.tsx')].map(
        (name) => import(name),
      ),
    )) as Record<string, (...values: unknown[]) => unknown>[];
    const render = (component: 'SettingFields' | 'SettingInputs' | 'SettingTicks', props: object) =>
      server?.['renderToStaticMarkup']?.(react?.['createElement']?.(form?.[component], props));
    const { settingsView } = await import('../support/console-data.ts');
    const view = settingsView();
    const bridge = { ...view.settings.bridge, zvt: { ...view.settings.bridge.zvt, extraTries: 4 } };
    const draft = { view, settings: { ...view.settings, bridge }, problems: {}, change() {} };
    const inputs = render('SettingInputs', { section: 'terminal', draft });
    expect(inputs).toMatch(
      /settings\.terminal\.extraTries<\/label><input[^>]*inputMode="numeric"[^>]*value="4"/,
    );
    const tick = /type="checkbox".*settings\.listener\.quietStart/;
    expect(render('SettingTicks', { section: 'listener', draft })).toMatch(tick);
    expect(render('SettingFields', { section: 'listener', draft })).toMatch(tick);
    expect(render('SettingFields', { section: 'callers', draft })).toBe('');
  });
});

const locales = path.join(source, 'locales');

test.each(readdirSync(locales).filter((file) => file.endsWith('.json')))(
  'every text that the table names is in %s',
  (file) => {
    const texts: unknown = JSON.parse(readFileSync(path.join(locales, file), 'utf8'));
    const text = (key: string) =>
      key
        .split('.')
        .reduce<unknown>((group, name) => (group as Record<string, unknown> | undefined)?.[name], texts);
    const named = Object.values<SettingRow>(settingsTable).flatMap(({ console, schema }) => {
      const { label, hint, choiceLabels } = console?.field ?? {};
      const choices = choiceLabels === undefined ? [] : (z.toJSONSchema(schema, { io: 'input' }).enum ?? []);
      return [label, hint, console?.problem, ...choices.map((choice) => `${choiceLabels}.${String(choice)}`)];
    });
    const keys = named.filter((key) => key !== undefined);
    expect(keys.length).toBeGreaterThan(10);
    expect(keys.filter((key) => typeof text(key) !== 'string')).toEqual([]);
  },
);
