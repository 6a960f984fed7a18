/**
 * The settings as the console shows and changes them: what is in force, what of it a source of higher precedence
 * has fixed, and what a change would make of it.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../base/clock.ts';
import {
  configurationSchema,
  secretSettings,
  settingOf,
  settings as everySetting,
  type Configuration,
} from '../../contract/configuration.ts';
import type { BridgeSettings, ConsoleRefusal, Settings, SettingsView } from '../../contract/console/index.ts';
import { nested, valueAt } from '../../contract/dotted-keys.ts';
import { serialSettingsOf } from '../../contract/serial-settings.ts';
import { formatTerminalAddress } from '../../contract/terminal-address.ts';
import { terminalEntries, terminalsSchema } from '../../contract/terminals.ts';
import {
  highestPrecedenceValues,
  loadConfiguration,
  readSources,
  type ConfigurationSources,
  type LoadedConfiguration,
} from './load-configuration.ts';
import { errorText } from '../../base/error-text.ts';
import type { SourceReading } from './source-reading.ts';
import type { SecretBox } from '../host-api.ts';
import { openSettingsStore, type SettingsStore, type StoredSettings } from './settings-store.ts';

export interface ConsoleSettings {
  readonly store: SettingsStore;
  /** The configuration that is in force, or why there is none. */
  load(): LoadedConfiguration;
  /** In force, with defaults where nothing usable is set; `terminal` is null when none is named. */
  inForce(): { configuration: Configuration; terminal: string | null };
  view(): Pick<SettingsView, 'settings' | 'secretsSet' | 'fixed' | 'secrets'>;
  /** A sentence for each stored secret that cannot be opened here, and that a terminal would use. */
  missedSecrets(): string[];
  /** What saving `settings` would store and lead to. Changes nothing. A new secret is sealed for it, which may take long. */
  plan(settings: Settings): Promise<Plan>;
}

type Plan =
  /** `configuration` is null while no terminal is chosen. */
  | { ok: true; next: StoredSettings; configuration: Configuration | null }
  | { ok: false; refusal: ConsoleRefusal };

