/** What another user of the machine can lay in the way of a file, and the ways in which Tillbridge opens files. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  exportJournal,
  openJournal,
  openJournalReadOnly,
  verifyJournal,
} from '../../src/bridge/journal/index.ts';
import { createToken, listTokens } from '../../src/bridge/listener/tokens.ts';
import { acquireExclusiveLock } from '../../src/bridge/locks/exclusive-lock.ts';
import { openLogDatabase } from '../../src/log/log-database.ts';
import { openRotatingFile } from '../../src/log/rotating-file.ts';
import { silentLog } from '../../src/log/index.ts';
import { readConfigurationFile } from '../../src/host/settings/configuration-sources.ts';
import { controlAddress } from '../../src/host/control/address.ts';
import { readSettingsFile } from '../../src/host/settings/settings-store.ts';
import { openDatabase } from '../../src/remote/sandbox/store/database.ts';
import { openLedger } from '../../src/simulator/ledger.ts';
import { seededChance } from '../support/random.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

const clock = createVirtualClock();
const chance = seededChance(clock);

interface Entrance {
  /** The file that is opened, within the folder. */
  file: string;
  /** Opens it in `folder` and gives what was said of it; what it throws counts as said. */
  open(folder: string): string;
}

/** Every file that is opened by a name that others may know. */
export const entrances: Record<string, Entrance> = {
  '--config': {
    file: 'till.json',
    open: (folder) => readConfigurationFile(path.join(folder, 'till.json')).errors.join(' '),
  },
  settings: {
    file: 'settings.json',
    open: (folder) => readSettingsFile(folder, clock.now()).blocked ?? '',
  },
  'the list of tokens': {
    file: 'tokens.json',
    open(folder) {
      const listed = listTokens(path.join(folder, 'tokens.json'));
      return listed.ok ? '' : listed.message;
    },
  },
  'a new token': {
    file: 'tokens.json',
    open(folder) {
      const created = createToken(path.join(folder, 'tokens.json'), 'till', { clock, chance });
      return created.ok ? '' : created.message;
    },
  },
  'the journal': { file: 'journal.sqlite', open: writeJournal },
  'the mark of the journal': { file: 'journal.sqlite-mark', open: writeJournal },
  'the lock of the journal': { file: 'journal.lock', open: writeJournal },
  'a lock': {
    file: 'other.lock',
    open: (folder) => acquireExclusiveLock(path.join(folder, 'other.lock')).kind.replace('held', ''),
  },
  'the journal, to be read': {
    file: 'journal.sqlite',
    open(folder) {
      const opened = openJournalReadOnly(folder);
      if (opened.kind === 'opened') opened.journal.close();
      return opened.kind === 'opened' ? '' : opened.message;
    },
  },
  'the journal, to be verified': {
    file: 'journal.sqlite',
    open(folder) {
      const verified = verifyJournal(folder);
      return verified.ok ? '' : verified.problem;
    },
  },
  'the journal, to be exported': {
    file: 'journal.sqlite',
    open: (folder) => (exportJournal(folder, () => {}) >= 0 ? '' : ''),
  },
  'the log': {
    file: 'tillbridge.log',
    open(folder) {
      const lossLine = (count: number) => `${count} lost`;
      const log = openRotatingFile({ folder, name: 'tillbridge', maxBytes: 1_000, maxFiles: 2, lossLine });
      const written = log.write('a line');
      log.close();
      return written ? '' : 'the line is not written: this is a link, a device or a pipe';
    },
  },
  'the log store': {
    file: 'book.sqlite',
    open(folder) {
      openLogDatabase(path.join(folder, 'book.sqlite'), 10, 1).close();
      return '';
    },
  },
  'the simulator’s ledger': {
    file: 'ledger.jsonl',
    open(folder) {
      openLedger(path.join(folder, 'ledger.jsonl'), silentLog).append([]);
      return '';
    },
  },
  'the sandbox’s store': {
    file: 'sandbox.sqlite',
    open(folder) {
      openDatabase(folder).close();
      return '';
    },
  },
  'the address of the control channel': {
    file: 'control.path',
    open: (folder) => controlAddress(folder) ?? '',
  },
};

function writeJournal(folder: string): string {
  const opened = openJournal({ folder, clock, log: silentLog, version: '1' });
  if (opened.kind !== 'opened') return opened.message;
  opened.journal.close();
  return '';
}

/** What is in the files that traps lead to. */
export const precious = 'what nobody else may see or lose';

/** Lays the trap at `file`; `elsewhere` is a folder of the one who lays it. */
export const traps: Record<string, (file: string, elsewhere: string) => void> = {
  'a pipe': (file) => void execFileSync('mkfifo', [file]),
  'a link to a file': (file, elsewhere) => symlinkSync(preciousIn(elsewhere), file),
  'a link to a device without end': (file) => symlinkSync('/dev/zero', file),
  'a file that everybody can write': (file) => {
    writeFileSync(file, '');
    chmodSync(file, 0o666);
  },
};

export function preciousIn(elsewhere: string): string {
  const file = path.join(elsewhere, 'precious');
  mkdirSync(elsewhere, { recursive: true });
  if (!existsSync(file)) writeFileSync(file, precious);
  return file;
}

/** What was said when `entrance` was opened in `folder`. */
export function tryToOpen(entrance: string, folder: string): string {
  try {
    return entrances[entrance]?.open(folder) ?? 'there is no such entrance';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
