/** Consoles of real hosts, and what is done in their pages. */
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import type { Bench } from './bench.ts';
import { addTools, viewport } from './browser.ts';
import { builtBridge, builtFolder } from './bundle.ts';
import {
  invoke,
  bridgeOptions,
  printed,
  repositoryFile,
  run,
  type Running,
  type Server,
} from './processes.ts';

export interface ConsoleHost {
  running: Running;
  link: string;
}

/** A host with its console from the source; see `bench/servers/console-host.ts`. */
export async function startConsoleHost(bench: Bench, dataDir: string): Promise<ConsoleHost> {
  const renderer = join(builtFolder(), 'renderer');
  const running = run(bench, [repositoryFile('bench/servers/console-host.ts'), dataDir, renderer], 'pipe');
  const [, link = ''] = await printed(running, /Console: (http\S+)/);
  return { running, link };
}

export async function writeLines({ running }: ConsoleHost, linesPerSecond: number): Promise<void> {
  await invoke(running, { linesPerSecond });
}

/** The number of the newest line. */
export async function newestLine({ running }: ConsoleHost): Promise<number> {
  return Number(await invoke(running, 'last'));
}

/** `tillbridge bridge` as it is installed, with its console. */
export async function startBridgeWithConsole(bench: Bench): Promise<{ server: Server; link: string }> {
  const running = run(bench, [builtBridge(), ...bridgeOptions(bench.folder())], 'pipe');
  const [[, port], [, link = '']] = await Promise.all([
    printed(running, /Listening on http:\/\/127\.0\.0\.1:(\d+)/),
    printed(running, /Console:\s+(http\S+)/),
  ]);
  return { server: { ...running, port: Number(port) }, link };
}

/** Lets the page in by the link; it shows the page Till. `lax`: it may also read from elsewhere. */
export async function openConsole(browser: Browser, link: string, lax = false): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', viewport, bypassCSP: lax });
  const page = await context.newPage();
  await page.goto(link);
  await page.waitForSelector('.till');
  await addTools(page);
  return page;
}

export async function goTo(page: Page, name: string): Promise<void> {
  await page.evaluate(`location.hash = '#/${name}'`);
  await page.waitForSelector(`nav a[href="#/${name}"][aria-current="page"]`);
}
