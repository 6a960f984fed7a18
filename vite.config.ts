import react from '@vitejs/plugin-react';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, normalizePath, type EnvironmentOptions, type Plugin } from 'vite';
import { withEscapes } from './scripts/one-byte-text.ts';
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
 * files. Outside stay what is native, what reads files beside its own, and what is only there on some systems.
 */
const outsideOfPrograms = [
  'electron',
  'serialport',
  '@electric-sql/pglite',
  'pg',
  ...Object.keys(optionalDependencies),
];

/** Whether an id is one of Node's own modules, or of these packages, which npm installs beside it. */
const isOneOf = (packages: string[]) => (id: string) =>
  id.startsWith('node:') || packages.some((name) => id === name || id.startsWith(`${name}/`));

/** Names of environments below. */
const programs = ['headless', 'depositSearch', 'main', 'bridge'];

/** The map of the source stays right, but for the columns behind a character that was escaped. */
const oneByteText: Plugin = {
  name: 'one-byte-text',
  applyToEnvironment: ({ name }) => programs.includes(name),
  // Not before: what follows the other hooks writes characters as they are.
  generateBundle(_options, bundle) {
    for (const part of Object.values(bundle)) if (part.type === 'chunk') part.code = withEscapes(part.code);
  },
};

/** A library is a package of its own as well, for whoever wants nothing else; the app's package exports the same files. */
interface Library {
  /** Of the package, and of its folder below `dist`. */
  name: string;
  description: string;
  /** Of its sources, with its README.md and the files that are its entries. */
  folder: string;
  /** The first one is the package's own. What runs anywhere asks for nothing of Node. */
  entries: { anywhere: string[]; 'on Node': string[] };
  /** What its package depends on; whoever uses it may have these, too. */
  outside: (keyof typeof dependencies)[];
}

const remoteLibrary: Library = {
  name: 'tillbridge-remote',
  description: 'Client, webhooks and sandbox of the remote treasury and compliance interface.',
  folder: 'src/remote/library',
  entries: { anywhere: ['client', 'webhooks'], 'on Node': ['sandbox'] },
  outside: ['zod'],
};
const posLibrary: Library = {
  name: 'tillbridge-pos',
  description: 'The client of a till: asks the bridge until it knows what became of a payment.',
  folder: 'src/pos',
  entries: { anywhere: ['index'], 'on Node': [] },
  outside: [],
};
const folderOf = ({ name }: Library) => path.join(dist, name);

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
  const parts =
    folder === undefined
      ? { codeSplitting: false }
      : {
          // With hashes: a bridge that still runs when another version is installed must not go on with parts of that.
          chunkFileNames: `${folder}/[name]-[hash].js`,
          codeSplitting: startInOneFile(input),
        };
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

/** What `entry` loads at each start, whatever the command is; the last one for a bridge, which nearly all starts are. */
const loadedAtStart = ['program', 'cli-context', 'run-bridge'].map((name) => `src/headless/${name}.ts`);

/**
 * All that each start loads is in one file: finding, opening and linking some sixty of them would take a tenth of a
 * start. What `entry` itself imports stays out: it turns the compile cache on, and the rest is to come from there.
 */
function startInOneFile(entry: string) {
  let ids: Set<string> | null = null;
  const idsOf = (modules: Modules) => {
    const before = withImports([entry], modules);
    if (before.size < 2) throw new Error(`The modules of ${entry} have other names than expected.`);
    return new Set([...withImports(loadedAtStart, modules)].filter((id) => !before.has(id)));
  };
  return {
    // Otherwise the file would take what the entry imports.
    includeDependenciesRecursively: false,
    groups: [
      {
        debugName: 'start',
        name: (id: string, modules: Modules) => ((ids ??= idsOf(modules)).has(id) ? 'start' : null),
      },
    ],
  };
}

interface Modules {
  getModuleInfo(id: string): { importedIds: string[] } | null;
}

/** These files and all that they import, but for what is loaded only when it is needed. */
function withImports(files: string[], modules: Modules): Set<string> {
  const found = new Set(files.map((file) => normalizePath(path.join(root, file))));
  for (const id of found)
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

/**
 * Entries of a library, as modules of one format; what they share is in parts of that format. What runs `anywhere` asks
 * for nothing of Node, also not for the means to require its modules.
 */
function entriesOf(library: Library, format: 'es' | 'cjs', runs: 'anywhere' | 'on Node'): EnvironmentOptions {
  const ending = format === 'es' ? 'js' : 'cjs';
  return {
    consumer: 'server',
    build: {
      // The oldest one that its users have.
      target: 'node20',
      outDir: folderOf(library),
      emptyOutDir: false,
      copyPublicDir: false,
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        input: Object.fromEntries(
          library.entries[runs].map((name) => [name, path.join(root, library.folder, `${name}.ts`)]),
        ),
        platform: runs === 'anywhere' ? 'neutral' : 'node',
        external: isOneOf(library.outside),
        output: {
          format,
          entryFileNames: `[name].${ending}`,
          chunkFileNames: `parts/[name]-[hash].${ending}`,
        },
      },
    },
    resolve: { noExternal: true, external: library.outside },
  };
}

