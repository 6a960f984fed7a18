/**
 * Tests that need more than Node and the packages. Where it is missing, they are one skipped test that says how many they
 * are, so that nobody has to count lines:
 *
 *     describeWith('git', 'a release', (test) => {
 *       test('is shown', () => { … });
 *     });
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test as vitestTest, type TestFunction, type TestOptions } from 'vitest';
import { hasTool, neededBy, sayMissing, type Tool } from './needs.ts';

type Rest = [TestFunction] | [TestOptions, TestFunction] | [TestFunction, number];
export type Define = (name: string, ...rest: Rest) => void;

export function describeWith(tool: Tool, title: string, define: (test: Define) => void): void {
  if (hasTool(tool)) return void describe(title, () => define(vitestTest as Define));
  let tests = 0;
  describe(title, () => {
    define(() => void (tests += 1));
    skip(tool, title, tests === 1 ? '1 test' : `${tests} tests`);
  });
}

/**
 * For what is left out of many files, each of which has other tests: one skipped test that says how much, where `tool` is
 * missing.
 */
export function skippedWithout(tool: Tool, title: string, what: string): void {
  if (!hasTool(tool)) describe(title, () => skip(tool, title, what));
}

function skip(tool: Tool, title: string, what: string): void {
  sayMissing(tool, `${title}: ${what}`);
  vitestTest.skip(neededBy(what, tool), () => {});
}

const tests = path.resolve(import.meta.dirname, '..');

/** In how many files of tests `text` stands. */
export function countTestFilesWith(text: RegExp): number {
  return readdirSync(tests, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .filter((name) => text.test(readFileSync(path.join(tests, name), 'utf8'))).length;
}
