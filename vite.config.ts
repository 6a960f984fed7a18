import react from '@vitejs/plugin-react';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, type EnvironmentOptions } from 'vite';
import packageFacts from './package.json' with { type: 'json' };
import { bundledPackages, writeBuildNotice, writeWhatsNew, type Bundled } from './scripts/notices/index.ts';

const root = import.meta.dirname;
/** Below `dist`. */
const commandLineParts = 'tillbridge';
/** Tests build into a folder of their own. */
const dist = path.resolve(root, process.env['TILLBRIDGE_DIST'] ?? 'dist');
const { dependencies, optionalDependencies } = packageFacts;
const external = ['electron', ...Object.keys({ ...dependencies, ...optionalDependencies })];

/**
 * All packages go into the programs: most of a start would otherwise be finding and reading their
 * files. Outside stay what is native, and what is only there on some systems. The library leaves all of them outside,
 * because whoever uses it may have them, too.
 */
const outsideOfPrograms = ['electron', 'serialport', ...Object.keys(optionalDependencies)];

/** Whether an id is one of Node's own modules, or of these packages, which npm installs beside it. */
const isOneOf = (packages: string[]) => (id: string) =>
  id.startsWith('node:') || packages.some((name) => id === name || id.startsWith(`${name}/`));

/**
 * A program for Node: `input` bundled to `dist/<file>`; the packages of `outside` are not in it. With a `folder`, what is
 * loaded only when it is needed is in files of its own there.
 */
function forNode(
  input: string,
  file: string,
  format: 'es' | 'cjs',
  outside: string[],
  folder?: string,
): EnvironmentOptions {
  // With hashes: a bridge that still runs when another version is installed must not go on with parts of that.
  const parts =
    folder === undefined ? { codeSplitting: false } : { chunkFileNames: `${folder}/[name]-[hash].js` };
  return {
    consumer: 'server',
    build: {
      target: 'node24',
      outDir: dist,
      emptyOutDir: false,
      copyPublicDir: false,
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        input: path.join(root, input),
        external: isOneOf(outside),
        output: { format, entryFileNames: file, ...parts },
      },
    },
    resolve: { noExternal: true, external: outside },
  };
}

/**
 * `vite build --app` makes everything that runs:
 *
 *     dist/tillbridge.js, dist/tillbridge/    the command line, with the headless bridge
 *     dist/remote.js        the library `tillbridge/remote`; its types are in dist/types (npm run build)
 *     dist/main.js          Electron's main process
 *     dist/bridge.js        the process of the desktop app's bridge
 *     dist/preload.cjs      the door between window and main process
 *     dist/renderer/        the console, for the window and for the headless bridge's page; what is new and the
 *                           licences, as it shows them
 *     dist/THIRD-PARTY-NOTICES.txt, dist/bundled-packages.json   whose code and fonts are in these
 */
export default defineConfig({
  root: path.join(root, 'src/renderer'),
  base: './',
  publicDir: false,
  plugins: [react()],
  builder: {
    async buildApp(builder) {
      // Parts of an older build may have other names.
      rmSync(path.join(dist, commandLineParts), { recursive: true, force: true });
      const bundled: Bundled = {};
      for (const [part, environment] of Object.entries(builder.environments)) {
        bundled[part] = bundledPackages(await builder.build(environment), root);
      }
      writeBuildNotice(root, dist, bundled);
      writeWhatsNew(root, dist);
    },
  },
  environments: {
    client: {
      build: {
        target: 'chrome140',
        outDir: path.join(dist, 'renderer'),
        emptyOutDir: true,
        // The page's policy allows no data: addresses for scripts and fonts.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        chunkSizeWarningLimit: 2_000,
      },
    },
    headless: forNode(
      'src/headless/tillbridge.ts',
      'tillbridge.js',
      'es',
      outsideOfPrograms,
      commandLineParts,
    ),
    remote: forNode('src/remote/index.ts', 'remote.js', 'es', external),
    main: forNode('src/main/main.ts', 'main.js', 'es', outsideOfPrograms),
    bridge: forNode('src/bridge-process/bridge-process.ts', 'bridge.js', 'es', outsideOfPrograms),
    preload: forNode('src/preload/preload.ts', 'preload.cjs', 'cjs', external),
  },
});