/** A library's own `package.json`: what it has in common with the app's, and its entries for both kinds of modules. */
function writeLibraryPackage(library: Library, builtIn: string[]): void {
  const { version, license, author, engines } = packageFacts;
  const { name, description, entries, outside } = library;
  const sources = path.relative('src', library.folder);
  const entryOf = (entry: string) => ({
    import: { types: `./types/${sources}/${entry}.d.ts`, default: `./${entry}.js` },
    require: { types: `./types-cjs/${sources}/${entry}.d.ts`, default: `./${entry}.cjs` },
  });
  const facts = {
    name,
    version,
    description,
    license,
    author,
    type: 'module',
    sideEffects: false,
    engines,
    // Without the source maps, which are three times as large.
    files: ['*.js', '*.cjs', 'parts/*.js', 'parts/*.cjs', 'types', 'types-cjs', '*.txt'],
    exports: Object.fromEntries(
      Object.values(entries)
        .flat()
        .map((entry, place) => [place === 0 ? '.' : `./${entry}`, entryOf(entry)]),
    ),
    dependencies: Object.fromEntries(outside.map((one) => [one, dependencies[one]])),
  };
  const folder = folderOf(library);
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(facts, null, 2)}\n`);
  writeLibraryNotice(folder, name, builtIn);
  copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  copyFileSync(path.join(root, library.folder, 'README.md'), path.join(folder, 'README.md'));
  // The same types again, for whoever requires them: what a file is depends on the nearest package.json.
  mkdirSync(path.join(folder, 'types-cjs'), { recursive: true });
  writeFileSync(path.join(folder, 'types-cjs/package.json'), '{ "type": "commonjs" }\n');
}

/**
 * `vite build --app` makes everything that runs:
 *
 *     dist/tillbridge.js, dist/tillbridge/    the command line, with the headless bridge and the head office
 *     dist/tillbridge/deposit-search.js       the thread on which the head office looks for money
 *     dist/tillbridge-remote/, dist/tillbridge-pos/   the libraries, as packages; `npm run build` writes their types
 *     dist/main.js          Electron's main process
 *     dist/bridge.js        the process of the desktop app's bridge
 *     dist/preload.cjs      the door between window and main process
 *     dist/renderer/        the console, for the window and for the headless bridge's page; what is new and the
 *                           licences, as it shows them; and the page of the head office
 *     dist/THIRD-PARTY-NOTICES.txt, dist/bundled-packages.json   whose code and fonts are in these
 */
export default defineConfig({
  root: path.join(root, 'src/renderer'),
  base: './',
  publicDir: false,
  plugins: [react(), oneByteText],
  builder: {
    async buildApp(builder) {
      // Parts of an older build may have other names.
      for (const folder of [
        path.join(dist, commandLineParts),
        folderOf(remoteLibrary),
        folderOf(posLibrary),
      ]) {
        rmSync(folder, { recursive: true, force: true });
      }
      const bundled: Bundled = {};
      for (const [part, environment] of Object.entries(builder.environments)) {
        bundled[part] = bundledPackages(await builder.build(environment), root);
      }
      writeLibraryPackage(remoteLibrary, bundled['sandbox'] ?? []);
      writeLibraryPackage(posLibrary, bundled['pos'] ?? []);
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
        rolldownOptions: {
          input: ['index.html', 'office.html'].map((page) => path.join(root, 'src/renderer', page)),
        },
      },
    },
    headless: forNode(
      'src/headless/tillbridge.ts',
      'tillbridge.js',
      'es',
      outsideOfPrograms,
      commandLineParts,
    ),
    // In one piece: what it shares with the program is not to be found in a file that runs the program.
    depositSearch: forNode(
      'src/office/deposits/search-thread.ts',
      `${commandLineParts}/deposit-search.js`,
      'es',
      outsideOfPrograms,
    ),
    library: entriesOf(remoteLibrary, 'es', 'anywhere'),
    libraryCjs: entriesOf(remoteLibrary, 'cjs', 'anywhere'),
    sandbox: entriesOf(remoteLibrary, 'es', 'on Node'),
    sandboxCjs: entriesOf(remoteLibrary, 'cjs', 'on Node'),
    pos: entriesOf(posLibrary, 'es', 'anywhere'),
    posCjs: entriesOf(posLibrary, 'cjs', 'anywhere'),
    main: forNode('src/main/main.ts', 'main.js', 'es', outsideOfPrograms),
    bridge: forNode('src/bridge-process/bridge-process.ts', 'bridge.js', 'es', outsideOfPrograms),
    preload: forNode('src/preload/preload.ts', 'preload.cjs', 'cjs', external),
  },
});
