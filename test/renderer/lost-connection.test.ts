/** The window of a headless bridge that is gone: nothing that was true before may still be said, also when another one is there. */
import { createServer, type ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Browser } from 'playwright';
import { beforeAll, describe, expect, test } from 'vitest';
import { linkMark, type ShutOut } from '../../src/contract/console/index.ts';
import { builtRenderer, sharedChromium } from '../support/chromium.ts';
import { consoleState, daySummary, settingsView } from '../support/console-data.ts';
import { needs } from '../support/needs.ts';

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** As the headless bridge serves its console: the page, the questions, and the stream of changes. */
async function serveConsole(folder: string) {
  const streams = new Set<ServerResponse>();
  let refuses: ShutOut | null = null;
  const answers: Record<string, unknown> = {
    state: consoleState(),
    settings: settingsView(),
    today: daySummary(),
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page');
    const question = /^\/api\/(\w+)$/.exec(pathname)?.[1];
    if (question === undefined) {
      const name = pathname === '/' ? 'index.html' : path.normalize(pathname);
      readFile(path.join(folder, name)).then(
        (content) => {
          response.setHeader('content-type', types[path.extname(name)] ?? 'application/octet-stream');
          response.end(content);
        },
        () => response.writeHead(404).end(),
      );
      return;
    }
    if (question === 'enter') {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ok: true, value: { secret: 'secret' } }));
      return;
    }
    if (refuses !== null) {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ok: false, refusal: { code: refuses, message: 'Not allowed.' } }));
      return;
    }
    if (question === 'changes') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': hello\n\n');
      streams.add(response);
      return;
    }
    const value = answers[question];
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify(
        value === undefined
          ? { ok: false, refusal: { code: 'internal_error', message: `no ${question}` } }
          : { ok: true, value },
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/${linkMark}token`,
    /** Another bridge is here now, or all windows were ended. */
    refuseAll(why: ShutOut) {
      refuses = why;
      for (const stream of streams) stream.destroy();
    },
    close() {
      server.closeAllConnections();
      return new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

const colourOfSum = `getComputedStyle(document.querySelector('[data-figure="sum"]')).color`;

describe.skipIf(!needs('chromium'))('a window without its bridge', () => {
  let browser: Browser;
  let folder = '';
  beforeAll(async () => {
    folder = await builtRenderer();
    browser = await sharedChromium();
  });

  async function openReady() {
    const site = await serveConsole(folder);
    const page = await browser.newPage({ locale: 'en-GB' });
    page.setDefaultTimeout(60_000);
    await page.goto(site.address);
    await page.locator('[data-situation="ready"]').waitFor();
    return { site, page };
  }

  test('says so, instead of what was true before', async () => {
    const { site, page } = await openReady();
    await site.close();
    await page.locator('[data-situation="disconnected"]').waitFor();
    const header = await page.locator('.header').innerText();
    expect(header).toContain('Terminal: unknown');
    expect(header).not.toContain('Ready');
    expect(header).not.toContain('Ready for the POS');
    expect(await page.locator('.header').getByRole('button').count()).toBe(0);
    // Once: by the banner. What else is said on the page is another sentence.
    expect(await page.locator('.header [aria-live]:not([aria-live=off])').count()).toBe(0);
    const said = page.locator('.till > [role=status]', { hasText: /^It is not known what the/ });
    await said.waitFor({ state: 'attached' });
    await page.getByRole('region', { name: /^Today as of/ }).waitFor();
    await page.getByText('No connection to the bridge. It may still be running').waitFor();
    const main = page.getByRole('main');
    for (const name of ['Batches', 'Payments']) {
      await page.getByRole('link', { name }).click();
      await main.getByRole('heading', { name, exact: true }).first().waitFor();
      await main.getByText('No connection to the bridge.').waitFor();
      expect(await main.innerText()).not.toContain('Loading');
    }
    await page.close();
  });

  test('says of which time the day’s figures are', async () => {
    const { site, page } = await openReady();
    const figure = page.locator('[data-figure="sum"]');
    await figure.waitFor();
    const strong = await page.evaluate<string>(colourOfSum);
    expect(await page.locator('.till-as-of').count()).toBe(0);
    await site.close();
    await page.locator('.till-as-of').waitFor();
    expect(await page.locator('.till-as-of').innerText()).toMatch(/^as of \d\d:\d\d$/);
    expect(await figure.innerText()).toBe('€1,234.50');
    expect(await page.evaluate<string>(colourOfSum)).not.toBe(strong);
    await page.close();
  });

  test('shows nothing any more when all windows were ended, but says what to do', async () => {
    const { site, page } = await openReady();
    site.refuseAll('access_revoked');
    await page.getByText('All links to the console and all its windows were revoked').waitFor();
    const shown = await page.locator('body').innerText();
    expect(shown).toContain('tillbridge console prints a new link');
    expect(shown).not.toMatch(/Terminal|€/);
    await page.close();
    await site.close();
  });

  test('says what to do when another bridge is there', async () => {
    const { site, page } = await openReady();
    site.refuseAll('session_unknown');
    await page.locator('.banner', { hasText: 'The bridge has been restarted' }).waitFor();
    const now = await page.locator('.till-now').innerText();
    expect(now).toContain('The bridge has been restarted');
    expect(now).toContain('tillbridge console prints a new link');
    await page.close();
    await site.close();
  });
});
