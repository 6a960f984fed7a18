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
  // By other names, and by ways round.
  [
    'a timer beside a parameter of that name',
    `const own = (setTimeout) => setTimeout(1); setTimeout(() => {}, 5);`,
  ],
  ['a timer outside of the block that has its own', `{ const setTimeout = own; } setTimeout(() => {}, 5);`],
  ['a timer taken out by its own name', `const { setTimeout } = globalThis;`],
  ['a module of timers, exported', `export * from 'node:timers/promises';`],
  ['one of its names, exported', `export { setTimeout as sleep } from 'node:timers/promises';`],
  [
    'a module of timers that Node is asked for',
    `process.getBuiltinModule('node:timers').setInterval(tick, 5);`,
  ],
  ['a module of timers, required', `const timers = createRequire(import.meta.url)('timers');`],
  ['the monotonic clock without "node:"', `import { performance as watch } from 'perf_hooks';`],
  ['the high-resolution clock, imported', `import { hrtime } from 'node:process';`],
  ['the high-resolution clock, taken out', `const { hrtime } = process;`],
  ['the time since the machine started', `const start = os.uptime();`],
  ['the time since the machine started, imported', `import { uptime as now } from 'node:os';`],
  ['the time of day by way of the global object', `const now = globalThis.Date.now();`],
  ['a date by way of the global object', `const now = new globalThis.Date();`],
  ['a date without "new"', `const now = Date();`],
  ['the time of day, taken out', `const { now } = Date;`],
  ['dates under another name', `const Day = Date; new Day();`],
  ['dates under another name, by way of the global object', `const Day = globalThis.Date; Day.now();`],
  ['dates taken out', `const { Date: Day } = globalThis;`],
  ['dates that are handed on', `start(Date);`],
  ['the time of day in its newest form', `const now = Temporal.Now.instant();`],
  [
    'the clock of the program, by way of its module',
    `import * as c from '../src/base/clock.ts'; c.systemClock.now();`,
  ],
  [
    'the clock of the program, by way of its module, later',
    `const c = await import(clock); c.systemClock.now();`,
  ],
  ['the clock of the program, taken out', `const { systemClock: c } = await import(clock);`],
  ['the clock of the program, exported', `export { systemClock as c } from '../src/base/clock.ts';`],
  ['a wait of the browser', `await page.waitForTimeout(5);`],
  ['a program that waits', `execFileSync('sleep', ['1']);`],
  ['a program that waits, in a shell', `spawn('sh', ['-c', 'true && /bin/sleep 1; true']);`],
];
const noUses: [string, string][] = [
  ['a date of its own', `const then = new Date(Date.UTC(2026, 0, 1));`],
  ['the next turn', `import { setImmediate as nextTurn } from 'node:timers/promises';`],
  ['a method of that name', `clock.setTimeout(1); const fake = { setTimeout() {}, performance: 1 };`],
  ['a parameter of that name', `const own = (setTimeout, { Date }) => setTimeout(Date.now());`],
  [
    'a function of that name',
    `{ function setTimeout() {} setTimeout(); } try {} catch (performance) { performance.now(); }`,
  ],
  [
    'what is compared with dates',
    `expect(a instanceof Date).toBe(true); expect(a).toBeInstanceOf(Date); expect.any(Date);`,
  ],
  ['a date as a type', `const then = (a as Date) satisfies Date; interface A { setTimeout(a: Date): void }`],
  ['a program that is named after it', `spawn('node', ['sleep.js', 'sleeping']);`],
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

  it('scripts and measurements that it runs count, too', () => {
    plant({
      'test/a.test.ts': `import '../scripts/a.ts'; import '../bench/b.ts'; import '../src/main/app.ts';`,
      'scripts/a.ts': `import './launch/c.ts';`,
      'scripts/launch/c.ts': `setInterval(() => {}, 5);`,
      'scripts/d.ts': `setInterval(() => {}, 5);`,
      'bench/b.ts': `Date.now();`,
      'src/main/app.ts': `Date.now();`,
    });
    expect(inTests()).toEqual([
      expect.stringMatching(/^bench\/b\.ts:1: Date\.now:/),
      expect.stringMatching(/^scripts\/launch\/c\.ts:1: setInterval:/),
    ]);
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

  it('the command line has them in one place, which hands them on', () => {
    plant({ 'src/headless/commands/serve.ts': 'setTimeout(() => {}, 5);' });
    expect(inSource()).toEqual([expect.stringMatching(/^src\/headless\/commands\/serve\.ts:1: setTimeout:/)]);
  });
});
