/**
 * A new version is on trial until it has come up; one that does not is replaced by the version before, or a person is told
 * how to do that. What it needs lies beside the AppImage, on the same disk, so that going back is one renaming; on Windows
 * in a folder of its own, because there an administrator has to run an installer:
 *
 *     Tillbridge.AppImage
 *     .tillbridge-update/previous.AppImage    the version before
 *     .tillbridge-update/trial.json           which one is on trial, and how often it was started
 *
 *     updates/Tillbridge-0.1.0.exe            the installer of the version before, once that was installed by an update
 *     updates/trial.json
 */
import { constants, copyFileSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
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
      /** The AppImage that was replaced; empty where there is none. */
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
  /** Right before `release`, fetched as `file`, replaces `version`. Throws when the way back cannot be kept. */
  begin(release: Release, file: string | null, version: string, journalFiles: readonly string[]): void;
  /** What begin was for has failed: nothing was installed. */
  abandon(): void;
  /** The version on trial has come up. */
  passed(): void;
}

/** What the version before comes back by. */
export type WayBack =
  | { kind: 'app_image'; appImage: string }
  /** Of each version that an update brings, its installer is kept in `folder`. */
  | { kind: 'installer'; folder: string };

/** `pid`: of this process. */
export function openTrial(way: WayBack, pid: number = process.pid): Trial {
  const appImage = way.kind === 'app_image' ? way.appImage : null;
  const folder =
    way.kind === 'app_image' ? path.join(path.dirname(way.appImage), '.tillbridge-update') : way.folder;
  const noteFile = path.join(folder, 'trial.json');
  const previous = path.join(folder, 'previous.AppImage');
  const installerOf = (version: string) => path.join(folder, `Tillbridge-${version}.exe`);
  let note = read(noteFile);

  /** First under another name: what has its own name is there in full. */
  function keep(file: string, kept: string): void {
    copyFileSync(file, `${kept}.new`, constants.COPYFILE_FICLONE);
    renameSync(`${kept}.new`, kept);
  }

  /** Only the installer of `version` is left. */
  function forgetInstallers(version: string): void {
    for (const name of readdirSync(folder)) {
      const file = path.join(folder, name);
      if (/\.exe(\.new)?$/.test(name) && file !== installerOf(version)) rmSync(file, { force: true });
    }
  }

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
    const kept = appImage === null ? installerOf(from) : previous;
    if (!existsSync(kept) || Object.entries(trial.journals).some(isNewer)) {
      write(ended({ kind: 'cannot_go_back', version, from, notes }, true));
      return { act: 'start' };
    }
    if (appImage === null) {
      write(ended({ kind: 'go_back_by_hand', version, from, notes, file: kept }, true));
      return { act: 'start' };
    }
    renameSync(kept, oldFile);
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
      if (trial === null) {
        // It was told in the run that it was about.
        if (note.news?.kind === 'installed') write({ ...note, news: null });
        return { act: 'start' };
      }
      if (trial.version === version) {
        if (trial.pid !== null && isAlive(trial.pid)) return { act: 'start' };
        if (trial.starts >= maxStarts) return goBack(trial);
        write({ ...note, trial: { ...trial, starts: trial.starts + 1, pid } });
      } else if (trial.from === version) {
        // One that was never started was never installed: a person said no, or the power was lost before.
        const kind = trial.starts === 0 ? 'install_failed' : 'went_back';
        write(ended({ kind, version: trial.version, from: version, notes: null }, true));
      } else write({ ...note, trial: null });
      return { act: 'start' };
    },
    begin({ version, notes }, file, from, journalFiles) {
      makeFolders(folder);
      if (appImage !== null) keep(appImage, previous);
      else if (file !== null) keep(file, installerOf(version));
      const journals = journalFiles.filter((file) => existsSync(file)).map((file) => [file, formatOf(file)]);
      const trial = { version, from, notes, oldFile: appImage ?? '', starts: 0, pid: null };
      write({ ...note, news: null, trial: { ...trial, journals: Object.fromEntries(journals) } });
    },
    abandon() {
      if (appImage !== null && !existsSync(appImage) && existsSync(previous)) renameSync(previous, appImage);
      if (note.trial === null) return;
      const { version, from } = note.trial;
      // By itself it is not tried again: it would fail, and stop the bridge, every few minutes.
      write(ended({ kind: 'install_failed', version, from, notes: null }, true));
    },
    passed() {
      if (note.trial === null) return;
      const { version, from, notes } = note.trial;
      write(ended({ kind: 'installed', version, from, notes }, false));
      rmSync(previous, { force: true });
      if (appImage === null) forgetInstallers(version);
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
