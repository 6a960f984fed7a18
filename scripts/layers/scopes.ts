/** Where in a file a name is one of its own, so that it hides the global of that name. */
import { Visitor, type parseSync } from 'vite';

type Program = ReturnType<typeof parseSync>['program'];
/** Of the parser's many kinds of nodes, what the ways through a pattern need. */
interface Node {
  type: string;
  start: number;
  end: number;
}

interface Scope {
  start: number;
  end: number;
  names: Set<string>;
  /** `var` is known in all of the function. */
  isFunction: boolean;
}

/** Whether `name`, as it stands at `at`, is what the file itself gave that name to; what it imports is no such name. */
export function ownNamesOf(program: Program): (name: string, at: number) => boolean {
  const whole: Scope = { start: 0, end: Number.POSITIVE_INFINITY, names: new Set(), isFunction: true };
  const scopes = [whole];
  const open = [whole];
  const own = (pattern: unknown, scope: Scope = innermost()) => {
    for (const name of namesIn(pattern)) scope.names.add(name);
  };
  const enter = ({ start, end }: Node, isFunction = false) => {
    const scope: Scope = { start, end, names: new Set(), isFunction };
    scopes.push(scope);
    open.push(scope);
  };
  const leave = () => void open.pop();
  const block = (node: Node) => enter(node);
  const enterFunction = (node: Node & { id?: unknown; params: unknown[] }) => {
    // The name of a declaration is known around it, too.
    const isDeclared = node.type === 'FunctionDeclaration' || node.type === 'TSDeclareFunction';
    if (isDeclared) own(node.id);
    enter(node, true);
    if (!isDeclared) own(node.id);
    node.params.forEach((parameter) => own(parameter));
  };
  const enterClass = (node: Node & { id: unknown }) => {
    if (node.type === 'ClassDeclaration') own(node.id);
    enter(node);
    own(node.id);
  };

  new Visitor({
    FunctionDeclaration: enterFunction,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enterFunction,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enterFunction,
    'ArrowFunctionExpression:exit': leave,
    TSDeclareFunction: enterFunction,
    'TSDeclareFunction:exit': leave,
    TSEmptyBodyFunctionExpression: enterFunction,
    'TSEmptyBodyFunctionExpression:exit': leave,
    TSFunctionType: enterFunction,
    'TSFunctionType:exit': leave,
    TSMethodSignature: enterFunction,
    'TSMethodSignature:exit': leave,
    ClassDeclaration: enterClass,
    'ClassDeclaration:exit': leave,
    ClassExpression: enterClass,
    'ClassExpression:exit': leave,
    BlockStatement: block,
    'BlockStatement:exit': leave,
    StaticBlock: block,
    'StaticBlock:exit': leave,
    TSModuleBlock: block,
    'TSModuleBlock:exit': leave,
    SwitchStatement: block,
    'SwitchStatement:exit': leave,
    ForStatement: block,
    'ForStatement:exit': leave,
    ForInStatement: block,
    'ForInStatement:exit': leave,
    ForOfStatement: block,
    'ForOfStatement:exit': leave,
    CatchClause(node) {
      enter(node);
      own(node.param);
    },
    'CatchClause:exit': leave,
    VariableDeclaration({ kind, declarations }) {
      const scope = kind === 'var' ? open.findLast(({ isFunction }) => isFunction) : innermost();
      for (const { id } of declarations) own(id, scope);
    },
    TSInterfaceDeclaration: (node) => own(node.id),
    TSTypeAliasDeclaration: (node) => own(node.id),
    TSEnumDeclaration: (node) => own(node.id),
  }).visit(program);

  return (name, at) => scopes.some(({ start, end, names }) => start <= at && at < end && names.has(name));

  function innermost(): Scope {
    return open.at(-1) ?? whole;
  }
}

/** The names that a pattern binds. */
function namesIn(pattern: unknown): string[] {
  if (pattern === null || pattern === undefined) return [];
  const node = pattern as Node & Record<string, unknown>;
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
