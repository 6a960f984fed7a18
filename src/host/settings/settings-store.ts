/** The settings of the console in memory and on disk, with their secrets opened. */
import type { Clock } from '../../base/clock.ts';
import type { ExplicitValue, SourceReading } from './configuration-sources.ts';
import type { SecretBox } from '../host-api.ts';
import { readingOf, readSettingsFile, writeSettingsFile, type StoredSettings } from './settings-file.ts';

export interface SettingsStore {
  readonly stored: StoredSettings;
  /** About the file as it was found. */
  readonly warnings: string[];
  /** The bridge's part as a source of the configuration, with secrets in plain. */
  reading(): SourceReading;
  /** As a source again, but of `settings` that may be stored next. */
  readingOf(settings: StoredSettings): SourceReading;
  /** On disk when it returns; otherwise nothing has changed, and the message has the reason. */
  save(settings: StoredSettings): { ok: true } | { ok: false; message: string };
}

export function openSettingsStore(options: {
  folder: string;
  secrets: SecretBox;
  clock: Clock;
}): SettingsStore {
  const { folder, secrets } = options;
  const read = readSettingsFile(folder, options.clock.now());
  let { stored } = read;

  function withSecrets(settings: StoredSettings): SourceReading {
    const reading = readingOf(settings, folder);
    for (const [key, sealed] of settings.sealed) {
      const value = open(sealed);
      const values: ExplicitValue = { key, value, origin: `the stored "${key}"`, inFile: true };
      if (value !== null) reading.values.push(values);
      else reading.warnings.push(`The stored secret "${key}" cannot be opened here. Enter it again.`);
    }
    return reading;
  }

  function open(sealed: string): string | null {
    try {
      return secrets.open(sealed);
    } catch {
      return null;
    }
  }

  return {
    get stored() {
      return stored;
    },
    warnings: read.warnings,
    reading: () => withSecrets(stored),
    readingOf: withSecrets,
    save(settings) {
      if (read.blocked !== null) return { ok: false, message: read.blocked };
      try {
        writeSettingsFile(folder, settings);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return { ok: false, message: `The settings cannot be written: ${reason}` };
      }
      stored = settings;
      return { ok: true };
    },
  };
}
