/** The file that says what an office watches and whom it tells, with the secrets that it points to. */
import path from 'node:path';
import { errorText } from '../base/error-text.ts';
import { everybodyCanRead, readPlainFile } from '../base/private-files.ts';
import { defaultAlarmSettings, readAlarmSettings, type AlarmSettings } from '../office/index.ts';
import type { CliContext } from './cli-context.ts';

/** In the office's data folder; it counts where no other is named. */
const alarmsFileName = 'alarms.json';
const maxFileBytes = 1024 * 1024;
const maxSecretBytes = 4 * 1024;

type OfficeAlarmsReading =
  | { ok: true; settings: AlarmSettings; warnings: string[] }
  /** Sentences with place and way out. */
  | { ok: false; errors: string[] };

/** `named`: the file that somebody has named; undefined looks in `dataDir`, where there need not be one. */
export function readOfficeAlarms(
  named: string | undefined,
  dataDir: string,
  { currentFolder, environment }: Pick<CliContext, 'currentFolder' | 'environment'>,
): OfficeAlarmsReading {
  const file = named === undefined ? path.join(dataDir, alarmsFileName) : path.resolve(currentFolder, named);
  let text: string;
  try {
    text = readPlainFile(file, { maxBytes: maxFileBytes, followLinks: true }).toString('utf8');
  } catch (error) {
    if (named === undefined && error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { ok: true, settings: defaultAlarmSettings(), warnings: [] };
    return { ok: false, errors: [`${file} cannot be read: ${errorText(error)}`] };
  }
  const warnings: string[] = [];
  const reading = readAlarmSettings(text, {
    origin: file,
    secretOf(place) {
      if ('variable' in place) {
        const secret = environment[place.variable];
        if (secret === undefined || secret === '')
          throw new Error(`the variable ${place.variable} is not set. Set it where the office is started`);
        return secret;
      }
      const secretFile = path.resolve(path.dirname(file), place.file);
      const secret = readPlainFile(secretFile, { maxBytes: maxSecretBytes, followLinks: true });
      if (everybodyCanRead(secretFile))
        warnings.push(
          `Every user of this computer can read the secret in ${secretFile}. Take that right away: chmod go-r "${secretFile}"`,
        );
      return secret.toString('utf8').trim();
    },
  });
  return reading.ok ? { ...reading, warnings } : reading;
}
