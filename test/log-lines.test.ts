/** One style for the lines of the log, over the whole of src/: lower case, no full stop, an error in the field `err`. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parseSync, Visitor } from 'vite';

const root = path.join(import.meta.dirname, '..');
const levels = ['debug', 'info', 'warn', 'error'];

/** A node of the syntax tree, as far as it is looked at here. */
interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

/** What is wrong with the log lines of a file, each with its line number. */
function faultsOf(source: string, file = 'a.ts'): string[] {
  const faults: string[] = [];
  const report = (at: number, what: string) =>
    void faults.push(`${file}:${source.slice(0, at).split('\n').length}: ${what}`);
  const textOf = (node: Node) => source.slice(node.start, node.end);

  /** Messages that are put together elsewhere, such as sentences that people are shown as well, are not looked at. */
  function checkMessage(node: Node): void {
    if (node.type === 'ConditionalExpression') {
      checkMessage(node['consequent'] as Node);
      return checkMessage(node['alternate'] as Node);
    }
    const isTemplate = node.type === 'TemplateLiteral';
    if (!isTemplate && !(node.type === 'Literal' && typeof node['value'] === 'string')) return;
    const text = textOf(node).slice(1, -1);
    if (/^(?:A |\p{Lu}\p{Ll})/u.test(text)) report(node.start, `begins with a capital: ${text}`);
    if (/[.!]$/.test(text)) report(node.start, `ends like a sentence: ${text}`);
  }

  function checkFields(node: Node): void {
    if (node.type !== 'ObjectExpression') return;
    for (const property of node['properties'] as Node[]) {
      if (property.type !== 'Property') continue;
      const name = textOf(property['key'] as Node);
      const value = textOf(property['value'] as Node);
      if (name === 'err') {
        if (/^(String|errorText|errorStack)\(|\.(message|stack)$/.test(value))
          report(property.start, `err takes the error itself: ${value}`);
      } else if (name === 'error' || ['error', 'err'].includes(value)) {
        report(property.start, `the field of an error is err: ${name}`);
      }
    }
  }

  new Visitor({
    CallExpression(call) {
      const { callee } = call;
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const object = textOf(callee.object as unknown as Node);
      const [first, second, third] = call.arguments as unknown as Node[];
      if (levels.includes(callee.property.name) && /(^|\.|\b[a-z]\w*)log$/i.test(object)) {
        if (first !== undefined) checkMessage(first);
        if (second !== undefined) checkFields(second);
      }
      if (callee.property.name === 'note' && third !== undefined) checkFields(third);
    },
    /** A kind of repeated lines. */
    ObjectExpression(object) {
      const properties = (object as unknown as Node)['properties'] as Node[];
      const named = new Map(
        properties
          .filter(({ type }) => type === 'Property')
          .map((property) => [textOf(property['key'] as Node), property['value'] as Node]),
      );
      const message = named.get('message');
      if (message !== undefined && named.has('many') && named.has('level')) checkMessage(message);
    },
  }).visit(parseSync(file, source).program);
  return faults;
}

it('holds in every file', () => {
  const files = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => path.join('src', file));
  let lines = 0;
  const faults = files.flatMap((file) => {
    const source = readFileSync(path.join(root, file), 'utf8');
    lines += source.match(/\blog\.(debug|info|warn|error)\(/gi)?.length ?? 0;
    return faultsOf(source, file);
  });
  expect(faults).toStrictEqual([]);
  expect(lines).toBeGreaterThan(100);
});

it.each([
  [`log.info('Listening');`, 'begins with a capital'],
  ['log.info(`Stopped ${what}`);', 'begins with a capital'],
  [`log.info(ok ? 'all is well' : 'All is lost');`, 'begins with a capital'],
  [`context.log.warn('it is over.');`, 'ends like a sentence'],
  ['hostLog.log.warn(`it is ${what}.`, {});', 'ends like a sentence'],
  [`log.error('it failed', { error });`, 'the field of an error is err'],
  [`log.error('it failed', { reason: error });`, 'the field of an error is err'],
  [`log.error('it failed', { err: String(error) });`, 'err takes the error itself'],
  [`log.error('it failed', { err: error.message });`, 'err takes the error itself'],
  [`repeated.note(kind, undefined, { error });`, 'the field of an error is err'],
  [
    `const kind = { name: 'a', level: 'info', message: 'Refused a call', many: 'calls' };`,
    'begins with a capital',
  ],
])('finds fault with %s', (source, fault) => {
  expect(faultsOf(source)).toStrictEqual([expect.stringContaining(fault)]);
});

it.each([
  `log.info('listening', { addresses });`,
  'log.info(`${what} answered`, { reason: result.reason });',
  `log.warn('POS tokens are in use');`,
  `log.warn(state.message);`,
  `log.error('it failed', { err: error });`,
  `console.error('A change was not understood.');`,
  `context.error('Stopped.');`,
])('finds none with %s', (source) => {
  expect(faultsOf(source)).toStrictEqual([]);
});
