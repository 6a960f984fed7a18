/** The tour of docs/reconcile.md, word for word: a shop, its bank and its acquirer, and what is said of its money. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { atEnd, temporaryFolder } from '../../remote/sandbox/rig.ts';
import { builtApp } from '../../support/built-app.ts';
import { runTillbridge } from '../../support/programs.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const page = readFileSync(path.join(root, 'docs/reconcile.md'), 'utf8');

/** Starts what the page starts in a window of its own; gives the port. */
async function startWindow(command: string, folder: string): Promise<string> {
  expect(page).toContain(`\n\`\`\`sh\n${command}\n\`\`\`\n`);
  const [, ...words] = command
    .replace('--data-dir shop', `--data-dir ${path.join(folder, 'shop')}`)
    .split(' ');
  const ownFolder = words[0] === 'sandbox' ? ['--data-dir', path.join(folder, 'sandbox')] : [];
  const program = runTillbridge([...words, '--port', '0', ...ownFolder]);
  atEnd(async () => void (await program.end()));
  const [, port = ''] = await program.printed(/istening on http:\/\/127\.0\.0\.1:(\d+)/);
  if (words[0] === 'bridge') await program.printed(/The terminal is ready/);
  return port;
}

export async function tourOfReconcile(): Promise<void> {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'shop'), { recursive: true });
  const sandbox = await startWindow('tillbridge sandbox --seed', folder);
  const bridge = await startWindow(
    'tillbridge bridge --terminal simulator --protocol ecr-edc --data-dir shop',
    folder,
  );
  const blocks = [...page.matchAll(/```sh tour\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  const commandLine = path.join(builtApp(), 'dist/tillbridge.js');
  const script = [
    'set -eu -o pipefail',
    `tillbridge() { "${process.execPath}" --disable-warning=ExperimentalWarning "${commandLine}" "$@"; }`,
    ...blocks.map((block) => `${block.replaceAll(':8080', `:${bridge}`)}\necho "----"`),
  ].join('\n');
  const { stdout } = await promisify(execFile)('bash', ['-c', script], {
    cwd: folder,
    env: { ...process.env, TILLBRIDGE_REMOTE_URL: `http://127.0.0.1:${sandbox}/v1` },
  });
  const [, waiting, arrived, short, late] = stdout.split('----\n');
  expect(waiting).toMatch(/000001 +Acme +EUR +1272\.30 .*waiting/);
  expect(arrived).toMatch(/000001 +Acme +EUR +1272\.30 +1272\.30 .*arrived +by its number/);
  expect(arrived).not.toContain('Somebody should look');
  expect(short).toMatch(/000002 +Acme +EUR +396\.20 +356\.58 .*SHORT +by its number/);
  expect(short).toContain('Somebody should look at this.');
  const [missing, found] = (late ?? '').split(/^.*ACME SETTLEMENT BATCH 000003$/m);
  expect(missing).toMatch(/000003 +Acme +EUR +247\.62? .*LATE/);
  expect(found).toMatch(/000003 +Acme +EUR +247\.62? .*arrived +by its number, \d+ banking days late/);
}
