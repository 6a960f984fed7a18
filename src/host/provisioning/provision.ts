/**
 * Puts what an installer has decided into a data folder: settings as if they had been made in the console, and tokens. What
 * is not named stays as it is; the same again changes nothing.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { replaceFile } from '../../base/atomic-file.ts';
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import { errorText } from '../../base/error-text.ts';
import { readPlainFile, UnsafeFileError } from '../../base/private-files.ts';
import { hashToken, newToken, putToken } from '../../bridge/listener/index.ts';
import { settingOf } from '../../contract/configuration.ts';
import { prepareDataFolder } from '../data-folder.ts';
import { openPlain, sealPlain } from '../settings/settings-store.ts';
import type { SettingsStore, StoredSettings } from '../settings/settings-store.ts';
import type { Provision, ProvisionedToken } from './read-provision.ts';

export interface ProvisionTools {
  clock: Clock;
  chance: Chance;
  /** Of the data folder. */
  store: SettingsStore;
}

export type Provisioned =
  /** `changed`: keys of settings (`terminal`, `app.language`) and names of tokens (`token pos`). */
  | { ok: true; changed: string[]; warnings: string[] }
  /** `changed`: what had been done before. */
  | { ok: false; message: string; changed: string[]; warnings: string[] };

/** The longest token and the end of its line, in bytes. */
const maxTokenFileBytes = 4 * 1024;
const tokenPattern = /^[A-Za-z0-9._~+/-]{16,512}=*$/;

/**
 * No bridge may run on `dataDir` meanwhile: it keeps its settings in memory and would write over these. `mark` is kept
 * with the settings, for whoever wants to know what was carried out last. With `checkOnly` nothing is written.
 */
export function provision(
  dataDir: string,
  { app, bridge, tokens }: Provision,
  tools: ProvisionTools,
  { mark = null, checkOnly = false }: { mark?: string | null; checkOnly?: boolean } = {},
): Provisioned {
  const changed: string[] = [];
  const warnings: string[] = [];
  const failed = (message: string): Provisioned => ({ ok: false, message, changed, warnings });
  try {
    if (!checkOnly) warnings.push(...prepareDataFolder(dataDir));
    const { store } = tools;
    for (const token of tokens) {
      const put = putOne(dataDir, token, tools, checkOnly);
      if (!put.ok) return failed(put.message);
      if (put.changed) changed.push(`token ${token.name}`);
    }
    const before = store.stored;
    const next = withProvision(before, { app, bridge, tokens }, mark);
    const settings = changedSettings(before, next);
    if (!checkOnly && (settings.length > 0 || before.provisioned !== next.provisioned)) {
      const saved = store.save(next);
      if (!saved.ok) return failed(saved.message);
    }
    changed.push(...settings);
  } catch (error) {
    return failed(error instanceof UnsafeFileError ? error.message : errorText(error));
  }
  return { ok: true, changed, warnings };
}

/** The token's own file first: a token in force that nobody has would keep every till out. */
function putOne(
  dataDir: string,
  token: ProvisionedToken,
  { clock, chance }: ProvisionTools,
  checkOnly: boolean,
): { ok: true; changed: boolean } | { ok: false; message: string } {
  let sha256: string;
  if ('sha256' in token) sha256 = token.sha256.toLowerCase();
  else if (existsSync(token.file)) {
    const text = readPlainFile(token.file, { maxBytes: maxTokenFileBytes, followLinks: true }).toString(
      'utf8',
    );
    const content = text.replace(/\r?\n$/, '');
    if (!tokenPattern.test(content))
      return {
        ok: false,
        message: `${token.file} holds no token: one line of at least 16 letters, digits and "._~+/-".`,
      };
    sha256 = hashToken(content);
  } else {
    const made = newToken(chance);
    if (!checkOnly) replaceFile(token.file, `${made}\n`);
    sha256 = hashToken(made);
  }
  return putToken(path.join(dataDir, 'tokens.json'), { name: token.name, sha256 }, { clock, checkOnly });
}

function withProvision(
  stored: StoredSettings,
  { app, bridge }: Provision,
  mark: string | null,
): StoredSettings {
  const settings = new Map(stored.bridge);
  const sealed = new Map(stored.sealed);
  for (const [key, value] of bridge) {
    if (!settingOf(key).secret) settings.set(key, value);
    else {
      settings.delete(key);
      if (opened(stored, key) !== value) sealed.set(key, sealPlain(String(value)));
    }
  }
  return {
    app: { ...stored.app, ...app },
    bridge: settings,
    sealed,
    provisioned: mark ?? stored.provisioned,
  };
}

function changedSettings(before: StoredSettings, next: StoredSettings): string[] {
  const keys = [...new Set([...next.bridge.keys(), ...next.sealed.keys()])];
  const names = Object.keys(next.app) as (keyof StoredSettings['app'])[];
  return [
    ...keys.filter(
      (key) =>
        !isDeepStrictEqual(before.bridge.get(key), next.bridge.get(key)) ||
        opened(before, key) !== opened(next, key),
    ),
    ...names
      .filter((name) => !isDeepStrictEqual(before.app[name], next.app[name]))
      .map((name) => `app.${name}`),
  ];
}

/** Null also where the system's key store has it: an installer's secrets lie in the file. */
function opened({ sealed }: StoredSettings, key: string): string | null {
  const text = sealed.get(key);
  return text === undefined ? null : openPlain(text);
}
