/** docs/security.md: each line names tests, and they are there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const repository = path.resolve(import.meta.dirname, '../..');
const docs = readFileSync(path.join(repository, 'docs/security.md'), 'utf8');

/** `| it tries | what stops it | shown by |`, with the tests in the last cell: `file`: title, `file`: title. */
const claims = docs
  .split('\n')
  .filter((line) => /^\| .*\| .*\| .*`test\//.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, attempt = '', , tests = '']) => ({ attempt, tests }));
const named = claims.flatMap(({ tests }) =>
  [...tests.matchAll(/`(test\/[^`]+)`: (.+?)(?=, `test\/|$)/g)].map(([, file = '', title = '']) => ({
    file,
    title,
  })),
);

describe('docs/security.md', () => {
  it('has a test in every line of its tables of attempts', () => {
    const tables = docs.split('\n').filter((line) => line.startsWith('| it '));
    expect(tables.length).toBeGreaterThan(5);
    const lines = docs.split('\n').filter((line) => line.startsWith('| ') && line.includes('`test/'));
    expect(lines).toHaveLength(claims.length);
    const attempts = docs
      .split(/^## /m)
      .filter((section) => section.includes('| shown by |'))
      .flatMap((section) => section.split('\n').filter((line) => /^\| (?!it |---)/.test(line)));
    expect(attempts).toHaveLength(claims.length);
  });

  it.each(named)('names a test that exists: $file, $title', ({ file, title }) => {
    const place = path.join(repository, file);
    expect(existsSync(place)).toBe(true);
    // The title of a test or a group, or the name of a row: what stands at the beginning of a string.
    const strings = readFileSync(place, 'utf8').split(/['"`]/);
    expect(strings.some((text) => text.startsWith(title))).toBe(true);
  });

  it('names every file of attacks', () => {
    const files = readdirSync(path.join(repository, 'test/security')).filter((file) =>
      file.endsWith('.test.ts'),
    );
    expect(files.filter((file) => !docs.includes(`test/security/${file}`))).toEqual([]);
  });
});
