/** Compares the imports of every file with the table of modules. */
import { builtinModules } from 'node:module';
import type { Module, Outside } from './modules.ts';
import { targetOf, type SourceTree } from './source-tree.ts';

export interface Violation {
  /** From the repository's root, with slashes. */
  file: string;
  line: number;
  /** What stands there, as a sentence; null when the file itself is the trouble. */
  what: string | null;
  rule: string;
}

export interface Layers {
  modules: Module[];
  outside: Outside[];
}

/** One line for people: file, import or name, rule. */
export function describeViolation({ file, line, what, rule }: Violation): string {
  return what === null ? `${file}: ${rule}` : `${file}:${line}: ${what}: ${rule}`;
}

/** Each import that the table does not allow, each file in no module, and each that cannot be read. */
export function forbiddenImports(tree: SourceTree, layers: Layers): Violation[] {
  return [...tree.values()].flatMap(({ file, imports, fault, lineOf }): Violation[] => {
    const home = homeOf(file, layers);
    if (home === null) return [{ file, line: 1, what: null, rule: 'the file is in no module' }];
    if (fault !== null) return [{ file, line: 1, what: null, rule: `cannot be read: ${fault}` }];
    return imports.flatMap(({ imported, at }) => {
      const judged = judge(file, imported, home, layers);
      if (judged.allowed) return [];
      const what = imported === null ? 'a computed import' : `imports "${imported}"`;
      return [{ file, line: lineOf(at), what, rule: judged.rule }];
    });
  });
}

/** Each allowance that no import needs, and each module without a file: a table that tells more than is so. */
export function staleAllowances(tree: SourceTree, layers: Layers): string[] {
  const needed = new Map<Module, Set<string>>(layers.modules.map((module) => [module, new Set()]));
  const inhabited = new Set<Module>();
  for (const { file, imports } of tree.values()) {
    const home = homeOf(file, layers);
    if (home === null || !isModule(home)) continue;
    inhabited.add(home);
    for (const { imported } of imports) {
      const judged = judge(file, imported, home, layers);
      if (judged.allowed && judged.by !== null) needed.get(home)?.add(judged.by);
    }
  }
  return layers.modules.flatMap((module) => {
    if (!inhabited.has(module)) return [`${module.path}: no file is in this module`];
    const allowances = [...module.ours, ...module.packages, ...module.node.map((name) => `node:${name}`)];
    return allowances
      .filter((allowance) => needed.get(module)?.has(allowance) !== true)
      .map((allowance) => `${module.path}: may import ${allowance}, and does not`);
  });
}

/** The module of a file of `src/`: of all that fit, the one with the longest path. */
export function moduleOf(file: string, modules: Module[]): Module | null {
  const fitting = modules.filter(({ path }) => fits(path, file) !== null);
  return fitting.toSorted((one, other) => other.path.length - one.path.length)[0] ?? null;
}

/**
 * The part of `file` that `pattern` covers, or null. A pattern with a slash at its end is a folder, another is a file.
 * `*` is one folder name, so that one protocol's files are not another's own.
 */
export function fits(pattern: string, file: string): string | null {
  const source = pattern.split('*').map(escapeExpression).join('([^/]+)');
  return new RegExp(`^${source}${pattern.endsWith('/') ? '' : '$'}`).exec(file)?.[0] ?? null;
}

type Judgement = { allowed: true; by: string | null } | { allowed: false; rule: string };
const allowed = (by: string | null): Judgement => ({ allowed: true, by });
const forbidden = (rule: string): Judgement => ({ allowed: false, rule });

function judge(file: string, imported: string | null, home: Module | Outside, layers: Layers): Judgement {
  if (imported === null) {
    return isModule(home) ? forbidden('an import must name its target in plain text') : allowed(null);
  }
  const target = targetOf(file, imported);
  if (target !== null)
    return isModule(home) ? judgeOurs(file, target, home, layers) : judgeOutside(target, home);
  if (builtinModules.includes(imported) && !imported.startsWith('node:')) {
    return forbidden(`Node's own modules are written with "node:" in front`);
  }
  if (imported.startsWith('node:')) {
    if (!isModule(home) || home.node.includes(imported.slice('node:'.length))) return allowed(imported);
    return forbidden(`${home.path} may use of Node ${list(home.node)}`);
  }
  const parts = imported.split('/').slice(0, imported.startsWith('@') ? 2 : 1);
  const wanted = parts.join('/');
  if (!isModule(home) || home.packages.includes(wanted)) return allowed(wanted);
  return forbidden(`${home.path} may use of packages ${list(home.packages)}`);
}

/** Own files always; of others, what the row names, and of that only the doors. */
function judgeOurs(file: string, target: string, home: Module, { modules }: Layers): Judgement {
  const other = moduleOf(target, modules);
  if (other === home && fits(home.path, file) === fits(home.path, target)) return allowed(null);
  const by = home.ours.find((path) => {
    // A module's path is that module alone, not those further in.
    const isModulePath = modules.some((module) => module.path === path);
    return (!isModulePath || other?.path === path) && fits(ofTheSame(home.path, file, path), target) !== null;
  });
  if (by === undefined) return forbidden(`${home.path} may import of ours ${list(home.ours)}`);
  if (other === null || other.open !== undefined || isDoor(target, other)) return allowed(by);
  return forbidden(`others enter ${other.path} by its index.ts`);
}

function judgeOutside(target: string, home: Outside): Judgement {
  const isReached = [home.path, ...home.ours].some((path) => fits(path, target) !== null);
  return isReached ? allowed(null) : forbidden(`${home.path} may import of ours ${list(home.ours)}`);
}

/** A module that is one file is its own door. */
function isDoor(target: string, module: Module): boolean {
  return fits(module.path, target) === target || target === `${fits(module.path, target)}index.ts`;
}

/** `path` with its `*` as in `file`, when both are patterns: the wire of the same protocol. */
function ofTheSame(pattern: string, file: string, path: string): string {
  const [before = '', after] = pattern.split('*');
  if (after === undefined || !path.startsWith(`${before}*`)) return path;
  const [name = ''] = file.slice(before.length).split('/');
  return path.replace('*', name);
}

function homeOf(file: string, { modules, outside }: Layers): Module | Outside | null {
  return moduleOf(file, modules) ?? outside.find(({ path }) => fits(path, file) !== null) ?? null;
}

function isModule(home: Module | Outside): home is Module {
  return 'packages' in home;
}

function escapeExpression(text: string): string {
  return text.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
}

function list(names: string[]): string {
  return names.length === 0 ? 'nothing' : `only ${names.join(', ')}`;
}
