/** Commands that work on the office's database itself: what they do is in its audit log, in the name that was given. */
import path from 'node:path';
import { errorText } from '../base/error-text.ts';
import { makeFolders } from '../base/private-files.ts';
import { createLog } from '../log/index.ts';
import {
  ArchiveError,
  DatabaseError,
  DatabaseTooNewError,
  migrate,
  restoreDays,
  takeOutDays,
  type ArchiveResult,
  type Database,
  type RestoreResult,
} from '../office/index.ts';
import { exitFailed, exitOk, exitUsage, oneLine, type CliContext } from './cli-context.ts';
import { DatabaseInUseError, openOfficeDatabase } from './office-database.ts';
import { officeFolder } from './run-office.ts';

export interface OperationFlags {
  database?: string;
  dataDir?: string;
  by?: string;
  json?: true;
}

export interface ArchiveFlags extends OperationFlags {
  before?: string;
  folder?: string;
  restore?: string;
}

/** What a command that works on the database is given. */
interface Operation {
  database: Database;
  clock: CliContext['clock'];
  version: string;
  who: { name: string; role: 'administrator' };
}

export async function archiveDays(flags: ArchiveFlags, context: CliContext): Promise<number> {
  const { before, folder, restore } = flags;
  const into = (given: string) => path.resolve(context.currentFolder, given);
  if (restore !== undefined) {
    if (before !== undefined || folder !== undefined) {
      context.error('--restore FOLDER reads what is there, and goes with neither --before nor --folder.');
      return exitUsage;
    }
    return await onDatabase(flags, context, async (operation) => {
      const result = await restoreDays(into(restore), operation);
      print(flags, context, result, restoreLines(result));
    });
  }
  if (before === undefined || folder === undefined || !isDay(before)) {
    context.error(
      'Name --before DATE, such as 2026-01-31, and --folder FOLDER for the files; or --restore FOLDER to read them again.',
    );
    return exitUsage;
  }
  return await onDatabase(flags, context, async (operation) => {
    const result = await takeOutDays({ before, folder: into(folder) }, operation);
    print(flags, context, result, archiveLines(result));
  });
}

export async function onDatabase(
  flags: OperationFlags,
  context: CliContext,
  work: (operation: Operation) => Promise<void>,
): Promise<number> {
  const dataDir = officeFolder(flags.dataDir, context);
  makeFolders(dataDir);
  const { clock, version } = context;
  const { log, close: closeLog } = createLog({ folder: dataDir, level: 'info', clock });
  let database: Database | null = null;
  try {
    database = await openOfficeDatabase(flags.database, dataDir, { ...context, log });
    await migrate(database);
    const who = { name: flags.by ?? 'administrator', role: 'administrator' } as const;
    await work({ database, clock, version, who });
    return exitOk;
  } catch (error) {
    if (!isExpected(error)) throw error;
    context.error(oneLine(errorText(error)));
    return exitFailed;
  } finally {
    await database?.close().catch(() => {});
    await closeLog();
  }
}

export function print(flags: OperationFlags, context: CliContext, result: unknown, lines: string[]): void {
  if (flags.json === true) context.stdoutExact(JSON.stringify(result, null, 2));
  else for (const line of lines) context.stdout(oneLine(line));
}

function isExpected(error: unknown): boolean {
  return (
    error instanceof ArchiveError ||
    error instanceof DatabaseError ||
    error instanceof DatabaseTooNewError ||
    error instanceof DatabaseInUseError ||
    (error instanceof Error && 'syscall' in error)
  );
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

function archiveLines({ taken, stayed }: ArchiveResult): string[] {
  return [
    ...taken.map(({ table, day, rows, stayed: staying, file }) => {
      const also =
        staying === 0 ? '' : `; ${staying} of them stay in the database too, because they are not done`;
      return `${day}  ${table}: ${rows} rows are in ${file ?? 'no file'}${also}`;
    }),
    ...stayed.map(({ table, day, why }) => `${day}  ${table} stay in the database: ${why}`),
    ...(taken.length + stayed.length === 0 ? ['There is no day as old as that in the database.'] : []),
  ];
}

function restoreLines({ restored, there }: RestoreResult): string[] {
  return [
    ...restored.map(({ table, day, rows }) => `${day}  ${table}: ${rows} rows are in the database again`),
    ...there.map(({ table, day }) => `${day}  ${table} are in the database, and were left as they are`),
  ];
}
