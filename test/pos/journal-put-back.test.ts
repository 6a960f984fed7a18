/** The client against a real bridge whose journal is put back from a backup, and one whose terminal contradicts it. */
import { cpSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Listener } from '../../src/bridge/listener/index.ts';
import { createPosClient, type PosClient } from '../../src/pos/index.ts';
import { startListener } from '../bridge/listener/set-up.ts';
import type { Rig } from '../support/rig.ts';
import { closeRigsAfterEach, rigUp } from '../support/rigs.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createVirtualClock, type VirtualClock } from '../support/virtual-clock.ts';
import { wish } from './scripted-bridge.ts';

interface Bridge {
  rig: Rig;
  clock: VirtualClock;
  client(): PosClient;
  stop(): Promise<void>;
  start(): Promise<void>;
}

const opened: Bridge[] = [];
afterEach(async () => {
  for (const bridge of opened.splice(0)) await bridge.stop();
});
closeRigsAfterEach();

async function createBridge(): Promise<Bridge> {
  const clock = createVirtualClock({ besideIo: true });
  const rig = await rigUp({ clock });
  let port = 0;
  let listener: Listener | null = null;
  // Bytes are on their way while the time stands still; the bridge at work takes its time.
  let letGo = () => {};
  const hold = () => void (letGo(), (letGo = clock.hold()));
  const send = async (url: string, init: RequestInit) => {
    hold();
    try {
      const response = await fetch(url.replace(':8080', `:${port}`), init);
      return new Response(await response.text(), response);
    } finally {
      letGo();
    }
  };
  const bridge = {
    rig,
    clock,
    client: () => createPosClient({ clock, random: () => 0, fetch: send as typeof fetch }),
    async stop() {
      await clock.run(listener?.stop() ?? Promise.resolve(), 'the end of the listener');
      listener = null;
    },
    async start() {
      const observer = { came: () => letGo(), answering: hold };
      ({ listener, port } = await startListener({ payments: rig.payments, clock, observer }));
    },
  };
  await bridge.start();
  opened.push(bridge);
  return bridge;
}

function copyJournal(from: string, to: string): void {
  for (const name of readdirSync(from).filter((one) => one.startsWith('journal')))
    cpSync(path.join(from, name), path.join(to, name));
}

async function restartWith(bridge: Bridge, change: () => void): Promise<void> {
  await bridge.stop();
  await bridge.rig.crash();
  change();
  bridge.rig.restart();
  await bridge.rig.ready();
  await bridge.start();
}

/** A backup is made, `pay` of a till is charged, the backup is put back, and the terminal goes on with another sale. */
async function afterPutBack(pay: (bridge: Bridge) => Promise<void>): Promise<Bridge> {
  const bridge = await createBridge();
  const { rig } = bridge;
  await rig.sale('1.00', 'EARLIER');
  await rig.ready();
  const backup = tempFolder('backup');
  await restartWith(bridge, () => copyJournal(rig.folder, backup));
  await pay(bridge);
  await rig.ready();
  await rig.sale('3.00', 'LATER');
  await rig.ready();
  await restartWith(bridge, () => {
    for (const name of readdirSync(rig.folder).filter((one) => one.startsWith('journal')))
      rmSync(path.join(rig.folder, name));
    copyJournal(backup, rig.folder);
  });
  for (const { discrepancyId } of rig.payments.discrepancies())
    rig.payments.acknowledge({ discrepancyId, by: 'K. Maier', reason: 'the till was restored' });
  return bridge;
}

function chargesOf(rig: Rig): number {
  return rig.ledger().filter((line) => JSON.stringify(line).includes('"12.00"')).length;
}

describe('a journal that was put back, and forgets a payment', () => {
  it('makes the same till charge nobody a second time', async () => {
    let till: PosClient | null = null;
    const { rig, clock } = await afterPutBack(async (bridge) => {
      till = bridge.client();
      const paid = await bridge.clock.run(till.pay(wish), 'the payment', 600_000);
      expect(paid).toMatchObject({ outcome: 'approved', simulated: true });
    });
    const before = chargesOf(rig);
    expect(before).toBeGreaterThan(0);
    for (const again of [till!.pay(wish), till!.resume('A-1')])
      expect(await clock.run(again, 'the second call')).toMatchObject({ outcome: 'unknown' });
    expect(chargesOf(rig)).toBe(before);
  });

  it('nor a till that has started again since, and has kept what it was given', async () => {
    let known: string | undefined;
    const bridge = await afterPutBack(async ({ clock, client }) => {
      const onProgress = ({ transactionId }: { transactionId: string | null }) =>
        void (known = transactionId ?? known);
      await clock.run(client().pay(wish, { onProgress }), 'the payment', 600_000);
    });
    const before = chargesOf(bridge.rig);
    expect(known).toBeDefined();
    for (const again of [bridge.client().pay(wish, { known }), bridge.client().resume('A-1', { known })])
      expect(await bridge.clock.run(again, 'the second call')).toMatchObject({ outcome: 'unknown' });
    expect(chargesOf(bridge.rig)).toBe(before);
  });
});

it('a decline that the terminal contradicts is unknown', async () => {
  const { rig, clock, client } = await createBridge();
  expect(await rig.sale('12.01', 'A-1')).toBe('declined');
  await rig.ready();
  const found = rig.payments.queryPayment('A-1');
  if (!found.ok) throw new Error(found.refusal.message);
  rig.journal.append({
    type: 'discrepancy_found',
    discrepancyId: '01a1ffe8-3316-7291-ad76-0000000000d1',
    kind: 'contradicted_outcome',
    operationId: found.value.transactionId,
    references: ['A-1'],
    amountMinor: 1201,
    currency: 'EUR',
    record: null,
    message: 'The terminal shows that 12.01 EUR was charged.',
  });
  const paid = client().pay({ ...wish, amount: '12.01' });
  expect(await clock.run(paid, 'the end')).toMatchObject({
    outcome: 'unknown',
    payment: { transaction_status: 'declined', discrepancy: { kind: 'contradicted_outcome' } },
  });
});
