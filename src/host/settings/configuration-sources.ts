/** The sources of explicit values (flags, environment, configuration file), read but not yet checked. */
import path from 'node:path';
import { openToEverybody, readPlainFile, UnsafeFileError } from '../../base/private-files.ts';
import { printableLine } from '../../base/printable-text.ts';
import { parseJson } from '../../base/parse-json.ts';
import {
  configFileFlag,
  configFileVariable,
  secretSettings,
  settings,
  type Setting,
} from '../../contract/configuration.ts';
import { errorText } from '../../base/error-text.ts';
import { didYouMean } from './did-you-mean.ts';
import type { FlagValues, SourceReading } from './source-reading.ts';
import { exposedByFlags, exposedInFile } from './secret-files.ts';

/** Of the build and the tests; no settings of the bridge. */
const toolVariables = ['TILLBRIDGE_DIST', 'TILLBRIDGE_CHROMIUM', 'TILLBRIDGE_ELECTRON'];

/** Of a name that is none of ours, this much is repeated. */
const maxShownName = 80;
/** The longest configuration file that is read, in bytes. */
const maxFileBytes = 1024 * 1024;

export function readFlags(flags: FlagValues): SourceReading {
  const values = settings.flatMap((setting) => {
    const text = flags[setting.key];
    if (text === undefined) return [];
    const value = typeof text === 'string' ? typed(setting, text) : text;
    return [{ key: setting.key, value, origin: setting.flag }];
  });
  return { values, errors: [], warnings: exposedByFlags(values) };
}

/** An empty variable counts as none: that is how service files and containers leave one out. */
export function readEnvironment(environment: NodeJS.ProcessEnv): SourceReading {
  const values = settings.flatMap((setting) => {
    const text = environment[setting.variable];
    if (text === undefined || text === '') return [];
    const value =
      setting.kind === 'list' ? text.split(/[\s,]+/).filter((entry) => entry !== '') : typed(setting, text);
    return [{ key: setting.key, value, origin: setting.variable }];
  });
  const known = new Set([
    ...settings.map((setting) => setting.variable),
    ...secretSettings.map((setting) => setting.fileVariable),
    configFileVariable,
    ...toolVariables,
  ]);
  const warnings = Object.keys(environment)
    .filter((name) => name.startsWith('TILLBRIDGE_') && !known.has(name))
    .map(
      (name) =>
        `The environment has ${printableLine(name, maxShownName)}, which is no setting.${guess(name, [...known])}`,
    );
  return { values, errors: [], warnings };
}

/** Reads the JSON file; its `dataDir` is meant relative to the file's own folder. */
export function readConfigurationFile(file: string): SourceReading {
  const unreadable = (message: string) => ({ values: [], errors: [`${file}: ${message}`], warnings: [] });
  let text: string;
  let warning: string | null;
  try {
    warning = openToEverybody(file);
    text = readPlainFile(file, { maxBytes: maxFileBytes, followLinks: true }).toString('utf8');
  } catch (error) {
    const reason = errorText(error);
    return error instanceof UnsafeFileError
      ? { values: [], errors: [`${configFileFlag}: ${reason}`], warnings: [] }
      : unreadable(`The file (${configFileFlag}) cannot be read: ${reason}`);
  }
  const parsed = parseJson(text);
  // Where, and not what: the file may be one that whoever reads the message must not see.
  if (!parsed.ok)
    return unreadable(`The file is not JSON: see line ${parsed.line}, column ${parsed.column}.`);
  if (!isObject(parsed.value)) return unreadable('The file must hold one JSON object.');
  const reading = readContent(parsed.value, file);
  const warnings = [...(warning === null ? [] : [warning]), ...exposedInFile(file, reading.values)];
  return { ...reading, warnings: [...warnings, ...reading.warnings] };
}

/** The settings in the content of `file`; what is no setting is an error. */
export function readContent(content: Record<string, unknown>, file: string): SourceReading {
  const reading: SourceReading = { values: [], errors: [], warnings: [] };
  collect(content, [], file, reading);
  return reading;
}

/** Settings, and the groups that some of them are in: `zvt`, `zvt.timers`. */
const knownKeys = [...new Set(settings.flatMap(({ key }) => [key, ...groupsOf(key)]))];

function groupsOf(key: string): string[] {
  const end = key.lastIndexOf('.');
  return end === -1 ? [] : [key.slice(0, end), ...groupsOf(key.slice(0, end))];
}

function collect(
  content: Record<string, unknown>,
  place: string[],
  file: string,
  reading: SourceReading,
): void {
  for (const [name, value] of Object.entries(content)) {
    const key = [...place, name].join('.');
    const origin = `${shownKey(key)} in ${file}`;
    // Editors look up the schema by this key.
    if (key === '$schema') continue;
    if (settings.some((setting) => setting.key === key)) {
      const own =
        key === 'dataDir' && typeof value === 'string' ? path.resolve(path.dirname(file), value) : value;
      reading.values.push({ key, value: own, origin, inFile: true });
    } else if (!knownKeys.includes(key)) {
      reading.errors.push(`${origin} is no setting.${guess(key, knownKeys)}`);
    } else if (isObject(value)) {
      collect(value, [...place, name], file, reading);
    } else {
      reading.errors.push(`${origin} must be an object.`);
    }
  }
}

/** A key that is no name of a setting and looks like none may be anything. */
function shownKey(key: string): string {
  return /^[A-Za-z$][A-Za-z0-9_.-]{0,59}$/.test(key) ? `"${key}"` : 'A key';
}

function guess(name: string, names: string[]): string {
  const found = didYouMean(name, names) ?? names.find((candidate) => candidate.endsWith(`.${name}`)) ?? null;
  return found === null ? '' : ` Did you mean ${found}?`;
}

/** Text from a flag or the environment as the kind of value that it stands for, or as it is when it stands for none. */
function typed(setting: Setting, text: string): unknown {
  if (setting.kind === 'number' && /^-?\d+(\.\d+)?$/.test(text.trim())) return Number(text);
  if (setting.kind === 'boolean') {
    if (/^(true|yes|on|1)$/i.test(text)) return true;
    if (/^(false|no|off|0)$/i.test(text)) return false;
  }
  return text;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
