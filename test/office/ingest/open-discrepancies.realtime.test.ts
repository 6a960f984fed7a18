/** A discrepancy is open as the journal has it on the way on which it goes now: found, and acknowledged or not. */
import { describe, expect, test } from 'vitest';
import type { JournalEvent } from '../../../src/contract/journal-events.ts';
import { migrate } from '../../../src/office/database/migrate.ts';
import { migrations } from '../../../src/office/database/migrations.ts';
import {
  acknowledgedBefore,
  openDiscrepancies,
} from '../../../src/office/database/migrations/open-discrepancies.ts';
import { acknowledge } from '../../../src/office/findings.ts';
import { readDatabase } from '../../../src/office/operations/database-numbers.ts';
import { applyRetention } from '../../../src/office/operations/retention/retention.ts';
import { createShopStates } from '../../../src/office/shop-states.ts';
import { createRandom } from '../../support/random.ts';
import { onBothEngines } from '../support/databases.ts';
import { officeOn } from '../support/office-kit.ts';
import type { ShopJournal } from '../support/shop.ts';
import { tillAt } from '../support/till.ts';

const dayMs = 24 * 60 * 60_000;
const opened: JournalEvent = { type: 'journal_opened', version: '0.1.0' };

function seen(discrepancyId: string): JournalEvent {
  return { type: 'discrepancy_acknowledged', discrepancyId, by: 'Ada', reason: 'seen' };
}

