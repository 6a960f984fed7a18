/** The third-party notices: what may be shipped, and what the text says of it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundledPackages } from '../../scripts/notices/bundled.ts';
import { isAllowed } from '../../scripts/notices/licences.ts';
import { noticeText } from '../../scripts/notices/notice.ts';
import { readFacts } from '../../scripts/notices/package-facts.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-notices-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('a licence', () => {
  it.each([
    'MIT',
    'OFL-1.1',
    '(MIT OR GPL-2.0-only)',
    'GPL-2.0-only OR MIT',
    'MIT AND ISC',
    '(MIT AND BSD-3-Clause)',
  ])('%s may be shipped', (expression) => expect(isAllowed(expression)).toBe(true));

  it.each([
    'GPL-3.0-only',
    'LGPL-2.1-or-later',
    'MPL-2.0',
    'CC-BY-4.0',
    'MIT AND GPL-2.0-only',
    '(MIT AND (ISC OR GPL-2.0-only))',
    '(GPL-2.0-only OR (MIT AND LGPL-2.1-only))',
    'SEE LICENSE IN LICENSE.md',
    'UNLICENSED',
    'mit',
    '',
  ])('%s may not', (expression) => expect(isAllowed(expression)).toBe(false));
});

/** An installed package; `null` leaves its field or file out. */
function install(name: string, license: string | null, files: Record<string, string>): string {
  const folder = path.join(root, 'node_modules', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ name, version: '1.2.3', ...(license === null ? {} : { license }) }),
  );
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
  return folder;
}

describe('a package', () => {
  it('brings its licence, and the notice beside it', () => {
    const folder = install('a', 'Apache-2.0', {
      NOTICE: 'made by A\r\n',
      'LICENSE-APACHE.txt': '\uFEFFthe terms  \n\n',
      'README.md': 'no',
      'licenses.js': 'no',
    });
    expect(readFacts(folder).text).toBe('the terms\n\nmade by A');
  });

  it.each<[string, string | null, Record<string, string>, RegExp]>([
    ['under another licence', 'GPL-3.0-only', { LICENSE: 'x' }, /^a 1\.2\.3 is under GPL-3\.0-only, which/],
    ['that names no licence', null, { LICENSE: 'x' }, /^a 1\.2\.3 is under no licence that it names/],
    ['without the text', 'MIT', { 'README.md': 'MIT' }, /^a 1\.2\.3 is under MIT and brings no licence text/],
    ['with an empty text', 'MIT', { LICENSE: ' \n' }, /^a 1\.2\.3 is under MIT and brings no licence text/],
  ])('stops the build: one %s', (_, license, files, message) => {
    const folder = install('a', license, files);
    expect(() => readFacts(folder)).toThrow(message);
  });
});

describe('what is built', () => {
  const build = (moduleIds: string[], originalFileNames: string[] = []) =>
    bundledPackages(
      {
        output: [
          { type: 'chunk', moduleIds },
          { type: 'asset', originalFileNames },
        ],
      } as unknown as Parameters<typeof bundledPackages>[0],
      root,
    ).map((folder) => path.relative(root, folder).replaceAll('\\', '/'));

  it('names the packages of its modules, styles, fonts and of the bundler', () => {
    const modules = path.join(root, 'node_modules');
    expect(
      build(
        [
          '\0rolldown/runtime.js',
          path.join(root, 'src/main/main.ts'),
          path.join(modules, 'react/index.js'),
          path.join(modules, 'react/cjs/react.js'),
          path.join(modules, '@scope/style/index.css?inline'),
          path.join(modules, 'react-dom/node_modules/scheduler/index.js'),
        ],
        [
          '../../node_modules/@font/inter/files/a.woff2',
          'index.html',
          path.join(root, 'src/renderer/icon.svg'),
        ],
      ).sort(),
    ).toEqual([
      'node_modules/@font/inter',
      'node_modules/@scope/style',
      'node_modules/react',
      'node_modules/react-dom/node_modules/scheduler',
      'node_modules/rolldown',
    ]);
  });

  it.each(['\0somebody/helper.js', '/elsewhere/code.js'])('may not have %j of unknown origin', (id) => {
    expect(() => build([id])).toThrow(/is of no package: whose is it\?$/);
  });
});

describe('the notice', () => {
  const facts = (name: string, text: string) => ({
    name,
    version: '1.0.0',
    license: 'MIT',
    homepage: null,
    text,
  });
  const [a, b, c] = [facts('a', 'Copyright A'), facts('b', 'Copyright B'), facts('c', 'Copyright A')];

  it('is the same in whatever order, says each once, and a shared text once', () => {
    const text = noticeText('Title.', [a, b, c]);
    expect(noticeText('Title.', [c, b, a, b])).toBe(text);
    const rule = '='.repeat(80);
    expect(text).toBe(
      `Title.\n\n${rule}\na 1.0.0, MIT\nc 1.0.0, MIT\n\nCopyright A\n\n${rule}\nb 1.0.0, MIT\n\nCopyright B\n`,
    );
  });
});
