/** The simulation with a head office attached: after each run it has to agree with the shop. */
import type { Finding } from '../evidence.ts';
import type { Attach } from '../run.ts';
import { compareWithOffice } from './agreement.ts';
import { openHeadOffice } from './head-office.ts';
import { createWayUp } from './way-up.ts';

/** Longer than the sender ever waits before it tries again. */
const arrivesWithinMs = 2 * 3_600_000;
const lookEveryMs = 1_000;

export interface AttachedOffice {
  readonly attach: Attach;
  close(): Promise<void>;
}

export async function openAttachedOffice(): Promise<AttachedOffice> {
  const office = await openHeadOffice();
  let shops = 0;
  return {
    attach: async (shop) => {
      const { world, plan, journalFolder, journalFile } = shop;
      shops += 1;
      const { key, shopId } = await office.join(`Shop ${shops}, run ${plan.seed}`);
      const way = createWayUp({ url: office.url, key, journalFolder, world, random: shop.random('office') });
      shop.life = way;
      return {
        async end() {
          way.getThrough();
          const untilMs = world.elapsed() + arrivesWithinMs;
          while (way.sent !== shop.journalSeq && world.elapsed() < untilMs) await world.sleep(lookEveryMs);
          const late: Finding[] =
            way.sent === shop.journalSeq
              ? []
              : [
                  {
                    rule: 'the journal arrives',
                    text: `up to ${way.sent} of ${shop.journalSeq} after hours without a fault`,
                  },
                ];
          const wentBack = shop.records.filter(({ kind }) => kind === 'loss').length;
          const compared = compareWithOffice({ database: office.database, shopId, journalFile, wentBack });
          return [...late, ...(await world.resting(compared))];
        },
      };
    },
    close: () => office.close(),
  };
}
