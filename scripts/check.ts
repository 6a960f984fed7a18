/**
 * `npm run check`: every script of package.json whose name begins with `check:`, side by side. What one says is shown
 * when it has ended, with its seconds. Fails when one fails.
 *
 *     npm run check            all
 *     npm run check:lint       one
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import packageFacts from '../package.json' with { type: 'json' };

const root = path.resolve(import.meta.dirname, '..');
// npm finds the programs of the packages; so does this, when it is started without npm.
const PATH = [path.join(root, 'node_modules/.bin'), process.env['PATH']].join(path.delimiter);
const parts = Object.entries(packageFacts.scripts).filter(([name]) => name.startsWith('check:'));

const failed = await Promise.all(parts.map(([name, command]) => run(name.replace('check:', ''), command)));
if (failed.some(Boolean)) process.exitCode = 1;

/** Whether it failed. */
async function run(name: string, command: string): Promise<boolean> {
  const start = performance.now();
  const child = spawn(command, { cwd: root, shell: true, env: { ...process.env, PATH } });
  const said: Buffer[] = [];
  child.stdout.on('data', (bytes: Buffer) => said.push(bytes));
  child.stderr.on('data', (bytes: Buffer) => said.push(bytes));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(16)}${seconds.padStart(5)} s`);
  if (code !== 0) process.stdout.write(Buffer.concat(said));
  return code !== 0;
}
