/** The office's page in a browser, on a real office with a chain of shops made for the tests. */
import type { BrowserContextOptions, Page } from 'playwright';
import { unexplainedPayment } from '../../../src/bridge/payments/discrepancy-messages.ts';
import { systemChance } from '../../../src/base/chance.ts';
import { systemClock } from '../../../src/base/clock.ts';
import type { JournalEvent } from '../../../src/contract/journal-events.ts';
import type { Role } from '../../../src/contract/office-page.ts';
import { openPglite, readAlarmSettings } from '../../../src/office/index.ts';
import type { Database } from '../../../src/office/database/database.ts';
import {
  ended,
  evidenceOf,
  inDoubt,
  record,
  resultOf,
  sale,
  terminal,
} from '../../bridge/journal/sample-events.ts';
import { heartbeatOf, runningOffice, type RunningOffice } from '../../office/support/running-office.ts';
import { chainOnAnyDay, closeEvents, dayMs, rulesOf } from '../../office/deposits/deposit-kit.ts';
import { statementsOfDays } from '../../office/deposits/statement.ts';
import { ShopJournal, chainStart, textOf } from '../../office/support/shop.ts';
import { builtRenderer, sharedChromium } from '../../support/chromium.ts';

const chance = systemChance(systemClock);
const minuteMs = 60_000;

export interface ChainOfShops {
  office: RunningOffice;
  database: Database;
  /** A payment with a doubt, evidence, and a person's decision. */
  paymentId: string;
  /** Opens the page as somebody with this role; errors of the page are thrown by `close`. */
  open(options: OpenOptions): Promise<{ page: Page; close(): Promise<void> }>;
  /** Another payment of "Berlin" is in doubt from now on. */
  addDoubt(reference: string): Promise<void>;
  close(): Promise<void>;
}

interface OpenOptions {
  role: Role;
  name?: string;
  /** The part behind `#`. */
  route?: string;
  language?: 'en' | 'de';
  colorScheme?: 'light' | 'dark';
  width?: number;
  height?: number;
}

/** Far longer than anything takes, also on a machine that has much else to do. */
const patienceMs = 60_000;

