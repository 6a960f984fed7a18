/** Compares the imports of every file under src/ with the table of modules. */
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { parseSync, Visitor } from 'vite';
import type { Module } from './modules.ts';

export interface Violation {
  /** From the repository's root, with slashes. */
  file: string;
  line: number;
  /** As it is written in the file; null when the file itself is the trouble. */
  imported: string | null;
  rule: string;
}

/** Walks `src/` below `root` and reports each import that `modules` does not allow, and each file in no module. */
export function checkLayers(root: string, modules: Module[]): Violation[] {
  return filesBelow(root, 'src').flatMap((file) => {
    const module = moduleOf(file, modules);
    if (module === null) {
      return [
        {
          file,
          line: 1,
          imported: null,
          rule: 'the file is in no module; scripts/layers/modules.ts lists them',
        },
      ];
    }
    return checkFile(root, file, module, modules);
  });
}

/** One line for people: file, import, rule. */
export function describeViolation({ file, line, imported, rule }: Violation): string {
  return imported === null ? `${file}: ${rule}` : `${file}:${line}: imports "${imported}": ${rule}`;
}

function checkFile(root: string, file: string, module: Module, modules: Module[]): Violation[] {
  if (!/\.[cm]?[jt]sx?$/.test(file)) return [];
  const source = readFileSync(path.join(root, file), 'utf8');
  const parsed = parseSync(file, source);
  const [fault] = parsed.errors;
  if (fault !== undefined)
    return [{ file, line: 1, imported: null, rule: `cannot be read: ${fault.message}` }];
  return importsOf(parsed.program).flatMap(({ imported, at }) => {
    const rule =
      imported === null
        ? 'an import must name its target in plain text'
        : judge(file, imported, module, modules);
    const line = source.slice(0, at).split('\n').length;
    return rule === null ? [] : [{ file, line, imported: imported ?? '(computed)', rule }];
  });
}

/** The rule that forbids this import, or null when it is allowed. */
function judge(file: string, imported: string, module: Module, modules: Module[]): string | null {
  if (imported.startsWith('.')) return judgeOwn(file, imported, module, modules);
  if (imported.startsWith('node:')) {
    const name = imported.slice('node:'.length);
    return module.node.includes(name) ? null : `${module.path} may use of Node ${list(module.node)}`;
  }
  if (builtinModules.includes(imported)) return `Node's own modules are written with "node:" in front`;
  const [scope = '', name = ''] = imported.split('/');
  const wanted = imported.startsWith('@') ? `${scope}/${name}` : scope;
  return module.packages.includes(wanted)
    ? null
    : `${module.path} may use of packages ${list(module.packages)}`;
}

function judgeOwn(file: string, imported: string, module: Module, modules: Module[]): string | null {
  const target = path.posix.normalize(path.posix.join(path.posix.dirname(file), imported));
  // A module inside this one is another module.
  if (moduleOf(target, modules) === module && fits(module.path, file) === fits(module.path, target))
    return null;
  if (module.ours.some((allowed) => fits(allowed, target) !== null)) return null;
  return `${module.path} may import of ours ${list(module.ours)}`;
}

function moduleOf(file: string, modules: Module[]): Module | null {
  const fitting = modules.filter((module) => fits(module.path, file) !== null);
  return fitting.toSorted((one, other) => other.path.length - one.path.length)[0] ?? null;
}

/**
 * The part of `file` that `pattern` covers, or null. A pattern with a slash at its end is a folder, another is a file.
 * `*` is one folder name, so that one protocol's files are not another's own.
 */
function fits(pattern: string, file: string): string | null {
  const source = pattern.split('*').map(escapeExpression).join('[^/]+');
  return new RegExp(`^${source}${pattern.endsWith('/') ? '' : '$'}`).exec(file)?.[0] ?? null;
}

function escapeExpression(text: string): string {
  return text.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
}

interface Import {
  /** Null when it is not a plain string. */
  imported: string | null;
  at: number;
}

type Program = ReturnType<typeof parseSync>['program'];

/** Every way in which one file can name another: import, export from, import(), import types, require(). */
function importsOf(program: Program): Import[] {
  const imports: Import[] = [];
  const note = (source: { type: string; value?: unknown; start: number }) => {
    const imported = source.type === 'Literal' && typeof source.value === 'string' ? source.value : null;
    imports.push({ imported, at: source.start });
  };
  new Visitor({
    ImportDeclaration: (node) => note(node.source),
    ExportAllDeclaration: (node) => note(node.source),
    ExportNamedDeclaration(node) {
      if (node.source !== null) note(node.source);
    },
    ImportExpression: (node) => note(node.source),
    TSImportType: (node) => note(node.source),
    TSExternalModuleReference: (node) => note(node.expression),
    CallExpression(node) {
      const [argument] = node.arguments;
      const { callee } = node;
      if (callee.type === 'Identifier' && callee.name === 'require' && argument !== undefined) note(argument);
    },
  }).visit(program);
  return imports;
}

function filesBelow(root: string, folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .toSorted();
}

function list(names: string[]): string {
  return names.length === 0 ? 'nothing' : `only ${names.join(', ')}`;
}
