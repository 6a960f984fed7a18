/** The walls between the modules: they hold here, and each way through them that somebody might try is found. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeViolation, forbiddenImports, staleAllowances } from '../scripts/layers/check.ts';
import { importCircles } from '../scripts/layers/circles.ts';
import { forbiddenGlobals, machineTimeInTests, staleMachineUsers } from '../scripts/layers/globals.ts';
import { layers } from '../scripts/layers/modules.ts';
import { readSourceTree, type SourceTree } from '../scripts/layers/source-tree.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-layers-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A tree that has only these files. */
function treeOf(files: Record<string, string>): SourceTree {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  return readSourceTree(root);
}

/** What is said about a tree that has only these files; nothing of what the table allows in vain. */
function complaints(files: Record<string, string>): string[] {
  const tree = treeOf(files);
  return [
    ...forbiddenImports(tree, layers),
    ...forbiddenGlobals(tree, layers),
    ...machineTimeInTests(tree),
  ].map(describeViolation);
}

describe('an import that is not allowed', () => {
  /** What is tried, where, with what, and a part of what is said. */
  const probes: [what: string, file: string, code: string, said: string][] = [
    // Each way to write one.
    ['import', 'src/bridge/journal/a.ts', `import { a } from '../../simulator/index.ts';`, 'of ours only'],
    [
      'import type',
      'src/bridge/journal/a.ts',
      `import type { A } from '../../simulator/index.ts';`,
      'of ours',
    ],
    ['import of nothing', 'src/bridge/journal/a.ts', `import '../../simulator/index.ts';`, 'of ours only'],
    [
      'export from',
      'src/bridge/journal/a.ts',
      `export { a } from '../../simulator/index.ts';`,
      'of ours only',
    ],
    ['export all', 'src/bridge/journal/a.ts', `export * from '../../simulator/index.ts';`, 'of ours only'],
    ['import()', 'src/bridge/journal/a.ts', `await import('../../simulator/index.ts');`, 'of ours only'],
    [
      'import() in backquotes',
      'src/bridge/journal/a.ts',
      'await import(`../../host/index.ts`);',
      'of ours only',
    ],
    ['a computed import()', 'src/bridge/journal/a.ts', `await import(somewhere);`, 'in plain text'],
    [
      'import() of a folder that is named at run time',
      'src/bridge/terminals/over-line.ts',
      'await import(`./${name}/index.ts`);',
      'of ours only',
    ],
    [
      'import() of a file that is named at run time',
      'src/bridge/terminals/protocols.ts',
      'await import(`./${name}/${file}.ts`);',
      'in plain text',
    ],
    [
      'an import type',
      'src/bridge/journal/a.ts',
      `type A = import('../../host/index.ts').A;`,
      'of ours only',
    ],
    ['require', 'src/bridge/journal/a.ts', `const a = require('../../host/index.ts');`, 'of ours only'],
    [
      'import = require',
      'src/bridge/journal/a.ts',
      `import a = require('../../host/index.ts');`,
      'of ours only',
    ],
    [
      'a require of its own',
      'src/main/a.ts',
      `const load = createRequire(here);\nload('express');`,
      'of packages',
    ],
    ['a require of one line', 'src/main/a.ts', `createRequire(here)('express');`, 'of packages only'],
    ['what makes a require', 'src/main/a.ts', `import { createRequire } from 'node:module';`, 'of Node only'],
    [
      'getBuiltinModule',
      'src/bridge/payments/a.ts',
      `process.getBuiltinModule('node:fs');`,
      'of Node nothing',
    ],
    [
      'it without a prefix',
      'src/bridge/payments/a.ts',
      `process.getBuiltinModule('fs');`,
      'with "node:" in front',
    ],
    [
      'a worker',
      'src/log/a.ts',
      `new Worker(new URL('../host/worker.ts', import.meta.url));`,
      'of ours only',
    ],
    ['the address of a file', 'src/log/a.ts', `new URL('../host/a.ts', import.meta.url);`, 'of ours only'],
    ['import.meta.resolve', 'src/log/a.ts', `import.meta.resolve('../host/index.ts');`, 'of ours only'],
    ['import.meta.glob', 'src/renderer/a.ts', `import.meta.glob('../host/*.ts');`, 'of ours only'],
    ['a reference to a file', 'src/log/a.ts', `/// <reference path="../host/a.d.ts" />`, 'of ours only'],
    ['a reference to types', 'src/contract/a.ts', `/// <reference types="node" />`, 'of packages only'],
    ['a reference to a library', 'src/contract/a.ts', `/// <reference lib="dom" />`, 'of packages only'],
    // Packages, and Node's own modules.
    [
      'electron in the core',
      'src/bridge/bridge.ts',
      `import { app } from 'electron';`,
      'of packages nothing',
    ],
    ['a file of electron', 'src/host/a.ts', `import main from 'electron/main';`, 'of packages only'],
    [
      'a web framework in payments',
      'src/bridge/payments/a.ts',
      `import express from 'express';`,
      'of packages',
    ],
    [
      'a package in a scope',
      'src/base/a.ts',
      `import x from '@serialport/bindings-cpp';`,
      'of packages only',
    ],
    ['the network in the journal', 'src/bridge/journal/a.ts', `import net from 'node:net';`, 'of Node only'],
    ['Node without its prefix', 'src/http/a.ts', `import net from 'net';`, 'with "node:" in front'],
    ['Node in a page', 'src/renderer/a.tsx', `import fs from 'node:fs';`, 'of Node nothing'],
    // Who may know whom.
    [
      'the listener from payments',
      'src/bridge/payments/a.ts',
      `import '../listener/index.ts';`,
      'of ours only',
    ],
    [
      'the simulator from the bridge',
      'src/bridge/bridge.ts',
      `import '../simulator/index.ts';`,
      'of ours only',
    ],
    ['the bridge from the contract', 'src/contract/a.ts', `import '../bridge/bridge.ts';`, 'of ours only'],
    ['one protocol from another', 'src/bridge/terminals/a/a.ts', `import '../zvt/index.ts';`, 'of ours only'],
    [
      'the client from the sandbox',
      'src/remote/sandbox/a.ts',
      `import '../client/index.ts';`,
      'of ours only',
    ],
    [
      'the sandbox from the client',
      'src/remote/client/a.ts',
      `import '../sandbox/index.ts';`,
      'of ours only',
    ],
    ['one page from another', 'src/renderer/pages/till/a.ts', `import '../log/frame.ts';`, 'of ours only'],
    ['the host from a page', 'src/renderer/a.ts', `import '../host/index.ts';`, 'of ours only'],
    ['the bridge from the window', 'src/main/a.ts', `import '../bridge/bridge.ts';`, 'of ours only'],
    ['a test', 'src/host/a.ts', `import '../../test/support/virtual-clock.ts';`, 'of ours only'],
    ['a benchmark', 'src/host/a.ts', `import '../../bench/run.ts';`, 'of ours only'],
    ['a script', 'src/host/a.ts', `import '../../scripts/start.ts';`, 'of ours only'],
    ['a program from a benchmark', 'bench/a.ts', `import '../bin/tillbridge.mjs';`, 'of ours only'],
    [
      'what it checks, in the checker of the simulation',
      'test/simulation/checker/a.ts',
      `import '../../../src/bridge/journal/index.ts';`,
      'of ours only test/simulation/evidence.ts',
    ],
    [
      'the simulation itself, in its checker',
      'test/simulation/checker/a.ts',
      `import type { Shop } from '../shop.ts';`,
      'of ours only test/simulation/evidence.ts',
    ],
    ['a test from a program', 'bin/a.mjs', `import '../test/a.ts';`, 'of ours nothing'],
    // Only by the door.
    ['a file of the journal', 'src/bridge/payments/a.ts', `import '../journal/open.ts';`, 'by its index.ts'],
    ['a file of the log', 'src/host/a.ts', `import '../log/mask.ts';`, 'by its index.ts'],
    ['a file of the host', 'src/headless/a.ts', `import '../host/create-host.ts';`, 'by its index.ts'],
    ['a file of the host', 'src/main/a.ts', `import '../host/settings/settings.ts';`, 'by its index.ts'],
    ['a file of the bridge', 'src/host/a.ts', `import '../bridge/payments/engine.ts';`, 'by its index.ts'],
    ['a file of the sandbox', 'src/headless/a.ts', `import '../remote/sandbox/seed.ts';`, 'by its index.ts'],
    ['a file of the simulator', 'src/host/a.ts', `import '../simulator/ledger.ts';`, 'by its index.ts'],
    [
      'a file of the wire',
      'src/simulator/a.ts',
      `import '../bridge/terminals/zvt/wire/tlv.ts';`,
      'by its index.ts',
    ],
    ['a file of its own wire', 'src/bridge/terminals/zvt/a.ts', `import './wire/tlv.ts';`, 'by its index.ts'],
    ['an index further in', 'src/headless/a.ts', `import '../host/views/index.ts';`, 'by its index.ts'],
  ];

  it.each(probes)('is found: %s in %s', (_, file, code, said) => {
    const found = complaints({ [file]: `// first line\n${code}` });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^${file}:\\d: `));
    expect(found[0]).toContain(said);
  });

  it('is told with file, line, import and rule', () => {
    const code = `// first line\nimport { listen } from '../listener/index.ts';\n`;
    expect(complaints({ 'src/bridge/payments/engine.ts': code })).toEqual([
      'src/bridge/payments/engine.ts:2: imports "../listener/index.ts": src/bridge/payments/ may import of ours only ' +
        'src/base/, src/contract/, src/bridge/journal/, src/log/, src/bridge/terminals/terminal-driver.ts',
    ]);
  });
});

