/** What is measured as it is installed, without the work of reading TypeScript. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { builtApp } from '../../test/support/built-app.ts';
import { repositoryFile } from './processes.ts';

export const sources = {
  bridge: repositoryFile('src/headless/tillbridge.ts'),
  bare: repositoryFile('bench/servers/bare-server.ts'),
};

/** Where the bare server's files find packages, and where nobody looks for results. */
const folder = repositoryFile('node_modules/.cache/tillbridge-bench');

/** `dist` as `npm run build` makes it of what the source says now: the programs and the page of the console. */
export function builtFolder(): string {
  return join(builtApp(), 'dist');
}

/** The bridge as the npm package has it: packages that are not in the bundle beside it, and its console. */
export function builtBridge(): string {
  return join(builtFolder(), 'tillbridge.js');
}

/** The bare server as JavaScript: with its packages beside it, as npm installs them, or with all of them in one file. */
export async function builtBareServer(packages: 'beside' | 'inside'): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const file = `bare-packages-${packages}.js`;
  await build({
    configFile: false,
    root: folder,
    logLevel: 'error',
    build: {
      ssr: sources.bare,
      target: 'node24',
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: { output: { entryFileNames: file } },
    },
    ssr: packages === 'inside' ? { noExternal: true } : {},
  });
  return join(folder, file);
}
