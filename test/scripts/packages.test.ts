/** What `npm run check:packages` finds. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkPackages } from '../../scripts/packages/check.ts';

const repository = path.resolve(import.meta.dirname, '../..');
const integrity = 'sha512-AAAA';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-packages-'));
  put('.npmrc', 'ignore-scripts=true\n');
  put('package.json', { dependencies: { a: '1.0.0' }, devDependencies: { b: '1.0.0' } });
  putLocked({ a: {}, b: {} });
  put('docs/dependencies.md', docs('| `a` | pays |', '| `b` | tests |'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(file: string, content: unknown): void {
  const place = path.join(folder, file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, typeof content === 'string' ? content : JSON.stringify(content));
}

/** A lockfile of these packages, each from the registry unless it says otherwise. */
function putLocked(packages: Record<string, object>): void {
  const entries = Object.entries(packages).map(([name, facts]) => [
    `node_modules/${name}`,
    { version: '1.0.0', integrity, ...facts },
  ]);
  put('package-lock.json', { packages: { '': {}, ...Object.fromEntries(entries) } });
}

function docs(atRunTime: string, toBuild: string): string {
  return `# Dependencies\n\n## At run time\n\n${atRunTime}\n\n## To build and to test\n\n${toBuild}\n`;
}

describe('the packages', () => {
  it('are what we say in this repository', () => {
    expect(checkPackages(repository)).toEqual([]);
  });

  it('have nothing wrong when all is told', () => {
    expect(checkPackages(folder)).toEqual([]);
  });

  it.each<[string, () => void, RegExp]>([
    [
      'an install script that the lockfile tells',
      () => putLocked({ a: { hasInstallScript: true }, b: {} }),
      /^a has an install script that nobody has looked at/,
    ],
    [
      'an install script further down',
      () => putLocked({ a: {}, b: {}, 'a/node_modules/@deep/one': { hasInstallScript: true } }),
      /^@deep\/one has an install script/,
    ],
    [
      'an install script that the lockfile hides',
      () => put('node_modules/b/package.json', { scripts: { postinstall: 'node steal.js' } }),
      /^b has an install script/,
    ],
    ['something to compile', () => putNative('b'), /^b has an install script/],
    [
      'an install script that may run',
      () => {
        put('package.json', {
          dependencies: { a: '1.0.0' },
          devDependencies: { b: '1.0.0' },
          allowScripts: { a: true },
        });
        putLocked({ a: { hasInstallScript: true }, b: {} });
      },
      /^package\.json: allowScripts lets a run/,
    ],
    [
      'a decision on a script that has gone',
      () =>
        put('package.json', {
          dependencies: { a: '1.0.0' },
          devDependencies: { b: '1.0.0' },
          allowScripts: { a: false },
        }),
      /^package\.json: allowScripts names a, which has no install script/,
    ],
    ['scripts that npm runs', () => put('.npmrc', 'ignore-scripts=false\n'), /^\.npmrc: /],
    ['no configuration of npm', () => rmSync(path.join(folder, '.npmrc')), /^\.npmrc: /],
    [
      'a package from another server',
      () => putLocked({ a: { resolved: 'https://packages.example/a.tgz' }, b: {} }),
      /^package-lock\.json: node_modules\/a comes from https:\/\/packages\.example\/a\.tgz/,
    ],
    [
      'a package from a repository',
      () => putLocked({ a: { resolved: 'git+ssh://git@forge.example/a.git#0123' }, b: {} }),
      /^package-lock\.json: node_modules\/a comes from git/,
    ],
    [
      'a package that is a link',
      () => putLocked({ a: { link: true }, b: {} }),
      /^package-lock\.json: node_modules\/a comes from a link/,
    ],
    [
      'no checksum',
      () => putLocked({ a: { integrity: undefined }, b: {} }),
      /^package-lock\.json: node_modules\/a has no SHA-512/,
    ],
    [
      'a weak checksum',
      () => putLocked({ a: { integrity: 'sha1-AAAA' }, b: {} }),
      /^package-lock\.json: node_modules\/a has no SHA-512/,
    ],
    [
      'a package that nobody describes',
      () => put('docs/dependencies.md', docs('', '| `b` | tests |')),
      /^docs\/dependencies\.md: "At run time" does not say what a is for/,
    ],
    [
      'a package with an empty description',
      () => put('docs/dependencies.md', docs('| `a` |  |', '| `b` | tests |')),
      /"At run time" does not say what a is for/,
    ],
    [
      'a description of a package that has gone',
      () => put('docs/dependencies.md', docs('| `a` | pays |\n| `c` | was there |', '| `b` | tests |')),
      /^docs\/dependencies\.md: c is not in dependencies of package\.json/,
    ],
  ])('are refused: %s', (_, spoil, finding) => {
    spoil();
    const findings = checkPackages(folder);
    expect(findings).toEqual([expect.stringMatching(finding)]);
  });

  it('are refused when one stands in the wrong table, which both tables tell', () => {
    put('docs/dependencies.md', docs('', '| `a` | pays |\n| `b` | tests |'));
    expect(checkPackages(folder)).toHaveLength(2);
  });
});

function putNative(name: string): void {
  put(`node_modules/${name}/package.json`, {});
  put(`node_modules/${name}/binding.gyp`, '');
}
