/** A console that is really there, whichever way it is carried: the same specs run on each. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright';
import { launchDesktop } from '../support/desktop.ts';
import { sharedChromium } from '../support/chromium.ts';
import { builtApp } from '../support/built-app.ts';
import { runTillbridge } from '../support/programs.ts';
import { createTill, type Till } from '../support/till.ts';

export interface ConsoleOptions {
  /** Null: none is chosen, the first start asks. */
  terminal: 'simulator' | null;
  /** Of the simulator; 0 is at once, 1 about a second. */
  pace?: number;
  /** What more is set, as environment variables. */
  environment?: Record<string, string>;
  /** What an earlier run has left in the data folder. */
  prepare?: (dataDir: string) => void;
}

export interface OpenConsole {
  page: Page;
  dataDir: string;
  /** A till at the listener's address, once that is told on the page. */
  till(): Promise<Till>;
  /** Does what makes a file, answers where to save it if that is asked, and gives its content. */
  saved(press: () => Promise<void>): Promise<Buffer>;
  close(): Promise<void>;
}

export interface Way {
  name: string;
  open(options: ConsoleOptions): Promise<OpenConsole>;
}

/** How long anything is waited for, in milliseconds, so that a failure names what did not come. */
const patienceMs = 60_000;

/** The page of `tillbridge bridge` in a browser. */
export const headlessWay: Way = {
  name: 'headless console in Chromium',
  async open({ terminal, pace = 0, environment = {}, prepare = () => {} }) {
    const dataDir = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-console-'));
    prepare(dataDir);
    const bridge = runTillbridge(
      ['bridge', '--setup', '--port', '0', '--data-dir', dataDir, '--pace', String(pace)].concat(
        terminal === null ? [] : ['--terminal', terminal],
      ),
      { TILLBRIDGE_DIST: path.join(builtApp(), 'dist'), ...environment },
    );
    const [, link = ''] = await bridge.printed(/Console: (http\S+)/);
    const browser = await sharedChromium();
    const context = await browser.newContext({ locale: 'en-GB', acceptDownloads: true });
    const page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    await page.goto(link);
    await page.waitForSelector('main');
    return {
      page,
      dataDir,
      till: () => tillOf(page),
      async saved(press) {
        const [download] = await Promise.all([page.waitForEvent('download'), press()]);
        return readFileSync(await download.path());
      },
      async close() {
        await context.close();
        await bridge.end();
        rmSync(dataDir, { recursive: true, force: true });
      },
    };
  },
};

/** The desktop app's window, on the double of Electron or on Electron itself. */
export function desktopWay(name: string, appFolder?: () => Promise<string>): Way {
  return {
    name,
    async open({ terminal, pace = 0, environment = {}, prepare = () => {} }) {
      const home = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-console-'));
      prepare(path.join(home, 'data'));
      const desktop = await launchDesktop({
        terminal,
        home,
        environment: { TILLBRIDGE_PACE: String(pace), ...environment },
        ...(appFolder === undefined ? {} : { appFolder: await appFolder() }),
      });
      const page = desktop.window;
      page.setDefaultTimeout(patienceMs);
      await page.waitForSelector('main');
      return {
        page,
        dataDir: desktop.dataDir,
        till: () => tillOf(page),
        async saved(press) {
          const file = path.join(desktop.home, `saved-${crypto.randomUUID()}`);
          await desktop.app.evaluate(({ dialog }, filePath) => {
            dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
          }, file);
          await press();
          await page.getByText(path.basename(file)).first().waitFor();
          return readFileSync(file);
        },
        async close() {
          await desktop.close();
          rmSync(home, { recursive: true, force: true, maxRetries: 5 });
        },
      };
    },
  };
}

async function tillOf(page: Page): Promise<Till> {
  await page.locator('[data-connection="ready"]').waitFor();
  const words = await page.locator('[data-listener="on"]').innerText();
  const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(words) ?? [];
  if (address === undefined) throw new Error(`No address is told: ${words}`);
  return createTill(address);
}
