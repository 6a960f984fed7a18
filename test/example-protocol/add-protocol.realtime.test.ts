/**
 * The protocol of docs/terminals.md, taken from the page as it stands there and added to a copy of the source: its folder and
 * one line, and nothing else.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forbiddenImports } from '../../scripts/layers/check.ts';
import { importCircles } from '../../scripts/layers/circles.ts';
import { layers } from '../../scripts/layers/modules.ts';
import { readSourceTree } from '../../scripts/layers/source-tree.ts';
import { bridgeOn, runProgram, type Program } from '../support/programs.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createTill, type Till } from '../support/till.ts';
import { startPlainTerminal, type PlainTerminal } from './plain-terminal.ts';

const repository = path.resolve(import.meta.dirname, '../..');
const page = readFileSync(path.join(repository, 'docs/terminals.md'), 'utf8');

/** The page's code behind each mark. */
const examples = [...page.matchAll(/^<!-- example: (\S+) -->\n```ts\n([^]*?)^```/gm)].map(
  ([, name = '', code = '']) => ({ name, code }),
);

/** A copy of what is built, with the page's code in it. */
function addExample(): string {
  const copy = tempFolder('example-protocol');
  for (const name of ['src', 'package.json', 'tsconfig.json'])
    cpSync(path.join(repository, name), path.join(copy, name), { recursive: true });
  symlinkSync(path.join(repository, 'node_modules'), path.join(copy, 'node_modules'), 'dir');
  const terminals = path.join(copy, 'src/bridge/terminals');
  for (const { name, code } of examples) {
    if (name === 'registry') {
      expect(code.trim().split('\n')).toHaveLength(1);
      appendFileSync(path.join(terminals, 'registry.ts'), code);
      continue;
    }
    expect(name).toMatch(/^plain\//);
    const file = path.join(terminals, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, code);
  }
  return copy;
}

const run = (copy: string, ...args: string[]) =>
  execFileSync(process.execPath, args, { cwd: copy, encoding: 'utf8', stdio: 'pipe' });

describe('a protocol that is one folder and one line', () => {
  let copy = '';
  beforeAll(() => {
    copy = addExample();
  });

  test('is all on the page', () => {
    expect(examples.map(({ name }) => name)).toEqual([
      'registry',
      'plain/descriptor.ts',
      'plain/wire/index.ts',
      'plain/driver.ts',
      'plain/index.ts',
    ]);
  });

  test('fits the types of the program, and the layers', () => {
    const include = ['src/headless', 'src/bridge/terminals'];
    writeFileSync(
      path.join(copy, 'tsconfig.program.json'),
      JSON.stringify({ extends: './tsconfig.json', include }),
    );
    const tsc = path.join(copy, 'node_modules/typescript/bin/tsc');
    expect(run(copy, tsc, '--noEmit', '-p', 'tsconfig.program.json')).toBe('');
    const tree = readSourceTree(copy);
    expect(forbiddenImports(tree, layers)).toEqual([]);
    expect(importCircles(tree)).toEqual([]);
  });

  test('has its flag in the help, and says how its terminals are connected', () => {
    const tillbridge = path.join(copy, 'src/headless/tillbridge.ts');
    expect(run(copy, tillbridge, 'bridge', '--help')).toContain('--plain-answer-timeout-ms <MILLISECONDS>');
    expect(() =>
      run(copy, tillbridge, ...bridgeOn('serial:/dev/ttyUSB0', copy, '--protocol', 'plain')),
    ).toThrow('The terminal must be tcp:HOST:PORT: Plain is not spoken over serial:PATH.');
  });

  describe('at the till', () => {
    let terminal: PlainTerminal;
    let program: Program;
    let till: Till;
    beforeAll(async () => {
      terminal = await startPlainTerminal();
      const address = `tcp:127.0.0.1:${terminal.port}`;
      const dataDir = tempFolder('example-protocol-data');
      program = runProgram(
        process.execPath,
        [path.join(copy, 'src/headless/tillbridge.ts'), ...bridgeOn(address, dataDir, '--protocol', 'plain')],
        process.env,
      );
      const [, port = ''] = await program.printed(/Listening on http:\/\/127\.0\.0\.1:(\d+)/);
      await program.printed(/The terminal is ready/);
      till = createTill(`http://127.0.0.1:${port}`);
    });
    afterAll(async () => {
      await program.end('SIGKILL');
      terminal.close();
    });

    test('pays, is refused, reverses, and closes the day', async () => {
      const statusOf = async (...payment: [amount: string, reference: string]) =>
        (await till.create(...payment, 60)).body['transaction_status'];
      expect(await statusOf('10.00', 'A-1')).toBe('approved');
      expect(await statusOf('20.01', 'A-2')).toBe('declined');
      expect([...terminal.charged.values()]).toEqual([1_000]);
      const reversed = await till.void('A-1', 60);
      expect(reversed.body).toMatchObject({ success: true });
      expect([...terminal.charged.values()]).toEqual([]);
      expect((await till.batch(60)).body).toMatchObject({ success: true });
    });

    test('is asked what became of a payment whose answer was lost, and pays it once', async () => {
      const sales = terminal.commands.get('SALE') ?? 0;
      await till.create('30.06', 'A-3', 60);
      await program.printed(/Payment A-3 of 30\.06 EUR: approved/);
      expect((await till.query('A-3')).body['transaction_status']).toBe('approved');
      expect([...terminal.charged.values()]).toEqual([3_006]);
      expect(terminal.commands.get('SALE')).toBe(sales + 1);
      expect(terminal.commands.get('FIND')).toBeGreaterThan(0);
    });

    test('cannot be cancelled, and says so at once', async () => {
      expect((await till.cancel()).body.success).toBe(false);
    });
  });
});
