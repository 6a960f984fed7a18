/** The window: our page and nothing else, shut off from the computer. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canLaunchDesktop, launchDesktop, type Desktop } from '../support/desktop.ts';

describe.skipIf(!canLaunchDesktop())('the window', () => {
  let desktop: Desktop;
  let page: Page;
  beforeAll(async () => {
    desktop = await launchDesktop();
    page = desktop.window;
  });
  afterAll(() => desktop.close());

  const address = () =>
    desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getURL());
  const windowCount = () => desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);

  it('shows the console', async () => {
    expect(await address()).toMatch(/^app:\/\/tillbridge\//);
    expect(await page.title()).toContain('Tillbridge');
    await page.locator('#root > *').first().waitFor();
  });

  it('has the preload API, and nothing of Node or Electron', async () => {
    const found = await page.evaluate(() => {
      const world = globalThis as unknown as Record<string, object>;
      const api = world['tillbridge'] ?? {};
      const foreign = ['require', 'process', 'module', 'Buffer', 'global', 'ipcRenderer', 'electron'];
      return {
        api: Object.keys(api).sort(),
        isFrozen: Object.isFrozen(api),
        foreign: foreign.filter((name) => name in world),
      };
    });
    expect(found).toEqual({
      api: ['invoke', 'onChange', 'onGoTo', 'quit', 'save', 'show', 'tryNotification'],
      isFrozen: true,
      foreign: [],
    });
  });

  it('cannot replace the preload API', async () => {
    const replaced = await page.evaluate(() => {
      const world = globalThis as unknown as Record<string, unknown>;
      const before = world['tillbridge'];
      try {
        world['tillbridge'] = {};
      } catch {
        // Strict code is told.
      }
      return world['tillbridge'] !== before;
    });
    expect(replaced).toBe(false);
  });

  it('is sent changes until it unsubscribes', async () => {
    const till = await desktop.till();
    await page.evaluate(() => {
      const world = globalThis as unknown as {
        tillbridge: { onChange(listener: (change: { kind: string }) => void): () => void };
        received: string[];
        unsubscribe(): void;
      };
      world.received = [];
      world.unsubscribe = world.tillbridge.onChange((change) => world.received.push(change.kind));
    });
    const received = () => page.evaluate(() => (globalThis as unknown as { received: string[] }).received);
    await till.create('12.00', 'HEARD-1', 10);
    await expect.poll(received).toContain('payment');
    await page.evaluate(() => (globalThis as unknown as { unsubscribe(): void }).unsubscribe());
    const count = (await received()).length;
    await till.create('12.00', 'HEARD-2', 10);
    // The answer comes after every change that was told before it.
    await desktop.invoke('state', {});
    expect((await received()).length).toBe(count);
  });

  it('cannot be sent elsewhere', async () => {
    const before = await address();
    for (const target of ['https://example.invalid/', 'app://elsewhere/', 'file:///etc/passwd']) {
      await page.evaluate(
        (target) => void ((globalThis as unknown as { location: string }).location = target),
        target,
      );
    }
    expect(await page.evaluate(() => 'tillbridge' in globalThis)).toBe(true);
    expect(await address()).toBe(before);
  });

  it('cannot open another window', async () => {
    const opened = await page.evaluate(() =>
      (globalThis as unknown as { open(url: string): unknown }).open('https://example.invalid/'),
    );
    expect(opened).toBeNull();
    await page.evaluate(`
      Object.assign(document.createElement('a'), { href: 'https://example.invalid/', target: '_blank' }).click()
    `);
    // Whatever the page asked for before this has arrived.
    await desktop.invoke('state', {});
    expect(await windowCount()).toBe(1);
    await expect.poll(() => desktop.app.windows().length).toBe(1);
  });

  it('runs no script but its own files, and reaches no other origin', async () => {
    // As text: this is the page's language, not ours.
    const tried = await page.evaluate(`(async () => {
      const blocked = new Promise((resolve) => {
        const directives = new Set();
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
          if (directives.add(effectiveDirective).size === 4) resolve([...directives].sort());
        });
      });
      document.head.append(Object.assign(document.createElement('script'), { textContent: 'window.intruder = 1' }));
      document.head.append(Object.assign(document.createElement('iframe'), { src: 'https://example.invalid/' }));
      const fetched = await fetch('https://example.invalid/').then(() => true, () => false);
      // What the developer tools start may evaluate text; a later turn of the page's own loop may not.
      const evaluated = await new Promise((resolve) => setTimeout(() => {
        try { resolve(eval('true')); } catch { resolve(false); }
      }));
      return { blocked: await blocked, fetched, evaluated, intruder: 'intruder' in window };
    })()`);
    expect(tried).toEqual({
      blocked: ['connect-src', 'frame-src', 'script-src', 'script-src-elem'],
      fetched: false,
      evaluated: false,
      intruder: false,
    });
  });

  it.each([
    '/..%2f..%2fpackage.json',
    '/%2e%2e/main.js',
    '/..%5cmain.js',
    '/assets/',
    '/none.js',
    '/.hidden',
  ])('is given nothing for %s', async (path) => {
    const status = await page.evaluate((path) => fetch(path).then((response) => response.status), path);
    expect(status).toBe(404);
  });

  it('is given its own files with the page policy', async () => {
    const { status, policy } = await page.evaluate(async () => {
      const response = await fetch('/index.html');
      return { status: response.status, policy: response.headers.get('content-security-policy') };
    });
    expect(status).toBe(200);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
  });

  it('is hardened', async () => {
    const preferences = await desktop.app.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      const contents = window?.webContents as unknown as { getLastWebPreferences(): object };
      return contents.getLastWebPreferences();
    });
    expect(preferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
    });
  });
});

describe.skipIf(!canLaunchDesktop())('the page of a development server', () => {
  it('takes the place of the built one, with the same preload API and guards', async () => {
    const server = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html').end('<h1>under development</h1>');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const page = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const desktop = await launchDesktop({ environment: { TILLBRIDGE_DEV_PAGE: page } });
    try {
      expect(await desktop.window.locator('h1').textContent()).toBe('under development');
      expect(await desktop.invoke('state', {})).toMatchObject({ host: 'desktop' });
      await desktop.window.evaluate("void (location = 'app://tillbridge/')");
      expect(desktop.window.url()).toBe(page);
    } finally {
      await desktop.close();
      server.close();
    }
  });
});
