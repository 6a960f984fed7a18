/** The messages of the log in other languages: each that the program can log has its own, or somebody notices. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseSync } from 'vite';
import { kindText } from '../../src/bridge/payments/operation-machine.ts';
import { operationKindSchema } from '../../src/contract/operation.ts';
import { bridgeSentence } from '../../src/locales/index.ts';

const root = path.join(import.meta.dirname, '../../src');

/** Whose lines are in the log that the window shows. The sandbox has one of its own. */
const folders = [
  'base',
  'bridge',
  'bridge-process',
  'headless',
  'host',
  'http',
  'log',
  'main',
  'simulator',
  'updates',
];

interface Node {
  type: string;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

/** What changes in a message: most often a command's path. */
const gap = '/x';

/** Each text that an expression can be; what is not written there is not known. */
function textsOf(node: Node): string[] {
  switch (node.type) {
    case 'Literal':
      return typeof node['value'] === 'string' ? [node['value']] : [];
    case 'TemplateLiteral': {
      const parts = (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
      const between = (node['expressions'] as Node[]).map((expression) =>
        expression.type === 'ConditionalExpression' ? textsOf(expression) : [gap],
      );
      return parts.reduce<string[]>(
        (texts, part, index) =>
          texts.flatMap((text) => (between[index - 1] ?? ['']).map((one) => text + one + part)),
        [''],
      );
    }
    case 'ConditionalExpression':
      return [...textsOf(node['consequent'] as Node), ...textsOf(node['alternate'] as Node)];
    case 'BinaryExpression':
      return textsOf(node['left'] as Node).flatMap((left) =>
        textsOf(node['right'] as Node).map((right) => left + right),
      );
    default:
      return [];
  }
}

const nameOf = (node: unknown): unknown => (isNode(node) ? (node['name'] ?? node['value']) : undefined);

const isLog = (node: Node): boolean =>
  node.type === 'ChainExpression'
    ? isLog(node['expression'] as Node)
    : ['log', 'source'].includes(String(nameOf(node.type === 'MemberExpression' ? node['property'] : node)));

/** `log.info(…)`, `log[level](…)`, and the callbacks that pass a message on to the log. */
function isLogCall({ type, callee }: Node): boolean {
  if (type !== 'CallExpression' || !isNode(callee)) return false;
  if (callee.type === 'Identifier') return ['report', 'logged'].includes(String(nameOf(callee)));
  if (callee.type !== 'MemberExpression' || !isLog(callee['object'] as Node)) return false;
  return (
    callee['computed'] === true ||
    ['debug', 'info', 'warn', 'error'].includes(String(nameOf(callee['property'])))
  );
}

function messagesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(messagesIn);
  if (!isNode(value)) return [];
  const inside = Object.values(value).flatMap(messagesIn);
  if (isLogCall(value)) {
    const [first] = value['arguments'] as Node[];
    const texts = first === undefined ? [] : textsOf(first);
    const isAction = nameOf(value['callee']) === 'logged';
    return [
      ...inside,
      ...(isAction ? texts.flatMap((text) => [`${text}: done`, `${text}: refused`]) : texts),
    ];
  }
  // A kind of repeated lines: one line of it, and what they are counted as.
  if (value.type === 'ObjectExpression') {
    const properties = value['properties'] as Node[];
    const valueOf = (name: string) => properties.find(({ key }) => nameOf(key) === name)?.['value'];
    if (valueOf('level') !== undefined && valueOf('message') !== undefined)
      return [
        ...inside,
        ...['message', 'many'].flatMap((name) => [valueOf(name)].filter(isNode).flatMap(textsOf)),
      ];
  }
  return inside;
}

/** What is put together of others' words: those are tried by name below. */
const composed = [
  `requests for ${gap} ${gap} were refused`,
  `${gap} ${gap} in the last ${gap}`,
  `${gap}: done`,
  `${gap}: refused`,
  `recovery: ${gap}`,
  `the ${gap} has started`,
  `a ${gap} of an earlier run is in doubt`,
  `the ${gap} ended: ${gap}`,
  `terminal: ${gap}`,
];

const messages = folders.flatMap((folder) =>
  globSync('**/*.ts', { cwd: path.join(root, folder) }).flatMap((file) => {
    const where = path.join(folder, file);
    const source = readFileSync(path.join(root, where), 'utf8');
    return messagesIn(parseSync(where, source).program).map((text) => [where, text] as const);
  }),
);

describe('the log in German', () => {
  const german = (message: string) => bridgeSentence(message, 'de');

  test('has a sentence for each message that the program logs', () => {
    expect(messages.length).toBeGreaterThan(180);
    const unsaid = messages.filter(([, text]) => !composed.includes(text) && german(text) === null);
    expect(unsaid, 'src/locales/bridge/de.json lacks these').toEqual([]);
  });

  test('has one for each way in which an operation or its recovery ends', () => {
    const said = [
      ...operationKindSchema.options
        .map(kindText)
        .flatMap((kind) => [
          `the ${kind} has started`,
          `a ${kind} of an earlier run is in doubt`,
          ...['done', 'declined', 'cancelled', 'not_started', 'unknown'].map(
            (end) => `the ${kind} ended: ${end}`,
          ),
        ]),
      ...['done', 'not_done', 'needs_decision'].map((end) => `recovery: ${end}`),
      ...['charged', 'refused', 'reversed', 'refunded', 'auto reversed', 'settled'].map(
        (what) => `terminal: ${what}`,
      ),
    ];
    expect(said.filter((message) => german(message) === null)).toEqual([]);
  });

  test('counts and amounts are written as in German', () => {
    expect(german('/CreatePayment answered')).toBe('/CreatePayment beantwortet');
    expect(german('1 requests for /CreatePayment without a valid token were refused in the last hour')).toBe(
      '1 abgelehnte Anfragen an /CreatePayment ohne gültiges Token in der letzten Stunde',
    );
    expect(german('1,204 requests for /CreatePayment (busy) were refused in the last 4 minutes')).toBe(
      '1.204 abgelehnte Anfragen an /CreatePayment (busy) in den letzten 4 Minuten',
    );
    expect(
      german('The terminal approved 1400.00 EUR, more than the 12.00 EUR that were asked; that was refused.'),
    ).toBe(
      'Das Terminal hat 1.400,00 EUR genehmigt, mehr als die angeforderten 12,00 EUR; das wurde abgelehnt.',
    );
  });
});
