/** Secrets in files of their own, and where others on this computer could read one. */
import path from 'node:path';
import { everybodyCanRead, readPlainFile, UnsafeFileError } from '../../base/private-files.ts';
import { secretSettings } from '../../contract/configuration.ts';
import { errorText } from '../../base/error-text.ts';
import { secretsOfTerminals } from './terminal-secrets.ts';
import type { ExplicitValue, FlagValues, SourceReading } from './source-reading.ts';

/** A password and the end of its line; nothing that is secret here is longer. */
const maxSecretBytes = 4 * 1024;

/** What `flags` name with `--zvt-password-file` and its like. */
export function readFlagSecrets(flags: FlagValues, currentFolder: string): SourceReading {
  return readSecrets((setting) => ({
    file: flags[setting.fileKey],
    named: setting.fileFlag,
    beside: flags[setting.key] === undefined ? null : setting.flag,
    currentFolder,
  }));
}

/** What the environment names with `TILLBRIDGE_ZVT_PASSWORD_FILE` and its like. */
export function readEnvironmentSecrets(environment: NodeJS.ProcessEnv, currentFolder: string): SourceReading {
  const isSet = (name: string) => !['', undefined].includes(environment[name]);
  return readSecrets((setting) => ({
    file: isSet(setting.fileVariable) ? environment[setting.fileVariable] : undefined,
    named: setting.fileVariable,
    beside: isSet(setting.variable) ? setting.variable : null,
    currentFolder,
  }));
}

interface Named {
  file: unknown;
  /** What names it, for messages. */
  named: string;
  /** The flag or variable that sets the same secret directly, if it is used as well; null: it is not. */
  beside: string | null;
  currentFolder: string;
}

function readSecrets(namedBy: (setting: (typeof secretSettings)[number]) => Named): SourceReading {
  const reading: SourceReading = { values: [], errors: [], warnings: [] };
  for (const setting of secretSettings) {
    const { file, named, beside, currentFolder } = namedBy(setting);
    if (typeof file !== 'string') continue;
    if (beside !== null) {
      reading.errors.push(`${beside} and ${named} give the same setting; leave one of them out.`);
      continue;
    }
    const place = path.resolve(currentFolder, file);
    try {
      const text = readPlainFile(place, { maxBytes: maxSecretBytes, followLinks: true }).toString('utf8');
      reading.values.push({ key: setting.key, value: text.replace(/^\uFEFF|\r?\n$/g, ''), origin: named });
      if (everybodyCanRead(place)) reading.warnings.push(readByEverybody(setting.key, place));
    } catch (error) {
      const reason = errorText(error);
      reading.errors.push(
        error instanceof UnsafeFileError
          ? `${named}: ${reason}`
          : `${named}: the file cannot be read: ${reason}`,
      );
    }
  }
  return reading;
}

/** Warns of secrets on the command line: whoever can list processes can read those. */
export function exposedByFlags(values: readonly ExplicitValue[]): string[] {
  return secretSettings
    .filter((setting) => values.some(({ key, value }) => key === setting.key && value !== setting.fallback))
    .map(
      ({ flag, fileFlag, variable }) =>
        `Every user of this computer can read ${flag} in the list of processes. Use ${fileFlag} or ${variable} instead.`,
    );
}

/** Warns of secrets in `file`, which holds `values`, when everybody can read it. */
export function exposedInFile(file: string, values: readonly ExplicitValue[]): string[] {
  const secrets = values.flatMap(({ key, value }) => {
    if (key === 'terminals') return secretsOfTerminals(value);
    return secretSettings.some((setting) => setting.key === key) ? [key] : [];
  });
  if (secrets.length === 0 || !everybodyCanRead(file)) return [];
  return secrets.map((key) => readByEverybody(key, file));
}

function readByEverybody(key: string, file: string): string {
  return `Every user of this computer can read "${key}" in ${file}. Take that right away: chmod 600 "${file}"`;
}
