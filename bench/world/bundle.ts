/** Programs bundled as `npm run build` does it: what is installed, without the work of reading TypeScript. */
import { join } from 'node:path';
import { build } from 'vite';
import { repositoryFile } from './processes.ts';

export const sources = {
  bridge: repositoryFile('src/headless/tillbridge.ts'),
  bare: repositoryFile('bench/servers/bare-server.ts'),
};

/** Where it finds the packages, and where nobody looks for results. */
const folder = repositoryFile('node_modules/.cache/tillbridge-bench');

/** Bundles what the source says now; gives the file. */
export async function bundle(name: keyof typeof sources): Promise<string> {
  await build({
    configFile: repositoryFile('vite.config.ts'),
    logLevel: 'error',
    build: {
      ssr: sources[name],
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: `${name}.js` } },
    },
  });
  return join(folder, `${name}.js`);
}