export function createConsoleSettings(options: {
  sources: ConfigurationSources;
  defaultTerminal: string | null;
  secrets: SecretBox;
  dataDir: string;
  clock: Clock;
}): ConsoleSettings {
  const { sources, secrets, clock } = options;
  /** Once: what somebody changes in a file while we run counts from the next start on. */
  const fixedSources = readSources(sources);
  const store = openSettingsStore({ folder: options.dataDir, secrets, clock });
  /** The terminal when nothing else names one. */
  const fallback = fixedTerminal(options.defaultTerminal);

  const load = (stored = store.stored) =>
    loadConfiguration(sources, [fallback, store.readingOf(stored)], fixedSources);

  function inForce() {
    const loaded = load();
    if (loaded.ok) {
      return {
        configuration: loaded.configuration,
        terminal: formatTerminalAddress(loaded.configuration.terminal),
      };
    }
    const anyTerminal = fixedTerminal('simulator');
    const other = loadConfiguration(sources, [anyTerminal, store.reading()], fixedSources);
    const configuration = other.ok
      ? other.configuration
      : configurationSchema.parse({ terminal: 'simulator', dataDir: options.dataDir });
    return { configuration, terminal: null };
  }

  function fixed() {
    return highestPrecedenceValues(fixedSources).flatMap(({ key, origin }) =>
      offered.some((setting) => setting.key === key) ? [{ key, by: origin }] : [],
    );
  }

  async function plan(settings: Settings): Promise<Plan> {
    const { configuration, terminal } = inForce();
    // Another protocol has other usual values: what the form still has of the one before is kept as given.
    const { protocol } = settings.bridge;
    const without = { ...configuration, serial: serialSettingsOf({ ...configuration, protocol }) };
    const changed = offered.flatMap(({ key, secret }): Change[] => {
      const value = valueAt(settings.bridge, key);
      if (secret && value === null) return [];
      const before = key === 'terminal' ? terminal : valueAt(without, key);
      return isDeepStrictEqual(value, before) ? [] : [{ key, secret, value }];
    });
    const fixedByOthers = fixed().filter(({ key }) => changed.some((change) => change.key === key));
    if (fixedByOthers.length > 0) return { ok: false, refusal: settingsFixed(fixedByOthers) };
    if (settings.bridge.terminal === null && terminal !== null) {
      const message = 'A terminal that has been chosen can be changed, not taken away.';
      return { ok: false, refusal: invalid([{ path: 'bridge.terminal', message }]) };
    }
    let next: StoredSettings;
    try {
      next = await withChanges(store.stored, settings, changed);
    } catch (error) {
      const message = `The secret cannot be kept: ${errorText(error)}`;
      return { ok: false, refusal: { code: 'settings_not_saved', message } };
    }
    const loaded = load(next);
    if (loaded.ok) return { ok: true, next, configuration: loaded.configuration };
    if (loaded.noTerminal && loaded.errors.length === 0) return { ok: true, next, configuration: null };
    const issues = loaded.errors.map((message) => ({ path: 'bridge', message }));
    return { ok: false, refusal: invalid(issues) };
  }

  async function withChanges(
    { bridge, sealed, provisioned }: StoredSettings,
    { app }: Settings,
    changed: Change[],
  ): Promise<StoredSettings> {
    const settings = new Map(bridge);
    const secretsNow = new Map(sealed);
    for (const { key, secret, value } of changed) {
      if (!secret) settings.set(key, value);
      else {
        settings.delete(key);
        secretsNow.set(key, await store.seal(String(value)));
      }
    }
    return { app, bridge: settings, sealed: secretsNow, provisioned };
  }

  return {
    store,
    load: () => load(),
    inForce,
    view() {
      const { configuration, terminal } = inForce();
      return {
        settings: { app: store.stored.app, bridge: shownSettings(configuration, terminal) },
        secretsSet: secretSettings
          .filter(({ key, fallback }) => valueAt(configuration, key) !== fallback)
          .map(({ key }) => key),
        fixed: fixed(),
        secrets: secrets.kind,
      };
    },
    missedSecrets() {
      // As they are set, not as they are in force: without its secret a configuration may not count at all.
      const set = new Map(
        highestPrecedenceValues([store.reading(), ...fixedSources]).map(({ key, value }) => [key, value]),
      );
      const others = terminalsSchema.safeParse(set.get('terminals')).data ?? {};
      const protocols = [
        set.get('protocol') ?? settingOf('protocol').fallback,
        ...terminalEntries(others).map(([, content]) => content['protocol']),
      ];
      return [...store.unopened()]
        .filter(([key]) => protocols.includes(key.split('.')[0]) && !set.has(key))
        .map(([, text]) => text);
    },
    plan,
  };
}

const offered = everySetting.filter(({ console }) => console !== null);

interface Change {
  key: string;
  secret: boolean;
  value: unknown;
}

/** What the console is shown of `configuration`: never a secret. */
function shownSettings(configuration: Configuration, terminal: string | null): BridgeSettings {
  const shown = { ...configuration, serial: serialSettingsOf(configuration) };
  const values = offered.map(({ key, secret }): [string, unknown] => {
    if (key === 'terminal') return [key, terminal];
    return [key, secret ? null : valueAt(shown, key)];
  });
  return nested(values) as BridgeSettings;
}

function fixedTerminal(terminal: string | null): SourceReading {
  const values =
    terminal === null ? [] : [{ key: 'terminal', value: terminal, origin: '--default-terminal' }];
  return { values, errors: [], warnings: [] };
}

function settingsFixed(fixedByOthers: { key: string; by: string }[]): ConsoleRefusal {
  const words = fixedByOthers.map(({ key, by }) => `"${key}" (by ${by})`).join(', ');
  return {
    code: 'settings_fixed',
    message: `Fixed outside of the console, so it cannot be changed here: ${words}.`,
    issues: fixedByOthers.map(({ key, by }) => ({ path: `bridge.${key}`, message: `fixed by ${by}` })),
  };
}

function invalid(issues: { path: string; message: string }[]): ConsoleRefusal {
  return { code: 'invalid_request', message: issues.map(({ message }) => message).join(' '), issues };
}
