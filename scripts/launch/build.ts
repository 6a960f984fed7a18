/** Builds the console's page and the desktop's programs. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { runChild } from './child.ts';

const maxShownLines = 20;

export type BuildEnd =
  { kind: 'built' } | { kind: 'failed'; words: string } | { kind: 'stopped'; by: NodeJS.Signals };

/** `vite build --app`, which reads `TILLBRIDGE_DIST` itself. Takes about two seconds. */
export async function build(repository: string): Promise<BuildEnd> {
  let vite: string;
  try {
    const facts = createRequire(import.meta.url).resolve('vite/package.json');
    vite = path.join(path.dirname(facts), 'bin/vite.js');
  } catch {
    return { kind: 'failed', words: 'Vite is not installed; "npm ci" brings it.' };
  }
  const args = [vite, 'build', '--app', '--logLevel', 'error'];
  const end = await runChild(process.execPath, args, { output: 'kept', folder: repository });
  if (end.stoppedBy !== null) return { kind: 'stopped', by: end.stoppedBy };
  if (end.code === 0) return { kind: 'built' };
  return { kind: 'failed', words: end.text.trim().split('\n').slice(0, maxShownLines).join('\n') };
}
