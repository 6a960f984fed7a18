/**
 * Ways into the headless console past its link: what a browser tells other programs on this computer, what stays of a
 * link, and what an old window can still do. Each row says what must come of it.
 */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page, Request } from 'playwright';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../src/log/index.ts';
import { systemChance } from '../../src/base/chance.ts';
import { systemClock } from '../../src/base/clock.ts';
import { serveConsole, type ServedConsole } from '../../src/headless/console/serve-console.ts';
import { invoke } from '../headless/console/console-browser.ts';
import { createFakeService, type FakeService } from '../headless/console/fake-service.ts';
import { builtRenderer, sharedChromium } from '../support/chromium.ts';
import { consoleState, settingsView } from '../support/console-data.ts';
import { needs } from '../support/needs.ts';

type Serving = Extract<ServedConsole, { kind: 'serving' }>;

/** One console, the window that its first link has opened, and another program on the same computer. */
interface Scene {
  served: Serving;
  service: FakeService;
  link: string;
  /** Shows the console. */
  page: Page;
  context: BrowserContext;
  /** A browser of somebody else. */
  stranger: BrowserContext;
  /** The other program's address, on a port of its own, and what browsers have sent there. */
  elsewhere: string;
  received: IncomingHttpHeaders[];
  /** What the window has sent anywhere. */
  sent: Request[];
  restart(): Promise<Serving>;
}

interface Attempt {
  what: string;
  /** Gives the page whose text is judged, or what came of it. */
  attempt(scene: Scene): Promise<Page | string>;
  /** What is shown, or what came of it. Nothing of the console's state may be shown then. */
  comesTo: RegExp;
}

const noAccess = /This window has no access/;

const attempts: Attempt[] = [
  {
    what: 'a program on another port takes what the browser sends it to the console',
    async attempt({ page, elsewhere, received, served }) {
      const other = await page.context().newPage();
      await other.goto(elsewhere);
      const { cookie = '', authorization = '' } = received.at(-1) ?? {};
      const headers = { cookie, authorization, 'content-type': 'application/json' };
      const { status } = await invoke(served.port, '/api/state', { method: 'POST', body: '{}', headers });
      return `${status} with "${cookie}${authorization}"`;
    },
    comesTo: /^401 with ""$/,
  },
  {
    what: 'a page of another port asks with whatever the browser adds',
    async attempt({ page, elsewhere, served }) {
      const other = await page.context().newPage();
      await other.goto(elsewhere);
      return await other.evaluate<string>(
        `fetch('http://127.0.0.1:${served.port}/api/state', { method: 'POST', credentials: 'include',
          headers: { 'content-type': 'application/json' }, body: '{}' }).then((answer) => answer.text(), String)`,
      );
    },
    comesTo: /Failed to fetch/,
  },
  {
    what: 'somebody else opens a link that was opened before',
    attempt: ({ stranger, link }) => opened(stranger, link),
    comesTo: /has been opened before/,
  },
  {
    what: 'two windows race for one link',
    async attempt({ context, stranger, served }) {
      const link = served.makeLink();
      const pages = await Promise.all([opened(context, link), opened(stranger, link)]);
      const shown = await Promise.all(pages.map(textOf));
      return shown
        .map((text) => (noAccess.test(text) ? 'out' : 'in'))
        .toSorted()
        .join();
    },
    comesTo: /^in,out$/,
  },
  {
    what: 'whoever reads addresses and referrers on the way',
    async attempt({ sent, link, page, elsewhere, received }) {
      await page.evaluate(`{ const link = document.createElement('a'); link.href = '${elsewhere}';
        document.body.append(link); link.click(); }`);
      await page.waitForURL(elsewhere);
      const secrets = secretsIn(link);
      const read = [...sent.map((request) => request.url()), ...received.map(({ referer }) => referer ?? '')];
      return read.filter((text) => secrets.some((secret) => text.includes(secret))).join() || 'nothing';
    },
    comesTo: /^nothing$/,
  },
  {
    what: 'whoever finds the window’s address',
    async attempt({ page, link, context }) {
      const address = page.url();
      await page.close();
      expect(secretsIn(link).filter((secret) => address.includes(secret))).toEqual([]);
      return opened(context, address);
    },
    comesTo: noAccess,
  },
  {
    what: 'another tab of the same browser, by the address alone',
    attempt: ({ context, served }) => opened(context, `http://127.0.0.1:${served.port}/`),
    comesTo: /each link opens one window only/,
  },
  {
    what: 'another name of this computer, with what the first has',
    attempt: ({ context, served }) => opened(context, `http://localhost:${served.port}/`),
    comesTo: noAccess,
  },
  {
    what: 'a link with a token that was made up',
    attempt: ({ stranger, link }) => opened(stranger, link.replace(/.{4}$/, 'AAAA')),
    comesTo: /no longer works/,
  },
  {
    what: 'a window that was open when all were ended, loaded again',
    async attempt({ page, served }) {
      served.revoke();
      await page.getByText('were revoked').first().waitFor();
      await page.reload();
      return shownBy(page);
    },
    comesTo: /were revoked.*prints a new link/,
  },
  {
    what: 'a link that was made before all were ended',
    attempt({ stranger, served }) {
      const link = served.makeLink();
      served.revoke();
      return opened(stranger, link);
    },
    comesTo: /were revoked/,
  },
  {
    what: 'a window of the bridge that was here before',
    async attempt({ page, restart }) {
      await restart();
      await page.getByText('The bridge has been restarted').first().waitFor();
      await page.reload();
      return shownBy(page);
    },
    comesTo: /The bridge has been restarted/,
  },
  {
    what: 'a link of the bridge that was here before',
    async attempt({ served, stranger, restart }) {
      const link = served.makeLink();
      await restart();
      return opened(stranger, link);
    },
    comesTo: /the bridge has been restarted since/,
  },
];

