/** The currency of the settings is another one while a batch is open; the terminal itself knows amounts only. */
import { expect, it } from 'vitest';
import type { Currency } from '../../src/contract/money.ts';
import { batchesResponse } from '../../src/host/views/payment-views.ts';
import { closeRigsAfterEach, terminalUp } from '../support/rigs.ts';
import { ecrEdcTerminal } from '../support/terminals-on-cable.ts';

closeRigsAfterEach();

/** A payment of 12.00 baht; from the next start on the settings say dollars. */
async function changedToDollars() {
  const plugIn = ecrEdcTerminal('generic');
  let currency: Currency = 'THB';
  const rig = await terminalUp((parts) => {
    const plugged = plugIn(parts);
    return {
      ...plugged,
      get currency() {
        return currency;
      },
    };
  });
  expect(await rig.sell(1_200, 'A')).toBe('approved');
  await rig.ready();
  currency = 'USD';
  await rig.crash();
  rig.restart();
  await rig.ready();
  return rig;
}

it('closes the day in the currency of its payments', async () => {
  const rig = await changedToDollars();
  // It tells its id with an approval only, and has to be known by it again.
  expect(await rig.sell(500, 'TAKEN BACK')).toBe('approved');
  await rig.ready();
  expect(await rig.payments.voidPayment('TAKEN BACK', 60_000)).toMatchObject({ ok: true });
  await rig.ready();
  expect(await rig.payments.submitBatch(120_000)).toMatchObject({
    ok: true,
    value: { batch: { totalMinor: 1_200, currency: 'THB', reconciled: true } },
  });
  expect(rig.status('A')).toBe('settled');
  expect(rig.payments.discrepancies()).toEqual([]);
});

it('adds up no two currencies, and calls no payment settled that no total speaks of', async () => {
  const rig = await changedToDollars();
  expect(await rig.sell(500, 'B')).toBe('approved');
  await rig.ready();
  expect(batchesResponse(rig.journal, { before: null, limit: 1 }, 'EUR').open).toEqual({
    count: 2,
    sums: [
      { currency: 'THB', count: 1, sumMinor: 1_200 },
      { currency: 'USD', count: 1, sumMinor: 500 },
    ],
  });
  expect(await rig.payments.submitBatch(120_000)).toMatchObject({
    ok: true,
    value: { batch: { currency: 'USD', reconciled: false } },
  });
  expect([rig.status('A'), rig.status('B')]).toEqual(['approved', 'approved']);
  expect(rig.payments.discrepancies()).toMatchObject([{ kind: 'batch_differs', references: ['A', 'B'] }]);
});
