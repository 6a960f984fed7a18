import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkLayers, describeViolation } from '../scripts/layers/check.ts';
import { modules } from '../scripts/layers/modules.ts';

const repository = path.resolve(import.meta.dirname, '..');

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-layers-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** What is said about a tree that has only these files. */
function complaints(files: Record<string, string>): string[] {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  return checkLayers(root, modules).map(describeViolation);
}

describe('the modules', () => {
  it('hold in this repository', () => {
    expect(checkLayers(repository, modules).map(describeViolation)).toEqual([]);
  });

  it('name file, line, import and rule of an import that is not allowed', () => {
    expect(
      complaints({
        'src/bridge/payments/engine.ts': `// first line\nimport { listen } from '../listener/index.ts';\n`,
      }),
    ).toEqual([
      'src/bridge/payments/engine.ts:2: imports "../listener/index.ts": src/bridge/payments/ may import of ours only ' +
        'src/base/, src/contract/, src/bridge/journal/, src/log/, src/bridge/terminals/terminal-driver.ts, src/bridge/lines/line.ts',
    ]);
  });

  it.each([
    ['import type', `import type { A } from '../../simulator/index.ts';`],
    ['export from', `export { a } from '../../simulator/index.ts';`],
    ['export all', `export * from '../../simulator/index.ts';`],
    ['import()', `const a = await import('../../simulator/index.ts');`],
    ['an import type', `type A = import('../../simulator/index.ts').A;`],
    ['require', `const a = require('../../simulator/index.ts');`],
    ['an import of nothing', `import '../../simulator/index.ts';`],
    ['a computed import', `const a = await import(somewhere);`],
    ['electron', `import { app } from 'electron';`],
    ['a file of electron', `import main from 'electron/main';`],
    ['a package that the module may not use', `import express from 'express';`],
    ['a package in a scope', `import x from '@serialport/bindings-cpp';`],
    ['a module of Node that the module may not use', `import net from 'node:net';`],
    ['a module of Node without its prefix', `import net from 'net';`],
  ])('refuse %s in the journal', (_, source) => {
    expect(complaints({ 'src/bridge/journal/a.ts': source })).toHaveLength(1);
  });

  it.each(['src/bridge/bridge.ts', 'src/log/a.ts', 'src/bridge/lines/a.ts', 'src/bridge/terminals/zvt/a.ts'])(
    'let nothing in %s know the simulator or electron',
    (file) => {
      const up = '../'.repeat(file.split('/').length - 2);
      const found = complaints({ [file]: `import '${up}simulator/index.ts';\nimport 'electron';` });
      expect(found).toHaveLength(2);
    },
  );

  it.each([
    'src/stray.ts',
    'src/bridge/other.ts',
    'src/bridge/terminals/other.ts',
    'src/unheard/of.ts',
    'src/a.json',
  ])('have no place for %s', (file) => {
    expect(complaints({ [file]: '' })).toEqual([
      `${file}: the file is in no module; scripts/layers/modules.ts lists them`,
    ]);
  });

  it('keep one protocol out of another', () => {
    expect(complaints({ 'src/bridge/terminals/ecr17/a.ts': `import '../zvt/session.ts';` })).toHaveLength(1);
  });

  it('let the simulator have the wire of a protocol by its entry, and not its session', () => {
    const found = complaints({
      'src/simulator/a.ts': [
        `import '../bridge/terminals/zvt/wire/index.ts';`,
        `import '../bridge/terminals/zvt/wire/frames.ts';`,
        `import '../bridge/terminals/zvt/session.ts';`,
        `import '../bridge/terminals/zvt/index.ts';`,
      ].join('\n'),
    });
    expect(found.map((each) => each.split(':')[1])).toEqual(['2', '3', '4']);
  });

  it('let the driver of a protocol have its wire by the entry, and the wire nothing of the driver', () => {
    const found = complaints({
      'src/bridge/terminals/zvt/a.ts': `import './wire/index.ts';\nimport './wire/frames.ts';`,
      'src/bridge/terminals/zvt/wire/b.ts': `import './c.ts';\nimport '../session.ts';\nimport '../../../lines/line.ts';`,
      'src/bridge/terminals/zvt/wire/c.ts': `import 'iconv-lite';`,
    });
    expect(found.map((each) => each.split(':', 2).join(':'))).toEqual([
      'src/bridge/terminals/zvt/a.ts:2',
      'src/bridge/terminals/zvt/wire/b.ts:2',
      'src/bridge/terminals/zvt/wire/b.ts:3',
    ]);
  });

  it('allow what the table allows', () => {
    expect(
      complaints({
        'src/contract/a.ts': `import { z } from 'zod';`,
        'src/bridge/journal/a.ts': `import { DatabaseSync } from 'node:sqlite';\nimport './b.ts';\nimport '../../contract/a.ts';`,
        'src/bridge/journal/b.ts': `import type { Log } from '../../log/log.ts';`,
        'src/bridge/bridge.ts': `import './journal/a.ts';\nimport './terminals/zvt/index.ts';`,
        'src/headless/a.ts': `import '../bridge/bridge.ts';\nimport '../simulator/index.ts';\nimport x from '../../package.json' with { type: 'json' };`,
      }),
    ).toEqual([]);
  });

  it('complain about a file that cannot be read', () => {
    expect(complaints({ 'src/contract/a.ts': 'import {' })[0]).toContain('src/contract/a.ts: cannot be read');
  });
});
