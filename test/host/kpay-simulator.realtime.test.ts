/** The simulator of a protocol of requests in the bridge's own process: it listens on this machine, with fresh keys. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemChance } from '../../src/base/chance.ts';
import { systemClock } from '../../src/base/clock.ts';
import { readLedger } from '../support/ledger.ts';
import { createRealTime } from '../support/real-time.ts';
import { isReady, newFolder, newHostOn } from './host-kit.ts';

const flags = { terminal: 'simulator', protocol: 'kpay', currency: 'HKD', pace: '0' };

async function runningHost(folder: string, more: Record<string, string> = {}) {
  // Each life draws numbers of its own.
  const host = { chance: systemChance(systemClock) };
  const kit = newHostOn(createRealTime(), { folder, flags: { ...flags, ...more }, host });
  expect(await kit.host.start()).toMatchObject({ kind: 'running' });
  await isReady(kit);
  return kit;
}

it('is a KPay terminal that needs no application, and whose ledger outlives the bridge', async () => {
  const folder = newFolder();
  const first = await runningHost(folder);
  expect(first.host.state().terminal).toMatchObject({ simulated: true, line: 'memory:simulator' });
  const statusOf = async (amount: string, reference: string) =>
    (await first.till().create(amount, reference, 60)).body['transaction_status'];
  expect(await statusOf('124.00', 'A-1')).toBe('approved');
  expect(await statusOf('124.01', 'A-2')).toBe('declined');
  await first.host.stop();

  const second = await runningHost(folder, {
    'kpay.appId': 'shop',
    'kpay.appSecret': 'another-secret',
  });
  expect((await second.till().void('A-1', 60)).body).toMatchObject({ success: true });
  const ledger = readLedger(join(folder, 'simulator/ledger-kpay.jsonl'));
  expect(ledger.map(({ event }) => event)).toEqual([
    'started',
    'charged',
    'started',
    'ended',
    'started',
    'reversed',
  ]);
});

it('of two terminals each has one of its own', async () => {
  const kit = newHostOn(createRealTime(), {
    flags,
    environment: { TILLBRIDGE_ADD_TERMINAL: 'bar=simulator' },
  });
  await kit.host.start();
  await isReady(kit);
  const pay = (reference: string, headers = {}) =>
    kit
      .till()
      .post(
        '/CreatePayment',
        { amount: '124.00', retrieval_reference_number: reference },
        { prefer: 'wait=60', ...headers },
      );
  await kit.clock.until(
    () =>
      kit.host.bridge?.terminals.every(({ payments }) => payments.status().terminal.connection === 'ready'),
    'both terminals',
  );
  expect((await pay('M-1')).body).toMatchObject({ transaction_status: 'approved' });
  expect((await pay('B-1', { 'x-terminal': 'bar' })).body).toMatchObject({ transaction_status: 'approved' });
  for (const folder of ['simulator', 'simulator/terminals/bar']) {
    const charged = readLedger(join(kit.folder, folder, 'ledger-kpay.jsonl')).filter(
      ({ event }) => event === 'charged',
    );
    expect(charged).toHaveLength(1);
  }
});
