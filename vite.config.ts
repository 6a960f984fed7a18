import react from '@vitejs/plugin-react';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, type EnvironmentOptions } from 'vite';
import packageFacts from './package.json' with { type: 'json' };
import {
  bundledPackages,
  writeBuildNotice,
  writeLibraryNotice,
  writeWhatsNew,
  type Bundled,
} from './scripts/notices/index.ts';

const root = import.meta.dirname;
/** Below `dist`. */
const commandLineParts = 'tillbridge';
/** Tests build into a folder of their own. */
const dist = path.resolve(root, process.env['TILLBRIDGE_DIST'] ?? 'dist');
const { dependencies, optionalDependencies } = packageFacts;
const external = ['electron', ...Object.keys({ ...dependencies, ...optionalDependencies })];

/**
 * All packages go into the programs: most of a start would otherwise be finding and reading their
 * files. Outside stay what is native, and what is only there on some systems.
 */
const outsideOfPrograms = ['electron', 'serialport', ...Object.keys(optionalDependencies)];

/** Whether an id is one of Node's own modules, or of these packages, which npm installs beside it. */
const isOneOf = (packages: string[]) => (id: string) =>
  id.startsWith('node:') || packages.some((name) => id === name || id.startsWith(`${name}/`));

/** The library is a package of its own as well, for whoever wants nothing else; `tillbridge/remote` is the same files. */
const libraryFolder = path.join(dist, 'tillbridge-remote');
const libraryEntries = { anywhere: ['client', 'webhooks'], 'on Node': ['sandbox'] };
/** What the library's package depends on; whoever uses it may have these, too. */
const outsideOfLibrary = ['zod'] as const;

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
 * Entries of the library, as modules of one format; what they share is in parts of that format. What runs `anywhere` asks
 * for nothing of Node, also not for the means to require its modules.
 */
function library(format: 'es' | 'cjs', runs: 'anywhere' | 'on Node'): EnvironmentOptions {
  const ending = format === 'es' ? 'js' : 'cjs';
  return {
    consumer: 'server',
    build: {
      // The oldest one that its users have.
      target: 'node20',
      outDir: libraryFolder,
      emptyOutDir: false,
      copyPublicDir: false,
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        input: Object.fromEntries(
          libraryEntries[runs].map((name) => [name, path.join(root, `src/remote/library/${name}.ts`)]),
        ),
        platform: runs === 'anywhere' ? 'neutral' : 'node',
        external: isOneOf([...outsideOfLibrary]),
        output: {
          format,
          entryFileNames: `[name].${ending}`,
          chunkFileNames: `parts/[name]-[hash].${ending}`,
        },
      },
    },
    resolve: { noExternal: true, external: [...outsideOfLibrary] },
  };
}

/** The library's own `package.json`: what it has in common with the app's, and its entries for both kinds of modules. */
function writeLibraryPackage(builtIn: string[]): void {
  const { version, license, author, engines } = packageFacts;
  const entryOf = (name: string) => ({
    import: { types: `./types/remote/library/${name}.d.ts`, default: `./${name}.js` },
    require: { types: `./types-cjs/remote/library/${name}.d.ts`, default: `./${name}.cjs` },
  });
  const facts = {
    name: 'tillbridge-remote',
    version,
    description: 'Client, webhooks and sandbox of the remote treasury and compliance interface.',
    license,
    author,
    type: 'module',
    sideEffects: false,
    engines,
    // Without the source maps, which are three times as large.
    files: ['*.js', '*.cjs', 'parts/*.js', 'parts/*.cjs', 'types', 'types-cjs', '*.txt'],
    exports: Object.fromEntries(
      Object.values(libraryEntries)
        .flat()
        .map((name) => [name === 'client' ? '.' : `./${name}`, entryOf(name)]),
    ),
    dependencies: Object.fromEntries(outsideOfLibrary.map((name) => [name, dependencies[name]])),
  };
  writeFileSync(path.join(libraryFolder, 'package.json'), `${JSON.stringify(facts, null, 2)}\n`);
  writeLibraryNotice(libraryFolder, builtIn);
  copyFileSync(path.join(root, 'LICENSE'), path.join(libraryFolder, 'LICENSE'));
  copyFileSync(path.join(root, 'src/remote/library/README.md'), path.join(libraryFolder, 'README.md'));
  // The same types again, for whoever requires them: what a file is depends on the nearest package.json.
  mkdirSync(path.join(libraryFolder, 'types-cjs'), { recursive: true });
  writeFileSync(path.join(libraryFolder, 'types-cjs/package.json'), '{ "type": "commonjs" }\n');
}

/**
 * `vite build --app` makes everything that runs:
 *
 *     dist/tillbridge.js, dist/tillbridge/    the command line, with the headless bridge
 *     dist/tillbridge-remote/   the library, as a package; its types are written by `npm run build`
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
      for (const folder of [path.join(dist, commandLineParts), libraryFolder]) {
        rmSync(folder, { recursive: true, force: true });
      }
      const bundled: Bundled = {};
      for (const [part, environment] of Object.entries(builder.environments)) {
        bundled[part] = bundledPackages(await builder.build(environment), root);
      }
      writeLibraryPackage(bundled['sandbox'] ?? []);
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
    library: library('es', 'anywhere'),
    libraryCjs: library('cjs', 'anywhere'),
    sandbox: library('es', 'on Node'),
    sandboxCjs: library('cjs', 'on Node'),
    main: forNode('src/main/main.ts', 'main.js', 'es', outsideOfPrograms),
    bridge: forNode('src/bridge-process/bridge-process.ts', 'bridge.js', 'es', outsideOfPrograms),
    preload: forNode('src/preload/preload.ts', 'preload.cjs', 'cjs', external),
  },
});
