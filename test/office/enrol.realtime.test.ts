/** Bridges that come with the same code at the same moment. */
import { expect, onTestFinished, test } from 'vitest';
import { systemChance } from '../../src/base/chance.ts';
import { systemClock } from '../../src/base/clock.ts';
import { enrolResponseSchema, officePaths } from '../../src/contract/office.ts';
import { onBothEngines } from './support/databases.ts';
import { administratorKey, heartbeatOf, runningOffice } from './support/running-office.ts';

const chance = systemChance(systemClock);

onBothEngines((on) => {
  test('of several bridges with one code exactly one joins, whichever process each has asked', async () => {
    const start = async (database = on.database()) => {
      const office = await runningOffice(database, { clock: systemClock, chance });
      onTestFinished(() => office.close());
      return office;
    };
    const one = await start();
    // Only one process may use a folder of PGlite.
    const other = on.server === null ? one : await start(on.second());
    const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
    const made = await one.post('/office/v1/codes', { shop: 'Berlin' }, bearer(administratorKey));
    const { code } = made.json() as { code: string };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, number) => {
        const asked = { code, computer: `till-${number}`, version: '2.0.0' };
        return (number % 2 === 0 ? one : other).post(officePaths.enrol, asked, {});
      }),
    );
    const [joined, ...more] = answers.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 403]));
    const { key, bridgeId } = enrolResponseSchema.parse(joined?.json());
    expect((await other.post(officePaths.heartbeat, heartbeatOf(), bearer(key))).status).toBe(200);
    expect(await on.database().query('SELECT bridge_id FROM bridges')).toEqual([{ bridge_id: bridgeId }]);
  });
});
