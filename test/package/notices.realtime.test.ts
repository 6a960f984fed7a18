/** The npm package: what is in it, and that the licence of everything built into it is, too. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createBuilder } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageFacts from '../../package.json' with { type: 'json' };
import { builtApp } from '../support/built-app.ts';
import { licencesIn, missingInNotice, ownersOfFiles, packagesOfMap } from './shipped.ts';

const repository = path.resolve(import.meta.dirname, '../..');

let folder: string;
let dist: string;
let notice: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-notices-'));
  dist = path.join(builtApp(), 'dist');
  notice = readFileSync(path.join(dist, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the notice in dist/', () => {
  it.each(['tillbridge.js', 'main.js', 'bridge.js', 'preload.cjs'])(
    'has the licence of everything in %s',
    (file) => {
      const parts = path.join(dist, path.parse(file).name);
      const others = existsSync(parts) ? readdirSync(parts).filter((name) => name.endsWith('.map')) : [];
      const maps = [path.join(dist, `${file}.map`), ...others.map((name) => path.join(parts, name))];
      const packages = maps.flatMap(packagesOfMap);
      expect(packages.length > 0).toBe(['tillbridge.js', 'main.js', 'bridge.js'].includes(file));
      expect(packages.flatMap((name) => missingInNotice(notice, name))).toEqual([]);
    },
  );

  it('has the licence of everything in the page', async () => {
    const outDir = path.join(folder, 'page');
    const builder = await createBuilder({
      configFile: path.join(repository, 'vite.config.ts'),
      logLevel: 'error',
      environments: { client: { build: { sourcemap: true, outDir } } },
    });
    await builder.build(builder.environments['client']!);
    const maps = readdirSync(path.join(outDir, 'assets')).filter((file) => file.endsWith('.js.map'));
    const packages = maps.flatMap((map) => packagesOfMap(path.join(outDir, 'assets', map)));
    expect(packages).toEqual(expect.arrayContaining(['node_modules/react-dom', 'node_modules/uplot']));
    expect(packages.flatMap((name) => missingInNotice(notice, name))).toEqual([]);
  });

  it('has the licence of each font', () => {
    const fonts = path.join(dist, 'renderer/assets');
    const owners = [...ownersOfFiles(fonts, ['node_modules/@fontsource-variable/inter'])].filter(([file]) =>
      /\.(woff2?|ttf|otf)$/.test(file),
    );
    expect(owners.length).toBeGreaterThan(0);
    expect(new Set(owners.map(([, owner]) => owner))).toEqual(
      new Set(['node_modules/@fontsource-variable/inter']),
    );
    expect(missingInNotice(notice, 'node_modules/@fontsource-variable/inter')).toEqual([]);
    expect(notice).toContain('SIL OPEN FONT LICENSE Version 1.1');
  });

  it('has the licence of the lines that the bundler writes', () => {
    expect(missingInNotice(notice, 'node_modules/rolldown')).toEqual([]);
  });

  it('names these licences, and no other without anybody seeing it', () => {
    expect(licencesIn(notice)).toEqual(
      new Set(['MIT', 'ISC', 'MIT-0', 'OFL-1.1', 'Apache-2.0', 'BSD-3-Clause', 'BlueOak-1.0.0']),
    );
  });
});

describe('the npm package', () => {
  it('has what was built with its notice, the documents, and nothing else', () => {
    const parts = packageFacts.files.filter((part) => part !== 'dist');
    const others = ['package.json', 'package-lock.json', '.npmrc', 'src', 'test'];
    const stage = path.join(folder, 'stage');
    for (const part of [...parts, ...others])
      cpSync(path.join(repository, part), path.join(stage, part), { recursive: true });
    cpSync(dist, path.join(stage, 'dist'), { recursive: true });
    const packed = execFileSync('npm', ['pack', '--dry-run', '--json'], {
      cwd: stage,
      encoding: 'utf8',
      shell: process.platform === 'win32',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    // One npm answers with a list, another with the packages by their names.
    const [facts] = Object.values(JSON.parse(packed) as Record<string, { files: { path: string }[] }>);
    const files = (facts?.files ?? []).map((file) => file.path);
    expect(files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'dist/THIRD-PARTY-NOTICES.txt',
        'dist/tillbridge.js',
        'bin/tillbridge.mjs',
      ]),
    );
    const top = new Set(files.map((file) => file.split('/')[0]));
    const named = packageFacts.files.map((file) => file.split('/')[0]);
    expect(top).toEqual(new Set([...named, 'package.json']));
    expect(files.filter((file) => /^build\/(?!linux\/)/.test(file))).toEqual([]);
  });
});
