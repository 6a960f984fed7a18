import { afterEach, expect, it } from 'vitest';
import { createRig, type Rig } from '../../support/rig.ts';

let rig: Rig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

it('a reversal by hand is told although a payment of the same amount had failed at the same place before', async () => {
  rig = createRig();
  await rig.ready();
  rig.simulator.playNext('power_loss');
  expect(await rig.sale('144.10', 'FAILED')).toBe('unknown');
  await rig.ready();
  expect(rig.status('FAILED')).toBe('failed');
  expect(await rig.sale('144.10', 'PAID')).toBe('approved');
  await rig.ready();
  rig.simulator.reverseByHand('0001');
  const { payments } = rig;
  const [found] = await rig.until(
    () => (payments.discrepancies().length > 0 ? payments.discrepancies() : null),
    'a discrepancy',
  );
  expect(found).toMatchObject({ kind: 'unexplained_reversal', references: ['PAID'], amountMinor: 14_410 });
});