export async function chainOfShops(): Promise<ChainOfShops> {
  const rendererFolder = await builtRenderer();
  const browser = await sharedChromium();
  const database = await openPglite(null);
  const depositRules = rulesOf(chainOnAnyDay);
  const alarms = {
    settings: alarmSettings(),
    fetch: () => Promise.reject(new Error('There is no webhook.')),
    sendMail: (_server: unknown, { to: [address = ''] }: { to: string[] }) =>
      address.startsWith('owner')
        ? Promise.reject(new Error('535 wrong password'))
        : Promise.resolve({ answer: '250 queued', refused: [] }),
  };
  const office = await runningOffice(database, {
    clock: systemClock,
    chance,
    rendererFolder,
    depositRules,
    alarms,
  });

  const berlin = await office.join('Berlin, Kastanienallee');
  const journal = new ShopJournal();
  const start = Date.now() - 90 * minuteMs;
  const at = (minutes: number) => start + minutes * minuteMs;
  const pay = (reference: string, amountMinor: number) => {
    const started = sale({ operationId: chance.uuid(), reference, amountMinor, simulated: false });
    journal.add(started, at(1));
    return started;
  };
  const result = record({
    receiptNumber: '0042',
    traceNumber: '000123',
    approvalCode: '654321',
    maskedCardNumber: '************4771',
    cardScheme: 'girocard',
    terminalId: '52500041',
    amountMinor: 12_50,
    currency: 'EUR',
  });
  const byHand = { ...result, receiptNumber: '0043', amountMinor: 5_00 };
  const decided = pay('R-1001', 12_50);
  journal.add(inDoubt(decided, 'The terminal does not answer.'), at(2));
  journal.add(undecided(decided), at(3));
  journal.add(
    ended(decided, 'approved', {
      result,
      reason: 'Decided by Ada Meyer: Receipt 0042 is in the drawer.',
      resolvedBy: { name: 'Ada Meyer', reason: 'Receipt 0042 is in the drawer.' },
    }),
    at(9),
  );
  const paid = pay('R-1002', 48_00);
  journal.add(resultOf(paid, result), at(10));
  journal.add(ended(paid, 'approved', { result }), at(10));
  const doubted = pay('R-1003', 99_90);
  journal.add(inDoubt(doubted, 'The terminal does not answer.'), at(12));
  journal.add(
    {
      type: 'discrepancy_found',
      discrepancyId: chance.uuid(),
      kind: 'unexplained_payment',
      message: unexplainedPayment(byHand, 'EUR'),
      operationId: null,
      references: ['R-1002'],
      amountMinor: 5_00,
      currency: 'EUR',
      record: byHand,
    },
    at(20),
  );
  // As a newer bridge might say it.
  const tomorrow = { type: 'loyalty_points_given', operationId: decided.operationId };
  journal.add(tomorrow as unknown as JournalEvent, at(21));
  await sent(berlin.send(journal));
  await berlin.heartbeat(heartbeatOf({ inDoubt: 1, discrepancies: 1 }));

  const paris = await office.join('Paris, rue de Rivoli');
  const copied = new ShopJournal();
  const other = sale({ operationId: chance.uuid(), reference: 'R-2001', simulated: false });
  copied.add(other, at(0));
  copied.add(ended(other, 'approved'), at(0));
  const changed = copied.lines.map((line) =>
    line.seq === 2 ? { ...line, event: { ...line.event, reason: 'changed' } } : line,
  );
  copied.batch = () => textOf({ chain: null, after: chainStart }, changed);
  await paris.send(copied);
  await paris.heartbeat(heartbeatOf());
  const oslo = await office.join('Oslo', '1.9.0');
  await oslo.heartbeat(heartbeatOf({}, '1.9.0'));
  const rome = await office.join('Roma, via Appia Nuova');
  await rome.heartbeat(
    heartbeatOf({ ready: false, message: 'The terminal on tcp:10.0.0.5 cannot be reached.' }),
  );
  for (const name of ['Wien', 'Zürich', 'Graz']) {
    const joined = await office.join(name);
    await joined.heartbeat(heartbeatOf());
    if (name === 'Wien') await sent(joined.send(closedBatches()));
  }
  const madrid = await office.join('Madrid');
  await database.query('UPDATE bridges SET enrolled_at = $2 WHERE bridge_id = $1', [
    madrid.bridgeId,
    new Date(at(0)).toISOString(),
  ]);
  const waiting = await office.signIn('manager', 'Grace');
  await waiting.post('/office/v1/codes', { shop: 'Lisboa' });

  const dayBefore = (days: number) => new Date(noon - days * dayMs).toISOString().slice(0, 10);
  const bookings = {
    [dayBefore(9)]: [{ minor: 49_500, remark: 'ACME BATCH 2 TID 52500041' }],
    [dayBefore(6)]: [{ minor: 7_700, remark: 'ACME LESS THAN IT WAS' }],
  };
  for (const { name, content } of statementsOfDays(dayBefore(14), dayBefore(1), bookings))
    await sent(waiting.post('/office/v1/statements', { name, content: content.toString('base64') }));

  return {
    office,
    database,
    paymentId: decided.operationId,
    async open({
      role,
      name = `Ada (${role})`,
      route = 'overview',
      language = 'en',
      colorScheme = 'light',
      width = 1_200,
      height = 800,
    }) {
      const options: BrowserContextOptions = {
        locale: language === 'en' ? 'en-GB' : 'de-DE',
        colorScheme,
        viewport: { width, height },
      };
      const context = await browser.newContext(options);
      const page = await context.newPage();
      page.setDefaultTimeout(patienceMs);
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      await page.goto(await office.linkFor(name, role));
      await page.getByRole('navigation').waitFor();
      if (route !== 'overview') await page.goto(`${office.origin}/#/${route}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      return {
        page,
        async close() {
          await context.close();
          if (errors.length > 0) throw new Error(errors.join('\n'));
        },
      };
    },
    async addDoubt(reference) {
      const started = sale({ operationId: chance.uuid(), reference, simulated: false });
      journal.add(started, Date.now());
      journal.add(inDoubt(started), Date.now());
      await sent(berlin.send(journal));
    },
    async close() {
      await office.close();
      await database.close();
    },
  };
}

/** What the terminal shows decides nothing. */
export function undecided(operation: { operationId: string }): JournalEvent {
  const explanation = 'The terminal shows no record any more, although it showed one before.';
  return { ...evidenceOf(operation, true), evidence: { lastRecord: { kind: 'empty' }, explanation } };
}

/** Doubts are told at once; one receiver takes what it is sent, and one does not. */
function alarmSettings() {
  const email = (name: string) => ({
    kind: 'email',
    from: 'tills@chain.example',
    to: [`${name}@chain.example`],
    server: { host: 'mail.chain.example' },
  });
  const reading = readAlarmSettings(
    JSON.stringify({
      rules: [
        { name: 'Doubts', watch: 'doubt', minutes: 0 },
        { name: 'Discrepancies', watch: 'discrepancy' },
        { name: 'Journals', watch: 'journal' },
        { name: 'Deposits', watch: 'deposit' },
      ],
      receivers: { support: email('support'), owner: email('owner') },
      groupSeconds: 0,
    }),
    { origin: 'alarms.json', secretOf: () => '' },
  );
  if (!reading.ok) throw new Error(reading.errors.join('\n'));
  return reading.settings;
}

/** Noon of today, so that the hour of the test is none of its matters. */
const noon = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2;

/** One whose money is late, one that has it, one with a credit that may be its money, and one that is waited for. */
function closedBatches(): ShopJournal {
  const journal = new ShopJournal();
  const explanation = 'It refuses TLV containers.';
  journal.add({ type: 'terminal_trait_learned', terminal, trait: 'no_tlv', explanation }, noon - 13 * dayMs);
  const close = (number: string, totalMinor: number, days: number) => {
    for (const event of closeEvents(chance.uuid(), { number, totalMinor }))
      journal.add(event, noon - days * dayMs);
  };
  close('000001', 100_000, 12);
  close('000002', 50_000, 10);
  close('000003', 8_000, 7);
  close('000004', 70_000, 0);
  return journal;
}

async function sent(answer: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await answer;
  if (status !== 200) throw new Error(text);
}