/** What must go on working, so that nobody is tempted to loosen the above. */
const uses: Attempt[] = [
  {
    what: 'the window is loaded again',
    async attempt({ page }) {
      await page.reload();
      return shownBy(page);
    },
    comesTo: /Ready/,
  },
  {
    what: 'the window’s own link is opened in it once more',
    async attempt({ page, link }) {
      await page.goto('about:blank');
      await page.goto(link);
      return shownBy(page);
    },
    comesTo: /Ready/,
  },
  {
    what: 'a new link is put into the address of a window that is shut out',
    async attempt({ page, served }) {
      served.revoke();
      await page.getByText('were revoked').first().waitFor();
      await page.goto(served.makeLink());
      return shownBy(page);
    },
    comesTo: /Ready/,
  },
];

function opened(context: BrowserContext, address: string): Promise<Page> {
  return context.newPage().then(async (page) => {
    await page.goto(address);
    return shownBy(page);
  });
}

/** The page, once it shows the console or says why it does not. */
async function shownBy(page: Page): Promise<Page> {
  await page.locator('main').waitFor({ timeout: 60_000 });
  return page;
}

function textOf(page: Page): Promise<string> {
  return page.locator('body').innerText();
}

/** Every long random text in the link. */
function secretsIn(link: string): string[] {
  return link.match(/[\w-]{20,}/g) ?? [];
}

describe.skipIf(!needs('chromium'))('the console', () => {
  let browser: Browser;
  let rendererFolder = '';
  beforeAll(async () => {
    browser = await sharedChromium();
    rendererFolder = await builtRenderer();
  });

  let scene: Scene;
  let other: Server;
  beforeEach(async () => {
    const service = createFakeService();
    service.invoke = (name, request) => {
      service.asked.push({ name, request });
      if (name === 'state') return Promise.resolve({ ok: true, value: consoleState() });
      if (name === 'settings') return Promise.resolve({ ok: true, value: settingsView() });
      return Promise.resolve({ ok: false, refusal: { code: 'not_found', message: 'Not in this test.' } });
    };
    const serve = async (port: number): Promise<Serving> => {
      const chance = systemChance(systemClock);
      const options = { service, port, rendererFolder, log: silentLog, clock: systemClock, chance };
      const served = await serveConsole(options);
      if (served.kind === 'failed') throw new Error(served.message);
      return served;
    };
    const received: IncomingHttpHeaders[] = [];
    other = createServer((request, response) => {
      received.push(request.headers);
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>elsewhere</title>');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const served = await serve(0);
    const context = await browser.newContext({ locale: 'en-GB' });
    const sent: Request[] = [];
    context.on('request', (request) => sent.push(request));
    const link = served.makeLink();
    scene = {
      served,
      service,
      link,
      context,
      page: await opened(context, link),
      stranger: await browser.newContext({ locale: 'en-GB' }),
      elsewhere: `http://127.0.0.1:${(other.address() as AddressInfo).port}/`,
      received,
      sent,
      async restart() {
        await scene.served.close();
        scene.served = await serve(served.port);
        return scene.served;
      },
    };
    await scene.page.getByText('Ready').first().waitFor();
  });
  afterEach(async () => {
    await scene.context.close();
    await scene.stranger.close();
    await scene.served.close();
    other.closeAllConnections();
    other.close();
  });

  it.each(attempts)('is not entered by: $what', async ({ attempt, comesTo }) => {
    const end = await attempt(scene);
    const text = typeof end === 'string' ? end : await textOf(end);
    expect(text.replaceAll('\n', ' ')).toMatch(comesTo);
    if (typeof end !== 'string') expect(text).not.toContain('Ready');
  });

  it.each(uses)('is still there after: $what', async ({ attempt, comesTo }) => {
    const end = await attempt(scene);
    if (typeof end === 'string') throw new Error(end);
    await end.getByText(comesTo).first().waitFor({ timeout: 60_000 });
    expect(await textOf(end)).not.toMatch(noAccess);
  });
});
