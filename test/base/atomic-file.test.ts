/** A file is replaced whole or not at all, and is its owner's alone. */
import { chmodSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { replaceFile } from '../../src/base/atomic-file.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder('atomic-file');
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('makes the folder, writes the file, and replaces it', () => {
  const file = path.join(folder, 'deep', 'settings.json');
  replaceFile(file, 'first');
  expect(readFileSync(file, 'utf8')).toBe('first');
  replaceFile(file, 'second');
  expect(readFileSync(file, 'utf8')).toBe('second');
  expect(readdirSync(path.dirname(file))).toStrictEqual(['settings.json']);
});

it.skipIf(process.platform === 'win32')('is readable by its owner only, whatever the old one was', () => {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'secret');
  writeFileSync(file, 'old');
  chmodSync(file, 0o644);
  replaceFile(file, 'new');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('leaves the old content and nothing else where the file cannot be replaced', () => {
  const file = path.join(folder, 'taken');
  mkdirSync(path.join(file, 'a folder of that name'), { recursive: true });
  expect(() => replaceFile(file, 'new')).toThrow(/EISDIR|EPERM|EEXIST|ENOTEMPTY|EACCES/);
  expect(readdirSync(folder)).toStrictEqual(['taken']);
  expect(readdirSync(file)).toStrictEqual(['a folder of that name']);
});
