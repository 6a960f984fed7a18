/** The settings name another protocol while a payment is in doubt: what that terminal shows or does is not about it. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { countsOf, readLedger } from '../support/ledger.ts';
import { isReady, newHost, type HostKit } from './host-kit.ts';

/** On a simulated ZVT terminal. */
async function zvtHost(): Promise<HostKit> {
  const kit = newHost();
  await kit.host.start();
  await kit.save((settings) => void (settings.bridge.terminal = 'simulator'));
  await isReady(kit);
  return kit;
}

const status = async ({ till }: HostKit, reference: string) =>
  (await till().query(reference)).body['transaction_status'];

function decide({ host }: HostKit, more: { terminalUnreachable?: true } = {}) {
  const [doubt] = host.state().doubts;
  const { operationId = '' } = doubt ?? {};
  const word = { operationId, resolution: 'not-charged', by: 'Ada', reason: 'no receipt', ...more } as const;
  return host.console.invoke('resolve', word);
}

it.each(['ecr-edc', 'transbank'] as const)(
  'leaves a result that was never acknowledged to a person (%s), and to the own terminal when that is back',
  async (protocol) => {
    const kit = await zvtHost();
    // The line is lost before the acknowledgement: the terminal takes it back.
    await kit.till().create('12.05', 'A');
    await kit.state(({ doubts }) => doubts.length === 1, 'the doubt');
    await kit.host.suspend();
    const ledger = () => countsOf(readLedger(join(kit.folder, 'simulator', 'ledger.jsonl')), '12.05');
    expect(ledger()).toMatchObject({ charged: 1 });

    await kit.save((settings) => void (settings.bridge.protocol = protocol));
    kit.host.resume();
    await isReady(kit);
    expect(await status(kit, 'A')).toBe('unknown');
    expect(kit.host.state().doubts).toMatchObject([
      { needsDecision: true, reason: expect.stringContaining(`${protocol} instead of zvt`) as string },
    ]);

    await kit.save((settings) => void (settings.bridge.protocol = 'zvt'));
    await kit.state(({ doubts }) => doubts.length === 0, 'the end of the doubt');
    expect([await status(kit, 'A'), ledger()]).toEqual([
      'failed',
      { charged: 1, autoReversed: 1, reversed: 0 },
    ]);
  },
);

it.each(['ecr-edc', 'transbank'] as const)(
  'is not seen to be idle by a terminal of another one (%s): a person has to say that the own one cannot be reached',
  async (protocol) => {
    const kit = await zvtHost();
    await kit.till().create('12.07', 'A');
    await kit.state(({ terminal }) => terminal?.progressStep === 'waiting_for_host', 'the host');
    await kit.host.suspend();
    await kit.state(({ doubts }) => doubts.length === 1, 'the doubt');
    await kit.save((settings) => void (settings.bridge.protocol = protocol));
    kit.host.resume();
    await isReady(kit);
    expect(await decide(kit)).toMatchObject({ ok: false });
    expect(await decide(kit, { terminalUnreachable: true })).toMatchObject({ ok: true });
    expect(await status(kit, 'A')).toBe('failed');
  },
);
