/**
 * A new version is on trial until it has come up; one that does not is replaced by the version before. What that needs lies
 * beside the AppImage, on the same disk, so that going back is one renaming:
 *
 *     Tillbridge.AppImage
 *     .tillbridge-update/previous.AppImage    the version before
 *     .tillbridge-update/trial.json           which one is on trial, and how often it was started
 */
import { constants, copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { replaceFile } from '../../base/atomic-file.ts';
import { makeFolders, readPlainFile } from '../../base/private-files.ts';
import { updateNewsSchema, type Release, type UpdateNews } from '../../contract/console/updates.ts';

/** So many starts of a version may end before it has come up. */
const maxStarts = 3;
const maxNoteBytes = 64 * 1024;
const maxFailed = 20;

const noteSchema = z.object({
  trial: z
    .object({
      version: z.string().max(40),
      from: z.string().max(40),
      notes: z.string().max(4_000).nullable(),
      /** The file that was replaced. */
      oldFile: z.string(),
      starts: z.number().int().min(0),
      /** The process of the last one. */
      pid: z.number().int().nullable(),
      /** The format of each journal before, by its file. */
      journals: z.record(z.string(), z.number().int()),
    })
    .nullable(),
  /** Versions that did not come up here, oldest first. */
  failed: z.array(z.string().max(40)).max(maxFailed),
  /** For the next window. */
  news: updateNewsSchema.nullable(),
});
type Note = z.infer<typeof noteSchema>;

const nothing: Note = { trial: null, failed: [], news: null };

export interface Trial {
  /** What became of the last update, for the window. */
  news(): UpdateNews | null;
  failed(): readonly string[];
  readonly isOnTrial: boolean;
  /** Counts this start of `version`, unless the one before still runs: then this is a second one beside it. `go_back`: the version before is in its place again, as the file that is named. */
  countStart(version: string): { act: 'start' } | { act: 'go_back'; file: string };
  /** Right before `release` replaces `version`. Throws when the version before cannot be kept. */
  begin(release: Release, version: string, journalFiles: readonly string[]): void;
  /** What begin was for has failed. */
  abandon(): void;
  /** The version on trial has come up. */
  passed(): void;
}

/** `pid`: of this process. */
export function openTrial(appImage: string, pid: number = process.pid): Trial {
  const folder = path.join(path.dirname(appImage), '.tillbridge-update');
  const noteFile = path.join(folder, 'trial.json');
  const previous = path.join(folder, 'previous.AppImage');
  let note = read(noteFile);

  function write(next: Note): void {
    note = next;
    replaceFile(noteFile, JSON.stringify(next));
  }

  function ended(news: UpdateNews, hasFailed: boolean): Note {
    const others = note.failed.filter((version) => version !== news.version);
    return { trial: null, failed: hasFailed ? [...others, news.version].slice(-maxFailed) : others, news };
  }

  function goBack(trial: NonNullable<Note['trial']>): ReturnType<Trial['countStart']> {
    const { version, from, notes, oldFile } = trial;
    // An older version refuses a journal of a newer format, and would stand there without one.
    if (!existsSync(previous) || Object.entries(trial.journals).some(isNewer)) {
      write(ended({ kind: 'cannot_go_back', version, from, notes }, true));
      return { act: 'start' };
    }
    renameSync(previous, oldFile);
    if (oldFile !== appImage) rmSync(appImage, { force: true });
    // Last: without it the version before finds a trial that it is not part of, and says the same.
    write(ended({ kind: 'went_back', version, from, notes: null }, true));
    return { act: 'go_back', file: oldFile };
  }

  return {
    news: () => note.news,
    failed: () => note.failed,
    get isOnTrial() {
      return note.trial !== null;
    },
    countStart(version) {
      const { trial } = note;
      if (trial === null) return { act: 'start' };
      if (trial.version === version) {
        if (trial.pid !== null && isAlive(trial.pid)) return { act: 'start' };
        if (trial.starts >= maxStarts) return goBack(trial);
        write({ ...note, trial: { ...trial, starts: trial.starts + 1, pid } });
      } else if (trial.from === version) {
        write(ended({ kind: 'went_back', version: trial.version, from: version, notes: null }, true));
      } else write({ ...note, trial: null });
      return { act: 'start' };
    },
    begin({ version, notes }, from, journalFiles) {
      makeFolders(folder);
      copyFileSync(appImage, `${previous}.new`, constants.COPYFILE_FICLONE);
      renameSync(`${previous}.new`, previous);
      const journals = journalFiles.filter((file) => existsSync(file)).map((file) => [file, formatOf(file)]);
      const trial = { version, from, notes, oldFile: appImage, starts: 0, pid: null };
      write({ ...note, news: null, trial: { ...trial, journals: Object.fromEntries(journals) } });
    },
    abandon() {
      if (!existsSync(appImage) && existsSync(previous)) renameSync(previous, appImage);
      write({ ...note, trial: null });
    },
    passed() {
      if (note.trial === null) return;
      const { version, from, notes } = note.trial;
      write(ended({ kind: 'installed', version, from, notes }, false));
      rmSync(previous, { force: true });
    },
  };
}

function read(noteFile: string): Note {
  try {
    const text = readPlainFile(noteFile, { maxBytes: maxNoteBytes }).toString('utf8');
    return noteSchema.parse(JSON.parse(text));
  } catch {
    return nothing;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** One that cannot be read counts as newer: going back must not make it worse. */
function isNewer([file, format]: [string, number]): boolean {
  try {
    return formatOf(file) > format;
  } catch {
    return true;
  }
}

/** As SQLite says it, with what is in its log beside the file. */
function formatOf(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
  } finally {
    database.close();
  }
}
