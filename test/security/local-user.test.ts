/** Another user of the same machine: what of ours they can read, change, or put in our way. */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  demandOwnersOf,
  demandOwnFile,
  makeFolders,
  openToAppend,
  preparePrivateFolder,
  UnsafeFileError,
} from '../../src/base/private-files.ts';
import { lockLine } from '../../src/bridge/lines/index.ts';
import { openJournal } from '../../src/bridge/journal/index.ts';
import { createToken } from '../../src/bridge/listener/tokens.ts';
import { createLog, silentLog } from '../../src/log/index.ts';
import { acquireControlAddress, controlAddress } from '../../src/host/control/address.ts';
import { replaceFile } from '../../src/base/atomic-file.ts';
import { findPlaces, settingSources } from '../../src/main/places.ts';
import { openDatabase } from '../../src/remote/sandbox/store/database.ts';
import { openLedger } from '../../src/simulator/ledger.ts';
import { seededChance } from '../support/random.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

const clock = createVirtualClock();
const chance = seededChance(clock);
const withoutOwners = process.platform === 'win32';

let root = '';
let folder = '';
let umask = 0;
beforeEach(() => {
  umask = process.umask(0);
  root = tempFolder('local-user');
  folder = path.join(root, 'above', 'data');
});
afterEach(() => {
  process.umask(umask);
  rmSync(root, { recursive: true, force: true });
});

/** Every way that makes a data folder, or a folder or file in it; with a umask that takes nothing away. */
const makers: Record<string, () => unknown> = {
  'token create': () => createToken(path.join(folder, 'tokens.json'), 'till', { clock, chance }),
  'the journal': () => {
    const opened = openJournal({ folder, clock, log: silentLog, version: '1' });
    // Left open: a closed one has no companions.
    return opened.kind === 'opened' ? opened.journal : null;
  },
  'the log and its store': () => {
    const logs = path.join(folder, 'logs');
    const log = createLog({
      folder: logs,
      level: 'info',
      clock,
      store: { file: path.join(logs, 'book.sqlite') },
    });
    log.log.info('a line');
    return log;
  },
  'the settings': () => replaceFile(path.join(folder, 'settings.json'), '{}'),
  'the simulator’s ledger': () =>
    openLedger(path.join(folder, 'simulator', 'ledger.jsonl'), silentLog).append([]),
  'the sandbox': () => openDatabase(folder),
  'the desktop app': () => findPlaces(settingSources({ TILLBRIDGE_DATA_DIR: folder }, root), root, null),
};

describe.skipIf(withoutOwners)('what is made', () => {
  it.each(Object.keys(makers))('can be read by nobody else: %s', async (maker) => {
    const made = makers[maker]?.();
    const modes = modesBelow(path.join(root, 'above'));
    expect(modes.length).toBeGreaterThan(1);
    expect(modes.filter(({ mode }) => (mode & 0o077) !== 0)).toEqual([]);
    await close(made);
  });
});

function modesBelow(place: string): { name: string; mode: number }[] {
  const found = lstatSync(place);
  const own = { name: path.relative(root, place), mode: found.mode & 0o777 };
  if (!found.isDirectory()) return [own];
  return [own, ...readdirSync(place).flatMap((name) => modesBelow(path.join(place, name)))];
}

async function close(made: unknown): Promise<void> {
  if (typeof made === 'object' && made !== null && 'close' in made && typeof made.close === 'function')
    await made.close();
}

/** The number of a user who need not be there. */
const stranger = 4_711;
const ownNames = /^settings/;

interface Attempt {
  what: string;
  lay(): void;
  act(): unknown;
  /** Null: it is used without a word. */
  says: RegExp | null;
  warns?: RegExp;
}

