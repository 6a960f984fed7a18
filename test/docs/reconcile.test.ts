/** The rules that docs/reconcile.md shows are right, and it has a word for everything that is said. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRules } from '../../src/reconcile/index.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/reconcile.md'), 'utf8');

describe('docs/reconcile.md', () => {
  it('shows rules that are taken', () => {
    const [, example = ''] = /```json\n([^`]*)```/.exec(page) ?? [];
    expect(readRules(JSON.parse(example))).toMatchObject({ ok: true });
  });

  it('explains every field of the rules', () => {
    const read = readRules({ timeZone: 'UTC', acquirers: [{}], unknown: 1 });
    // Each field that is missing or unknown is told by its place.
    const places = read.ok
      ? []
      : read.errors.map((error) => error.split(': ')[0]?.replace('acquirers[0].', '') ?? '');
    expect(places.length).toBeGreaterThan(5);
    for (const place of places.filter((name) => name !== 'the file')) expect(page).toContain(`\`${place}\``);
  });
});
