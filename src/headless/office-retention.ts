/** `tillbridge office retention`: shows what the office keeps no longer, and deletes it where that was asked for. */
import path from 'node:path';
import { errorText } from '../base/error-text.ts';
import { readPlainFile } from '../base/private-files.ts';
import {
  applyRetention,
  readRetentionSettings,
  showRetention,
  type RetentionResult,
} from '../office/index.ts';
import { exitUsage, oneLine, type CliContext } from './cli-context.ts';
import { onDatabase, print, type OperationFlags } from './office-operations.ts';
import { officeFolder } from './run-office.ts';

export interface RetentionFlags extends OperationFlags {
  settings?: string;
  delete?: true;
}

/** In the office's data folder, where no other is named. */
const settingsFileName = 'retention.json';
const maxFileBytes = 64 * 1024;

export async function retention(flags: RetentionFlags, context: CliContext): Promise<number> {
  const file =
    flags.settings === undefined
      ? path.join(officeFolder(flags.dataDir, context), settingsFileName)
      : path.resolve(context.currentFolder, flags.settings);
  let text: string;
  try {
    text = readPlainFile(file, { maxBytes: maxFileBytes, followLinks: true }).toString('utf8');
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    context.error(
      oneLine(
        missing
          ? `Nothing says how long anything is kept, so all of it is. Write {"events": 400, "payments": 3650} or the like to ${file}.`
          : `${file} cannot be read: ${errorText(error)}`,
      ),
    );
    return exitUsage;
  }
  const reading = readRetentionSettings(text, file);
  if (!reading.ok) {
    context.error(oneLine(reading.error));
    return exitUsage;
  }
  if (flags.delete === true && flags.by === undefined) {
    context.error('Say with --by NAME who deletes it: the audit log keeps that.');
    return exitUsage;
  }
  return await onDatabase(flags, context, async (operation) => {
    const work = flags.delete === true ? applyRetention : showRetention;
    const result = await work(reading.settings, operation);
    print(flags, context, result, linesOf(result, flags.delete === true));
  });
}

function linesOf({ items, stayed, files }: RetentionResult, deleted: boolean): string[] {
  return [
    ...items.map(
      ({ what, before, rows }) =>
        `${what} before ${before}: ${rows} ${rows === 1 ? 'row' : 'rows'} ${deleted ? 'deleted' : 'would go'}`,
    ),
    ...stayed.map(({ day, why }) => `${day}  events stay: ${why}`),
    ...files.map((file) => `${file} in an archive: its time is over too. Delete it there.`),
    ...(items.length === 0 ? ['All is kept.'] : []),
    ...(deleted || items.length === 0 ? [] : ['Nothing was deleted: --delete does it.']),
  ];
}
