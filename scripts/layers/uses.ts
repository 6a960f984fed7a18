/** What a file takes from around it: globals, members of them, and the names that it imports. */
import { Visitor, type parseSync } from 'vite';
import type { Import } from './imports.ts';
import type { Names } from './names.ts';
import { ownNamesOf } from './scopes.ts';

export interface Use {
  at: number;
  /** `value`: a global that is handed on, so that it is used under another name; `property`: of whatever object. */
  kind: 'global' | 'value' | 'member' | 'property' | 'import' | 'program';
  /** A name, or `object.property`. */
  name: string;
  /** Of an import, the module that it comes from. */
  from?: string;
}

type Program = ReturnType<typeof parseSync>['program'];
/** Of the parser's many kinds of nodes, what is looked at here. */
interface Node {
  type: string;
  start: number;
  end: number;
  name?: unknown;
  value?: unknown;
  object?: unknown;
  property?: unknown;
  computed?: unknown;
  expression?: unknown;
}

const globalObjects = ['globalThis', 'global', 'window', 'self'];
/** An expression within one of these is that expression. */
const wrappers = [
  'ParenthesizedExpression',
  'ChainExpression',
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
];

/**
 * Every use in one file. A name that the file gives to something of its own is not taken for the global, where that name
 * is known. Members of what is imported are uses, too (`crypto.randomUUID`), by the name of Node's module.
 */
