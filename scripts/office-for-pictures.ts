/** The head office's page for the pictures: the chain of shops of its tests, with more shops and payments around it. */
import type { Locator, Page } from 'playwright';
import { systemChance } from '../src/base/chance.ts';
import { systemClock } from '../src/base/clock.ts';
import type { OperationOutcome } from '../src/contract/operation.ts';
import { ended, inDoubt, record, resultOf, sale } from '../test/bridge/journal/sample-events.ts';
import { heartbeatOf } from '../test/office/support/running-office.ts';
import { ShopJournal } from '../test/office/support/shop.ts';
import { chainOfShops, undecided, type ChainOfShops } from '../test/renderer/office/office-window.ts';
import { sharedChromium } from '../test/support/chromium.ts';

interface Pictures {
  rendererFolder: string;
  size: { width: number; height: number };
  /** `shown` is what the page has when it is complete. */
  picture: (page: Page, name: string, route: string, shown: Locator) => Promise<void>;
}

const chance = systemChance(systemClock);
const minuteMs = 60_000;

export async function takeOfficePictures({ rendererFolder, size, picture }: Pictures): Promise<void> {
  process.env['TILLBRIDGE_RENDERER'] = rendererFolder;
  const chain = await chainOfShops();
  try {
    const paymentId = await addShops(chain);
    const { page, close } = await chain.open({ role: 'manager', name: 'Ada Meyer', ...size });
    const row = page.locator('.data-row').nth(1);
    const take = (name: string, route: string, shown: Locator = row) =>
      picture(page, `office-${name}`, route, shown);
    await take('overview', '/overview', page.getByRole('link', { name: /^Wien/ }));
    await page.getByRole('link', { name: /^Berlin/ }).click();
    await page.getByRole('table', { name: 'Discrepancies' }).waitFor();
    await take('shop', await routeOf(page));
    await page.goto(`${chain.office.origin}/#/search?shop=Hamburg`);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: 'A-2004' }).waitFor();
    await take('search', await routeOf(page));
    await take('payment', `/search/${paymentId}`, page.locator('.office-timeline > li').last());
    await take('open', '/open');
    await take('alarms', '/alarms', page.getByRole('table', { name: 'Sent lately' }));
    await take('deposits', '/deposits?show=all');
    await take('decisions', '/decisions', page.getByText('Marta Ruiz').first());
    await take('versions', '/versions');
    await take('audit', '/audit');
    await close();
  } finally {
    await chain.close();
    await (await sharedChromium()).close();
  }
}

const ready = [
  'Bremen',
  'Dresden',
  'Essen',
  'Frankfurt',
  'Gent',
  'Hannover',
  'Innsbruck',
  'Jena',
  'Kiel',
  'Köln',
  'Linz',
];
const old = ['Leipzig', 'Mainz', 'München'];

/** Gives the payment whose story is shown. */
async function addShops({ office }: ChainOfShops): Promise<string> {
  for (const name of [...ready, ...old]) {
    const version = old.includes(name) ? '1.9.0' : '2.0.0';
    const joined = await office.join(name, version);
    await joined.heartbeat(heartbeatOf({}, version));
    const decision = decisions.get(name);
    if (decision !== undefined) await joined.send(decided(...decision));
  }
  const hamburg = await office.join('Hamburg');
  await hamburg.heartbeat(heartbeatOf({ terminalId: '52500077' }));
  const { journal, storyId } = morning();
  await hamburg.send(journal);
  return storyId;
}

type Decision = [
  reference: string,
  outcome: OperationOutcome,
  by: string,
  reason: string,
  minutesAgo: number,
];
/** What people have decided, by the shop. */
const decisions = new Map<string, Decision>([
  ['Gent', ['G-418', 'declined', 'Lotte Maes', 'The terminal’s journal shows that it was declined.', 40]],
  ['Kiel', ['K-77', 'approved', 'Jonas Weber', 'The customer’s bank shows the payment.', 200]],
  ['Köln', ['C-1205', 'cancelled', 'Emre Yılmaz', 'The customer has paid in cash, slip 0123.', 310]],
]);

function decided(...[reference, outcome, name, reason, minutesAgo]: Decision): ShopJournal {
  const journal = new ShopJournal();
  const at = Date.now() - minutesAgo * minuteMs;
  const started = sale({ operationId: chance.uuid(), reference, amountMinor: 23_80, simulated: false });
  journal.add(started, at - 4 * minuteMs);
  journal.add(inDoubt(started, 'The terminal does not answer.'), at - 3 * minuteMs);
  journal.add(ended(started, outcome, { resolvedBy: { name, reason }, reason: '' }), at);
  return journal;
}

/** By amount in minor units, and how each payment of the morning ended. */
const payments: [number, OperationOutcome][] = [
  [12_00, 'approved'],
  [64_20, 'approved'],
  [8_50, 'declined'],
  [27_90, 'approved'],
  [112_00, 'approved'],
  [9_95, 'cancelled'],
  [31_70, 'approved'],
  [46_10, 'approved'],
];

function morning(): { journal: ShopJournal; storyId: string } {
  const journal = new ShopJournal();
  const start = Date.now() - 100 * minuteMs;
  const began = (number: number, amountMinor: number, at: number) => {
    const operationId = chance.uuid();
    const started = sale({ operationId, reference: `A-${2001 + number}`, amountMinor, simulated: false });
    journal.add(started, start + at * minuteMs);
    return started;
  };
  const paid = (number: number, amountMinor: number) =>
    record({
      amountMinor,
      currency: 'EUR',
      receiptNumber: String(301 + number).padStart(4, '0'),
      traceNumber: String(4_401 + number).padStart(6, '0'),
      approvalCode: String(517_003 + 811 * number),
      maskedCardNumber: `************${4_012 + 37 * number}`,
      cardScheme: number % 2 === 0 ? 'girocard' : 'Mastercard',
      terminalId: '52500077',
    });
  for (const [number, [amountMinor, outcome]] of payments.entries()) {
    const at = 10 * number;
    const started = began(number, amountMinor, at);
    const result = outcome === 'approved' ? paid(number, amountMinor) : null;
    if (result !== null) journal.add(resultOf(started, result), start + (at + 0.4) * minuteMs);
    journal.add(ended(started, outcome, { result, reason: '' }), start + (at + 0.5) * minuteMs);
  }
  const number = payments.length;
  const story = began(number, 58_40, 82);
  const result = paid(number, 58_40);
  journal.add(inDoubt(story, 'The terminal does not answer.'), start + 83 * minuteMs);
  journal.add(undecided(story), start + 85 * minuteMs);
  const resolvedBy = { name: 'Marta Ruiz', reason: 'The customer has the receipt 0309.' };
  journal.add(ended(story, 'approved', { result, resolvedBy, reason: '' }), start + 91 * minuteMs);
  return { journal, storyId: story.operationId };
}

function routeOf(page: Page): Promise<string> {
  return page.evaluate<string>('window.location.hash.slice(1)');
}
