/** What the journal knows without asking its tables is what its tables say, whatever happens. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, chainHash, type EventRow } from '../../../src/bridge/journal/chain.ts';
import { verifyJournal } from '../../../src/bridge/journal/index.ts';
import { makeQueries } from '../../../src/bridge/journal/journal-queries.ts';
import { withMemory } from '../../../src/bridge/journal/memory.ts';
import { migrate } from '../../../src/bridge/journal/schema.ts';
import { makeTables, writeEvents } from '../../../src/bridge/journal/tables.ts';
import type { JournalEvent } from '../../../src/contract/journal-events.ts';
import { dataFolder, open, tableRows, tamper } from './folder.ts';
import { makeTill } from './random-till.ts';
import { ended, inDoubt, record, resultOf, sale } from './sample-events.ts';

/** Tables with a memory in a file of their own, and whoever compares both. */
function remembering() {
  const database = new DatabaseSync(':memory:');
  migrate(database);
  const tables = makeTables(database);
  const memory = withMemory(tables);
  const asked = makeQueries(database, (query) => query());
  const seen = { references: new Set<string>(), operations: new Set<string>() };
  let minute = 0;

  function write(events: JournalEvent[], afterEach: () => void = () => {}): void {
    for (const event of events) {
      minute += 1;
      const at = new Date(Date.UTC(2031, 0, 1) + minute * 60_000).toISOString();
      writeEvents(memory, [{ at, event }], () => {});
      if ('operationId' in event && event.operationId !== null) seen.operations.add(event.operationId);
      if ('reference' in event) seen.references.add(event.reference);
      afterEach();
    }
  }

  /** Gives the names of the queries to which it knows the result, after comparing them. */
  function known(): string[] {
    compareView();
    const names: string[] = [];
    const compare = (name: 'payment' | 'paymentByReference' | 'operation', value: string) => {
      const answer = memory.answer(name, [value]);
      if (answer === undefined) return;
      names.push(name);
      expect(answer, name).toEqual(asked[name](value));
    };
    for (const reference of seen.references) compare('paymentByReference', reference);
    for (const operation of seen.operations) {
      compare('payment', operation);
      compare('operation', operation);
    }
    const open = asked.openOperations();
    const answer = memory.answer('openOperations', []);
    if (answer === undefined) memory.learn('openOperations', [], open);
    else {
      names.push('openOperations');
      expect(answer).toEqual(open);
    }
    const state = memory.answer('state', []);
    if (state !== undefined) {
      names.push('state');
      expect(state).toEqual(asked.terminalState());
    }
    return names;
  }

  /** What a projection sees. Each reference is asked for as a till does before it begins a sale with it. */
  function compareView(): void {
    expect(memory.head()).toEqual(tables.head());
    const state = memory.view.terminalState();
    expect(state).toEqual(tables.view.terminalState());
    expect(Object.isFrozen(state.lastRecord)).toBe(true);
    for (const kept of [state.terminal, state.lastRecord])
      expect(canonicalJson(kept)).toBe(canonicalJson(structuredClone(kept)));
    for (const id of seen.operations) {
      expect(memory.view.operation(id)).toEqual(tables.view.operation(id));
      expect(memory.view.payment(id)).toEqual(tables.view.payment(id));
    }
    for (const reference of [...seen.references, `P-${seen.references.size}`]) {
      expect(memory.view.referenceIsKnown(reference)).toBe(tables.view.referenceIsKnown(reference));
      memory.learn('paymentByReference', [reference], asked.paymentByReference(reference));
    }
  }

  return { database, tables, memory, write, known };
}