const settings = () => path.join(folder, 'settings.json');
const prepare = () => preparePrivateFolder(folder, ownNames);
const attempts: Attempt[] = [
  { what: 'a folder of one’s own', lay: () => makeFolders(folder), act: prepare, says: null },
  {
    what: 'a folder that everybody can write',
    lay: () => mkdirSync(folder, { recursive: true, mode: 0o777 }),
    act: prepare,
    says: /Every user of this computer can write to the folder .*chmod go-w/,
  },
  {
    what: 'a folder in which everybody can write, but not remove (sticky)',
    lay: () => {
      makeFolders(folder);
      chmodSync(folder, 0o1777);
    },
    act: prepare,
    says: /Every user of this computer can write/,
  },
  {
    what: 'a folder that the group can write',
    lay: () => mkdirSync(folder, { recursive: true, mode: 0o770 }),
    act: prepare,
    says: null,
    warns: /Other users in its group can write to the folder/,
  },
  {
    what: 'a link to a folder that everybody can write',
    lay: () => {
      makeFolders(path.dirname(folder));
      mkdirSync(path.join(root, 'theirs'), { mode: 0o777 });
      symlinkSync(path.join(root, 'theirs'), folder);
    },
    act: prepare,
    says: /Every user of this computer can write/,
  },
  {
    what: 'one’s own link to one’s own folder',
    lay: () => {
      makeFolders(path.dirname(folder));
      mkdirSync(path.join(root, 'mine'), { mode: 0o700 });
      symlinkSync(path.join(root, 'mine'), folder);
    },
    act: prepare,
    says: null,
  },
  {
    what: 'a file in place of the folder',
    lay: () => {
      makeFolders(path.dirname(folder));
      writeFileSync(folder, '');
    },
    act: prepare,
    says: /is no folder/,
  },
  {
    what: 'a file in it that everybody can write',
    lay: () => {
      makeFolders(folder);
      writeFileSync(settings(), '{}', { mode: 0o666 });
    },
    act: prepare,
    says: /Every user of this computer can change .*settings\.json/,
  },
  {
    what: 'a file in it that the group can write',
    lay: () => {
      makeFolders(folder);
      writeFileSync(settings(), '{}', { mode: 0o660 });
    },
    act: prepare,
    says: null,
    warns: /Other users in its group can change .*settings\.json/,
  },
  {
    what: 'a link in it',
    lay: () => {
      makeFolders(folder);
      symlinkSync('/etc/passwd', settings());
    },
    act: prepare,
    says: /settings\.json is a link/,
  },
  {
    what: 'a link in it that leads nowhere',
    lay: () => {
      makeFolders(folder);
      symlinkSync(path.join(root, 'made-through-the-link'), settings());
    },
    act: () => openToAppend(settings()),
    says: /settings\.json is a link/,
  },
  {
    what: 'a link under a name that is not ours',
    lay: () => {
      makeFolders(folder);
      symlinkSync('/etc/passwd', path.join(folder, 'notes'));
    },
    act: prepare,
    says: null,
  },
];

describe.skipIf(withoutOwners)('a place to keep things', () => {
  it.each(attempts)('$what', ({ lay, act, says, warns }) => {
    lay();
    if (says === null) {
      const warnings = act();
      expect(warnings).toEqual(warns === undefined ? [] : [expect.stringMatching(warns)]);
    } else {
      expect(act).toThrow(UnsafeFileError);
      expect(act).toThrow(says);
    }
    expect(readdirSync(root)).not.toContain('made-through-the-link');
  });

  it('is not used when it belongs to another user', () => {
    makeFolders(folder);
    writeFileSync(settings(), '{}', { mode: 0o600 });
    const { owner, viewer } = anotherUser();
    const words = `belongs to another user (number ${owner})`;
    expect(() => demandOwnFile(settings(), viewer)).toThrow(words);
    expect(() => preparePrivateFolder(folder, ownNames, viewer)).toThrow(words);
  });

  /** Root can give the folder away; anybody else looks at it as another one. */
  function anotherUser() {
    const own = statSync(folder).uid;
    if (own !== 0) return { owner: own, viewer: { uid: own + stranger } };
    for (const place of [settings(), folder]) chownSync(place, stranger, stranger);
    return { owner: stranger, viewer: { uid: 0 } };
  }
});

describe.skipIf(withoutOwners)('the lock on a line', () => {
  it('is not lost when somebody takes away the files that once stood for it', async () => {
    const name = `serial:/dev/nobody-has-this-${process.pid}`;
    const digest = createHash('sha256').update(name).digest('hex').slice(0, 32);
    const files = ['/run/lock', '/tmp'].map((shared) => path.join(shared, `tillbridge-${digest}.lock`));
    for (const file of files.filter((each) => existsSync(path.dirname(each)))) writeFileSync(file, '');
    const first = await lockLine(name, { clock, dataFolder: folder });
    for (const file of files) rmSync(file, { force: true });
    const second = await lockLine(name, { clock, dataFolder: folder });
    expect([first.kind, second.kind]).toEqual(['held', 'taken']);
    expect(files.filter((file) => existsSync(file))).toEqual([]);
    if (first.kind === 'held') first.release();
  });
});

describe.skipIf(withoutOwners)('the control channel', () => {
  it('is not asked in a folder in which everybody can put one', () => {
    mkdirSync(folder, { recursive: true, mode: 0o777 });
    expect(() => controlAddress(folder)).toThrow(/Every user of this computer can write/);
    expect(() => demandOwnersOf(folder, [settings()])).toThrow(UnsafeFileError);
  });

  it('has a name on Windows that nobody can know beforehand, told by a file of the owner', () => {
    makeFolders(folder);
    expect(controlAddress(folder, 'win32')).toBeNull();
    const first = acquireControlAddress(folder, chance, 'win32');
    const second = acquireControlAddress(folder, chance, 'win32');
    expect(first).toMatch(/^\\\\\.\\pipe\\tillbridge-[0-9a-f]{32}$/);
    expect(second).not.toBe(first);
    expect(controlAddress(folder, 'win32')).toBe(second);
    expect(modesBelow(folder).filter(({ mode }) => (mode & 0o077) !== 0)).toEqual([]);
  });
});
