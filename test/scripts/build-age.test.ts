/** When the console is built anew. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isBuildOld } from '../../scripts/launch/build-age.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-build-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(file: string, changedAtS: number): void {
  const place = path.join(folder, file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, '');
  utimesSync(place, changedAtS, changedAtS);
  for (let parent = path.dirname(place); parent !== folder; parent = path.dirname(parent)) {
    utimesSync(parent, 1_000, 1_000);
  }
}

describe('the build', () => {
  it('is old when a source is newer than one of its results, or a result is missing', () => {
    const dist = path.join(folder, 'dist');
    const isOld = () => isBuildOld(folder, dist);
    put('package.json', 1_000);
    put('src/renderer/pages/till.tsx', 2_000);
    expect(isOld()).toBe(true);
    for (const file of ['renderer/index.html', 'main.js', 'bridge.js', 'preload.cjs'])
      put(`dist/${file}`, 3_000);
    expect(isOld()).toBe(false);
    put('README.md', 5_000);
    put('src/headless/cli-context.ts', 5_000);
    expect(isOld()).toBe(false);
    put('src/renderer/pages/till.tsx', 4_000);
    expect(isOld()).toBe(true);
    put('dist/renderer/index.html', 4_500);
    expect(isOld()).toBe(true);
    for (const file of ['main.js', 'bridge.js', 'preload.cjs']) put(`dist/${file}`, 4_500);
    expect(isOld()).toBe(false);
    utimesSync(path.join(folder, 'src/renderer'), 5_000, 5_000);
    expect(isOld()).toBe(true);
  });

  it('is old when only a part of it is there', () => {
    put('package.json', 1_000);
    for (const file of ['renderer/index.html', 'main.js', 'preload.cjs']) put(`dist/${file}`, 3_000);
    expect(isBuildOld(folder, path.join(folder, 'dist'))).toBe(true);
  });
});
