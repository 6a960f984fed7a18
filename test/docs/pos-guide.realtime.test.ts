/** The programs of docs/pos-guide.md, taken from the page as they stand there and run against a bridge with the simulator. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedChromium } from '../support/chromium.ts';
import { countTestFilesWith, skippedWithout } from '../support/describe-with.ts';
import { needs } from '../support/needs.ts';
import { bridgeOn, runTillbridge, type Program } from '../support/programs.ts';
import {
  clientInPage,
  inPage,
  languages,
  languagesHere,
  programOf,
  run,
  serveSite,
  unlessMonoCrashes,
} from './guide-kit.ts';

const expected = ['payment approved', 'void done', 'cancel done', 'batch closed'];

let folder: string;
let bridge: Program;
let address: string;
let site: Server;
let origin: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-guide-'));
  ({ site, origin } = await serveSite());
  bridge = runTillbridge(bridgeOn('simulator', folder, '--pace', '0', '--allow-origin', origin));
  const [, port = ''] = await bridge.printed(/Listening on http:\/\/127\.0\.0\.1:(\d+)/);
  await bridge.printed(/The terminal is ready/);
  address = `http://localhost:${port}`;
  // The app may have to be built first.
}, 600_000);
afterAll(async () => {
  await bridge.end();
  site.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each([{ name: 'JavaScript', language: 'client' } as const, ...languagesHere()])(
  'the example in $name',
  ({ language }) => {
    it('pays, voids, cancels and closes the day', unlessMonoCrashes, async () => {
      expect(await run(...programOf(language, address, folder))).toEqual(expected);
    });
  },
);

// For all files that run the examples.
for (const { name, tools } of languages) {
  skippedWithout(tools, `the example in ${name}`, `${countTestFilesWith(/\blanguagesHere\(/)} tests`);
}

describe.skipIf(!needs('chromium'))('the example in a web page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedChromium();
  });

  it('pays, voids, cancels and closes the day from an allowed origin', async () => {
    const page = await browser.newPage();
    await page.goto(origin);
    const printed = await page.evaluate<string[]>(inPage(address));
    expect(printed).toEqual(expected);
  });

  it("pays, voids, cancels and closes the day with the till's client", async () => {
    const page = await browser.newPage();
    await page.goto(origin);
    expect(await page.evaluate<string[]>(await clientInPage(address))).toEqual(expected);
  });

  it('gets no answer from another origin', async () => {
    const page = await browser.newPage();
    await page.goto(origin.replace('127.0.0.1', 'localhost'));
    const call = page.evaluate(
      (bridge) => fetch(`${bridge}/health`).then((answer) => answer.status),
      address,
    );
    await expect(call).rejects.toThrow('Failed to fetch');
  });
});
