/**
 * The console's page Log with a log store of a million lines, in Chromium without a window.
 *
 * Opening: against a store of a thousand lines, each with a host and a page of its own, in turn. From the click on "Log"
 * until the frame with the newest line is drawn; and from the navigation of a new page until then.
 *
 * Frames: while both are scrolled in the same way by the wheel and by jumps of the scroll bar, against a plain page of a
 * thousand rows of the same look into which nothing comes. Into the log 200 lines come each second. A screen of 60 Hz
 * hides what a frame costs as long as it is done in 16.7 ms, so there is also the processor time of the page's main thread.
 */
import type { Browser, Page } from 'playwright';
import { alternate, type Pair } from '../measure/alternate.ts';
import { compare, type Comparison } from '../measure/comparison.ts';
import { medianOf } from '../measure/spread.ts';
import { sleep, type Bench } from '../world/bench.ts';
import { addTools, noChromium, openBrowser, openBusyMeter, viewport } from '../world/browser.ts';
import {
  goTo,
  newestLine,
  openConsole,
  startConsoleHost,
  writeLines,
  type ConsoleHost,
} from '../world/console.ts';
import { fillLog, paymentLines } from '../world/log-filler.ts';
import { plainPage } from '../world/plain-page.ts';
import type { Section } from './section.ts';

const few = 1_000;
const many = 1_000_000;
const clicks = 16;
const warmUpClicks = 3;
const loads = 6;
const linesPerSecond = 200;
const scrolls = 8;
const wheelEveryMs = 25;
const wheelSteps = 16;
/** A little more than half of the page, 20 rows. */
const wheelPx = 560;
/** Where the scroll bar jumps to, each time as a share of the whole, before the wheel goes up and down again. */
const jumps = [1, 0.5, 0.45, 0.55];
/** A frame that is longer has missed a turn of 60 Hz. */
const lateMs = 25;
const aim = { atMost: 1.5 };

export const consoleLogSection: Section = {
  name: 'console-log',
  title: 'The page Log with 1,000,000 lines against 1,000 lines, and against a plain page of 1,000 rows',
  ours: '1,000,000',
  other: 'other',
  ratio: 'times other',
  measure,
};

interface Shown {
  host: ConsoleHost;
  page: Page;
}

async function measure(bench: Bench): Promise<Comparison[] | string> {
  const browser = await openBrowser(bench);
  if (browser === null) return noChromium;
  bench.say(`writing ${many.toLocaleString('en-US')} lines`);
  const template = await paymentLines(bench);
  const large = await show(bench, browser, fillLog(bench, template, many).dataDir);
  const small = await show(bench, browser, fillLog(bench, template, few).dataDir);
  return [...(await opening(bench, large, small)), ...(await scrolling(bench, browser, large))];
}

async function show(bench: Bench, browser: Browser, dataDir: string): Promise<Shown> {
  const host = await startConsoleHost(bench, dataDir);
  return { host, page: await openConsole(browser, host.link) };
}

async function opening(bench: Bench, large: Shown, small: Shown): Promise<Comparison[]> {
  const click = (count: number) =>
    alternate(
      count,
      () => openByClick(large),
      () => openByClick(small),
    );
  bench.say('opening the page Log');
  await click(warmUpClicks);
  const clicked = await click(clicks);
  const loaded = await alternate(
    loads,
    () => openByLoading(large),
    () => openByLoading(small),
  );
  const costs = { ratio: 'cost', values: 'costs', aim } as const;
  return [
    compare({ what: 'opened by a click, against 1,000 lines, ms', pairs: clicked, ...costs }),
    compare({ what: 'loaded anew, against 1,000 lines, ms', pairs: loaded, ...costs }),
  ];
}

async function openByClick({ host, page }: Shown): Promise<number> {
  await page.bringToFront();
  await goTo(page, 'till');
  return page.evaluate<number>(`bench.openLog(${await newestLine(host)})`);
}

