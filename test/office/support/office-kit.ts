/** The office's parts on a database, without its server: what bridges send goes straight in. */
import { createIngest, type Ingested, type Sender } from '../../../src/office/ingest/ingest.ts';
import { eventReader, type EventReader } from '../../../src/office/ingest/event-reader.ts';
import { readBatch } from '../../../src/office/ingest/read-batch.ts';
import { createBridges } from '../../../src/office/bridges.ts';
import { createOverview } from '../../../src/office/overview.ts';
import { createSearch } from '../../../src/office/search.ts';
import { createPartitions } from '../../../src/office/database/partitions.ts';
import { migrate } from '../../../src/office/database/migrate.ts';
import type { Database } from '../../../src/office/database/database.ts';
import { seededChance } from '../../support/random.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import type { ShopJournal } from './shop.ts';

/** `migrated`: its tables are there. */
export async function officeOn(
  database: Database,
  seed = 1,
  as: { version?: string; reader?: EventReader; migrated?: boolean } = {},
) {
  const { version = '2.0.0', reader = eventReader, migrated = false } = as;
  const clock = createVirtualClock();
  clock.jump(Date.UTC(2026, 10, 3, 12) - clock.now());
  const chance = seededChance(clock, seed);
  if (!migrated) await migrate(database);
  const bridges = createBridges(database, { clock, chance });
  const partitions = createPartitions(database, clock);
  const ingest = createIngest({ database, partitions, clock, chance, version, reader });

  /** A bridge that has joined the shop. */
  async function join(shop: string, terminal = 'main'): Promise<Sender> {
    const { code } = await bridges.makeCode({ shop, by: 'Ada' });
    const enrolled = await bridges.enrol({ code, computer: `till of ${shop}`, version: '0.1.0' });
    if (enrolled === null) throw new Error('The code was refused.');
    const { bridgeId, shop: known } = enrolled;
    return { bridgeId, shopId: known.id, shopName: known.name, terminal, simulated: true };
  }

  function takeText(sender: Sender, text: string): Promise<Ingested> {
    const batch = readBatch(text);
    if (batch.kind !== 'read') throw new Error(batch.message);
    return ingest.take(sender, batch);
  }

  /** Sends all that the office lacks, as a bridge does that asks first. Gives the chain's name. */
  async function send(sender: Sender, journal: ShopJournal, count = Infinity): Promise<string> {
    const heads = await ingest.heads(sender);
    const known = heads.find(({ seq, hash }) => journal.placeAt(seq).hash === hash);
    const points = [...journal.lines].reverse().map(({ seq, hash }) => ({ seq, hash }));
    const place = known ?? (points.length === 0 ? null : await ingest.place(sender, points));
    let chain = place?.chain ?? null;
    let after = place?.seq ?? 0;
    while (after < journal.lines.length) {
      const taken = await takeText(sender, journal.batch(chain, after, count));
      if (taken.kind !== 'kept') throw new Error(`It was ${taken.kind}.`);
      ({ chain, seq: after } = taken.place);
    }
    if (chain === null) throw new Error('There was nothing to send.');
    return chain;
  }

  return {
    clock,
    bridges,
    ingest,
    join,
    takeText,
    send,
    overview: createOverview(database),
    search: createSearch(database, clock),
    findings: () =>
      database.query<{ kind: string; seq: number; message: string }>(
        'SELECT kind, seq, message FROM findings ORDER BY found_at, kind',
      ),
    /** All events that are kept of a chain and those it branches off, by their number. */
    kept: (chain: string) =>
      database.query<{ seq: number; hash: string; branch: string }>(
        `SELECT seq, encode(hash, 'hex') AS hash, chain_id AS branch FROM events JOIN chains USING (chain)
         WHERE chain_id = $1 ORDER BY seq`,
        [chain],
      ),
  };
}
