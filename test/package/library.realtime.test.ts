/** The libraries as packages: what others import, require, bundle and compile against. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageFacts from '../../package.json' with { type: 'json' };
import { builtApp } from '../support/built-app.ts';
import { sharedChromium } from '../support/chromium.ts';
import { needs } from '../support/needs.ts';

const repository = path.resolve(import.meta.dirname, '../..');
const compiler = path.join(repository, 'node_modules/typescript/bin/tsc');
/** Each library's folders, in the sources and as it is built. */
const libraries = [
  ['src/remote', 'tillbridge-remote'],
  ['src/pos', 'tillbridge-pos'],
] as const;
/** What each entry has that a caller begins with. */
const entries: [id: string, name: string][] = [
  ...['tillbridge-remote', 'tillbridge/remote'].flatMap((name): [string, string][] => [
    [name, 'createRemoteClient'],
    [`${name}/webhooks`, 'verifyWebhook'],
    [`${name}/sandbox`, 'createSandbox'],
  ]),
  ['tillbridge-pos', 'createPosClient'],
  ['tillbridge/pos', 'createPosClient'],
];

/** A project of somebody else's, that has all packages among its own. */
let project: string;
const libraryOf = (name: string) => path.join(project, 'node_modules', name);

beforeAll(() => {
  project = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-library-'));
  writeFileSync(path.join(project, 'package.json'), '{"type":"module"}');
  const modules = path.join(project, 'node_modules');
  const app = path.join(modules, 'tillbridge');
  mkdirSync(path.join(app, 'dist'), { recursive: true });
  writeFileSync(path.join(app, 'package.json'), JSON.stringify(packageFacts));
  for (const [sources, name] of libraries) {
    const library = libraryOf(name);
    cpSync(path.join(builtApp(), 'dist', name), library, { recursive: true });
    const types = path.join(library, 'types');
    execFileSync(process.execPath, [compiler, '-p', path.join(repository, sources), '--outDir', types]);
    // The same, beside a package.json of its own.
    cpSync(types, path.join(library, 'types-cjs'), { recursive: true });
    cpSync(library, path.join(app, 'dist', name), { recursive: true });
  }
  symlinkSync(path.join(repository, 'node_modules/zod'), path.join(modules, 'zod'), 'junction');
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

function run(...commandLine: string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, commandLine, { cwd: project, encoding: 'utf8' });
  return stdout + stderr;
}

it.each(entries)('%s is imported and required', (id, what) => {
  const imported = `import { ${what} } from '${id}'; console.log(typeof ${what});`;
  expect(run('--input-type=module', '-e', imported)).toBe('function\n');
  // A Node that could require modules must still get what was made to be required.
  const required = `const { ${what} } = require('${id}'); console.log(typeof ${what}, require.resolve('${id}'));`;
  expect(run('--input-type=commonjs', '-e', required)).toMatch(/^function .*\.cjs\n$/);
});

it('the sandbox is imported where there is no SQLite, as in Node 20, and says what it needs', () => {
  const source = `import { createSandbox } from 'tillbridge-remote/sandbox';
    createSandbox({ dataDir: null }).catch(({ message }) => console.log(message));`;
  expect(run('--no-experimental-sqlite', '--input-type=module', '-e', source)).toMatch(
    /^The sandbox needs Node 22\.13 or newer; this is v/,
  );
});

/** What the compiler says about `source`, as a file of the project; without `skipped`, also about the types themselves. */
function errorsIn(file: string, source: string, skipped: boolean): string[] {
  writeFileSync(path.join(project, file), source);
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--pretty', 'false'];
  const found = run(compiler, ...options, ...(skipped ? ['--skipLibCheck'] : ['--lib', 'es2024,dom']), file);
  return found.split('\n').filter((line) => line.includes('error'));
}

describe.each(['tillbridge-pos', 'tillbridge/pos'])('%s', (name) => {
  it.each([
    ['imports', 'till.mts'],
    ['requires', 'till.cts'],
  ])('knows its types for who %s it, without those of any package', (_, file) => {
    const source = `import { createPosClient, type PayOutcome } from '${name}';
       const till = createPosClient({ token: 'tb_1' });
       export const right = async (): Promise<PayOutcome> => till.pay({ reference: 'A-1', amount: '12.00' });
       export const amount = (end: PayOutcome) => end.outcome === 'approved' ? end.approvedAmount : null;
       export const wrong = (end: PayOutcome): string => end.approvedAmount;
       export const worse = () => till.pay({ reference: 'A-1', amount: 12 });`;
    expect(errorsIn(file, source, false)).toEqual([
      expect.stringMatching(/\(5,.*TS2339/),
      expect.stringMatching(/\(6,.*TS2322/),
    ]);
  });
});

describe.each(['tillbridge-remote', 'tillbridge/remote'])('%s', (name) => {
  it.each([
    ['imports', 'use.mts'],
    ['requires', 'use.cts'],
  ])('knows its types for who %s it', (_, file) => {
    const source = `import { createRemoteClient } from '${name}';
       import type { WebhookEvent } from '${name}/webhooks';
       import type { Sandbox } from '${name}/sandbox';
       export const idOf = (event: WebhookEvent): string => event.id;
       export const close = (sandbox: Sandbox): Promise<void> => sandbox.close();
       const client = createRemoteClient({ baseUrl: 'http://127.0.0.1:1/v1', auth: { bearer: 'token' } });
       const create = () => client.accountHolderCreationIntents.create({
         know_your_customer: { type: 'cms', detail: { cms_id: '4711' } } });
       export const right = async (): Promise<string | null> => (await create()).account_holder_id;
       export const wrong = async (): Promise<number> => (await create()).account_holder_id;
       export const worse = () => client.accountHolderCreationIntents.create({ unheard_of: 1 });`;
    const errors = errorsIn(file, source, true);
    expect(errors).toEqual([
      expect.stringMatching(/\(10,.*TS2322/),
      expect.stringMatching(/\(11,.*(TS2353|TS2345)/),
    ]);
  });
});

/** `main.js` of the project as one file, as a bundler for pages makes it; what of Node it asks for is left as it is. */
async function bundle(main: string): Promise<string> {
  writeFileSync(path.join(project, 'main.js'), main);
  const outDir = path.join(project, 'bundled');
  await build({
    root: project,
    configFile: false,
    logLevel: 'error',
    build: {
      outDir,
      lib: { entry: path.join(project, 'main.js'), formats: ['es'], fileName: 'main' },
      rolldownOptions: { external: builtinModules.flatMap((id) => [id, `node:${id}`]) },
    },
  });
  return readFileSync(path.join(outDir, 'main.js'), 'utf8');
}

it('the client of a till asks for nothing of Node and no package', async () => {
  const bundled = await bundle("export * from 'tillbridge-pos';");
  expect(bundled).toContain('createPosClient');
  expect(bundled).not.toMatch(/^import\b|\brequire\(|\bimport\(/m);
  expect(dependenciesOf('tillbridge-pos')).toEqual([]);
});

it('the client and the webhooks ask for nothing of Node and no package but zod', async () => {
  const bundled = await bundle(
    "export * from 'tillbridge-remote'; export * from 'tillbridge-remote/webhooks';",
  );
  expect(bundled).toContain('createRemoteClient');
  expect(bundled).not.toMatch(/^import\b|\brequire\(|\bimport\(/m);
  expect(dependenciesOf('tillbridge-remote')).toEqual(['zod']);
});

function dependenciesOf(name: string): string[] {
  const facts = readFileSync(path.join(libraryOf(name), 'package.json'), 'utf8');
  const { dependencies } = JSON.parse(facts) as { dependencies: object };
  return Object.keys(dependencies);
}

describe.skipIf(!needs('chromium'))('in a browser', () => {
  const asks = `
    const client = createRemoteClient({ baseUrl: 'https://service.test/v1', auth: { bearer: 'token' },
      allowUndocumented: true });
    const account = await client.accounts.retrieve('${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}').withResponse();`;
  it.each([
    ['page', (code: string) => code.replaceAll('tellTest(', 'window.tellTest(')],
    [
      'worker',
      (code: string) =>
        `const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(code.replaceAll('tellTest(', 'postMessage('))}],
           { type: 'text/javascript' })), { type: 'module' });
         worker.onmessage = ({ data }) => window.tellTest(data);
         worker.onerror = ({ message }) => window.tellTest(message);`,
    ],
  ])('a %s asks the service and gets the record', async (_, wrap) => {
    const code = await bundle(`import { createRemoteClient } from 'tillbridge-remote';
      try {${asks} tellTest([account.status, account.data.id]); } catch (error) { tellTest(String(error)); }`);
    const browser = await sharedChromium();
    const page = await browser.newPage();
    try {
      const answered = Promise.withResolvers<unknown>();
      await page.exposeFunction('tellTest', answered.resolve);
      const asked = Promise.withResolvers<Record<string, string>>();
      const cors = {
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'authorization, x-service-api-version',
      };
      await page.context().route('https://service.test/**', async (route) => {
        const request = route.request();
        if (request.method() === 'OPTIONS') return route.fulfill({ status: 204, headers: cors });
        asked.resolve(request.headers());
        return route.fulfill({
          headers: { ...cors, 'content-type': 'application/json' },
          body: JSON.stringify({ id: '00000000-0000-4000-8000-000000000000' }),
        });
      });
      await page.context().route('https://page.test/**', (route) =>
        route.request().url().endsWith('.js')
          ? route.fulfill({ contentType: 'text/javascript', body: wrap(code) })
          : route.fulfill({
              contentType: 'text/html',
              body: '<!doctype html><script type="module" src="/main.js"></script>',
            }),
      );
      await page.goto('https://page.test/');
      expect(await answered.promise).toEqual([200, '00000000-0000-4000-8000-000000000000']);
      expect(await asked.promise).toMatchObject({ authorization: 'Bearer token' });
    } finally {
      await page.close();
    }
  });
});
