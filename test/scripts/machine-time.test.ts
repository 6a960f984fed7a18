/** `npm run check:layers` on planted trees: the machine's clock and chance. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeViolation } from '../../scripts/layers/check.ts';
import { forbiddenGlobals, machineTimeInTests } from '../../scripts/layers/globals.ts';
import { layers } from '../../scripts/layers/modules.ts';
import { readSourceTree } from '../../scripts/layers/source-tree.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-time-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function plant(files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
}

const inTests = () => machineTimeInTests(readSourceTree(root)).map(describeViolation);
const inSource = () => forbiddenGlobals(readSourceTree(root), layers).map(describeViolation);

const uses: [string, string][] = [
  ['a timer', `setTimeout(() => {}, 5);`],
  ['a timer that is handed on', `const sleep = promisify(setTimeout);`],
  ['a timer by way of the global object', `globalThis.setInterval(() => {}, 5);`],
  ['the time of day', `const now = Date.now();`],
  ['a date without a time of its own', `const now = new Date().toISOString();`],
  ['the monotonic clock', `const start = performance.now();`],
  ['the high-resolution clock', `const start = process.hrtime.bigint();`],
  ['a signal that aborts by itself', `fetch(url, { signal: AbortSignal.timeout(50) });`],
  ['a wait that blocks', `Atomics.wait(cells, 0, 0, 50);`],
  ['a module of timers', `import { setTimeout as sleep } from 'node:timers/promises';`],
  ['a module of timers, later', `const { setTimeout: sleep } = await import('node:timers/promises');`],
  ['the clock of the program', `import { systemClock } from '../src/base/clock.ts';`],
  ['a wait that looks again and again', `await expect.poll(() => 1).toBe(1);`],
];
const noUses: [string, string][] = [
  ['a date of its own', `const then = new Date(Date.UTC(2026, 0, 1));`],
  ['the next turn', `import { setImmediate as nextTurn } from 'node:timers/promises';`],
  ['a method of that name', `clock.setTimeout(1); const fake = { setTimeout() {}, performance: 1 };`],
  ['a type', `let timer: ReturnType<typeof setTimeout> | null = null;`],
  ['a type of that module', `import type { systemClock } from '../src/base/clock.ts';`],
  ['code that runs in a page', `await page.evaluate('new Promise((resolve) => setTimeout(resolve, 5))');`],
];

describe('in a test', () => {
  it.each(uses)('%s is found', (_, code) => {
    plant({ 'test/a.test.ts': `// first line\n${code}\n` });
    expect(inTests()).toHaveLength(1);
    expect(inTests()[0]).toMatch(/^test\/a\.test\.ts:2: ./);
  });

  it.each(uses)('of the real-time group, %s is allowed', (_, code) => {
    plant({ 'test/a.realtime.test.ts': code });
    expect(inTests()).toEqual([]);
  });

  it.each(noUses)('%s is allowed', (_, code) => {
    plant({ 'test/a.test.ts': code });
    expect(inTests()).toEqual([]);
  });

  it('what it imports counts, however far away; what only real-time tests import does not', () => {
    plant({
      'test/a.test.ts': `import { b } from './support/b.ts'; import type { D } from './support/d.ts';`,
      'test/support/b.ts': `export * from './c.ts';`,
      'test/support/c.ts': `export const c = () => setTimeout(() => {}, 5);`,
      'test/support/d.ts': `export interface D {} export const d = performance.now();`,
      'test/e.realtime.test.ts': `import { d } from './support/d.ts';`,
    });
    expect(inTests()).toEqual([expect.stringMatching(/^test\/support\/c\.ts:1: setTimeout:/)]);
  });
});

describe('in the core', () => {
  it('time and chance of the machine are found', () => {
    plant({
      'src/bridge/payments/engine.ts': `import { v7 } from 'uuid';\nimport { randomInt } from 'node:crypto';\nMath.random();\nDate.now();`,
    });
    const chance = "the machine's chance is injected";
    expect(inSource().slice(0, 3)).toEqual([
      `src/bridge/payments/engine.ts:1: imports v7 from uuid: ${chance}`,
      `src/bridge/payments/engine.ts:2: imports randomInt from node:crypto: ${chance}`,
      `src/bridge/payments/engine.ts:3: Math.random: ${chance}`,
    ]);
    expect(inSource()[3]).toContain("src/bridge/payments/engine.ts:4: Date.now: the machine's clock");
  });

  it('they are allowed where they are made, and where programs are put together', () => {
    const code = 'setTimeout(() => {}, Math.random());';
    plant({
      'src/base/clock.ts': code,
      'src/base/chance.ts': `import { v7 } from 'uuid';`,
      'src/main/app.ts': code,
      'src/headless/cli-context.ts': code,
      'src/renderer/app.tsx': code,
      'src/host/host.ts': 'export const host = 1;',
    });
    expect(inSource()).toEqual([]);
  });
});
