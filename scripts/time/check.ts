/**
 * Finds what touches the machine's clock or chance where both are to be given: in the core, which a virtual clock has to
 * be able to run, and in tests that are not of the real-time group.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'vite';
import { machineChance, machineTime, type Names } from './names.ts';

export interface Finding {
  /** From the repository's root, with slashes. */
  file: string;
  line: number;
  what: string;
}

/** Where the machine's clock and chance are made, and where programs are put together that use them. */
const madeHere = ['src/base/clock.ts', 'src/base/chance.ts'];
/** The entry of the published library is one, too: its users have no clock of ours. */
const programs = ['src/main/', 'src/headless/', 'src/renderer/', 'src/preload/', 'src/remote/index.ts'];

const testFile = /\.test\.ts$/;
/** A test that needs the machine's own time says so by its name. */
const realTimeTest = /\.realtime\.test\.ts$/;

/** What in `src/` uses the machine's clock or chance and may not. */
export function machineUseInSource(root: string): Finding[] {
  return filesBelow(root, 'src')
    .filter((file) => !madeHere.includes(file) && !programs.some((folder) => file.startsWith(folder)))
    .flatMap((file) => findingsIn(root, file, [machineTime, machineChance]));
}

/** What uses the machine's clock in tests that are not of the real-time group, and in all that those import of `test/`. */
export function machineUseInTests(root: string): Finding[] {
  const tests = filesBelow(root, 'test').filter((file) => testFile.test(file) && !realTimeTest.test(file));
  const reached = new Set<string>();
  const waiting = [...tests];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    waiting.push(...helpersOf(root, file));
  }
  return [...reached].toSorted().flatMap((file) => findingsIn(root, file, [machineTime]));
}

/** One line for people. */
export function describeFinding({ file, line, what }: Finding): string {
  return `${file}:${line}: ${what}`;
}

function findingsIn(root: string, file: string, forbidden: Names[]): Finding[] {
  const source = readFileSync(path.join(root, file), 'utf8');
  return usesIn(file, source, forbidden).map(({ at, what }) => ({
    file,
    line: source.slice(0, at).split('\n').length,
    what,
  }));
}

interface Use {
  at: number;
  what: string;
}

function usesIn(file: string, source: string, forbidden: Names[]): Use[] {
  const { program } = parseSync(file, source);
  const uses: Use[] = [];
  /** Identifiers that name no variable: properties, keys, types. */
  const namesOnly = new Set<number>();
  const isForbidden = (kind: keyof Names, name: string) =>
    forbidden.some((names) => names[kind].includes(name));

  new Visitor({
    ImportDeclaration(node) {
      if (node.importKind === 'type') return;
      const from = node.source.value;
      for (const specifier of node.specifiers) {
        const isNamed = specifier.type === 'ImportSpecifier';
        if (isNamed && specifier.importKind === 'type') continue;
        const name = isNamed && specifier.imported.type === 'Identifier' ? specifier.imported.name : '*';
        if (isNamed) namesOnly.add(specifier.local.start).add(specifier.imported.start);
        // The next turn of the event loop is no time.
        const isForbiddenModule = isForbidden('modules', from) && name !== 'setImmediate';
        if (isForbiddenModule || isForbidden('imports', name)) {
          uses.push({ at: specifier.start, what: `imports ${name} from ${from}` });
        }
      }
    },
    ImportExpression(node) {
      const from = node.source.type === 'Literal' ? String(node.source.value) : '';
      if (isForbidden('modules', from)) uses.push({ at: node.start, what: `imports ${from}` });
    },
    MemberExpression(node) {
      if (node.computed) return;
      namesOnly.add(node.property.start);
      if (node.object.type !== 'Identifier' || node.property.type !== 'Identifier') return;
      const name = `${node.object.name}.${node.property.name}`;
      if (isForbidden('members', name)) uses.push({ at: node.start, what: name });
      const globals = ['globalThis', 'global', 'window'];
      if (globals.includes(node.object.name) && isForbidden('globals', node.property.name)) {
        uses.push({ at: node.start, what: name });
      }
    },
    NewExpression(node) {
      const isDate = node.callee.type === 'Identifier' && node.callee.name === 'Date';
      if (isDate && node.arguments.length === 0 && isForbidden('members', 'Date.now')) {
        uses.push({ at: node.start, what: 'new Date()' });
      }
    },
    Property(node) {
      if (!node.computed && !node.shorthand) namesOnly.add(node.key.start);
    },
    MethodDefinition: (node) => void namesOnly.add(node.key.start),
    PropertyDefinition: (node) => void namesOnly.add(node.key.start),
    TSPropertySignature: (node) => void namesOnly.add(node.key.start),
    TSMethodSignature: (node) => void namesOnly.add(node.key.start),
    TSTypeQuery: (node) => void namesOnly.add(node.exprName.start),
    Identifier(node) {
      if (isForbidden('globals', node.name) && !namesOnly.has(node.start)) {
        uses.push({ at: node.start, what: node.name });
      }
    },
  }).visit(program);
  return uses.toSorted((one, other) => one.at - other.at);
}

/** The files of `test/` whose code `file` runs. */
function helpersOf(root: string, file: string): string[] {
  const { program } = parseSync(file, readFileSync(path.join(root, file), 'utf8'));
  const imported: string[] = [];
  new Visitor({
    ImportDeclaration(node) {
      if (node.importKind !== 'type') imported.push(node.source.value);
    },
    ExportNamedDeclaration(node) {
      if (node.source !== null && node.exportKind !== 'type') imported.push(node.source.value);
    },
    ExportAllDeclaration(node) {
      if (node.exportKind !== 'type') imported.push(node.source.value);
    },
    ImportExpression(node) {
      if (node.source.type === 'Literal') imported.push(String(node.source.value));
    },
  }).visit(program);
  return imported
    .filter((name) => name.startsWith('.') && name.endsWith('.ts'))
    .map((name) => path.posix.join(path.posix.dirname(file), name))
    .filter((name) => name.startsWith('test/') && existsSync(path.join(root, name)));
}

function filesBelow(root: string, folder: string): string[] {
  if (!existsSync(path.join(root, folder))) return [];
  return readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .toSorted();
}
