/** A terminal that is not the simulator of this process: the bridge reaches it over the network. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../src/log/index.ts';
import { systemClock as clock } from '../../src/base/clock.ts';
import { serveSimulatorOnTcp } from '../../src/simulator/index.ts';
import { createZvtSimulator } from '../../src/simulator/zvt-simulator.ts';
import { createRealTime } from '../support/real-time.ts';
import { afterThisTest, isReady, newFolder, newHostOn } from './host-kit.ts';

/** What stands for a real terminal: the bridge reaches it over the network, and keeps its journal as a real one's. */
async function terminalInTheNetwork(): Promise<string> {
  const simulator = createZvtSimulator({
    ledgerFile: join(newFolder(), 'ledger.jsonl'),
    framing: 'tcp',
    timeScale: 1,
    clock,
    log: silentLog,
    currency: 'EUR',
  });
  afterThisTest(() => simulator.close());
  const served = await serveSimulatorOnTcp(simulator, { host: '127.0.0.1', port: 0, clock });
  afterThisTest(() => served.close());
  return `tcp:127.0.0.1:${served.port}`;
}

describe('settings that lead from the real terminal to the simulator', () => {
  it('are refused while something is in doubt, because nobody would see that any more', async () => {
    const kit = newHostOn(createRealTime(), { flags: { stopTimeoutMs: '0' } });
    await kit.host.start();
    const terminal = await terminalInTheNetwork();
    await kit.save(({ bridge }) => (bridge.terminal = terminal));
    await isReady(kit);
    await kit.till().create('12.07', 'A-7');
    await kit.state(({ terminal }) => terminal?.progressStep === 'waiting_for_host', 'the host');
    await kit.host.suspend();
    const { doubts } = await kit.state((state) => state.doubts.length === 1, 'the doubt');
    const { settings } = await kit.invoke('settings', {});
    const simulated = { ...settings, bridge: { ...settings.bridge, terminal: 'simulator' } };
    expect(await kit.refusal('saveSettings', simulated)).toMatchObject({ code: 'payment_unresolved' });
    expect((await kit.invoke('settings', {})).settings.bridge.terminal).toBe(terminal);
    // Whatever keeps the journal is allowed.
    await kit.save(({ bridge }) => (bridge.makeReferences = true));
    expect(kit.host.state().doubts).toHaveLength(1);
    const operationId = doubts[0]?.operationId ?? '';
    await kit.invoke('resolve', {
      operationId,
      resolution: 'not-charged',
      by: 'Ada',
      reason: 'day list',
      terminalUnreachable: true,
    });
    await kit.invoke('saveSettings', simulated);
    expect(kit.host.state().terminal?.simulated).toBe(true);
  });
});
