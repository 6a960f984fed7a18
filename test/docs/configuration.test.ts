import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { docsFile, withSettings } from '../../scripts/configuration-docs.ts';
import { settings } from '../../src/contract/configuration.ts';

describe('docs/configuration.md', () => {
  const docs = readFileSync(docsFile, 'utf8');
  it('has every setting, as the schema has it (else run "npm run docs")', () => {
    expect(docs).toBe(withSettings(docs));
    for (const { key, flag, variable } of settings) {
      expect(docs).toContain(`| \`${key}\` | \`${flag} `);
      expect(docs).toContain(`\`${variable}\``);
    }
  });
});
