/**
 * What an installer decides for a till, from one JSON file or from flags: settings of the bridge under the keys of a
 * configuration file, those of the app, and tokens for POS software:
 *
 *     {"terminal": "tcp:10.0.0.5:20007", "app": {"language": "de"}, "tokens": [{"name": "pos", "file": "pos-token.txt"}]}
 *
 * Here it is read and checked as a whole; `provision.ts` carries it out.
 */
import path from 'node:path';
import { z } from 'zod';
import { openToEverybody, readPlainFile } from '../../base/private-files.ts';
import { errorText } from '../../base/error-text.ts';
import { parseJson } from '../../base/parse-json.ts';
import { settingOf } from '../../contract/configuration.ts';
import { settingsTable } from '../../contract/settings-table.ts';
import { appSettingsSchema, languageCodes, type AppSettings } from '../../contract/console/settings.ts';
import { isObject, readContent, readFlags } from '../settings/configuration-sources.ts';
import { didYouMean } from '../settings/did-you-mean.ts';
import { exposedInFile, readFlagSecrets } from '../settings/secret-files.ts';
import { wrongValue } from '../settings/wrong-value.ts';
import type { ExplicitValue, FlagValues } from '../settings/source-reading.ts';

/** The longest file that is read, in bytes. */
const maxFileBytes = 1024 * 1024;
const maxTokens = 100;

const tokenName = z.string().min(1).max(40);
/** Either the hash of a token that the POS has already, or the file that holds it, which is made when it is missing. */
const tokenSchema = z.union([
  z.strictObject({ name: tokenName, sha256: z.string().regex(/^[0-9a-f]{64}$/i) }),
  z.strictObject({ name: tokenName, file: z.string().min(1).max(1_000) }),
]);
export type ProvisionedToken = z.infer<typeof tokenSchema>;

/** Whoever writes "German" or a language that the window does not speak would only find English in it. */
const languageCode = new RegExp(`^(?:system|(?:${languageCodes.join('|')})(?:-[A-Za-z0-9]{2,8})?)$`);

export interface Provision {
  app: Partial<AppSettings>;
  /** By key, such as `zvt.receipts`; also secrets, in plain. */
  bridge: ReadonlyMap<string, unknown>;
  tokens: readonly ProvisionedToken[];
}

export type ProvisionReading =
  | { ok: true; provision: Provision; warnings: string[] }
  /** Sentences, each with what is wrong and where. Nothing of it may be carried out. */
  | { ok: false; errors: string[]; warnings: string[] };

/** What was given and is not checked yet. */
interface Given {
  values: ExplicitValue[];
  app: { name: string; value: unknown; origin: string }[];
  tokens: { value: unknown; origin: string }[];
  errors: string[];
  warnings: string[];
}

export interface ProvisionSources {
  /** Null: flags only. Paths in it are relative to its folder. */
  file: string | null;
  /** It was found by its place, so it must belong to the system or to this user, and nobody else may change it. */
  fileMustBeOwn?: boolean;
  flags: FlagValues;
  /** Of the app, by name: `language`. */
  appFlags: Partial<Record<keyof AppSettings, unknown>>;
  /** `NAME=FILE` */
  tokenFlags: readonly string[];
  /** Relative names on the command line start here. */
  currentFolder: string;
}

/** Flags count more than the file. Never throws for what can be expected. */
export function readProvision(sources: ProvisionSources): ProvisionReading {
  const readings = [
    ...(sources.file === null ? [] : [fromFile(sources.file, sources.fileMustBeOwn === true)]),
    fromFlags(sources),
  ];
  const errors = readings.flatMap((reading) => reading.errors);
  const warnings = readings.flatMap((reading) => reading.warnings);
  const bridge = new Map<string, unknown>();
  for (const value of readings.flatMap((reading) => reading.values)) {
    if (value.key === 'dataDir')
      errors.push(`${value.origin}: the data folder is not kept in it. Name it with --data-dir.`);
    else if (isRight(value)) bridge.set(value.key, value.value);
    else errors.push(wrongValue(value));
  }
  const app = checkedApp(
    readings.flatMap((reading) => reading.app),
    errors,
  );
  const tokens = checkedTokens(
    readings.flatMap((reading) => reading.tokens),
    errors,
  );
  if (errors.length > 0) return { ok: false, errors, warnings };
  return { ok: true, provision: { app, bridge, tokens }, warnings };
}

