import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { assumptionRows } from '../../scripts/remote-assumptions.ts';
import { proofOf, remoteDocsFile, withRemoteTables } from '../../scripts/remote-docs.ts';
import { apiVersions, catalogue } from '../../src/remote/catalogue/index.ts';
import { needs } from '../support/needs.ts';
import { runTillbridge } from '../support/programs.ts';
import { atEnd, temporaryFolder } from './sandbox/rig.ts';

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

describe.skipIf(!needs('bash and curl'))('the tour', () => {
  it('can be followed word for word', async () => {
    const program = runTillbridge(['sandbox', '--port', '0', '--seed', '--data-dir', temporaryFolder()]);
    atEnd(async () => void (await program.end()));
    const [, port = ''] = await program.printed(/127\.0\.0\.1:(\d+)\/v1/);
    const blocks = [...docs.matchAll(/```sh tour\n([\s\S]*?)```/g)].map(([, block = '']) => block);
    expect(blocks.length).toBeGreaterThan(4);
    const commandLine = path.join(root, 'src/headless/tillbridge.ts');
    const script = [
      'set -eu -o pipefail',
      `tillbridge() { "${process.execPath}" --disable-warning=ExperimentalWarning "${commandLine}" "$@"; }`,
      ...blocks.map((block) => `${block.replaceAll(':8090', `:${port}`)}\necho; echo "----"`),
    ].join('\n');
    const { stdout } = await promisify(execFile)('bash', ['-c', script]);
    const [balances, , created, confirmed, refused, transaction] = stdout.split('----\n');
    expect(balances).toMatch(/"amount": ?"/);
    expect(created).toContain('"life_cycle":"pending-requirements"');
    expect(confirmed).toContain('"life_cycle":"completed"');
    expect(refused).toContain('"code":"if_match_missing"');
    expect(transaction).toMatch(/"remark": ?"Hello"/);
  });
});
