/** The console's test payment: on the simulator as a POS would ask for it, and never on a real terminal. */
import { expect, test } from 'vitest';
import { newFolder, newHost, readyHost } from './host-kit.ts';

test('the simulator takes it, and it ends as every payment', async () => {
  const kit = await readyHost();
  const { payment } = await kit.invoke('testPayment', { amountMinor: 1_200 });
  expect(payment).toMatchObject({ amountMinor: 1_200, simulated: true, status: 'in_progress' });
  const { lastPayment } = await kit.state(({ lastPayment: last }) => last !== null, 'the result');
  expect(lastPayment?.transactionId).toBe(payment.transactionId);
});

test('a real terminal gets none: it is refused, and nothing is journaled', async () => {
  const folder = newFolder();
  const kit = newHost({ folder, flags: { terminal: `serial:${folder}/none` } });
  await kit.host.start();
  const seq = kit.host.bridge?.journal?.lastSeq();
  const { code } = await kit.refusal('testPayment', { amountMinor: 1_200 });
  expect(code).toBe('method_not_allowed');
  expect(kit.host.bridge?.journal?.lastSeq()).toBe(seq);
});