function fromFile(file: string, mustBeOwn: boolean): Given {
  const unreadable = (message: string): Given => ({ ...nothing(), errors: [message] });
  let text: string;
  const warnings: string[] = [];
  try {
    const open = mustBeOwn ? null : openToEverybody(file);
    if (open !== null) warnings.push(open);
    text = readPlainFile(
      file,
      mustBeOwn ? { maxBytes: maxFileBytes, own: true } : { maxBytes: maxFileBytes, followLinks: true },
    ).toString('utf8');
  } catch (error) {
    return unreadable(`${file} cannot be read: ${errorText(error)}`);
  }
  const parsed = parseJson(text);
  if (!parsed.ok) return unreadable(`${file} is not JSON: see line ${parsed.line}, column ${parsed.column}.`);
  if (!isObject(parsed.value)) return unreadable(`${file} must hold one JSON object.`);
  const { app = {}, tokens = [], ...settings } = parsed.value;
  const reading = readContent(settings, file);
  const given: Given = {
    ...reading,
    app: isObject(app)
      ? Object.entries(app).map(([name, value]) => ({ name, value, origin: `"app.${name}" in ${file}` }))
      : [],
    tokens: Array.isArray(tokens)
      ? tokens.map((value: unknown, at) => ({
          value: relativeTo(path.dirname(file), value),
          origin: `"tokens", entry ${at + 1}, in ${file}`,
        }))
      : [],
    warnings: [...warnings, ...exposedInFile(file, reading.values), ...reading.warnings],
  };
  if (!isObject(app)) given.errors.push(`"app" in ${file} must be an object.`);
  if (!Array.isArray(tokens)) given.errors.push(`"tokens" in ${file} must be a list.`);
  return given;
}

function fromFlags({ flags, appFlags, tokenFlags, currentFolder }: ProvisionSources): Given {
  const { dataDir: _, ...others } = flags;
  const plain = readFlags(others);
  const secret = readFlagSecrets(others, currentFolder);
  return {
    values: [...plain.values, ...secret.values],
    errors: [...plain.errors, ...secret.errors],
    warnings: [...plain.warnings, ...secret.warnings],
    app: Object.entries(appFlags).map(([name, value]) => ({ name, value, origin: `"${name}"` })),
    tokens: tokenFlags.map((text) => {
      const at = text.indexOf('=');
      const [name, file] = at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
      return { value: relativeTo(currentFolder, { name, file }), origin: `--token ${text}` };
    }),
  };
}

function nothing(): Given {
  return { values: [], app: [], tokens: [], errors: [], warnings: [] };
}

function relativeTo(folder: string, token: unknown): unknown {
  if (!isObject(token) || typeof token['file'] !== 'string' || token['file'] === '') return token;
  return { ...token, file: path.resolve(folder, token['file']) };
}

function isRight({ key, value }: ExplicitValue): boolean {
  const { schema } = settingsTable[settingOf(key).key as keyof typeof settingsTable];
  return schema.safeParse(value).success;
}

function checkedApp(given: Given['app'], errors: string[]): Partial<AppSettings> {
  const names = Object.keys(appSettingsSchema.shape);
  const right: Record<string, unknown> = {};
  for (const { name, value, origin } of given) {
    if (!names.includes(name)) {
      const meant = didYouMean(name, names);
      errors.push(
        `${origin} is no setting of the app.${meant === null ? '' : ` Did you mean ${meant}?`} There are: ${names.join(', ')}.`,
      );
    } else if (
      appSettingsSchema.shape[name as keyof AppSettings].safeParse(value).success &&
      (name !== 'language' || languageCode.test(String(value)))
    ) {
      right[name] = value;
    } else {
      const mustBe = mustBeOf(name as keyof AppSettings);
      errors.push(`${origin} is not right: ${JSON.stringify(value)?.slice(0, 100)}. It must be ${mustBe}.`);
    }
  }
  return right;
}

function mustBeOf(name: keyof AppSettings): string {
  if (name === 'language') return oneOf(['system', ...languageCodes]);
  if (name === 'logFilters') return 'a list of filters, each with "name" and "query"';
  const kind = appSettingsSchema.shape[name].unwrap();
  return 'options' in kind ? oneOf(kind.options) : 'true or false';
}

/** `system, en or de` */
function oneOf(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;
}

function checkedTokens(given: Given['tokens'], errors: string[]): ProvisionedToken[] {
  const right: ProvisionedToken[] = [];
  for (const { value, origin } of given.slice(0, maxTokens)) {
    const parsed = tokenSchema.safeParse(value);
    if (!parsed.success) {
      errors.push(
        `${origin} is not right. A token is {"name": "till-1", "file": "FILE"}, or "sha256" instead of "file".`,
      );
    } else if (right.some(({ name }) => name === parsed.data.name)) {
      errors.push(`${origin}: "${parsed.data.name}" is named twice.`);
    } else right.push(parsed.data);
  }
  if (given.length > maxTokens) errors.push(`There are more than ${maxTokens} tokens.`);
  return right;
}
