/**
 * What was set in the console, in memory and on disk: `settings.json` in the data folder. The keys of the bridge are those
 * of a configuration file; beside them is `app`, and `sealed` for secrets:
 *
 *     {"app": {"theme": "dark"}, "sealed": {"zvt.password": "…"}, "terminal": "tcp:10.0.0.5:20007", "port": 8081}
 *
 * and, once a provision file of the whole computer has been carried out, `provisioned` with that file's hash.
 */
import { renameSync } from 'node:fs';
import path from 'node:path';
import { replaceFile } from '../../base/atomic-file.ts';
import type { Clock } from '../../base/clock.ts';
import { parseJson } from '../../base/parse-json.ts';
import { FileTooLargeError, readPlainFile } from '../../base/private-files.ts';
import { appSettingsSchema, type AppSettings } from '../../contract/console/settings.ts';
import { nested } from '../../contract/dotted-keys.ts';
import { errorText } from '../../base/error-text.ts';
import type { SecretBox } from '../host-api.ts';
import { isObject, readContent } from './configuration-sources.ts';
import type { ExplicitValue, SourceReading } from './source-reading.ts';

const settingsFileName = 'settings.json';
/** The longest file that is read, in bytes. */
const maxFileBytes = 1024 * 1024;

export interface StoredSettings {
  app: AppSettings;
  /** By key, such as `zvt.receipts`; only what was set here. */
  bridge: ReadonlyMap<string, unknown>;
  /** Secrets by key, as a SecretBox has sealed them. */
  sealed: ReadonlyMap<string, string>;
  /** The hash of the provision file that was carried out last; null: none was. */
  provisioned: string | null;
}

export type SettingsFileReading = {
  stored: StoredSettings;
  warnings: string[];
  /** Why nothing may be written: there is a file that could neither be read nor set aside. */
  blocked: string | null;
};

export interface SettingsStore {
  readonly stored: StoredSettings;
  /** About the file as it was found. */
  readonly warnings: string[];
  /** The bridge's part as a source of the configuration, with the secrets that have been opened in plain. */
  reading(): SourceReading;
  /** As a source again, but of `settings` that may be stored next. */
  readingOf(settings: StoredSettings): SourceReading;
  /** Whether a secret is stored that has not been opened yet. Until then it counts as not set. */
  readonly locked: boolean;
  /** Of each secret that was tried and cannot be opened on this computer, or by this user, a sentence; by its key. */
  unopened(): ReadonlyMap<string, string>;
  /** Opens what is stored. Asks the box once for each secret, and only where there is one. Never rejects. */
  unlock(): Promise<void>;
  /** Text to store for `secret`; what it stands for is known from then on. Rejects when the box cannot. */
  seal(secret: string): Promise<string>;
  /** What another process has stored meanwhile counts from now on. */
  reload(): void;
  /** On disk when it returns; otherwise nothing has changed, and the message has the reason. */
  save(settings: StoredSettings): { ok: true } | { ok: false; message: string };
}

export function openSettingsStore(options: {
  folder: string;
  secrets: SecretBox;
  clock: Clock;
}): SettingsStore {
  const { folder, secrets } = options;
  let read = readSettingsFile(folder, options.clock.now());
  let { stored } = read;
  /** What sealed texts stand for; null: they cannot be opened here. */
  const opened = new Map<string, string | null>();

  function withSecrets(settings: StoredSettings): SourceReading {
    const reading = readingOf(settings, folder);
    for (const [key, sealed] of settings.sealed) {
      const value = known(sealed);
      if (value === undefined) continue;
      const values: ExplicitValue = { key, value, origin: `the stored "${key}"`, inFile: true };
      if (value !== null) reading.values.push(values);
      else reading.warnings.push(unopenedText(key));
    }
    return reading;
  }

  /** What lies in the file as it is needs no box. Undefined: it has to be opened first. */
  const known = (sealed: string) => openPlain(sealed) ?? opened.get(sealed);
  const closedSecrets = () => [...stored.sealed.values()].filter((sealed) => known(sealed) === undefined);

  function unopened(): ReadonlyMap<string, string> {
    const keys = [...stored.sealed].filter(([, sealed]) => known(sealed) === null).map(([key]) => key);
    return new Map(keys.map((key) => [key, unopenedText(key)]));
  }

  async function open(sealed: string): Promise<void> {
    const secret = await secrets.open(sealed).catch(() => null);
    opened.set(sealed, secret);
  }

  return {
    get stored() {
      return stored;
    },
    get warnings() {
      return read.warnings;
    },
    reading: () => withSecrets(stored),
    readingOf: withSecrets,
    get locked() {
      return closedSecrets().length > 0;
    },
    unopened,
    reload() {
      read = readSettingsFile(folder, options.clock.now());
      ({ stored } = read);
    },
    async unlock() {
      await Promise.all(closedSecrets().map(open));
    },
    async seal(secret) {
      const sealed = await secrets.seal(secret);
      opened.set(sealed, secret);
      return sealed;
    },
    save(settings) {
      if (read.blocked !== null) return { ok: false, message: read.blocked };
      try {
        writeSettingsFile(folder, settings);
      } catch (error) {
        const reason = errorText(error);
        return { ok: false, message: `The settings cannot be written: ${reason}` };
      }
      stored = settings;
      return { ok: true };
    },
  };
}

