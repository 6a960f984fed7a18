/** One validated configuration out of flags, environment, file and what was set in the console, in this order of weight. */
import path from 'node:path';
import { configurationSchema, type Configuration } from '../../contract/configuration.ts';
import { readEnvironmentSecrets, readFlagSecrets } from './secret-files.ts';
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

/**
 * `light` are sources that weigh less than all others, lightest first: a wrong value in one of them is left out with a
 * warning, because who wrote it can correct it in the window only while the bridge runs. `heavy` is for those who load
 * more than once: the sources as they were read the first time.
 */
export function loadConfiguration(
  sources: ConfigurationSources,
  light: SourceReading[] = [],
  heavy: SourceReading[] = readSources(sources),
): Loaded {
  const errors = heavy.flatMap((reading) => reading.errors);
  const warnings = [...light, ...heavy].flatMap((reading) => reading.warnings);
  const lightGiven = new Set(light.flatMap((reading) => reading.given));
  for (;;) {
    const lightLeft = { given: [...lightGiven], errors: [], warnings: [] };
    const given = heaviest([lightLeft, ...heavy]);
    const parsed = configurationSchema.safeParse(rawOf(given, sources));
    if (parsed.success && errors.length === 0) return { ok: true, configuration: parsed.data, warnings };
    const issues = parsed.error?.issues ?? [];
    const wrong = [...new Set(issues.map((issue) => keyOf(issue.path)))].flatMap((key) => {
      const found = given.get(key);
      return found === undefined ? [] : [found];
    });
    const wrongLight = wrong.filter((found) => lightGiven.delete(found));
    warnings.push(...wrongLight.map((found) => `${complaint(found)} It is left out.`));
    if (wrongLight.length > 0) continue;
    const noTerminal = issues.some((issue) => issue.path[0] === 'terminal') && !given.has('terminal');
    return { ok: false, noTerminal, errors: [...errors, ...wrong.map(complaint)], warnings };
  }
}

/** What `readings` give together: of each setting the heaviest. */
export function heaviestSettings(readings: SourceReading[]): Given[] {
  return [...heaviest(readings).values()];
}

function rawOf(given: Map<string, Given>, sources: ConfigurationSources): Record<string, unknown> {
  const dataDir = given.get('dataDir')?.value ?? sources.defaultDataDir;
  return nested([
    ...[...given.values()].map(({ key, value }): [string, unknown] => [key, value]),
    [
      'dataDir',
      typeof dataDir === 'string' && dataDir !== '' ? path.resolve(sources.currentFolder, dataDir) : dataDir,
    ],
  ]);
}

/**
 * Where the data is, for commands that need nothing else: flag, environment, file, default. A file that cannot be
 * read is an error here too; what else is wrong in it is not.
 */
export function dataDirOf(
  sources: Omit<ConfigurationSources, 'flags'> & { dataDir: string | null },
): { ok: true; dataDir: string } | { ok: false; errors: string[] } {
  const readings = readPlainSources({
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

/** File, environment and flags, lightest first, with the files that the last two name for secrets. */
export function readSources(sources: ConfigurationSources): SourceReading[] {
  const { flags, environment, currentFolder } = sources;
  const [file, variables, given] = readPlainSources(sources);
  return [
    file,
    variables,
    readEnvironmentSecrets(environment, currentFolder),
    given,
    readFlagSecrets(flags, currentFolder),
  ];
}

/** The same, but no file that holds nothing but a secret. */
function readPlainSources(
  sources: ConfigurationSources,
): [file: SourceReading, environment: SourceReading, flags: SourceReading] {
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
export function nested(entries: [string, unknown][]): Record<string, unknown> {
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

/** Of a wrong value in words, this much is repeated. */
const maxShownLength = 100;

function complaint({ key, value, origin, inFile }: Given): string {
  const setting = settingOf(key);
  const mustBe = `is not right; it must be ${setting.mustBe}.`;
  // A file is told by its place: it may be one that whoever reads the message must not see.
  if (inFile === true) return `${origin} ${mustBe}`;
  if (setting.secret) return `${origin}: (its value is not shown) ${mustBe}`;
  const text = JSON.stringify(value);
  const shown = text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
  return `${origin}: ${shown} ${mustBe}`;
}
