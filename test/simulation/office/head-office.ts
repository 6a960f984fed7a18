/** A real head office within this process, on PGlite, for the shops of a simulation: each run is a shop of its own. */
import { systemChance } from '../../../src/base/chance.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { enrolResponseSchema, officePaths } from '../../../src/contract/office.ts';
import { silentLog } from '../../../src/log/log.ts';
import { createBridges } from '../../../src/office/bridges.ts';
import type { Database } from '../../../src/office/database/database.ts';
import { createOffice, openPglite } from '../../../src/office/index.ts';

export interface HeadOffice {
  url: string;
  database: Database;
  /** A bridge of a new shop. */
  join(shop: string): Promise<{ key: string; shopId: string }>;
  close(): Promise<void>;
}

export async function openHeadOffice(): Promise<HeadOffice> {
  const database = await openPglite(null);
  const chance = systemChance(systemClock);
  const office = await createOffice({
    database,
    port: 0,
    host: '127.0.0.1',
    version: 'simulation',
    administratorKey: chance.uuid(),
    rendererFolder: null,
    publicOrigin: null,
    clock: systemClock,
    chance,
    log: silentLog,
  });
  const url = `http://127.0.0.1:${office.port}`;
  const bridges = createBridges(database, { clock: systemClock, chance });
  return {
    url,
    database,
    async join(shop) {
      const { code } = await bridges.makeCode({ shop, by: 'simulation' });
      const response = await fetch(url + officePaths.enrol, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code, computer: shop, version: 'simulation' }),
      });
      const { key, shop: known } = enrolResponseSchema.parse(await response.json());
      return { key, shopId: known.id };
    },
    close: () => office.close(),
  };
}
