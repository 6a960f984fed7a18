/** The texts of a source file, for tests that look whether each sentence has its own in other languages. */
import { readFileSync } from 'node:fs';
import { parseSync } from 'vite';

interface Node {
  type: string;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

/** What changes in a sentence, as the text stands in the source. */
export const gap = '…';

/** The text of a literal, a template, or several put together; null for anything else. */
function textOf(node: Node): string | null {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null;
  if (node.type === 'TemplateLiteral')
    return (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join(gap);
  if (node.type !== 'BinaryExpression' || node['operator'] !== '+') return null;
  const [left, right] = [textOf(node['left'] as Node), textOf(node['right'] as Node)];
  return left === null || right === null ? null : left + right;
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isNode(value) || value.type === 'ImportDeclaration') return [];
  const text = textOf(value);
  return text === null ? Object.values(value).flatMap(textsIn) : [text];
}

export function textsOfFile(file: string): string[] {
  return textsIn(parseSync(file, readFileSync(file, 'utf8')).program);
}
