/** `node scripts/remote-docs.ts`: writes the tables of the remote interface into docs/remote.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  apiVersions,
  catalogue,
  remoteErrorCodes,
  remoteErrorMeaning,
  remoteErrorStatus,
  type Assumption,
  type Operation,
} from '../src/remote/catalogue/index.ts';
import { assumptionRows, type Proof } from './remote-assumptions.ts';

export const remoteDocsFile = path.resolve(import.meta.dirname, '../docs/remote.md');

/** Every operation is carried out by the client against the sandbox, in a test of its own name. */
export function proofOf(operation: Operation): Proof {
  return {
    file: 'test/remote/sandbox/every-operation.test.ts',
    test: `${operation.version} ${operation.id}`,
  };
}

const parts = {
  operations: operationTables,
  assumptions: () =>
    table(
      ['what', 'assumed', 'tested by'],
      assumptionRows.map(({ what, assumed, proof }) => [what, assumed, proofWords(proof)]),
    ),
  errors: () =>
    table(
      ['status', 'code', 'when'],
      remoteErrorCodes.map((code) => [
        String(remoteErrorStatus[code]),
        `\`${code}\``,
        remoteErrorMeaning[code],
      ]),
    ),
};

/** The docs with all tables in their places. Throws when a place is not marked. */
export function withRemoteTables(docs: string): string {
  return Object.entries(parts).reduce((text, [name, make]) => {
    const start = `<!-- ${name}: written by scripts/remote-docs.ts -->`;
    const end = `<!-- end of ${name} -->`;
    const from = text.indexOf(start);
    const to = text.indexOf(end);
    if (from === -1 || to < from) throw new Error(`docs/remote.md needs the lines ${start} and ${end}`);
    return `${text.slice(0, from)}${start}\n\n${make()}\n\n${text.slice(to)}`;
  }, docs);
}

function operationTables(): string {
  return apiVersions
    .map((version) => {
      const rows = catalogue
        .operations(version)
        .map((operation) => [
          operation.title,
          `\`${operation.method} ${operation.path}\``,
          `\`${operation.scope}\``,
          assumptionList(operation.assumptions),
          `\`${proofOf(operation).test}\``,
        ]);
      const file = proofOf(catalogue.operations(version)[0] as Operation).file;
      const head = ['operation', 'request', 'scope', 'assumed', 'test'];
      return `### Version ${version}\n\nThe tests are in \`${file}\`, by these names.\n\n${table(head, rows)}`;
    })
    .join('\n\n');
}

function assumptionList(assumptions: readonly Assumption[]): string {
  return assumptions.length === 0 ? 'nothing' : assumptions.join(', ');
}

function proofWords({ file, test }: Proof): string {
  return `\`${file}\`: ${test}`;
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

if (process.argv[1] === import.meta.filename)
  writeFileSync(remoteDocsFile, withRemoteTables(readFileSync(remoteDocsFile, 'utf8')));
