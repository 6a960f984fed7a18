/**
 * `npm run screenshots`: the documents' pictures, light and dark, taken of the real console with the simulator behind it and
 * of the head office's page. `-- console` or `-- office` takes only those. Needs Chromium (CONTRIBUTING.md says which is
 * taken). Writes `docs/pictures/`.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright';
import { createHost, fileSecrets } from '../src/host/index.ts';
import { serveConsole } from '../src/headless/console/serve-console.ts';
import { systemChance } from '../src/base/chance.ts';
import { systemClock } from '../src/base/clock.ts';
import { silentLog } from '../src/log/index.ts';
import { launchChromium } from '../test/support/chromium.ts';
import { build } from './launch/build.ts';
import { keepMoney } from './money-for-pictures.ts';
import { takeOfficePictures } from './office-for-pictures.ts';
import packageFacts from '../package.json' with { type: 'json' };

const repository = path.resolve(import.meta.dirname, '..');
const pictures = path.join(repository, 'docs/pictures');
const rendererFolder = path.join(repository, 'dist/renderer');
const size = { width: 1_200, height: 780 };
/** A morning at a till: what the simulator does with each amount is told in docs/simulator.md. */
const morning = [
  '12.00',
  '8.50',
  '64.20',
  '3.01',
  '27.90',
  '5.40',
  '18.02',
  '112.00',
  '9.95',
  '31.70',
  '7.25',
  '46.10',
];

/** Charts are drawn anew in the theme's colours one frame later. */
const twoFrames = `document.fonts.ready.then(
  () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
)`;

const data = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-pictures-'));
try {
  const end = await build(repository);
  if (end.kind === 'failed') throw new Error(end.words);
  mkdirSync(pictures, { recursive: true });
  const only = process.argv[2];
  if (only !== 'office') await takePictures();
  if (only !== 'console') await takeOfficePictures({ rendererFolder, size, picture });
} finally {
  rmSync(data, { recursive: true, force: true });
}

async function takePictures(): Promise<void> {
  const host = createHost({
    kind: 'headless',
    sources: {
      flags: { dataDir: data, pace: '0.4' },
      configFile: null,
      environment: {},
      currentFolder: repository,
      defaultDataDir: data,
    },
    defaultTerminal: 'simulator',
    secrets: fileSecrets(),
    clock: systemClock,
    chance: systemChance(systemClock),
    version: packageFacts.version,
    canStartWithSystem: false,
  });
  const started = await host.start();
  if (started.kind !== 'running') throw new Error(JSON.stringify(started));
  const served = await serveConsole({
    service: host.console,
    port: 0,
    rendererFolder,
    log: silentLog,
    clock: systemClock,
    chance: systemChance(systemClock),
  });
  if (served.kind !== 'serving') throw new Error(served.message);
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: size, locale: 'en-GB' });
    await page.goto(served.makeLink());
    await page.locator('[data-connection="ready"]').waitFor();
    for (const [number, amount] of morning.entries()) await pay(amount, `A-${1001 + number}`, 60);
    await picture(page, 'payments', '/payments', page.getByRole('row', { name: /A-1012/ }));
    await page.getByRole('row', { name: /A-1003/ }).click();
    await page.getByText('CreatePayment').first().waitFor();
    await page.evaluate(
      `[...document.querySelectorAll('h2, h3')].find((heading) => heading.textContent === 'What happened').scrollIntoView()`,
    );
    await bothThemes(page, 'timeline');
    const payment = await page.evaluate<string>('window.location.hash.slice(1)');
    await picture(page, 'receipt', `${payment}/receipt`, page.getByText('Payment approved').first());
    await picture(page, 'log', '/log', page.getByText(/the sale ended|A-1012/).first());
    await picture(page, 'settings', '/settings', page.getByLabel('Language'));
    keepMoney(data, systemClock.now());
    await picture(page, 'money', '/money', page.getByText('Too little').first());
    // The host takes half a minute with this amount, which is time enough for a picture of the current payment.
    await pay('24.07', 'A-1013', 0);
    await picture(page, 'till', '/till', page.getByText('24.07').first());
  } finally {
    await browser.close();
    await served.close();
    const { currentOperation } = host.state();
    if (currentOperation !== null)
      await host.console.invoke('cancelPayment', { reference: currentOperation.reference });
    await host.stop();
  }
}

async function pay(amount: string, reference: string, waitS: number): Promise<void> {
  await fetch('http://127.0.0.1:8080/CreatePayment', {
    method: 'POST',
    headers: { 'x-api-version': 'v1', 'content-type': 'application/json', prefer: `wait=${waitS}` },
    body: JSON.stringify({ amount, retrieval_reference_number: reference }),
  });
}

/** `shown` is what the page has when it is complete. */
async function picture(page: Page, name: string, route: string, shown: Locator): Promise<void> {
  await page.evaluate(`window.location.hash = ${JSON.stringify(`#${route}`)}`);
  await shown.waitFor();
  await bothThemes(page, name);
}

async function bothThemes(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // What is still being fetched says so. The network is never idle: the console holds a stream open.
    await page.locator('[aria-busy="true"]:visible').first().waitFor({ state: 'hidden' });
    await page.evaluate(twoFrames);
    await page.screenshot({ path: path.join(pictures, `${name}-${colorScheme}.png`) });
  }
}
