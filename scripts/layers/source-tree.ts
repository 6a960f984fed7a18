/** Reads every file of the repository's own code once, for all checks that look at imports and globals. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { importsOf, type Import } from './imports.ts';
import { usesOf, type Use } from './uses.ts';

export interface SourceFile {
  /** From the repository's root, with slashes. */
  file: string;
  imports: Import[];
  uses: Use[];
  /** Why the file cannot be read, or null. */
  fault: string | null;
  /** The line of an offset, from 1. */
  lineOf: (at: number) => number;
}

/** Each file by its path from the repository's root, in the order of these. */
export type SourceTree = Map<string, SourceFile>;

const folders = ['src', 'test', 'bench', 'scripts', 'bin'];
const isCode = /\.[cm]?[jt]sx?$/;

/** Reads the code below `root`; files that are no code (texts, styles) are in the tree with no imports and no uses. */
export function readSourceTree(root: string): SourceTree {
  const files = folders.flatMap((folder) => filesBelow(root, folder)).toSorted();
  return new Map(files.map((file) => [file, readSourceFile(root, file)]));
}

/** The file that a relative import names, from the root; null for a package, a module of Node, or a computed name. */
export function targetOf(file: string, imported: string | null): string | null {
  if (imported === null || !imported.startsWith('.')) return null;
  return path.posix.join(path.posix.dirname(file), imported.replace(/[?#].*$/, ''));
}

function readSourceFile(root: string, file: string): SourceFile {
  const nothing = { file, imports: [], uses: [], fault: null, lineOf: () => 1 };
  if (!isCode.test(file)) return nothing;
  const source = readFileSync(path.join(root, file), 'utf8');
  const { program, comments, errors } = parseSync(file, source);
  const [error] = errors;
  if (error !== undefined) return { ...nothing, fault: error.message };
  const imports = importsOf(program, comments);
  return {
    file,
    imports,
    uses: usesOf(program, imports),
    fault: null,
    lineOf: (at) => source.slice(0, at).split('\n').length,
  };
}

function filesBelow(root: string, folder: string): string[] {
  if (!existsSync(path.join(root, folder))) return [];
  return readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
}
