/**
 * Looks for the money of all merchants, again and again: after statements and decisions at once, after batches were closed
 * within minutes, and each morning, because with another day something may be overdue. Any number of processes may be at
 * it; of each look one of them does it, and to the others nothing has changed then.
 */
import type { Chance } from '../../base/chance.ts';
import { pause, type Clock } from '../../base/clock.ts';
import { errorText } from '../../base/error-text.ts';
import type { DepositList } from '../../contract/office-deposits.ts';
import { createLogThrottle, type LineLog } from '../../log/index.ts';
import { DatabaseError, type Database, type Queries } from '../database/database.ts';
import { storableJson } from '../database/storable.ts';
import { shopsOf } from './inputs.ts';
import { listDeposits, type DepositQuestion } from './list.ts';
import { lookForMoney } from './look.ts';
import { SearchBrokenError, searchOnThread, type OpenMoneySearch } from './money-search.ts';
import { readContent, type DepositRules, type Merchant } from './rules.ts';
import { addStatement, type Adding, type HandedIn } from './statements.ts';

export interface DepositsOptions {
  database: Database;
  /** Of this process's file; null: it has none, and those of the database count. */
  rules: DepositRules | null;
  clock: Clock;
  chance: Chance;
  log: LineLog;
  /** Left out: on a thread of its own. */
  openSearch?: OpenMoneySearch | undefined;
  /** The money of these shops was looked for. */
  onFound: (shopIds: readonly string[]) => void;
}

export interface Deposits {
  /** A statement or a decision has come, and somebody waits for what it changes. */
  wake(): void;
  list(question: DepositQuestion): Promise<DepositList>;
  /** In the transaction `queries`, to be rolled back where the answer is no. */
  addStatement(queries: Queries, handedIn: HandedIn): Promise<Adding>;
  close(): Promise<void>;
}

/** A close alone makes no money come or be late at once. */
const everyMs = 5 * 60_000;
const atLeastMs = 1_000;
/** While another process looks, which may have begun before the last change. */
const elsewhereMs = 3_000;
/** After a search that broke off. */
const brokenMs = 60_000;

/** How a look at all merchants has ended. */
type LookedAtAll = 'done' | 'elsewhere' | 'broken';

export function createDeposits(options: DepositsOptions): Deposits {
  const { database, clock, chance, onFound, openSearch = searchOnThread(clock) } = options;
  const log = options.log.with({ source: 'deposits' });
  const throttle = createLogThrottle(clock);
  const closing = new AbortController();
  const { signal } = closing;
  let woken = new AbortController();
  const watching = keepLooking();

  async function keepLooking(): Promise<void> {
    let isKept = options.rules === null;
    while (!signal.aborted) {
      woken = new AbortController();
      let ended: LookedAtAll = 'done';
      try {
        if (!isKept && options.rules !== null) await keepRules(database, options.rules, clock);
        isKept = true;
        ended = await lookAtAll();
      } catch (error) {
        if (signal.aborted) return;
        note(error);
      }
      await pause(clock, atLeastMs, signal);
      await pause(
        clock,
        { done: everyMs, elsewhere: elsewhereMs, broken: brokenMs }[ended],
        signal,
        woken.signal,
      );
    }
  }

  async function lookAtAll(): Promise<LookedAtAll> {
    const rules = await rulesIn(database);
    if (rules === null) return 'done';
    const { merchants, digest } = rules;
    let isBroken = false;
    for (const [merchant, shops] of await shopsOf(database, merchants)) {
      signal.throwIfAborted();
      try {
        const look = await lookForMoney(database, merchant, shops, {
          now: clock.now(),
          digest,
          openSearch,
          signal,
        });
        if (look.kind === 'elsewhere') return 'elsewhere';
        if (look.kind !== 'looked') continue;
        log.info('looked for the money', { merchant: merchant.name, batches: look.batches });
      } catch (error) {
        if (!(error instanceof SearchBrokenError) || signal.aborted) throw error;
        // The others are looked at all the same.
        isBroken = true;
        log.error('the search for the money broke off, and is tried again', {
          merchant: merchant.name,
          err: error,
        });
        await keepTrouble(database, merchant, clock);
      }
      onFound(shops.map(({ shop_id }) => shop_id));
    }
    await forgetOthers(
      database,
      merchants.map(({ name }) => name),
    );
    return isBroken ? 'broken' : 'done';
  }

  function note(error: unknown): void {
    if (!(error instanceof DatabaseError)) return log.error('the look for the money broke', { err: error });
    const fields = throttle.due('database');
    if (fields !== null) log.warn(`the money cannot be looked for now: ${errorText(error)}`, fields);
  }

  return {
    wake: () => woken.abort(),
    list: (question) => listDeposits(database, question),
    async addStatement(queries, handedIn) {
      const rules = await rulesIn(queries);
      if (rules === null)
        return {
          ok: false,
          message:
            'The office has no rules that say which account is whose. Start it with a file reconcile-rules.json in its ' +
            'data folder, or with --deposit-rules FILE (docs/office.md).',
        };
      return await addStatement(queries, handedIn, { merchants: rules.merchants, clock, chance });
    },
    async close() {
      closing.abort();
      await watching;
    },
  };
}

/** Of processes with different files those count that were started last. */
async function keepRules(queries: Queries, rules: DepositRules, clock: Pick<Clock, 'now'>): Promise<void> {
  const content = { merchants: rules.merchants.map(contentOf) };
  await queries.query(
    `INSERT INTO deposit_rules (rules, digest, set_at) VALUES ($1::jsonb, $2, $3)
     ON CONFLICT (the_one) DO UPDATE SET rules = excluded.rules, digest = excluded.digest, set_at = excluded.set_at`,
    [storableJson(content), rules.digest, new Date(clock.now()).toISOString()],
  );
}

/** What was found before stays, with this word beside it until a search has come to its end. */
async function keepTrouble(
  queries: Queries,
  { name, simulated }: Merchant,
  clock: Pick<Clock, 'now'>,
): Promise<void> {
  await queries.query(
    `INSERT INTO deposit_looks (merchant, simulated, made_from, looked_at, trouble, accounts)
     VALUES ($1, $2, '', $3, $4, '[]') ON CONFLICT (merchant) DO UPDATE SET trouble = excluded.trouble`,
    [
      name,
      simulated,
      new Date(clock.now()).toISOString(),
      'The search for the money broke off, and is tried again each minute. The office’s log says why.',
    ],
  );
}

/** As a file has it. */
function contentOf({ name, simulated, shops, rules }: DepositRules['merchants'][number]) {
  return { name, simulated, ...(shops === null ? {} : { shops }), ...rules };
}

/** Null: nobody has given any. */
async function rulesIn(queries: Queries): Promise<DepositRules | null> {
  const [row] = await queries.query<{ rules: unknown }>('SELECT rules FROM deposit_rules');
  if (row === undefined) return null;
  const read = readContent(row.rules);
  // They were checked by the process that has kept them; a newer one may know more.
  if (!read.ok) throw new Error(`The rules in the database cannot be read: ${read.errors.join(' ')}`);
  return read.rules;
}

/** Of a merchant that is in the rules no more nothing is shown; what people have decided stays. */
async function forgetOthers(database: Database, names: readonly string[]): Promise<void> {
  await database.transaction(async (queries) => {
    for (const table of ['deposits', 'deposit_entries', 'deposit_looks'])
      await queries.query(`DELETE FROM ${table} WHERE merchant <> ALL ($1::text[])`, [names]);
  });
}