onBothEngines((on) => {
  async function setUp() {
    const database = on.database();
    const office = await officeOn(database);
    const shop = { ...(await office.join('Berlin')), simulated: false };
    const { journal, chance } = tillAt();
    const states = createShopStates(database, { clock: office.clock, version: '0.1.0' });

    /** What they say that are open; each place that counts them agrees. */
    async function open(): Promise<string[]> {
      const { discrepancies } = await office.overview.open(100);
      const numbers = await readDatabase(database, office.clock.now());
      const [summary] = await states.shops();
      const counts = [numbers.open.discrepancy, summary?.discrepancies];
      expect(counts).toEqual([discrepancies.length, discrepancies.length]);
      return discrepancies.map(({ message }) => message);
    }

    /** What the findings quote. */
    async function lost(): Promise<string[]> {
      const findings = await office.findings();
      return findings
        .filter(({ kind }) => kind === 'discrepancy_lost')
        .map(({ message }) => message.replace(/^.* It said: /, ''))
        .toSorted();
    }

    function found(message: string) {
      const id = chance.uuid();
      const about = { operationId: null, references: [], amountMinor: null, currency: null, record: null };
      const kind = 'unexplained_payment';
      const event: JournalEvent = { type: 'discrepancy_found', discrepancyId: id, kind, message, ...about };
      return { id, event };
    }

    /** It grows by these, and is sent. */
    async function goOn(from: ShopJournal, ...events: JournalEvent[]): Promise<void> {
      office.clock.jump(1_000);
      for (const event of events.length === 0 ? [opened] : events) from.add(event, office.clock.now());
      await office.send(shop, from);
    }

    async function deleteOld(settings: { done: number; payments: number }): Promise<void> {
      const parts = { clock: office.clock, version: '0.1.0', database };
      await applyRetention(settings, { ...parts, who: { name: 'Ada', role: 'administrator' } });
    }

    return { database, office, shop, journal, open, lost, found, goOn, deleteOld };
  }

  test('what only a lost part has is not open, and is told once; what was acknowledged there only is open', async () => {
    const { office, journal, open, lost, found, goOn, deleteOld } = await setUp();
    const one = found('One.');
    await goOn(journal, one.event);
    const [old, older] = [journal.copy(), journal.copy()];
    await goOn(journal, seen(one.id), found('Two.').event);
    expect([await open(), await lost()]).toEqual([['Two.'], []]);
    for (const _ of ['', 'again']) {
      await goOn(old);
      expect([await open(), await lost()]).toEqual([['One.'], ['Two.']]);
    }
    await goOn(journal);
    expect([await open(), await lost()]).toEqual([['Two.'], ['Two.']]);
    await goOn(old, seen(one.id));
    expect(await open()).toEqual([]);
    // Whoever has acknowledged it on another way has not done so on this one.
    await goOn(older);
    expect(await open()).toEqual(['One.']);
    office.clock.jump(400 * dayMs);
    await deleteOld({ done: 100, payments: 100 });
    expect(await open()).toEqual(['One.']);
  });

  test('each of several that are lost is told, also when there are more the next time', async () => {
    const { journal, open, lost, found, goOn } = await setUp();
    await goOn(journal);
    const oldest = journal.copy();
    await goOn(journal, found('One.').event);
    const old = journal.copy();
    await goOn(journal, found('Two.').event, found('Three.').event);
    await goOn(old);
    expect([await open(), await lost()]).toEqual([['One.'], ['Three.', 'Two.']]);
    await goOn(journal);
    await goOn(oldest);
    expect([await open(), await lost()]).toEqual([[], ['One.', 'Three.', 'Two.']]);
  });

  test('one that was open again, and then lost, is told', async () => {
    const { journal, open, lost, found, goOn } = await setUp();
    await goOn(journal);
    const oldest = journal.copy();
    const one = found('One.');
    await goOn(journal, one.event);
    const old = journal.copy();
    await goOn(journal, seen(one.id));
    await goOn(old);
    expect([await open(), await lost()]).toEqual([['One.'], []]);
    await goOn(oldest);
    expect([await open(), await lost()]).toEqual([[], ['One.']]);
  });

  test('it is told again where somebody has acknowledged that, and the journal had it again', async () => {
    const { database, office, journal, lost, found, goOn } = await setUp();
    await goOn(journal);
    const old = journal.copy();
    await goOn(journal, found('One.').event);
    await goOn(old);
    expect(await lost()).toEqual(['One.']);
    const openFinding = async () =>
      (await office.overview.open(50)).findings.find(({ kind }) => kind === 'discrepancy_lost');
    const at = new Date(office.clock.now()).toISOString();
    const word = { by: 'Ada', reason: 'It is back.', at };
    await acknowledge(database, (await openFinding())?.finding_id ?? '', word);
    expect(await openFinding()).toBe(undefined);
    await goOn(journal);
    await goOn(old);
    expect(await openFinding()).toBeDefined();
  });

  test('what a repair has kept behind the gap is not lost', async () => {
    const { office, shop, journal, open, lost, found, goOn } = await setUp();
    await goOn(journal, opened, opened, found('One.').event);
    const repaired = journal.copy(1);
    for (const { event, at } of journal.lines.slice(2)) repaired.add(event, Date.parse(at));
    const by = { by: 'Ada', reason: 'disk', setAside: 'x', eventsKept: 3 };
    repaired.add({ type: 'journal_repaired', ...by }, office.clock.now());
    await office.send(shop, repaired);
    expect([await open(), await lost()]).toEqual([['One.'], []]);
  });

  test('deleting what is old opens nothing that was acknowledged on both ways', async () => {
    const { office, journal, open, found, goOn, deleteOld } = await setUp();
    const one = found('One.');
    await goOn(journal, one.event);
    const copy = journal.copy();
    await goOn(journal, seen(one.id));
    office.clock.jump(5 * dayMs);
    await goOn(copy, seen(one.id));
    await goOn(journal);
    expect(await open()).toEqual([]);
    // The cut lies between the two.
    for (const days of [98, 300, 300]) {
      office.clock.jump(days * dayMs);
      await deleteOld({ done: 400, payments: 100 });
      await goOn(journal);
      expect(await open()).toEqual([]);
    }
  });

  test('what an office before this step has taken counts as that one has counted it', async () => {
    const { database, journal, open, found, goOn } = await setUp();
    const one = found('One.');
    await goOn(journal, one.event);
    const copy = journal.copy();
    await goOn(journal, seen(one.id));
    await database.run('UPDATE discrepancies SET seq = NULL; UPDATE decisions SET discrepancy_id = NULL');
    await database.run(acknowledgedBefore);
    await goOn(copy);
    await goOn(copy, seen(one.id));
    await goOn(journal);
    expect(await open()).toEqual([]);
  });

  test('the list is the journal’s own, in whatever order copies are made, go on and come back', async () => {
    for (const seed of [1, 2, 3]) {
      const { office, shop, journal, found, open } = await setUp();
      const random = createRandom(seed);
      const all = [journal];
      const pick = <T>(list: readonly T[]) => list[random.integer(0, list.length - 1)];
      for (let step = 0; step < 30; step += 1) {
        let from = pick(all) ?? journal;
        if (random.integer(0, 2) === 0 && from.lines.length > 0) {
          from = from.copy(random.integer(1, from.lines.length));
          all.push(from);
        }
        for (let more = random.integer(1, 3); more > 0; more -= 1) {
          office.clock.jump(1_000);
          const [acknowledged] = [pick([...openIn(from).keys()])];
          const what = random.integer(0, 3);
          const event = what <= 1 ? found(`${step}, ${more}`).event : opened;
          from.add(what === 2 && acknowledged !== undefined ? seen(acknowledged) : event, office.clock.now());
        }
        await office.send(shop, from, random.integer(1, 3));
        const listed = (await open()).toSorted();
        expect({ seed, step, listed }).toEqual({ seed, step, listed: [...openIn(from).values()].toSorted() });
      }
      await on.database().run('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    }
  });

  describe('the step', () => {
    test('begins anew where an older office deletes in another order', async () => {
      if (on.server === null) return;
      await migrate(on.database(), migrations.slice(0, migrations.indexOf(openDiscrepancies)));
      let begun = () => {};
      const hasBegun = new Promise<void>((resolve) => (begun = resolve));
      const isWaiting = async () => {
        const sql = 'SELECT FROM pg_locks WHERE NOT granted';
        while ((await on.database().query(sql)).length === 0);
      };
      const older = on.second().transaction(async (queries) => {
        await queries.query('DELETE FROM decisions WHERE decided_at < now()');
        begun();
        await isWaiting();
        await queries.query('DELETE FROM discrepancies WHERE acknowledged_at < now()');
      });
      await hasBegun;
      // Which of the two has to give way is the database's to say.
      const [step] = await Promise.allSettled([migrate(on.database()), older]);
      expect(step.status).toBe('fulfilled');
    });
  });
});

function openIn(journal: ShopJournal): Map<string, string> {
  const open = new Map<string, string>();
  for (const { event } of journal.lines) {
    if (event.type === 'discrepancy_found') open.set(event.discrepancyId, event.message);
    if (event.type === 'discrepancy_acknowledged') open.delete(event.discrepancyId);
  }
  return open;
}
