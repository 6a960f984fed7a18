/** docs/examine.md names every scene and every finding. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findingKinds, sceneNames } from '../../src/examine/index.ts';

const docs = readFileSync(path.join(import.meta.dirname, '../../docs/examine.md'), 'utf8');

/** The first cells of a table of names. */
function namesUnder(head: string): string[] {
  const rows = docs.slice(docs.indexOf(`| ${head} |`)).split('\n\n', 1)[0] ?? '';
  return [...rows.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name = '']) => name);
}

describe('docs/examine.md', () => {
  it.each([
    ['scene', sceneNames],
    ['finding', findingKinds],
  ])('has each %s, in its order', (head, names) => {
    expect(namesUnder(head)).toEqual(names);
  });
});
