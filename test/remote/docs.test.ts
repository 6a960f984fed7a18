import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { assumptionRows } from '../../scripts/remote-assumptions.ts';
import { proofOf, remoteDocsFile, withRemoteTables } from '../../scripts/remote-docs.ts';
import { apiVersions, catalogue } from '../../src/remote/catalogue/index.ts';

const root = path.resolve(import.meta.dirname, '../..');
const docs = readFileSync(remoteDocsFile, 'utf8');

describe('docs/remote.md', () => {
  it('has every row of the catalogue as it is (else run "node scripts/remote-docs.ts")', () => {
    expect(docs).toBe(withRemoteTables(docs));
    for (const version of apiVersions) {
      for (const operation of catalogue.operations(version)) {
        expect(docs).toContain(`\`${proofOf(operation).test}\` |`);
        expect(existsSync(path.join(root, proofOf(operation).file))).toBe(true);
      }
    }
  });

  it.each(assumptionRows)('names a test that there is: $what', ({ proof }) => {
    expect(readFileSync(path.join(root, proof.file), 'utf8')).toContain(`'${proof.test}'`);
  });
});
