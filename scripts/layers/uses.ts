/** What a file takes from around it: globals, members of them, and the names that it imports. */
import { Visitor, type parseSync } from 'vite';
import type { Names } from './names.ts';

export interface Use {
  at: number;
  kind: 'global' | 'member' | 'import';
  /** A name, or `object.property`. */
  name: string;
  /** Of an import, the module that it comes from. */
  from?: string;
}

type Program = ReturnType<typeof parseSync>['program'];
/** Of the parser's many kinds of nodes, what the ways through a pattern need. */
interface Pattern {
  type: string;
  start: number;
}

const globalObjects = ['globalThis', 'global', 'window', 'self'];

/**
 * Every use in one file. A name that the file gives to something of its own, anywhere in it, is not taken for the
 * global: scopes are not followed. Members of what is imported are uses, too (`crypto.randomUUID`).
 */
export function usesOf(program: Program): Use[] {
  const uses: Use[] = [];
  /** Identifiers that name no variable: properties, keys, types. */
  const namesOnly = new Set<number>();
  const ownNames = new Set<string>();
  const importedNames = new Set<string>();
  const own = (pattern: Pattern | null) => {
    for (const name of namesIn(pattern)) ownNames.add(name);
  };
  const nameOnly = (node: { computed: boolean; key: Pattern }) => {
    if (!node.computed) namesOnly.add(node.key.start);
  };
  const ownParameters = (node: { id?: Pattern | null; params: Pattern[] }) => {
    own(node.id ?? null);
    node.params.forEach(own);
  };

  new Visitor({
    ImportDeclaration(node) {
      const isType = node.importKind === 'type';
      for (const specifier of node.specifiers) {
        importedNames.add(specifier.local.name);
        const isNamed = specifier.type === 'ImportSpecifier';
        if (isNamed) namesOnly.add(specifier.imported.start);
        if (isType || (isNamed && specifier.importKind === 'type')) continue;
        const name = isNamed && specifier.imported.type === 'Identifier' ? specifier.imported.name : '*';
        uses.push({ at: specifier.start, kind: 'import', name, from: node.source.value });
      }
    },
    ImportExpression(node) {
      const from = node.source.type === 'Literal' ? String(node.source.value) : '';
      uses.push({ at: node.start, kind: 'import', name: '*', from });
    },
    VariableDeclarator(node) {
      own(node.id);
      if (node.id.type !== 'ObjectPattern' || node.init?.type !== 'Identifier') return;
      // const { setTimeout } = globalThis; const { now } = Date;
      for (const property of node.id.properties) {
        if (property.type !== 'Property' || property.key.type !== 'Identifier') continue;
        member(property.start, node.init.name, property.key.name);
      }
    },
    FunctionDeclaration: ownParameters,
    FunctionExpression: ownParameters,
    ArrowFunctionExpression: ownParameters,
    TSDeclareFunction: ownParameters,
    TSEmptyBodyFunctionExpression: ownParameters,
    TSFunctionType: ownParameters,
    TSMethodSignature(node) {
      nameOnly(node);
      ownParameters(node);
    },
    ClassDeclaration: (node) => own(node.id),
    ClassExpression: (node) => own(node.id),
    CatchClause: (node) => own(node.param),
    TSInterfaceDeclaration: (node) => own(node.id),
    TSTypeAliasDeclaration: (node) => own(node.id),
    MemberExpression(node) {
      if (!node.computed) namesOnly.add(node.property.start);
      const property = nameOf(node.property, node.computed);
      if (property === null) return;
      if (node.object.type === 'Identifier') member(node.start, node.object.name, property);
      if (node.object.type === 'MetaProperty') {
        uses.push({ at: node.start, kind: 'member', name: `import.meta.${property}` });
      }
    },
    NewExpression(node) {
      const isDate = node.callee.type === 'Identifier' && node.callee.name === 'Date';
      if (isDate && node.arguments.length === 0)
        uses.push({ at: node.start, kind: 'member', name: 'Date.now' });
    },
    Property(node) {
      if (!node.shorthand) nameOnly(node);
    },
    MethodDefinition: nameOnly,
    PropertyDefinition: nameOnly,
    TSPropertySignature: nameOnly,
    JSXAttribute: (node) => void namesOnly.add(node.name.start),
    TSModuleDeclaration: (node) => void namesOnly.add(node.id.start),
    TSTypeQuery: (node) => void namesOnly.add(node.exprName.start),
    Identifier(node) {
      if (!namesOnly.has(node.start)) uses.push({ at: node.start, kind: 'global', name: node.name });
    },
  }).visit(program);
  return uses.filter(isFromOutside).toSorted((one, other) => one.at - other.at);

  function isFromOutside({ kind, name }: Use): boolean {
    const [first = ''] = name.split('.');
    return kind === 'import' || !(ownNames.has(first) || (kind === 'global' && importedNames.has(first)));
  }

  function member(at: number, object: string, property: string): void {
    if (globalObjects.includes(object)) uses.push({ at, kind: 'global', name: property });
    else uses.push({ at, kind: 'member', name: `${object}.${property}` });
  }
}

/** Whether this use is one of what `names` names. */
export function isUseOf(names: Names, { kind, name, from }: Use): boolean {
  if (kind === 'global') return names.globals.includes(name);
  if (kind === 'member') return names.members.includes(name);
  // The next turn of the event loop is no time.
  const isOfModule = from !== undefined && names.modules.includes(from) && name !== 'setImmediate';
  return isOfModule || names.imports.includes(name);
}

/** For people. */
export function describeUse({ kind, name, from }: Use): string {
  if (kind !== 'import') return name;
  return name === '*' ? `imports ${from}` : `imports ${name} from ${from}`;
}

function nameOf(node: Pattern & { name?: unknown; value?: unknown }, isComputed: boolean): string | null {
  const name = isComputed ? node.value : node.name;
  return typeof name === 'string' ? name : null;
}

/** The names that a pattern binds. */
function namesIn(pattern: unknown): string[] {
  if (pattern === null) return [];
  const node = pattern as Pattern & Record<string, unknown>;
  switch (node.type) {
    case 'Identifier':
      return [String(node['name'])];
    case 'ObjectPattern':
      return (node['properties'] as unknown[]).flatMap(namesIn);
    case 'Property':
      return namesIn(node['value']);
    case 'ArrayPattern':
      return (node['elements'] as unknown[]).flatMap(namesIn);
    case 'AssignmentPattern':
      return namesIn(node['left']);
    case 'RestElement':
      return namesIn(node['argument']);
    case 'TSParameterProperty':
      return namesIn(node['parameter']);
    default:
      return [];
  }
}
