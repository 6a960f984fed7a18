/** Where compiled code may be kept for the next start: whoever can change it there has their own code run. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isPrivatePath } from '../../src/base/private-files.ts';
import { privateCacheFolder } from '../../src/headless/compile-cache.ts';

const build = '0123456789abcdef';
let home: string;
let cache: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'tillbridge-cache-')));
  cache = path.join(home, 'cache');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const modeOf = (folder: string) => statSync(folder).mode & 0o777;

describe('the folder for compiled code', () => {
  it.skipIf(process.platform === 'win32')('is made for its owner only', () => {
    expect(privateCacheFolder(cache, () => build)).toBe(path.join(cache, 'compiled', build));
    expect([modeOf(cache), modeOf(path.join(cache, 'compiled', build))]).toEqual([0o700, 0o700]);
  });

  it('is one for each build, and with a new one all go but the two before it', () => {
    const all = path.join(cache, 'compiled');
    const made = ['0000000000000001', '0000000000000002', '0000000000000003'];
    for (const [age, name] of made.entries()) {
      writeFileSync(path.join(privateCacheFolder(cache, () => name) ?? '', 'code'), 'compiled');
      utimesSync(path.join(all, name), age, age);
    }
    expect(readdirSync(all).sort()).toEqual(made);
    // As Node itself names them: what was kept before builds had folders. The others are somebody else's.
    for (const name of ['v24.1.0-x64-abc-0', 'v2-backup', 'mine']) mkdirSync(path.join(all, name));
    utimesSync(path.join(all, 'v24.1.0-x64-abc-0'), 0, 0);
    expect(privateCacheFolder(cache, () => build)).toBe(path.join(all, build));
    expect(readdirSync(all).sort()).toEqual([...made.slice(1), build, 'mine', 'v2-backup'].sort());
    // It is there, so nothing goes.
    expect(privateCacheFolder(cache, () => made[1] ?? '')).toBe(path.join(all, made[1] ?? ''));
    expect(readdirSync(all)).toHaveLength(5);
  });

  it('is none where the build cannot be read', () => {
    const unreadable = () => {
      throw new Error('ENOENT');
    };
    expect(privateCacheFolder(cache, unreadable)).toBeNull();
  });

  it('is none where a folder cannot be made', () => {
    writeFileSync(cache, 'a file in the way');
    expect(privateCacheFolder(cache, () => build)).toBeNull();
  });

  it.skipIf(process.platform === 'win32')('is named without links', () => {
    const elsewhere = path.join(home, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, cache);
    expect(privateCacheFolder(cache, () => build)).toBe(path.join(elsewhere, 'compiled', build));
  });

  describe.skipIf(process.platform === 'win32')('is none where somebody else can change', () => {
    it.each([0o770, 0o707])('the folder itself (mode %o)', (mode) => {
      const folder = privateCacheFolder(cache, () => build) ?? '';
      chmodSync(folder, mode);
      expect(privateCacheFolder(cache, () => build)).toBeNull();
      chmodSync(folder, 0o755);
      expect(privateCacheFolder(cache, () => build)).toBe(folder);
    });

    it('one above it', () => {
      privateCacheFolder(cache, () => build);
      chmodSync(home, 0o777);
      expect(privateCacheFolder(cache, () => build)).toBeNull();
      // As /tmp is: there nobody can put another in the place of what is ours.
      chmodSync(home, 0o1777);
      expect(privateCacheFolder(cache, () => build)).not.toBeNull();
    });

    it('the place for it, and nothing is made there', () => {
      chmodSync(home, 0o777);
      expect(privateCacheFolder(cache, () => build)).toBeNull();
      expect(existsSync(cache)).toBe(false);
    });

    it('a file deep in it', () => {
      const folder = path.join(privateCacheFolder(cache, () => build) ?? '', 'v24');
      mkdirSync(folder, { mode: 0o700 });
      const file = path.join(folder, 'code');
      writeFileSync(file, 'compiled', { mode: 0o600 });
      expect(privateCacheFolder(cache, () => build)).not.toBeNull();
      chmodSync(file, 0o666);
      expect(privateCacheFolder(cache, () => build)).toBeNull();
    });

    it('what another user owns', () => {
      const folder = privateCacheFolder(cache, () => build) ?? '';
      const own = statSync(folder).uid;
      expect(isPrivatePath(folder, { uid: own })).toBe(true);
      // To anybody but root, the folder of another user than root is a stranger's.
      if (own !== 0) expect(isPrivatePath(folder, { uid: own + 1 })).toBe(false);
    });
  });
});
