/**
 * `npm run release -- 0.2.0`: shows what a release would be; with `--write` it is made, here and nowhere else: the
 * version in package.json and package-lock.json, the changelog's heading, one commit, and a tag that carries the notes.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { releasedChangelog, setVersion, versionProblem } from './release/texts.ts';

const args = process.argv.slice(2);
const isWriting = args.includes('--write');
const [version, ...others] = args.filter((argument) => argument !== '--write');

try {
  if (version === undefined || others.length > 0)
    throw new Error('usage: npm run release -- 0.2.0 [--write]');
  release(version);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

function release(version: string): void {
  const root = git('rev-parse', '--show-toplevel');
  const files = ['package.json', 'package-lock.json', 'CHANGELOG.md'] as const;
  const [facts, lock, changelog] = files.map((file) => readFileSync(path.join(root, file), 'utf8'));
  if (facts === undefined || lock === undefined || changelog === undefined) return;

  const { version: current } = JSON.parse(facts) as { version: string };
  const problem = versionProblem(current, version);
  if (problem !== null) throw new Error(problem);
  const tag = `v${version}`;
  if (git('tag', '--list', tag) !== '') throw new Error(`The tag ${tag} is there already.`);
  if (git('status', '--porcelain') !== '') throw new Error('There are changes that are not committed.');
  const today = new Date().toISOString().slice(0, 10);
  const released = releasedChangelog(changelog, version, today);

  console.log(`${current} -> ${version}, tag ${tag}, notes:\n\n${released.notes}\n`);
  if (!isWriting) {
    console.log('Nothing was changed. With --write it is done.');
    return;
  }
  const texts = [
    setVersion(facts, current, version, 1),
    setVersion(lock, current, version, 2),
    released.changelog,
  ];
  files.forEach((file, index) => writeFileSync(path.join(root, file), texts[index] ?? ''));
  git('commit', '--quiet', '--message', `Release ${version}`, '--', ...files);
  // "#" begins no comment in a tag's message: it is a heading in the notes.
  git(
    'tag',
    '--annotate',
    '--cleanup=whitespace',
    tag,
    '--message',
    `Tillbridge ${version}\n\n${released.notes}`,
  );
  console.log(
    `Done, on this computer. "git push --follow-tags" publishes it; "git tag -d ${tag} && git reset HEAD~" undoes it.`,
  );
}

function git(...command: string[]): string {
  return execFileSync('git', command, { encoding: 'utf8' }).trim();
}