describe('a global that does not belong', () => {
  it.each<[what: string, file: string, code: string, said: string]>([
    ['the document', 'src/bridge/payments/a.ts', `document.title = '';`, 'document: only the renderer'],
    ['the window', 'src/host/a.ts', `window.close();`, 'window: only the renderer'],
    [
      'the storage of a page',
      'src/contract/a.ts',
      `globalThis.localStorage.clear();`,
      'localStorage: only the',
    ],
    ['the process', 'src/renderer/a.tsx', `process.exit(1);`, 'process: there is no Node'],
    ['the process', 'src/contract/a.ts', `const { env } = process;`, 'process: there is no Node'],
    ['a buffer', 'src/preload/a.ts', `Buffer.from('');`, 'Buffer: there is no Node'],
    ['a buffer as a type', 'src/renderer/a.ts', `export type A = Buffer;`, 'Buffer: there is no Node'],
    [
      'the next turn',
      'src/renderer/pages/till/a.ts',
      `setImmediate(() => {});`,
      'setImmediate: there is no Node',
    ],
    ['the folder', 'src/renderer/a.ts', `const a = __dirname;`, '__dirname: there is no Node'],
    ['the folder of the module', 'src/preload/a.ts', `const a = import.meta.dirname;`, 'there is no Node'],
    ['a timer', 'src/bridge/payments/a.ts', `setTimeout(() => {}, 5);`, "setTimeout: the machine's clock"],
    ['a timer by another way', 'src/host/a.ts', `globalThis['setTimeout'](() => {});`, "the machine's clock"],
    ['a timer taken out', 'src/host/a.ts', `const { setTimeout: a } = globalThis;`, "the machine's clock"],
    ['the time', 'src/simulator/a.ts', `Date.now();`, "Date.now: the machine's clock"],
    ['chance', 'src/remote/client/a.ts', `Math.random();`, "Math.random: the machine's chance"],
  ])('is found: %s in %s', (_, file, code, said) => {
    const found = complaints({ [file]: `// first line\n${code}` });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^${file}:2: `));
    expect(found[0]).toContain(said);
  });

  it('is no name of its own, no key and no property', () => {
    const code =
      'export const a = (document: string, { window }: { window: number }) => ({ document, history: window });\n' +
      'export interface B { location: string; process(confirm: boolean): void }\n' +
      'export const c = (b: B) => b.location;';
    expect(complaints({ 'src/host/a.ts': code, 'src/contract/a.ts': code })).toEqual([]);
  });

  it('belongs where the table has it', () => {
    expect(
      complaints({
        'src/renderer/a.tsx': 'document.title = window.name; setTimeout(() => {}, Math.random());',
        'src/preload/a.ts': 'window.close();',
        'src/main/a.ts': 'process.exit(Date.now());',
        'src/base/clock.ts': 'setTimeout(() => {}, Date.now());',
        'src/base/chance.ts': 'Math.random();',
      }),
    ).toEqual([]);
  });
});

describe('the check', () => {
  it.each([
    'src/stray.ts',
    'src/bridge/other.ts',
    'src/bridge/terminals/other.ts',
    'src/unheard/of.ts',
    'src/a.json',
  ])('has no place for %s', (file) => {
    expect(complaints({ [file]: '' })).toEqual([`${file}: the file is in no module`]);
  });

  it('allows what the table allows', () => {
    expect(
      complaints({
        'src/contract/a.ts': `import { z } from 'zod';`,
        'src/bridge/journal/a.ts': `import { DatabaseSync } from 'node:sqlite';\nimport './b.ts';\nimport '../../contract/a.ts';`,
        'src/bridge/journal/b.ts': `import type { Log } from '../../log/index.ts';`,
        'src/bridge/bridge-terminal.ts': `import './journal/index.ts';\nimport './terminals/protocols.ts';`,
        'src/bridge/terminals/zvt/a.ts': `import './b.ts';\nimport './wire/index.ts';`,
        'src/simulator/a.ts': `import '../bridge/terminals/zvt/wire/index.ts';`,
        'src/headless/a.ts': `import '../bridge/bridge.ts';\nimport '../host/index.ts';\nimport x from '../../package.json' with { type: 'json' };`,
        'src/renderer/pages/till/a.ts': `import './b.ts';\nimport '../../components/button.tsx';`,
        'test/a.test.ts': `import '../src/bridge/journal/a.ts';\nimport fs from 'node:fs';\nimport 'vitest';`,
      }),
    ).toEqual([]);
  });

  it('complains about a file that cannot be read', () => {
    expect(complaints({ 'src/contract/a.ts': 'import {' })[0]).toContain('src/contract/a.ts: cannot be read');
  });

  it('finds what a row allows and no file uses', () => {
    const modules = [
      {
        path: 'src/a/',
        job: '',
        ours: ['src/b/', 'src/c.ts'],
        packages: ['zod', 'pino'],
        node: ['fs', 'net'],
      },
      { path: 'src/b/', job: '', ours: [], packages: [], node: [] },
      { path: 'src/c.ts', job: '', ours: [], packages: [], node: [] },
    ];
    const tree = treeOf({
      'src/a/index.ts': `import '../c.ts';\nimport 'zod/v4';\nimport 'node:fs';`,
      'src/c.ts': '',
    });
    expect(staleAllowances(tree, { modules, outside: [] })).toEqual([
      'src/a/: may import src/b/, and does not',
      'src/a/: may import pino, and does not',
      'src/a/: may import node:net, and does not',
      'src/b/: no file is in this module',
    ]);
  });

  it("finds who may use the machine's clock or chance, and does not", () => {
    const tree = treeOf({ 'src/a.ts': 'Date.now();', 'src/b.ts': 'Math.random();', 'src/c.ts': '' });
    expect(staleMachineUsers(tree, ['src/a.ts', 'src/b.ts', 'src/c.ts'])).toEqual([
      "src/c.ts: may use the machine's clock and chance, and does not",
    ]);
  });

  it('finds files that import each other in a circle, types included, and tells the shortest way round', () => {
    const tree = treeOf({
      'src/a.ts': `import './b.ts';\nimport './d.ts';`,
      'src/b.ts': `export * from './sub/c.ts';`,
      'src/d.ts': `import './b.ts';`,
      'src/sub/c.ts': `import type { A } from '../a.ts';`,
      'src/self.ts': `import './self.ts';`,
      'src/way.ts': `import './a.ts';`,
    });
    expect(importCircles(tree)).toEqual([
      ['src/a.ts', 'src/b.ts', 'src/sub/c.ts', 'src/a.ts'],
      ['src/d.ts', 'src/b.ts', 'src/sub/c.ts', 'src/a.ts', 'src/d.ts'],
      ['src/self.ts', 'src/self.ts'],
    ]);
  });
});
