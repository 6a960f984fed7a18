/** The paths that the pages for contributors name are there. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const repository = path.resolve(import.meta.dirname, '../..');
/** A path from the repository's root in backquotes; `<protocol>` stands for any. */
const named = /`((?:src|test|scripts|bench|bin|docs|build|\.github)\/[\w./<>*-]*)`/g;

describe('a page for contributors', () => {
  it.each(['docs/architecture.md', 'CONTRIBUTING.md'])('names only paths that there are: %s', (page) => {
    const text = readFileSync(path.join(repository, page), 'utf8');
    const paths = [...text.matchAll(named)].map(([, found = '']) => found.replaceAll(/<\w+>/g, '*'));
    expect(paths.length).toBeGreaterThan(10);
    const missing = paths.filter((found) => globSync(found, { cwd: repository }).length === 0);
    expect(missing).toEqual([]);
  });

  it.each(['docs/architecture.md', 'CONTRIBUTING.md'])('links only to files that there are: %s', (page) => {
    const text = readFileSync(path.join(repository, page), 'utf8');
    const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, link = '']) => link);
    const folder = path.dirname(path.join(repository, page));
    expect(links.filter((link) => !existsSync(path.join(folder, link)))).toEqual([]);
  });
});
