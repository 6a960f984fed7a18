/** Every way in which one file can name another. */
import { Visitor, type parseSync } from 'vite';

export interface Import {
  /** As it is written; null when it is not a plain string. */
  imported: string | null;
  at: number;
  /** Whether only types come from there, so that nothing of it runs. */
  isType: boolean;
}

type Parsed = ReturnType<typeof parseSync>;
interface Expression {
  type: string;
  start: number;
}

/**
 * The imports of one file: `import`, `export … from`, `import()`, import types, `require()` and what `createRequire`
 * makes, `getBuiltinModule()`, `new URL('…', import.meta.url)` (the code of a worker, too), `import.meta.resolve()`,
 * `import.meta.glob()`, and `/// <reference>` comments.
 */
export function importsOf(program: Parsed['program'], comments: Parsed['comments']): Import[] {
  const imports = comments.flatMap(referenceIn);
  /** What `createRequire()` has been put into. */
  const requires = new Set(['require']);
  const note = (source: Expression, isType = false) =>
    imports.push({ imported: plainText(source), at: source.start, isType });

  new Visitor({
    ImportDeclaration: (node) => void note(node.source, node.importKind === 'type'),
    ExportAllDeclaration: (node) => void note(node.source, node.exportKind === 'type'),
    ExportNamedDeclaration(node) {
      if (node.source !== null) note(node.source, node.exportKind === 'type');
    },
    ImportExpression: (node) => void note(node.source),
    TSImportType: (node) => void note(node.source, true),
    TSExternalModuleReference: (node) => void note(node.expression),
    VariableDeclarator(node) {
      if (node.id.type === 'Identifier' && isCallOf(node.init, 'createRequire')) requires.add(node.id.name);
    },
  }).visit(program);

  new Visitor({
    CallExpression(node) {
      const { callee } = node;
      const [argument] = node.arguments;
      const isRequire = callee.type === 'Identifier' && requires.has(callee.name);
      if (isRequire || isCallOf(callee, 'createRequire') || isNamed(callee, 'getBuiltinModule')) {
        note(argument ?? node);
      }
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const { object, property } = callee;
      const isOfRequire = object.type === 'Identifier' && requires.has(object.name);
      const isOfMeta = object.type === 'MetaProperty';
      const isResolved = property.name === 'resolve' && (isOfRequire || isOfMeta);
      if (isResolved || (property.name === 'glob' && isOfMeta)) note(argument ?? node);
    },
    NewExpression(node) {
      const [address, base] = node.arguments;
      if (address === undefined) return;
      const isUrlOfFile = isNamed(node.callee, 'URL') && base !== undefined && isImportMetaUrl(base);
      if (isUrlOfFile) note(address);
      // A worker by a plain name; one by an address is a `new URL`.
      if (isNamed(node.callee, 'Worker') && plainText(address) !== null) note(address);
    },
  }).visit(program);
  return imports.toSorted((one, other) => one.at - other.at);
}

const reference = /^\/\s*<reference\s+(path|types|lib|no-default-lib)\s*=\s*["']([^"']*)["']/;

function referenceIn({ type, value, start }: Parsed['comments'][number]): Import[] {
  const [, kind, name] = (type === 'Line' ? reference.exec(value) : null) ?? [];
  if (kind === undefined || name === undefined) return [];
  if (kind === 'types') return [{ imported: name, at: start, isType: true }];
  if (kind !== 'path') return [{ imported: `lib:${name}`, at: start, isType: true }];
  return [{ imported: name.startsWith('.') ? name : `./${name}`, at: start, isType: true }];
}

/**
 * The text of a plain string, also one in backquotes; null of anything else. One folder may be named at run time, as
 * bundlers take it: then a star stands for it.
 */
function plainText(node: Expression & { value?: unknown; quasis?: unknown }): string | null {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral') return null;
  const texts = (node.quasis as { value: { cooked: string | null } }[]).map(
    ({ value }) => value.cooked ?? '',
  );
  const [before = '', after, more] = texts;
  if (after === undefined) return before;
  const isOneFolder = more === undefined && /^\.{1,2}\/(.*\/)?$/.test(before) && /^\/[^*]*\.ts$/.test(after);
  return isOneFolder ? `${before}*${after}` : null;
}

/** Whether `node` is this name, or a member of that name. */
function isNamed(node: Expression & { name?: unknown; property?: unknown }, name: string): boolean {
  if (node.type === 'Identifier') return node.name === name;
  if (node.type !== 'MemberExpression') return false;
  const property = node.property as Expression & { name?: unknown; value?: unknown };
  return property.name === name || property.value === name;
}

function isCallOf(node: (Expression & { callee?: unknown }) | null, name: string): boolean {
  return node?.type === 'CallExpression' && isNamed(node.callee as Expression, name);
}

function isImportMetaUrl(node: Expression & { object?: unknown }): boolean {
  return isNamed(node, 'url') && (node.object as Expression).type === 'MetaProperty';
}
