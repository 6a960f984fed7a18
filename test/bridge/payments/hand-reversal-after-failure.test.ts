import { afterEach, expect, it } from 'vitest';
import { createRig, type Rig } from '../../support/rig.ts';

let rig: Rig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

/** `FAILED`, of 144.10, would have been the terminal's first payment. */
async function rigWithFailure(): Promise<Rig> {
  const failed = createRig();
  await failed.ready();
  failed.simulator.queueScenario('power_loss');
  expect(await failed.sale('144.10', 'FAILED')).toBe('unknown');
  await failed.ready();
  expect(failed.status('FAILED')).toBe('failed');
  return failed;
}

it('a reversal by hand is told although a payment of the same amount had failed at the same place before', async () => {
  rig = await rigWithFailure();
  expect(await rig.sale('144.10', 'PAID')).toBe('approved');
  await rig.ready();
  rig.simulator.reverseManually('0001');
  const { payments } = rig;
  const [found] = await rig.until(
    () => (payments.discrepancies().length > 0 ? payments.discrepancies() : null),
    'a discrepancy',
  );
  expect(found).toMatchObject({ kind: 'unexplained_reversal', references: ['PAID'], amountMinor: 14_410 });
});

it('so is one that comes after others, which the terminal’s own reversal never does', async () => {
  rig = await rigWithFailure();
  // Nobody sees it: our own next payment covers it.
  rig.simulator.payManually(14_410);
  expect(await rig.sale('5.00', 'NEXT')).toBe('approved');
  await rig.ready();
  rig.simulator.reverseManually('0001');
  const { payments } = rig;
  await rig.until(() => payments.discrepancies().length > 1, 'what was done by hand');
  expect(payments.discrepancies()).toMatchObject([
    { kind: 'unseen_records' },
    { kind: 'unexplained_reversal', amountMinor: 14_410 },
  ]);
});
