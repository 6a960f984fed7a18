/** One validated configuration out of flags, environment, file and the console's settings, in this order of precedence. */
import path from 'node:path';
import { configFileVariable, configurationSchema, type Configuration } from '../../contract/configuration.ts';
import { nested } from '../../contract/dotted-keys.ts';
import { readEnvironmentSecrets, readFlagSecrets } from './secret-files.ts';
import { readConfigurationFile, readEnvironment, readFlags } from './configuration-sources.ts';
import { namedTerminals } from './named-terminals.ts';
import type { FlagValues, ExplicitValue, SourceReading } from './source-reading.ts';
import { keyOf, wrongValue } from './wrong-value.ts';

export interface ConfigurationSources {
  flags: FlagValues;
  /** From `--config`; `TILLBRIDGE_CONFIG` names one otherwise. */
  configFile: string | null;
  environment: NodeJS.ProcessEnv;
  /** Relative names start here. */
  currentFolder: string;
  /** The data folder when no source names one. */
  defaultDataDir: string;
}

export type LoadedConfiguration =
  | { ok: true; configuration: Configuration; warnings: string[] }
  /** `noTerminal`: no terminal was named; `errors` are what else is wrong. */
  | { ok: false; noTerminal: boolean; errors: string[]; warnings: string[] };

/**
 * `lowPrecedence` are sources below all others, lowest first: a wrong value in one of them is left out with a warning,
 * because it can be corrected in the window only while the bridge runs. `fixedSources` is for those who load more than
 * once: the sources as they were read the first time.
 */
export function loadConfiguration(
  sources: ConfigurationSources,
  lowPrecedence: SourceReading[] = [],
  fixedSources: SourceReading[] = readSources(sources),
): LoadedConfiguration {
  const errors = fixedSources.flatMap((reading) => reading.errors);
  const warnings = [...lowPrecedence, ...fixedSources].flatMap((reading) => reading.warnings);
  const lowValues = new Set(lowPrecedence.flatMap((reading) => reading.values));
  for (;;) {
    const lowRemaining = { values: [...lowValues], errors: [], warnings: [] };
    const values = highestPrecedence([lowRemaining, ...fixedSources]);
    const parsed = configurationSchema.safeParse(rawOf(values, sources));
    if (parsed.success && errors.length === 0) {
      const { data: configuration } = parsed;
      const named = namedTerminals(configuration);
      if (!named.ok) return { ok: false, noTerminal: false, errors: named.errors, warnings };
      return { ok: true, configuration, warnings };
    }
    const issues = parsed.error?.issues ?? [];
    const wrong = [...new Set(issues.map((issue) => keyOf(issue.path)))].flatMap((key) => {
      const found = values.get(key);
      return found === undefined ? [] : [found];
    });
    const wrongLow = wrong.filter((found) => lowValues.delete(found));
    warnings.push(...wrongLow.map((found) => `${wrongValue(found)} It is left out.`));
    if (wrongLow.length > 0) continue;
    // What could not be read may name one.
    const noTerminal =
      errors.length === 0 && issues.some((issue) => issue.path[0] === 'terminal') && !values.has('terminal');
    return { ok: false, noTerminal, errors: [...errors, ...wrong.map(wrongValue)], warnings };
  }
}

/** Of each setting the value of highest precedence; later `readings` take precedence. */
export function highestPrecedenceValues(readings: SourceReading[]): ExplicitValue[] {
  return [...highestPrecedence(readings).values()];
}

function rawOf(values: Map<string, ExplicitValue>, sources: ConfigurationSources): Record<string, unknown> {
  const dataDir = values.get('dataDir')?.value ?? sources.defaultDataDir;
  return nested([
    ...[...values.values()].map(({ key, value }): [string, unknown] => [key, value]),
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
  const value = highestPrecedence(readings).get('dataDir')?.value;
  if (value === undefined) {
    const errors = readings.flatMap((reading) => reading.errors);
    return errors.length > 0 ? { ok: false, errors } : { ok: true, dataDir: sources.defaultDataDir };
  }
  if (typeof value !== 'string' || value === '')
    return { ok: false, errors: ['--data-dir must name a folder.'] };
  return { ok: true, dataDir: path.resolve(sources.currentFolder, value) };
}

/** File, environment and flags, lowest precedence first, with the files that the last two name for secrets. */
export function readSources(sources: ConfigurationSources): SourceReading[] {
  const { flags, environment, currentFolder } = sources;
  const [file, variables, values] = readPlainSources(sources);
  return [
    file,
    variables,
    readEnvironmentSecrets(environment, currentFolder),
    values,
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
    file === null ? { values: [], errors: [], warnings: [] } : readConfigurationFile(file),
    readEnvironment(sources.environment),
    readFlags(sources.flags),
  ];
}

function highestPrecedence(readings: SourceReading[]): Map<string, ExplicitValue> {
  return new Map(readings.flatMap((reading) => reading.values).map((values) => [values.key, values]));
}
