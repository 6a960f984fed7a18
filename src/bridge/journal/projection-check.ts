/**
 * Do payments and operations say what the events say? The chain tells of an event that was changed, and nothing of the rows
 * that were worked out from the events, which answer the POS: a flipped bit makes "declined" of a payment as easily as
 * anything else. So they are worked out once more beside the file, and compared.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { JournalEvent } from '../../contract/journal-events.ts';
import { chainStart, type ChainHead, type EventRow } from './chain.ts';
import { JournalRuleError } from './journal.ts';
import { project } from './projection.ts';
import { discrepanciesVersion, hoursVersion, migrate } from './schema.ts';
import { makeTables } from './tables.ts';

export interface ProjectionCheck {
  /** The next event. A sentence when it cannot follow on those before. */
  take(row: EventRow, event: JournalEvent): string | null;
  /** The first row of `database`, a file of format `version`, that is not what the events so far make of it; or null. */
  problem(database: DatabaseSync, version: number): string | null;
  /** Begins again before the first event. */
  forget(): void;
  close(): void;
}

const tables = [
  { name: 'payments', order: 'position', since: 1 },
  { name: 'operations', order: 'operation_id', since: 1 },
  { name: 'state', order: 'id', since: 1 },
  { name: 'payment_hours', order: 'hour', since: hoursVersion },
  { name: 'discrepancies', order: 'position', since: discrepanciesVersion },
  { name: 'discrepancy_references', order: 'reference, position', since: discrepanciesVersion },
] as const;

/** SQLite's name for a database that goes to a temporary file when it grows, and is gone when it is closed. */
const temporary = '';

export function makeProjectionCheck(): ProjectionCheck {
  const shadow = new DatabaseSync(temporary);
  // What a transaction has replaced is kept in memory, so that it can be rolled back.
  shadow.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF');
  migrate(shadow);
  shadow.exec('BEGIN');
  const { view, apply } = makeTables(shadow);
  return {
    take({ seq, at }, event) {
      try {
        for (const change of project(event, view)) apply(change, seq, at);
        return null;
      } catch (error) {
        if (!(error instanceof JournalRuleError)) throw error;
        return `Event ${seq} cannot follow on the events before it: ${error.message}`;
      }
    },
    problem(database, version) {
      for (const { name, order, since } of tables) {
        if (version < since) continue;
        // By the rows themselves: an index may leave some out.
        const query = `SELECT * FROM ${name} NOT INDEXED ORDER BY ${order}`;
        const wrong = firstDifference(database.prepare(query), shadow.prepare(query));
        if (wrong !== null) return `What the events say is not what stands in "${name}", in row ${wrong}.`;
      }
      return version < discrepanciesVersion ? null : terminalProblem(database, shadow);
    },
    forget: () => shadow.exec('ROLLBACK; BEGIN'),
    close: () => shadow.close(),
  };
}

/** From the check before: a file with the tables takes longer to make than a young journal to check. */
let kept: { check: ProjectionCheck; head: ChainHead } | null = null;

/**
 * The whole check for a journal of few events, whose chain was found to fit: `rows` are all of its events. A bridge that
 * starts again has the same events and some more, so what the same ones make is kept: a hash stands for its event and all
 * before it.
 */
export function rowsProblem(
  database: DatabaseSync,
  version: number,
  rows: readonly EventRow[],
  parse: (body: string) => unknown,
): string | null {
  const { check, head } = kept ?? { check: makeProjectionCheck(), head: chainStart };
  kept = null;
  try {
    const goesOn = head.seq === 0 || rows[head.seq - 1]?.hash === head.hash;
    if (!goesOn) check.forget();
    for (const row of goesOn ? rows.slice(head.seq) : rows) {
      const problem = check.take(row, parse(row.body) as JournalEvent);
      if (problem !== null) return problem;
    }
    const problem = check.problem(database, version);
    const { seq, hash } = rows.at(-1) ?? chainStart;
    kept = { check, head: { seq, hash } };
    return problem;
  } finally {
    // What failed half-way is not what the events make.
    if (kept === null) check.close();
  }
}

/**
 * Of an older file not all that its events tell was taken over when it got this table. Knowing less is safe, and is
 * learned again; knowing more than was ever seen is not.
 */
function terminalProblem(database: DatabaseSync, shadow: DatabaseSync): string | null {
  const known = shadow.prepare('SELECT shows_records, traits FROM terminals WHERE terminal = ?');
  for (const { terminal, shows_records, traits } of database.prepare('SELECT * FROM terminals').all()) {
    const seen = known.get(String(terminal));
    const all = new Set(namesIn(seen?.['traits']));
    const more = seen === undefined || Number(shows_records) > Number(seen['shows_records']);
    if (more || namesIn(traits).some((trait) => !all.has(trait)))
      return `"terminals" has more of the terminal ${String(terminal)} than the events say.`;
  }
  return null;
}

function namesIn(traits: unknown): unknown[] {
  const names = JSON.parse(typeof traits === 'string' ? traits : '[]') as unknown;
  return Array.isArray(names) ? names : [names];
}

/** Counts from 1. Both give the same columns, which the schema's own check has seen to. */
function firstDifference(found: StatementSync, expected: StatementSync): number | null {
  const [ours, others] = [rowsOf(found), rowsOf(expected)];
  for (let number = 1; ; number += 1) {
    const [one, other] = [ours.next(), others.next()];
    if (one.done === true && other.done === true) return null;
    if (one.done === true || other.done === true || !sameRow(one.value, other.value)) return number;
  }
}

/** As arrays, which are made faster than objects. */
function rowsOf(statement: StatementSync): Iterator<readonly unknown[]> {
  statement.setReturnArrays(true);
  return statement.iterate() as unknown as Iterator<readonly unknown[]>;
}

function sameRow(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}
