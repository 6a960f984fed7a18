/** A chain of shops whose batches are closed, and their money: an office's parts on a database, without its server. */
import type { JournalEvent } from '../../../src/contract/journal-events.ts';
import type { DepositView, SettleDeposit, UnsettleDeposit } from '../../../src/contract/office-deposits.ts';
import type { Database } from '../../../src/office/database/database.ts';
import { shopsOf } from '../../../src/office/deposits/inputs.ts';
import { listDeposits } from '../../../src/office/deposits/list.ts';
import { lookForMoney } from '../../../src/office/deposits/look.ts';
import { readContent, type DepositRules } from '../../../src/office/deposits/rules.ts';
import { settle, unsettle } from '../../../src/office/deposits/settle.ts';
import { addStatement } from '../../../src/office/deposits/statements.ts';
import { batch, ended, record } from '../../bridge/journal/sample-events.ts';
import { seededChance } from '../../support/random.ts';
import { officeOn } from '../support/office-kit.ts';
import { ShopJournal } from '../support/shop.ts';
import { searchHere } from './search-here.ts';
import { account, statementsOfDays, type Booking } from './statement.ts';

export const dayMs = 86_400_000;

/** One acquirer that keeps 1 per cent back and names batch and terminal. */
export const acme = {
  name: 'Acme',
  account,
  currency: 'EUR',
  entries: { remark: ['ACME'] },
  names: ['BATCH {batch} TID {terminal}'],
  delay: { usual: 1, latest: 3 },
  payout: 'net',
  fee: { percent: '1' },
};

export const chain = { name: 'Chain', timeZone: 'Europe/Berlin', acquirers: [acme] };
/** The same where every day is a banking day, so that it does not matter on which day it is looked at. */
export const chainOnAnyDay = { ...chain, timeZone: 'UTC', weekend: [], holidays: { calendar: 'none' } };

export function rulesOf(...merchants: object[]): DepositRules {
  const read = readContent({ merchants });
  if (!read.ok) throw new Error(read.errors.join('\n'));
  return read.rules;
}

export interface CloseOptions {
  number: string | null;
  totalMinor: number;
  terminalId?: string;
  merchantId?: string | null;
  outcome?: 'closed' | 'failed';
}

/** The events of a close, as a bridge writes them. */
export function closeEvents(operationId: string, options: CloseOptions, simulated = false): JournalEvent[] {
  const { number, totalMinor, terminalId = '52500041', merchantId = null } = options;
  const started = batch({
    operationId,
    simulated,
    terminal: { protocol: 'zvt', terminalId },
    expected: { count: 3, totalMinor },
  });
  const result = record({
    kind: 'batch_close',
    terminalId,
    merchantId,
    batchNumber: number,
    approved: true,
  });
  return [
    started,
    { type: 'result_received', operationId, result, late: false },
    ended(started, 'closed', {
      batch: {
        batchNumber: number ?? '1',
        count: 3,
        totalMinor,
        currency: 'EUR',
        reconciled: true,
        differences: [],
        totals: [{ scheme: 'girocard', count: 3, totalMinor }],
      },
    }),
  ];
}

export async function chainOn(database: Database, rules = rulesOf(chain)) {
  const office = await officeOn(database);
  const { clock } = office;
  const chance = seededChance(clock, 9);
  // A Monday.
  clock.jump(Date.UTC(2026, 10, 9, 20) - clock.now());

  async function shop(name: string, { simulated = false, terminal = 'main' } = {}) {
    const sender = { ...(await office.join(name, terminal)), simulated };
    const journal = new ShopJournal();
    return {
      ...sender,
      journal,
      /** Closes a batch now. Gives its id. */
      async close(options: CloseOptions): Promise<string> {
        const operationId = chance.uuid();
        for (const event of closeEvents(operationId, options, simulated)) journal.add(event, clock.now());
        await office.send(sender, journal);
        return operationId;
      },
    };
  }

  const now = () => new Date(clock.now()).toISOString();
  const add = (name: string, content: Uint8Array, corrects = false) =>
    database.transaction((queries) =>
      addStatement(
        queries,
        { name, content, corrects, by: 'Ada' },
        { merchants: rules.merchants, clock, chance },
      ),
    );

  return {
    office,
    clock,
    chance,
    shop,
    add,
    /** Statements of all days from the first to the last one. */
    async addDays(first: string, last: string, bookings: Record<string, Booking[]> = {}, own = account) {
      for (const { name, content } of statementsOfDays(first, last, bookings, own)) {
        const added = await add(name, content);
        if (!added.ok) throw new Error(added.message);
      }
    },
    /** Looks at the money of each merchant, and gives what came of each look. */
    async look(changed = rules, of = database, openSearch = searchHere) {
      const kinds: string[] = [];
      for (const [merchant, shops] of await shopsOf(of, changed.merchants)) {
        const { signal } = new AbortController();
        const parts = { now: clock.now(), digest: changed.digest, openSearch, signal };
        kinds.push((await lookForMoney(of, merchant, shops, parts)).kind);
      }
      return kinds;
    },
    list: (question: { shop?: string; late?: boolean; simulated?: boolean } = {}) =>
      listDeposits(database, { late: false, simulated: false, ...question }),
    settle: (asked: SettleDeposit) =>
      database.transaction((queries) => settle(queries, asked, { by: asked.by ?? '', at: now() })),
    unsettle: (asked: UnsettleDeposit) =>
      database.transaction((queries) => unsettle(queries, asked, { by: asked.by ?? '', at: now() })),
    /** "Berlin 1: arrived", in the order of the list. */
    async said(question: { shop?: string; late?: boolean; simulated?: boolean } = {}) {
      const { deposits } = await listDeposits(database, { late: false, simulated: false, ...question });
      return deposits.map(inWords);
    },
  };
}

function inWords({ shop, batch_number, state, reason, needs_person }: DepositView): string {
  const why = reason === null ? '' : ` ${reason}`;
  return `${shop} ${batch_number ?? '-'}: ${state}${why}${needs_person ? ' !' : ''}`;
}
