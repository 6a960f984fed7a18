/**
 * `node bench/office-deposits.ts --shops 1000 --days 90`: how long the first look at the money of a chain takes that is paid into
 * one account, and a later one; and how long the process answers nobody meanwhile (the longest delay of its event loop).
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { systemChance } from '../src/base/chance.ts';
import { systemClock } from '../src/base/clock.ts';
import { silentLog } from '../src/log/index.ts';
import { createPostgres, migrate, openPglite } from '../src/office/index.ts';
import type { Database, DepositRules } from '../src/office/index.ts';
import { shopsOf } from '../src/office/deposits/inputs.ts';
import { lookForMoney } from '../src/office/deposits/look.ts';
import { searchOnThread } from '../src/office/deposits/money-search.ts';
import { rowOfStatement } from '../src/office/deposits/statement-row.ts';
import { readCamt053 } from '../src/statements/index.ts';
import { chainOnAnyDay, dayMs, rulesOf } from '../test/office/deposits/deposit-kit.ts';
import { account, statementFile, type Booking } from '../test/office/deposits/statement.ts';
import { postgresPrograms, startPostgres } from '../test/support/postgres-server.ts';

const { values: flags } = parseArgs({
  options: {
    shops: { type: 'string', default: '1000' },
    days: { type: 'string', default: '90' },
    engine: { type: 'string', default: 'postgres' },
  },
});
const [shops, days] = [Number(flags.shops), Number(flags.days)];
const chance = systemChance(systemClock);
const midnight = Math.floor(systemClock.now() / dayMs) * dayMs;

const programs = postgresPrograms();
const server = flags.engine === 'postgres' ? await startPostgres(programs ?? '', { synced: true }) : null;
const database =
  server === null
    ? await openPglite(null)
    : createPostgres(server.url, { clock: systemClock, chance, log: silentLog });
try {
  await migrate(database);
  const rules = rulesOf(chainOnAnyDay);
  await fill(database);
  await measure('the first look', rules, 0);
  await measure('the look of the next day', rules, 1);
} finally {
  await database.close();
  await server?.stop();
}

/** Batches of each shop and day, all but one of 300 paid the next day, with a remark that names it. */
async function fill(into: Database): Promise<void> {
  const first = midnight - days * dayMs;
  await into.run(`
    INSERT INTO shops (shop_id, name, created_at)
    SELECT gen_random_uuid(), 'Shop ' || shop, now() FROM generate_series(1, ${shops}) AS shop;
    INSERT INTO bridges (bridge_id, shop_id, computer, key_hash, enrolled_at, version)
    SELECT gen_random_uuid(), shop_id, '', shop_id::text::bytea, now(), '' FROM shops;
    INSERT INTO chains (chain_id, shop_id, terminal, simulated, bridge_id, head_seq, head_hash, grown_at)
    SELECT gen_random_uuid(), shop_id, 'main', false, bridge_id, 0, '', now() FROM bridges;
    INSERT INTO batches (chain, batch_id, protocol, currency, started_at, ended_at, outcome, count, total_minor,
      expected_count, expected_minor, settled_count, told_terminal_id, told_number, told_currency, totals)
    SELECT chain, gen_random_uuid(), 'zvt', 'EUR', closed, closed, 'closed', 3, total, 3, total, 3, 'T' || chain,
      day + 1, 'EUR', jsonb_build_array(jsonb_build_object('scheme', 'girocard', 'count', 3, 'totalMinor', total))
    FROM chains, generate_series(0, ${days - 1}) AS day,
      LATERAL (SELECT 20000 + (chain * 7919 + day * 104729) % 300000 AS total,
        to_timestamp(${first / 1_000} + day * 86400 + 72000) AS closed) AS made;
    ANALYZE;`);
  let openingMinor = 0;
  for (let day = -2; day < days; day += 1) {
    const bookings = await into.query<Booking>(
      `SELECT (total_minor - round(total_minor / 100.0))::integer AS minor,
         'ACME BATCH ' || told_number || ' TID ' || told_terminal_id AS remark
       FROM batches WHERE told_number = $1 AND chain % 300 <> $2`,
      [String(day), Math.max(0, day) % 300],
    );
    const text = new Date(first + day * dayMs).toISOString().slice(0, 10);
    const content = statementFile({ account, day: text, number: day + 3, openingMinor, bookings });
    openingMinor += bookings.reduce((sum, { minor }) => sum + minor, 0);
    const read = readCamt053(text, content);
    if (!read.ok) throw new Error(read.message);
    const fileId = chance.uuid();
    await into.query(
      `INSERT INTO statement_files (file_id, hash, name, content, handed_in_by, handed_in_at)
       VALUES ($1, $2::text::bytea, $2, $3, 'bench', now())`,
      [fileId, text, content],
    );
    // Past the comparison with the others: they fit together.
    await into.query(
      'INSERT INTO statements SELECT * FROM json_populate_recordset(NULL::statements, $1::json)',
      [JSON.stringify(read.statements.map((statement, place) => rowOfStatement(statement, fileId, place)))],
    );
  }
}

async function measure(what: string, { merchants, digest }: DepositRules, later: number): Promise<void> {
  const now = midnight + later * dayMs + dayMs / 2;
  const { signal } = new AbortController();
  for (const [merchant, own] of await shopsOf(database, merchants)) {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    const [used, usedHere] = [process.cpuUsage(), process.threadCpuUsage()];
    const begun = performance.now();
    delay.enable();
    const parts = { now, digest, openSearch: searchOnThread(systemClock), signal };
    const look = await lookForMoney(database, merchant, own, parts);
    delay.disable();
    const processor = secondsOf(process.cpuUsage(used));
    const here = secondsOf(process.threadCpuUsage(usedHere));
    const seconds = (performance.now() - begun) / 1_000;
    console.log(
      `${what}: ${JSON.stringify(look)}, ${seconds.toFixed(1)} s, processor ${processor} s, of it ${here} s here, ` +
        `longest delay of the event loop ${(delay.max / 1e6).toFixed(0)} ms, p99 ${(delay.percentile(99) / 1e6).toFixed(0)} ms`,
    );
  }
  const states = await database.query('SELECT state, count(*) FROM deposits GROUP BY 1 ORDER BY 1');
  console.log(JSON.stringify(states));
}

function secondsOf({ user, system }: NodeJS.CpuUsage): string {
  return ((user + system) / 1e6).toFixed(1);
}
