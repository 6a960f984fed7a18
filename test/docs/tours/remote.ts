/** The tour of docs/remote.md, word for word: a sandbox, and what is asked of it by hand and by the command line. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { remoteDocsFile } from '../../../scripts/remote-docs.ts';
import { atEnd, temporaryFolder } from '../../remote/sandbox/rig.ts';
import { runTillbridge } from '../../support/programs.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const docs = readFileSync(remoteDocsFile, 'utf8');

export async function tourOfRemote(): Promise<void> {
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
}
