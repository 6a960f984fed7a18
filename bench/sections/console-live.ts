/**
 * How soon the console shows what a till has just been told: from the answer to CreatePayment with `Prefer: wait` until
 * the frame that shows it is drawn, on the page Till, in the row of Payments, and as a line in Log. Against the least
 * that can do the same, in the same page: an event stream whose event is written into one element, from the answer to
 * the call that caused it. The till's clock and the page's are compared beforehand.
 */
import type { Page } from 'playwright';
import { alternate, pairOf, type Pair } from '../measure/alternate.ts';
import { compare, type Comparison } from '../measure/comparison.ts';
import { medianOf } from '../measure/spread.ts';
import type { Bench } from '../world/bench.ts';
import { clockOffset, noChromium, openBrowser } from '../world/browser.ts';
import { createCaller, demandSuccess, type Caller } from '../world/caller.ts';
import { goTo, openConsole, startBridgeWithConsole } from '../world/console.ts';
import { repositoryFile, startServer } from '../world/processes.ts';
import { createPayment, newReference, payOnce, untilReady } from '../world/till.ts';
import type { Section } from './section.ts';

const warmUpPayments = 5;
const blocks = 6;
const paymentsInABlock = 8;
const paymentWaitS = 60;
const aim = { atMostMs: 50 };

const places = [
  { route: 'till', what: 'status on the page Till' },
  { route: 'payments', what: 'status in the row of Payments' },
  { route: 'log', what: 'line of the answer in Log' },
] as const;

export const consoleLiveSection: Section = {
  name: 'console-live',
  title: 'From the till’s answer to the screen against a bare event into one element',
  ours: 'console',
  other: 'bare event',
  ratio: 'times bare',
  measure,
};

async function measure(bench: Bench): Promise<Comparison[] | string> {
  const browser = await openBrowser(bench);
  if (browser === null) return noChromium;
  const { server, link } = await startBridgeWithConsole(bench);
  const bare = await startServer(bench, [repositoryFile('bench/servers/event-server.ts')]);
  const ours = createCaller(server.port);
  const other = createCaller(bare.port);
  await payOnce(ours);
  const page = await openConsole(browser, link, true);
  await page.evaluate(`bench.listen('http://127.0.0.1:${bare.port}/events')`);
  const offsetMs = await clockOffset(page);

  const comparisons: Comparison[] = [];
  for (const { route, what } of places) {
    bench.say(what);
    await goTo(page, route);
    const both = (count: number) =>
      alternate(
        count,
        () => pay(page, ours, offsetMs, route),
        () => tellBare(page, other, offsetMs),
      );
    await both(warmUpPayments);
    const calls: Pair[][] = [];
    for (let block = 0; block < blocks; block += 1) calls.push(await both(paymentsInABlock));
    const costs = { ratio: 'cost', values: 'costs' } as const;
    const ofBlocks = (figure: (values: number[]) => number): Pair[] =>
      calls.map((pairs) => pairOf(pairs, figure));
    comparisons.push(
      compare({ what: `${what}, ms`, pairs: ofBlocks(medianOf), ...costs, aim }),
      compare({
        what: `${what}, slowest of ${paymentsInABlock}, ms`,
        pairs: ofBlocks((values) => Math.max(...values)),
        ...costs,
      }),
    );
  }
  ours.close();
  other.close();
  return comparisons;
}

/** Milliseconds from the answer to the screen. */
async function pay(page: Page, caller: Caller, offsetMs: number, place: string): Promise<number> {
  await untilReady(caller);
  const reference = newReference();
  const shown = await begin(page, place, reference);
  demandSuccess(await createPayment(caller, reference, paymentWaitS));
  const answeredMs = performance.now() + offsetMs;
  return (await shown()) - answeredMs;
}

async function tellBare(page: Page, caller: Caller, offsetMs: number): Promise<number> {
  const reference = newReference();
  const shown = await begin(page, 'bare', reference);
  demandSuccess(await caller.post('/pay', { reference }));
  const answeredMs = performance.now() + offsetMs;
  return (await shown()) - answeredMs;
}

/** The page is looking for it when this resolves; the result gives when it was drawn. */
async function begin(page: Page, place: string, reference: string): Promise<() => Promise<number>> {
  const handle = await page.evaluateHandle<{ drawn: Promise<number> }>(
    `({ drawn: bench.shown['${place}']('${reference}') })`,
  );
  return () => handle.evaluate(({ drawn }) => drawn);
}
