/** The window's end of the HTTP transport in a real browser, under the page's own policy. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/log/index.ts';
import { systemChance } from '../../../src/base/chance.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { serveConsole } from '../../../src/headless/console/serve-console.ts';
import { createFakeService, logChange, type FakeService } from '../../headless/console/fake-service.ts';
import { sharedChromium } from '../../support/chromium.ts';
import { waitFor } from '../../support/real-time.ts';
import { needs } from '../../support/needs.ts';

const transport = path.resolve(import.meta.dirname, '../../../src/renderer/transport/index.ts');

describe.skipIf(!needs('chromium'))('the HTTP transport in a browser', () => {
  let folder: string;
  let browser: Browser;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-transport-'));
    writeFileSync(
      path.join(folder, 'index.html'),
      '<!doctype html><script type="module" src="./main.js"></script>',
    );
    writeFileSync(
      path.join(folder, 'main.js'),
      `import { chooseTransport } from ${JSON.stringify(transport)};
       window.transport = chooseTransport();
       window.stop = window.transport.subscribe((change) => heard(change), (connected, late) => heard(late ? 'late' : connected));`,
    );
    const outDir = path.join(folder, 'page');
    await build({ root: folder, base: './/', configFile: false, logLevel: 'error', build: { outDir } });
    browser = await sharedChromium();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
  });

  let context: BrowserContext;
  let page: Page;
  let service: FakeService;
  /** What the transport told, in order; taken off as a test reads it. */
  let heard: unknown[];
  let onHeard: () => void;
  let served: Awaited<ReturnType<typeof serve>>;

  async function serve(port: number) {
    const rendererFolder = path.join(folder, 'page');
    const result = await serveConsole({
      service,
      port,
      rendererFolder,
      log: silentLog,
      clock: systemClock,
      chance: systemChance(systemClock),
    });
    if (result.kind === 'failed') throw new Error(result.message);
    return result;
  }

  async function next(): Promise<unknown> {
    while (heard.length === 0) await new Promise<void>((resolve) => (onHeard = resolve));
    return heard.shift();
  }

  /** Another window of the same browser. `wait` lets the timers of late windows come; it moves the time of all. */
  async function openWindow() {
    const other = await context.newPage();
    const told: unknown[] = [];
    let onTold = () => {};
    await other.exposeFunction('heard', (what: unknown) => {
      told.push(what);
      onTold();
    });
    await other.clock.install();
    await other.goto(served.makeLink());
    return {
      page: other,
      async next(): Promise<unknown> {
        while (told.length === 0) await new Promise<void>((resolve) => (onTold = resolve));
        return told.shift();
      },
      wait: () => other.clock.runFor(3_000),
    };
  }

  beforeEach(async () => {
    service = createFakeService();
    served = await serve(0);
    heard = [];
    onHeard = () => {};
    context = await browser.newContext({ acceptDownloads: true });
    page = await context.newPage();
    await page.exposeFunction('heard', (what: unknown) => {
      heard.push(what);
      onHeard();
    });
    await page.goto(served.makeLink());
  });
  afterEach(async () => {
    await context.close();
    await served.close();
  });

  it('asks, and gives refusals as they are', async () => {
    expect(page.url()).toBe(`http://127.0.0.1:${served.port}/`);
    const reply = await page.evaluate(`transport.invoke('payment', { transactionId: 'ä' })`);
    expect(reply).toEqual({ ok: true, value: { name: 'payment', request: { transactionId: 'ä' } } });
    const refused = await page.evaluate(`transport.invoke('nothing', {})`);
    expect(refused).toMatchObject({ ok: false, refusal: { code: 'not_found' } });
  });

  it('hears changes in order, until it is stopped', async () => {
    expect(await next()).toBe(true);
    for (const last of [1, 2, 3]) service.tell(logChange(last));
    expect([await next(), await next(), await next()]).toEqual([1, 2, 3].map((last) => logChange(last)));
    await page.evaluate('stop()');
    await service.whenListeners(0);
    expect(heard).toEqual([]);
  });

  it('tells when the bridge is gone, and needs a link to another one', async () => {
    expect(await next()).toBe(true);
    const { port } = served;
    await served.close();
    expect(await next()).toBe(false);
    await expect(page.evaluate(`transport.invoke('state', {})`)).rejects.toThrow('Failed to fetch');
    // Another bridge: the secret of the first is worth nothing here, and only another link helps.
    const refused = page.waitForResponse((response) => response.url().endsWith('/api/changes'));
    served = await serve(port);
    expect((await refused).status()).toBe(401);
    expect(await page.evaluate(`transport.invoke('state', {})`)).toMatchObject({
      refusal: { code: 'session_unknown' },
    });
    await page.goto(served.makeLink());
    let told = await next();
    while (told === false) told = await next();
    expect(told).toBe(true);
    await expect.poll(() => page.url()).toBe(`http://127.0.0.1:${port}/`);
  });

  it('comes back by itself to a bridge that has only cut the connection', async () => {
    expect(await next()).toBe(true);
    // More than a stream may have unread.
    service.tell(logChange(8, 16 * 1024 * 1024));
    expect(await next()).toBe(false);
    expect(await next()).toBe(true);
    service.tell(logChange(9));
    expect(await next()).toEqual(logChange(9));
  });

  it('lets eight windows of one browser work: some have a stream, the others ask, and take a place that is free', async () => {
    let last = 1;
    service.invoke = (name) => {
      const log = { lines: [], next: null, first: 1, last, sources: [] };
      return Promise.resolve({
        ok: true,
        value: { state: {}, settings: {}, payments: { payments: [] }, log }[name],
      });
    };
    expect(await next()).toBe(true);
    const others = [];
    for (let window = 2; window <= 8; window += 1) others.push(await openWindow());
    const kinds = [];
    for (const other of others) kinds.push(await other.next());
    expect(kinds).toEqual([true, true, true, 'late', 'late', 'late', 'late']);

    // A connection is left for what a person does, in each window.
    for (const { page: window } of others)
      expect(await window.evaluate(`transport.invoke('state', {})`)).toBeTruthy();
    last = 2;
    service.tell(logChange(2));
    expect(await next()).toEqual(logChange(2));
    for (const other of others) {
      await other.wait();
      expect(await other.next()).toEqual(logChange(2));
    }

    const [live, , , ...late] = others;
    await live?.page.close();
    // Which of them is the first to look again is not said.
    let now: Awaited<ReturnType<typeof openWindow>> | null = null;
    for (const window of late) {
      void (async () => {
        while ((await window.next()) !== true);
        now ??= window;
      })();
    }
    const first = await waitFor(async () => {
      await late[0]?.wait();
      return now;
    }, 'a late window to take the place');
    last = 3;
    service.tell(logChange(3));
    expect(await first.next()).toEqual(logChange(3));
  });

  it('saves files under their name', async () => {
    service.file.name = 'support ä.zip';
    const download = page.waitForEvent('download');
    expect(await page.evaluate(`transport.save({ kind: 'support_bundle' })`)).toEqual({
      kind: 'saved',
      name: 'support ä.zip',
    });
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('support ä.zip');
    expect(readFileSync(await saved.path(), 'utf8')).toBe('support_bundle');
    service.file.name = 'tillbridge-log.jsonl';
    expect(await page.evaluate(`transport.save({ kind: 'support_bundle' })`)).toEqual({
      kind: 'saved',
      name: 'tillbridge-log.jsonl',
    });
  });

  it('says why a file was not saved', async () => {
    service.makeFile = () => Promise.reject(new Error('the disk is full'));
    expect(await page.evaluate(`transport.save({ kind: 'support_bundle' })`)).toEqual({
      kind: 'failed',
      message: expect.stringContaining('the disk is full'),
    });
    await served.close();
    expect(await page.evaluate(`transport.save({ kind: 'support_bundle' })`)).toMatchObject({
      kind: 'failed',
    });
  });
});
