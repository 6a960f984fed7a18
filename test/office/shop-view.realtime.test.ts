/** What the office tells of one shop: its terminals as their journals know them, and how its latest batches ended. */
import { expect, onTestFinished, test } from 'vitest';
import { systemChance } from '../../src/base/chance.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { ShopBatch, ShopDetails } from '../../src/contract/office-page.ts';
import { batch, ended, inDoubt, terminal } from '../bridge/journal/sample-events.ts';
import { closeEvents } from './deposits/deposit-kit.ts';
import { onBothEngines } from './support/databases.ts';
import { runningOffice } from './support/running-office.ts';
import { ShopJournal } from './support/shop.ts';

const chance = systemChance(systemClock);
const start = Date.UTC(2026, 10, 2, 20);
const hourMs = 60 * 60_000;

onBothEngines((on) => {
  test('of a shop its terminals and its latest batches are told, and nothing of other shops', async () => {
    const office = await runningOffice(on.database(), { clock: systemClock, chance });
    onTestFinished(() => office.close());
    const berlin = await office.join('Berlin');
    const journal = new ShopJournal();
    journal.add(
      { type: 'terminal_ready', terminal, lastRecord: { kind: 'empty' }, continuity: 'same' },
      start,
    );
    for (const trait of ['no_tlv', 'no_currency'] as const)
      journal.add({ type: 'terminal_trait_learned', terminal, trait, explanation: 'It refuses it.' }, start);
    const [closed, failed, open] = [chance.uuid(), chance.uuid(), chance.uuid()];
    for (const event of closeEvents(closed, { number: '000001', totalMinor: 100_000 }))
      journal.add(event, start + hourMs);
    const refused = batch({ operationId: failed, simulated: false });
    journal.add(refused, start + 2 * hourMs);
    journal.add(ended(refused, 'not_closed', { reason: 'The host refused it.' }), start + 2 * hourMs);
    const doubtful = batch({ operationId: open, simulated: false, expected: { count: 2, totalMinor: 700 } });
    journal.add(doubtful, start + 3 * hourMs);
    journal.add(inDoubt(doubtful), start + 3 * hourMs);
    expect((await berlin.send(journal)).status).toBe(200);
    const paris = await office.join('Paris');
    const elsewhere = new ShopJournal();
    for (const event of closeEvents(chance.uuid(), { number: '000009', totalMinor: 900 }))
      elsewhere.add(event, start);
    expect((await paris.send(elsewhere)).status).toBe(200);

    const support = await office.signIn('support');
    const path = `/office/v1/shops/${berlin.shop.id}`;
    const shop = (await support.get(path)).json() as ShopDetails;
    expect(shop.name).toBe('Berlin');
    expect(shop.terminals).toEqual([
      {
        terminal: 'main',
        simulated: false,
        protocol: 'zvt',
        terminal_id: '52500041',
        traits: ['no_currency', 'no_tlv'],
      },
    ]);
    const { batches } = (await support.get(`${path}/batches`)).json() as { batches: ShopBatch[] };
    expect(batches).toMatchObject([
      { batch_id: open, outcome: null, in_doubt: true, count: null, expected_minor: 700, ended_at: null },
      { batch_id: failed, outcome: 'not_closed', in_doubt: false, total_minor: null },
      {
        batch_id: closed,
        terminal: 'main',
        simulated: false,
        outcome: 'closed',
        in_doubt: false,
        batch_number: '000001',
        count: 3,
        total_minor: 100_000,
        currency: 'EUR',
        reconciled: true,
        ended_at: new Date(start + hourMs).toISOString(),
      },
    ]);
    expect((await support.get(`/office/v1/shops/nowhere/batches`)).status).toBe(404);
    expect((await support.get(`/office/v1/shops/${chance.uuid()}/batches`)).json()).toEqual({ batches: [] });
  });
});