export function usesOf(program: Program, imports: Import[]): Use[] {
  const uses: Use[] = [];
  const isOwn = ownNamesOf(program);
  /** Identifiers that name no variable: properties, keys, types. */
  const namesOnly = new Set<number>();
  /** Where globals end that are not handed on: a member of them is taken, or something is made or compared with them. */
  const notHandedOn = new Set<number>();
  const values: { end: number; use: Use }[] = [];
  const importedNames = new Set<string>();
  /** Where modules are named of which names are imported one by one. */
  const namedOneByOne = new Set<number>();
  const nameOnly = (node: { computed: boolean; key: Node }) => {
    if (!node.computed) namesOnly.add(node.key.start);
  };
  const notAsValue = (node: Node) => void notHandedOn.add(unwrapped(node).end);

  new Visitor({
    ImportDeclaration(node) {
      const isType = node.importKind === 'type';
      namedOneByOne.add(node.source.start);
      for (const specifier of node.specifiers) {
        importedNames.add(specifier.local.name);
        const isNamed = specifier.type === 'ImportSpecifier';
        if (isNamed) namesOnly.add(specifier.imported.start);
        if (isType || (isNamed && specifier.importKind === 'type')) continue;
        const name = isNamed ? (nameOf(specifier.imported, false) ?? '*') : '*';
        uses.push({ at: specifier.start, kind: 'import', name, from: node.source.value });
      }
    },
    ExportNamedDeclaration(node) {
      if (node.source === null) return;
      namedOneByOne.add(node.source.start);
      for (const specifier of node.specifiers) {
        namesOnly.add(specifier.local.start).add(specifier.exported.start);
        if (node.exportKind === 'type' || specifier.exportKind === 'type') continue;
        const name = nameOf(specifier.local, false) ?? '*';
        uses.push({ at: specifier.start, kind: 'import', name, from: node.source.value });
      }
    },
    VariableDeclarator(node) {
      const object = node.init === null ? null : outerName(node.init);
      if (node.id.type !== 'ObjectPattern' || node.init === null || object === null) return;
      // const { setTimeout } = globalThis; const { now } = Date;
      notAsValue(node.init);
      for (const property of node.id.properties) {
        if (property.type !== 'Property') continue;
        const name = nameOf(property.key, property.computed);
        if (name !== null) member(property, object, name);
      }
    },
    ObjectPattern(node) {
      for (const property of node.properties) {
        if (property.type !== 'Property') continue;
        const name = nameOf(property.key, property.computed);
        if (name !== null) uses.push({ at: property.start, kind: 'property', name });
      }
    },
    MemberExpression(node) {
      if (!node.computed) namesOnly.add(node.property.start);
      const property = nameOf(node.property, node.computed);
      const object = outerName(node.object);
      notAsValue(node.object);
      if (property === null) return;
      uses.push({ at: node.start, kind: 'property', name: property });
      if (object !== null) member(node, object, property);
      if (node.object.type === 'MetaProperty') {
        uses.push({ at: node.start, kind: 'member', name: `import.meta.${property}` });
      }
    },
    NewExpression(node) {
      notAsValue(node.callee);
      if (outerName(node.callee) !== 'Date') return;
      if (node.arguments.length === 0) uses.push({ at: node.start, kind: 'member', name: 'Date.now' });
    },
    CallExpression(node) {
      notAsValue(node.callee);
      const name = nameOf(node.callee, false) ?? memberName(node.callee);
      // Without "new", it is the time of day, whatever it is given.
      if (outerName(node.callee) === 'Date') uses.push({ at: node.start, kind: 'member', name: 'Date.now' });
      // expect.any(Date) and toBeInstanceOf(Date) only compare.
      if (name === 'any' || name === 'toBeInstanceOf') node.arguments.forEach(notAsValue);
      if (name !== null && /^(exec|spawn|fork)/.test(name)) programs(node.start, node.arguments);
    },
    BinaryExpression(node) {
      if (node.operator === 'instanceof') notAsValue(node.right);
    },
    Property(node) {
      if (!node.shorthand) nameOnly(node);
    },
    MethodDefinition: nameOnly,
    PropertyDefinition: nameOnly,
    TSPropertySignature: nameOnly,
    TSMethodSignature: nameOnly,
    JSXAttribute: (node) => void namesOnly.add(node.name.start),
    TSModuleDeclaration: (node) => void namesOnly.add(node.id.start),
    TSTypeQuery: (node) => void namesOnly.add(node.exprName.start),
    TSTypeReference: (node) => notAsValue(node.typeName),
    Identifier(node) {
      if (namesOnly.has(node.start) || isOwn(node.name, node.start)) return;
      global(node, node.name);
    },
  }).visit(program);
  for (const { imported, at, isType } of imports) {
    if (isType || imported === null || namedOneByOne.has(at)) continue;
    uses.push({ at, kind: 'import', name: '*', from: imported });
  }
  uses.push(...values.filter(({ end }) => !notHandedOn.has(end)).map(({ use }) => use));
  return uses
    .filter(({ kind, name }) => !((kind === 'global' || kind === 'value') && importedNames.has(name)))
    .toSorted((one, other) => one.at - other.at);

  function global({ start, end }: Node, name: string): void {
    uses.push({ at: start, kind: 'global', name });
    values.push({ end, use: { at: start, kind: 'value', name } });
  }

  function member(node: Node, object: string, property: string): void {
    if (globalObjects.includes(object)) global(node, property);
    else uses.push({ at: node.start, kind: 'member', name: `${object}.${property}` });
  }

  /** The name of what stands there, when it is a global or imported, also one of `globalThis`. */
  function outerName(expression: Node): string | null {
    const node = unwrapped(expression);
    const name = nameOf(node, false);
    if (name !== null) return isOwn(name, node.start) ? null : name;
    const object = node.type === 'MemberExpression' ? outerName(node.object as Node) : null;
    return object !== null && globalObjects.includes(object) ? memberName(node) : null;
  }

  /** The programs that are started with these arguments, each alone or within the line of a shell. */
  function programs(at: number, parameters: unknown[]): void {
    for (const text of parameters.flatMap(textsIn)) {
      for (const word of text.split(/[\s;&|()]+/)) {
        uses.push({ at, kind: 'program', name: word.replace(/^.*\//, '') });
      }
    }
  }
}

/** Whether this use is one of what `names` names. */
export function isUseOf(names: Names, { kind, name, from }: Use): boolean {
  switch (kind) {
    case 'global':
      return names.globals.includes(name);
    case 'value':
      return names.values.includes(name);
    case 'member':
      return names.members.includes(name);
    case 'property':
      return names.properties.includes(name);
    case 'program':
      return names.programs.includes(name);
    case 'import': {
      const module = from?.replace(/^node:/, '') ?? '';
      // The next turn of the event loop is no time.
      const isOfModule = names.modules.includes(module) && name !== 'setImmediate';
      return isOfModule || names.members.includes(`${module}.${name}`) || names.imports.includes(name);
    }
  }
}

/** For people. */
export function describeUse({ kind, name, from }: Use): string {
  if (kind === 'value') return `${name} under another name`;
  if (kind === 'program') return `starts ${name}`;
  if (kind !== 'import') return name;
  return name === '*' ? `imports ${from}` : `imports ${name} from ${from}`;
}

function unwrapped(node: Node): Node {
  return wrappers.includes(node.type) ? unwrapped(node.expression as Node) : node;
}

/** The name of a variable or of a property that is not computed; the text of a string. */
function nameOf(node: Node, isComputed: boolean): string | null {
  const name = isComputed || node.type === 'Literal' ? node.value : node.name;
  return typeof name === 'string' ? name : null;
}

function memberName(node: Node): string | null {
  return node.type === 'MemberExpression' ? nameOf(node.property as Node, node.computed === true) : null;
}

/** The plain strings among arguments, also in lists. */
function textsIn(node: unknown): string[] {
  const { type, value, elements } = node as Node & { elements?: unknown[] };
  if (type === 'ArrayExpression')
    return (elements ?? []).filter((element) => element !== null).flatMap(textsIn);
  return type === 'Literal' && typeof value === 'string' ? [value] : [];
}
