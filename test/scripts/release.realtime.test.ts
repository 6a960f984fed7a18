/** `npm run release` in a repository of its own. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { describeWith } from '../support/describe-with.ts';

const script = path.resolve(import.meta.dirname, '../../scripts/release.ts');
const changelog =
  '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A bell.\n\n## [0.1.0] - 2026-01-01\n\n- All of it.\n';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-release-'));
  put('package.json', '{\n  "name": "till",\n  "version": "0.1.0",\n  "dependencies": { "a": "0.1.0" }\n}\n');
  const packages = '"": { "version": "0.1.0" }, "node_modules/a": { "version": "0.1.0" }';
  put('package-lock.json', `{\n  "version": "0.1.0",\n  "packages": { ${packages} }\n}\n`);
  put('CHANGELOG.md', changelog);
  git('init', '--quiet', '--initial-branch', 'main');
  git('config', 'user.name', 'Kim');
  git('config', 'user.email', 'kim@tillbridge.example');
  git('config', 'commit.gpgsign', 'false');
  git('config', 'tag.gpgsign', 'false');
  git('add', '.');
  git('commit', '--quiet', '--message', 'All of it');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (file: string, text: string) => writeFileSync(path.join(root, file), text);
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const release = (...args: string[]) =>
  spawnSync(process.execPath, [script, ...args], { cwd: root, encoding: 'utf8' });

describeWith('git', 'a release', (it) => {
  it('is shown, and nothing is changed', () => {
    const { status, stdout } = release('0.2.0');
    expect(status).toBe(0);
    expect(stdout).toContain('0.1.0 -> 0.2.0, tag v0.2.0');
    expect(stdout).toContain('- A bell.');
    expect(stdout).not.toContain('All of it');
    expect(git('status', '--porcelain')).toBe('');
    expect(git('tag')).toBe('');
  });

  it('is one commit and one tag with the notes', () => {
    expect(release('0.2.0', '--write').status).toBe(0);
    expect(JSON.parse(read('package.json'))).toMatchObject({
      version: '0.2.0',
      dependencies: { a: '0.1.0' },
    });
    expect(JSON.parse(read('package-lock.json'))).toEqual({
      version: '0.2.0',
      packages: { '': { version: '0.2.0' }, 'node_modules/a': { version: '0.1.0' } },
    });
    expect(read('CHANGELOG.md')).toMatch(
      /^# Changelog\n\n## \[Unreleased\]\n\n## \[0\.2\.0\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- A bell\.\n\n## \[0\.1\.0\]/,
    );
    expect(git('log', '--format=%s')).toBe('Release 0.2.0\nAll of it');
    expect(git('status', '--porcelain')).toBe('');
    expect(git('for-each-ref', 'refs/tags/v0.2.0', '--format=%(contents)')).toBe(
      'Tillbridge 0.2.0\n\n### Added\n\n- A bell.',
    );
    expect(git('rev-parse', 'v0.2.0^{commit}')).toBe(git('rev-parse', 'HEAD'));
  });

  it('is refused when its tag is there, and with changes that are not committed', () => {
    const before = git('rev-parse', 'HEAD');
    git('tag', 'v0.2.0');
    expect(release('0.2.0', '--write')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('The tag v0.2.0 is there') as string,
    });
    put('a', '');
    expect(release('0.3.0', '--write')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('not committed') as string,
    });
    expect(git('rev-parse', 'HEAD')).toBe(before);
  });
});