describe('what is remembered', () => {
  it('is what the tables say, after every event and after what did not come to be', () => {
    const choice = fc.nat(1_000_000);
    fc.assert(
      fc.property(fc.array(choice, { minLength: 5, maxLength: 120 }), (choices) => {
        let taken = 0;
        const pick = (count: number) => (choices[taken++ % choices.length] ?? 0) % count;
        const till = makeTill(pick);
        const { database, memory, write, known } = remembering();
        while (taken < choices.length) {
          const events = Array.from({ length: 1 + pick(4) }, () => till.next());
          if (pick(3) === 0) {
            database.exec('BEGIN');
            write(events);
            database.exec('ROLLBACK');
            memory.forget();
            known();
          }
          const looksBetween = pick(2) === 0;
          database.exec('BEGIN');
          write(events, () => looksBetween && known());
          database.exec('COMMIT');
          expect(known()).toContain('state');
        }
        database.close();
      }),
      { numRuns: 60 },
    );
  });

  it('is all of a sale that goes the plain way', () => {
    const { write, known } = remembering();
    const started = sale();
    known();
    const all = ['paymentByReference', 'payment', 'operation', 'openOperations', 'state'];
    for (const event of [
      started,
      resultOf(started),
      { type: 'result_acknowledged', operationId: started.operationId } as const,
      ended(started, 'approved', { result: record({ receiptNumber: '7' }), receiptLines: ['PAID'] }),
    ]) {
      write([event]);
      expect(known(), event.type).toEqual(all);
    }
    write([sale()]);
    expect(known()).toEqual(all);
  });

  it('is the result that came before an end without one', () => {
    const { write, known } = remembering();
    const started = sale();
    write([started, resultOf(started), ended(started, 'failed')]);
    expect(known()).toContain('operation');
  });

  it('is nothing of a sale that is in doubt, and of its end neither', () => {
    const { write, known } = remembering();
    const started = sale();
    write([started, inDoubt(started)]);
    expect(known()).toEqual(['state']);
    write([ended(started, 'failed')]);
    expect(known()).toEqual(['state']);
  });

  it.each(['', 'a\u0000b', "it's €, 漢字, 🏧", '\ud800 alone', 'alone \udc00'])(
    'is what SQLite makes of the text %j',
    (text) => {
      const { write, known } = remembering();
      const started = sale({ reference: text, conditionCode: text });
      write([started]);
      known();
      const result = record({ resultText: text });
      write([resultOf(started, result), ended(started, 'declined', { result, reason: text })]);
      known();
      write([sale({ baseline: { kind: 'unavailable', reason: text } })]);
      known();
      write([
        { type: 'record_seen', lastRecord: { kind: 'unavailable', reason: text }, continuity: 'unknown' },
      ]);
      expect(known()).toContain('state');
    },
  );
});

describe('rows that a person changes with a database tool meanwhile', () => {
  const insert = `INSERT INTO events SELECT seq + 1, at, type, operation_id, body, hash FROM events
    ORDER BY seq DESC LIMIT 1`;

  /** A journal in which something was written, changed by `statement`; and a write after that. */
  function changed(statement: string) {
    const folder = dataFolder();
    const journal = open(folder);
    journal.append(sale());
    tamper(folder, statement);
    return { folder, journal };
  }

  it('never hide a link that is wrong: a row put in has the number of the next event', () => {
    const { folder, journal } = changed(insert);
    expect(() => journal.append(sale())).toThrow(/UNIQUE constraint/);
    expect(journal.append(sale())).toMatchObject([{ seq: 4 }]);
    journal.close();
    expect(verifyJournal(folder)).toMatchObject({ ok: false, seq: 3 });
  });

  it('never hide a link that is wrong: the newest row is gone', () => {
    const { folder, journal } = changed('DELETE FROM events WHERE seq = 2');
    expect(journal.append(sale())).toMatchObject([{ seq: 3 }]);
    journal.close();
    expect(verifyJournal(folder)).toMatchObject({ ok: false, problem: 'Event 2 is missing.' });
  });

  it('never hide a link that is wrong: the newest row says something else, with a hash that fits', () => {
    const folder = dataFolder();
    const journal = open(folder);
    const lost = { type: 'terminal_lost', reason: 'The line was cut.' } as const;
    const at = journal.append(lost)[0]?.at ?? '';
    const body = canonicalJson({ ...lost, reason: 'Another.' });
    const [opened] = tableRows(join(folder, 'journal.sqlite'), 'events') as EventRow[];
    const hash = chainHash(opened?.hash ?? '', 2, at, body);
    tamper(folder, `UPDATE events SET body = '${body}', hash = '${hash}' WHERE seq = 2`);
    journal.append(sale());
    journal.close();
    expect(verifyJournal(folder)).toMatchObject({ ok: false, seq: 3 });
  });
});
