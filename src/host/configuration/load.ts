/** One validated configuration out of flags, environment and file, in this order of weight. */
import path from 'node:path';
import { configurationSchema, type Configuration } from '../../contract/configuration.ts';
import { settingOf, configFileVariable } from './settings.ts';
import {
  readConfigurationFile,
  readEnvironment,
  readFlags,
  type FlagValues,
  type Given,
  type SourceReading,
} from './sources.ts';

export interface ConfigurationSources {
  flags: FlagValues;
  /** From `--config`; `TILLBRIDGE_CONFIG` names one otherwise. */
  configFile: string | null;
  environment: NodeJS.ProcessEnv;
  /** Relative names start here. */
  currentFolder: string;
  /** Where data goes when nobody says. */
  defaultDataDir: string;
}

export type Loaded =
  | { ok: true; configuration: Configuration; warnings: string[] }
  /** `noTerminal`: no terminal was named; `errors` are what else is wrong. */
  | { ok: false; noTerminal: boolean; errors: string[]; warnings: string[] };

export function loadConfiguration(sources: ConfigurationSources): Loaded {
  const readings = readAll(sources);
  const errors = readings.flatMap((reading) => reading.errors);
  const warnings = readings.flatMap((reading) => reading.warnings);
  const given = heaviest(readings);
  const dataDir = given.get('dataDir')?.value ?? sources.defaultDataDir;
  const raw = nested([
    ...[...given.values()].map(({ key, value }): [string, unknown] => [key, value]),
    [
      'dataDir',
      typeof dataDir === 'string' && dataDir !== '' ? path.resolve(sources.currentFolder, dataDir) : dataDir,
    ],
  ]);
  const parsed = configurationSchema.safeParse(raw);
  if (parsed.success && errors.length === 0) return { ok: true, configuration: parsed.data, warnings };
  const issues = parsed.error?.issues ?? [];
  const missing = issues.some((issue) => issue.path[0] === 'terminal') && !given.has('terminal');
  const wrong = [...new Set(issues.map((issue) => keyOf(issue.path)))].flatMap((key) => {
    const found = given.get(key);
    return found === undefined ? [] : [complaint(found)];
  });
  const all = [...errors, ...wrong];
  return { ok: false, noTerminal: missing, errors: all, warnings };
}

/**
 * Where the data is, for commands that need nothing else: flag, environment, file, default. A file that cannot be
 * read is an error here too; what else is wrong in it is not.
 */
export function dataDirOf(
  sources: Omit<ConfigurationSources, 'flags'> & { dataDir: string | null },
): { ok: true; dataDir: string } | { ok: false; errors: string[] } {
  const readings = readAll({
    ...sources,
    flags: sources.dataDir === null ? {} : { dataDir: sources.dataDir },
  });
  const value = heaviest(readings).get('dataDir')?.value;
  if (value === undefined) {
    const errors = readings.flatMap((reading) => reading.errors);
    return errors.length > 0 ? { ok: false, errors } : { ok: true, dataDir: sources.defaultDataDir };
  }
  if (typeof value !== 'string' || value === '')
    return { ok: false, errors: ['--data-dir must name a folder.'] };
  return { ok: true, dataDir: path.resolve(sources.currentFolder, value) };
}

/** Lightest first. */
function readAll(sources: ConfigurationSources): SourceReading[] {
  const named = sources.configFile ?? sources.environment[configFileVariable] ?? '';
  const file = named === '' ? null : path.resolve(sources.currentFolder, named);
  return [
    file === null ? { given: [], errors: [], warnings: [] } : readConfigurationFile(file),
    readEnvironment(sources.environment),
    readFlags(sources.flags),
  ];
}

function heaviest(readings: SourceReading[]): Map<string, Given> {
  return new Map(readings.flatMap((reading) => reading.given).map((given) => [given.key, given]));
}

/** `[['zvt.password', x]]` becomes `{ zvt: { password: x } }`; entries without a value are left out. */
function nested(entries: [string, unknown][]): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [key, value] of entries) {
    if (value === undefined) continue;
    const names = key.split('.');
    const last = names.pop() ?? key;
    let below = root;
    for (const name of names) below = (below[name] ??= {}) as Record<string, unknown>;
    below[last] = value;
  }
  return root;
}

/** The setting that an issue is about: its path without the place in a list. */
function keyOf(issuePath: PropertyKey[]): string {
  return issuePath.filter((name) => typeof name === 'string').join('.');
}

function complaint({ key, value, origin }: Given): string {
  const setting = settingOf(key);
  const shown = setting.secret ? ' (its value is not shown)' : ` ${JSON.stringify(value)}`;
  return `${origin}:${shown} is not right; it must be ${setting.mustBe}.`;
}
