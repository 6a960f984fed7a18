/** `npm run simulate:defects` plants each defect at a spot of the source; the spots must be there. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defects } from './defects/list.ts';

const root = resolve(import.meta.dirname, '../..');
const edits = defects.flatMap(({ name, edits: all }) => all.map((edit) => ({ name, ...edit })));

describe('the deliberate defects', () => {
  it.each(edits)('have a spot in the source: $name, $file', ({ file, find }) => {
    expect(readFileSync(join(root, file), 'utf8').split(find)).toHaveLength(2);
  });
});