/** The page's clock begins with the navigation. */
async function openByLoading({ host, page }: Shown): Promise<number> {
  const fresh = await page.context().newPage();
  await addTools(fresh);
  // The tab's secret is all that a tab needs to be let in again.
  const kept = await page.evaluate<string>('JSON.stringify(Object.entries(sessionStorage))');
  await fresh.addInitScript(`for (const [key, value] of ${kept}) sessionStorage.setItem(key, value)`);
  await fresh.addInitScript(`globalThis.shown = bench.line(${await newestLine(host)})`);
  await fresh.goto(`${new URL(host.link).origin}/#/log`);
  const tookMs = await fresh.evaluate<number>('shown');
  await fresh.close();
  return tookMs;
}

/** Of one way through the page. */
interface Scrolled {
  medianMs: number;
  p95Ms: number;
  onTimePercent: number;
  /** Processor time of the page's main thread for each turn of 60 Hz. */
  busyMs: number;
}

async function scrolling(bench: Bench, browser: Browser, { host, page }: Shown): Promise<Comparison[]> {
  bench.say(`scrolling while ${linesPerSecond} lines come each second`);
  const plain = await (await browser.newContext({ viewport })).newPage();
  await addTools(plain);
  await plain.setContent(plainPage());
  const [logBusy, plainBusy] = [await openBusyMeter(page), await openBusyMeter(plain)];
  const throughLog = async () => {
    await page.bringToFront();
    await goTo(page, 'log');
    await page.evaluate(`bench.line(${await newestLine(host)})`);
    await writeLines(host, linesPerSecond);
    const scrolled = await scroll(page, '.log-list', logBusy);
    await writeLines(host, 0);
    await goTo(page, 'till');
    return scrolled;
  };
  const throughPlain = async () => {
    await plain.bringToFront();
    return scroll(plain, '.plain-list', plainBusy);
  };
  await alternate(1, throughLog, throughPlain);
  const pairs = await alternate(scrolls, throughLog, throughPlain);
  const of = (value: (scrolled: Scrolled) => number): Pair[] =>
    pairs.map(({ ours, other }) => ({ ours: value(ours), other: value(other) }));
  const costs = { ratio: 'cost', values: 'costs' } as const;
  const against = 'scrolled, against a plain page';
  return [
    compare({ what: `${against}: median frame, ms`, pairs: of(({ medianMs }) => medianMs), ...costs, aim }),
    compare({ what: `${against}: 95th percentile, ms`, pairs: of(({ p95Ms }) => p95Ms), ...costs, aim }),
    compare({
      what: `${against}: frames on time, %`,
      pairs: of(({ onTimePercent }) => onTimePercent),
      ratio: 'cost',
      values: 'rates',
    }),
    compare({
      what: `${against}: main thread, processor ms/frame`,
      pairs: of(({ busyMs }) => busyMs),
      ...costs,
    }),
  ];
}

async function scroll(page: Page, selector: string, busy: () => Promise<number>): Promise<Scrolled> {
  await page.mouse.move(viewport.width / 2, viewport.height / 2);
  const busyBefore = await busy();
  await page.evaluate('bench.beginFrames()');
  for (const share of jumps) {
    await page.evaluate(`bench.jump('${selector}', ${share})`);
    await sleep(wheelEveryMs * 4);
    await turnWheel(page, -wheelPx);
    await turnWheel(page, wheelPx);
  }
  const frames = await page.evaluate<number[]>('bench.endFrames()');
  const busyMs = (await busy()) - busyBefore;
  const tookMs = frames.reduce((sum, length) => sum + length, 0);
  const sorted = frames.toSorted((one, other) => one - other);
  return {
    medianMs: medianOf(frames),
    p95Ms: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
    onTimePercent: (frames.filter((length) => length <= lateMs).length / frames.length) * 100,
    busyMs: (busyMs / tookMs) * (1_000 / 60),
  };
}

/** A step each so often, whether the page has kept up or not. */
async function turnWheel(page: Page, stepPx: number): Promise<void> {
  const beginMs = performance.now();
  const steps: Promise<void>[] = [];
  for (let step = 0; step < wheelSteps; step += 1) {
    await sleep(Math.max(0, beginMs + step * wheelEveryMs - performance.now()));
    steps.push(page.mouse.wheel(0, stepPx));
  }
  await Promise.all(steps);
}