function unopenedText(key: string): string {
  return `The stored secret "${key}" cannot be opened here. Enter it again.`;
}

/** Never fails: a file that cannot be understood is set aside, and the warning names the new file. */
export function readSettingsFile(folder: string, now: number): SettingsFileReading {
  const file = path.join(folder, settingsFileName);
  let content: unknown;
  try {
    const bytes = readPlainFile(file, { maxBytes: maxFileBytes, own: true });
    const parsed = parseJson(bytes.toString('utf8'));
    if (!parsed.ok)
      return setAside(file, `it is not JSON (line ${parsed.line}, column ${parsed.column})`, now);
    content = parsed.value;
  } catch (error) {
    if (error instanceof FileTooLargeError) return setAside(file, 'it is too long', now);
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) {
      return { stored: noSettings(), warnings: [], blocked: null };
    }
    const why = `The settings in ${file} cannot be read: ${errorText(error)}`;
    return { stored: noSettings(), warnings: [why], blocked: why };
  }
  if (!isObject(content)) return setAside(file, 'it holds no JSON object', now);
  return { ...parseContent(content, file), blocked: null };
}

/** Throws what the file system throws. */
function writeSettingsFile(folder: string, { app, bridge, sealed, provisioned }: StoredSettings): void {
  const content = {
    app,
    sealed: Object.fromEntries(sealed),
    ...(provisioned === null ? {} : { provisioned }),
    ...nested([...bridge]),
  };
  replaceFile(path.join(folder, settingsFileName), `${JSON.stringify(content, null, 2)}\n`);
}

/** What was set in the console, as the source of lowest precedence. */
export function readingOf({ bridge }: StoredSettings, folder: string): SourceReading {
  const file = path.join(folder, settingsFileName);
  const values = [...bridge].map(([key, value]) => ({
    key,
    value,
    origin: `"${key}" in ${file}`,
    inFile: true as const,
  }));
  return { values, errors: [], warnings: [] };
}

function parseContent(content: Record<string, unknown>, file: string) {
  const { app, sealed, provisioned, ...rest } = content;
  const reading = readContent(rest, file);
  const appSettings = parseAppSettings(app, file);
  const bridge = new Map(
    reading.values.filter(({ key }) => key !== 'dataDir').map(({ key, value }) => [key, value]),
  );
  const secrets = Object.entries(isObject(sealed) ? sealed : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const warnings = [
    ...reading.errors.map((error) => `${error} It is left out.`),
    ...reading.values
      .filter(({ key }) => key === 'dataDir')
      .map(({ origin }) => `${origin} is left out: this file is found by the data folder.`),
    ...appSettings.warnings,
  ];
  const stored = {
    app: appSettings.app,
    bridge,
    sealed: new Map(secrets),
    provisioned: typeof provisioned === 'string' ? provisioned : null,
  };
  return { stored, warnings };
}

/** A wrong value counts as none. */
function parseAppSettings(content: unknown, file: string): { app: AppSettings; warnings: string[] } {
  const values = isObject(content) ? content : {};
  const parsed = appSettingsSchema.safeParse(values);
  if (parsed.success) return { app: parsed.data, warnings: [] };
  const wrong = new Set(parsed.error.issues.map((issue) => String(issue.path[0])));
  const right = Object.fromEntries(Object.entries(values).filter(([name]) => !wrong.has(name)));
  const warnings = [...wrong].map((name) => `"app.${name}" in ${file} is not right. It is left out.`);
  return { app: appSettingsSchema.parse(right), warnings };
}

function noSettings(): StoredSettings {
  return { app: appSettingsSchema.parse({}), bridge: new Map(), sealed: new Map(), provisioned: null };
}

function setAside(file: string, why: string, now: number): SettingsFileReading {
  const stamp = new Date(now).toISOString().replaceAll(/[:.]/g, '-');
  const other = path.join(path.dirname(file), `settings-damaged-${stamp}.json`);
  try {
    renameSync(file, other);
  } catch (error) {
    const blocked = `The settings in ${file} cannot be used (${why}), and the file cannot be set aside: ${String(error)}`;
    return { stored: noSettings(), warnings: [blocked], blocked };
  }
  const warning = `The settings in ${file} cannot be used: ${why}. The file is now ${other}; settings begin anew.`;
  return { stored: noSettings(), warnings: [warning], blocked: null };
}

const plainPrefix = 'plain:';

export function sealPlain(secret: string): string {
  return plainPrefix + secret;
}

/** Null when it was not `sealPlain` that sealed it. */
export function openPlain(sealed: string): string | null {
  return sealed.startsWith(plainPrefix) ? sealed.slice(plainPrefix.length) : null;
}

/** Secrets where the system offers no store of its own: as they are, in the settings file that only its owner can read. */
export function fileSecrets(): SecretBox {
  return {
    kind: 'file',
    seal: (secret) => Promise.resolve(sealPlain(secret)),
    open: (sealed) => Promise.resolve(openPlain(sealed)),
  };
}
