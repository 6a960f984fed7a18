/**
 * The disk under a journal, at the border of SQLite: it can be full or fail, and after a power cut only that is left
 * which SQLite was told to sync. Backups are copies of the folder.
 */
import { cpSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

export type DiskTrouble = 'full' | 'failing' | 'failing_after_commit';

const guard = 'events_are_not_changed';

/** SQLite's own numbers. */
const troubleCodes = { full: 13, failing: 10, failing_after_commit: 10 } as const;

interface Disk {
  /** What the journal's connection asked SQLite to sync. */
  synchronous: string;
  trouble: DiskTrouble | null;
}

const disks = new Map<string, Disk>();
let watching = false;

export interface SimulatedDisk {
  trouble: DiskTrouble | null;
  /**
   * The power of the machine fails; `close` lets go of the journal's files. Gives true when facts were lost: never where
   * SQLite was told to sync each commit, so this shows whether it is told so, and not what a disk makes of that.
   */
  losePower(close: () => void): boolean;
  backUp(to: string): void;
  /** So many events are no more as they were written, and so many newer ones are. False where there are not so many. */
  damage(events: number, newer: number): boolean;
  /** False when there is no backup. */
  restore(from: string): boolean;
}

export function createDisk(folder: string, journalFile: string): SimulatedDisk {
  watchSqlite();
  const disk: Disk = { synchronous: 'FULL', trouble: null };
  disks.set(journalFile, disk);
  return {
    get trouble() {
      return disk.trouble;
    },
    set trouble(trouble) {
      disk.trouble = trouble;
    },
    losePower(close) {
      if (/^(FULL|EXTRA|2|3)$/i.test(disk.synchronous)) {
        close();
        return false;
      }
      // What is in the write-ahead file was never synced. Closing would bring it into the file.
      const kept = `${journalFile}-kept`;
      cpSync(journalFile, kept);
      const lost = existsSync(`${journalFile}-wal`) && statSync(`${journalFile}-wal`).size > 0;
      close();
      renameSync(kept, journalFile);
      for (const suffix of ['-wal', '-shm', '-mark']) rmSync(journalFile + suffix, { force: true });
      return lost;
    },
    backUp(to) {
      rmSync(to, { recursive: true, force: true });
      cpSync(folder, to, { recursive: true });
    },
    damage(events, newer) {
      const database = new DatabaseSync(journalFile);
      try {
        const [row] = database.prepare('SELECT max(seq) AS newest FROM events').all();
        const last = Number(row?.['newest'] ?? 0) - newer;
        // The journal lets nobody change an event; a disk does not ask.
        const trigger = database.prepare(`SELECT sql FROM sqlite_master WHERE name = '${guard}'`).get()?.[
          'sql'
        ];
        if (last < events || typeof trigger !== 'string') return false;
        database.exec(`DROP TRIGGER ${guard}`);
        const change = database.prepare("UPDATE events SET body = body || '?' WHERE seq > ? AND seq <= ?");
        change.run(last - events, last);
        database.exec(trigger);
        return true;
      } finally {
        database.close();
      }
    },
    restore(from) {
      if (!existsSync(from)) return false;
      rmSync(folder, { recursive: true, force: true });
      cpSync(from, folder, { recursive: true });
      return true;
    },
  };
}

export function forgetDisk(journalFile: string): void {
  disks.delete(journalFile);
}

const known = new WeakMap<DatabaseSync, Disk | null>();

function diskOf(database: DatabaseSync): Disk | null {
  const found = known.get(database);
  if (found !== undefined) return found;
  const disk = disks.get(database.location() ?? '') ?? null;
  known.set(database, disk);
  return disk;
}

/** Each connection of this process passes here, by a text or a prepared statement; those of other files pass untouched. */
function watchSqlite(): void {
  if (watching) return;
  watching = true;
  const { prototype } = DatabaseSync;
  // oxlint-disable-next-line typescript/unbound-method
  const { exec, prepare } = prototype;
  prototype.exec = function (this: DatabaseSync, sql: string): void {
    const disk = diskOf(this);
    if (disk === null) return exec.call(this, sql);
    const [, synchronous] = /PRAGMA synchronous = (\w+)/i.exec(sql) ?? [];
    if (synchronous !== undefined) disk.synchronous = synchronous;
    onDisk(disk, sql, () => exec.call(this, sql));
  };
  prototype.prepare = function (this: DatabaseSync, sql: string, ...rest) {
    const statement = prepare.call(this, sql, ...rest);
    const disk = diskOf(this);
    if (disk === null || !(isCommit(sql) || isBegin(sql))) return statement;
    const run = statement.run.bind(statement);
    statement.run = () => onDisk(disk, sql, () => run());
    return statement;
  };
}

const isCommit = (sql: string) => /^\s*COMMIT\b/i.test(sql);
const isBegin = (sql: string) => /^\s*BEGIN\b/i.test(sql);

function onDisk<T>({ trouble }: Disk, sql: string, run: () => T): T {
  if (trouble === null) return run();
  if (trouble === 'failing_after_commit' ? isCommit(sql) : isCommit(sql) || isBegin(sql)) {
    if (trouble === 'failing_after_commit') run();
    throw troubleOf(trouble);
  }
  return run();
}

function troubleOf(trouble: DiskTrouble): Error {
  const message = trouble === 'full' ? 'database or disk is full' : 'disk I/O error';
  return Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode: troubleCodes[trouble] });
}
