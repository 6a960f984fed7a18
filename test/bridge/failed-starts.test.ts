/** A bridge that does not come about leaves nothing open: no journal, no port, no line. The next start is none the worse. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startBridge, type Bridge, type BridgeOptions } from '../../src/bridge/bridge.ts';
import { openJournal } from '../../src/bridge/journal/index.ts';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { silentLog, type Log } from '../../src/log/log.ts';
import { createSimulatorLine } from '../../src/simulator/index.ts';
import { createZvtSimulator } from '../../src/simulator/zvt-simulator.ts';
import { seededChance } from '../support/random.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { sale } from './journal/sample-events.ts';

const clock = createVirtualClock({ besideIo: true });
let folder: string;
let started: Bridge[];
beforeEach(() => {
  folder = tempFolder('failed-starts');
  started = [];
});
afterEach(async () => {
  for (const bridge of started) await clock.run(bridge.stop(), 'the end of the bridge');
  rmSync(folder, { recursive: true, force: true });
});

const barFolder = () => join(folder, 'terminals', 'bar');

function bridgeOptions(): BridgeOptions {
  const configuration = configurationSchema.parse({ terminal: 'simulator', port: 0, dataDir: folder });
  const line = (name: string) => {
    const ledgerFile = join(folder, 'ledgers', `${name}.jsonl`);
    const simulator = createZvtSimulator({
      ledgerFile,
      framing: 'serial',
      timeScale: 1,
      clock,
      log: silentLog,
      currency: 'EUR',
    });
    return { line: createSimulatorLine(simulator, name), connection: { kind: 'serial' } as const };
  };
  const common = { configuration, simulated: true };
  return {
    ...common,
    ...line('main'),
    log: silentLog,
    clock,
    chance: seededChance(clock),
    version: 'test',
    dataFolder: folder,
    others: [{ ...common, name: 'bar', line: line('bar'), dataFolder: barFolder() }],
  };
}

/** Where a log for this part is made, something breaks. */
function brokenAt(source: string, nth = 1): Log {
  let count = 0;
  const log: Log = {
    ...silentLog,
    with(fields) {
      if (fields['source'] === source) count += 1;
      if (fields['source'] === source && count === nth) throw new Error(`no ${source}`);
      return log;
    },
  };
  return log;
}

/** What it would say here breaks. */
function brokenAtLine(message: RegExp): Log {
  const log: Log = {
    ...silentLog,
    warn(text) {
      if (message.test(text)) throw new Error('no line');
    },
    with: () => log,
  };
  return log;
}

async function start(change: Partial<BridgeOptions> = {}): Promise<Bridge> {
  const start = await clock.run(startBridge({ ...bridgeOptions(), ...change }), 'a start');
  if (start.kind === 'failed') throw new Error(start.message);
  started.push(start.bridge);
  return start.bridge;
}

async function startsAsEver(): Promise<void> {
  const bridge = await start();
  await clock.until(
    () => bridge.terminals.every(({ payments }) => payments.status().terminal.connection === 'ready'),
    'terminals that are ready',
  );
}

describe('a start that fails', () => {
  it.each([
    ['in the payments of the main terminal', { log: brokenAt('payments', 1) }],
    ['in the payments of another terminal', { log: brokenAt('payments', 2) }],
    ['in the listener', { log: brokenAt('listener') }],
  ])('%s leaves no journal open', async (_where, change) => {
    await expect(start(change)).rejects.toThrow(/^no /);
    await startsAsEver();
  });

  it('in a terminal whose folder cannot be used leaves no journal open', async () => {
    writeFileSync(join(folder, 'terminals'), 'a file where a folder should be');
    await expect(start()).rejects.toThrow(/terminals/);
    rmSync(join(folder, 'terminals'));
    await startsAsEver();
  });

  it('because another bridge has one of the journals leaves the others to be opened', async () => {
    const held = openJournal({ folder: barFolder(), clock, log: silentLog, version: 'test' });
    await expect(start()).rejects.toThrow(/Another bridge is using/);
    if (held.kind === 'opened') held.journal.close();
    await startsAsEver();
  });

  it('where a terminal begins leaves neither journals nor the port in use', async () => {
    const earlier = await start();
    const configuration = { ...bridgeOptions().configuration, port: earlier.listener.port ?? 0 };
    await clock.run(earlier.stop(), 'the end of the bridge');
    // A sale on the other terminal that an earlier run has left open.
    const opening = openJournal({ folder: barFolder(), clock, log: silentLog, version: 'test' });
    if (opening.kind !== 'opened') throw new Error(opening.message);
    opening.journal.append(sale());
    opening.journal.close();
    const log = brokenAtLine(/of an earlier run is in doubt/);
    await expect(start({ configuration, log })).rejects.toThrow('no line');
    const bridge = await start({ configuration });
    expect(bridge.listener.port).toBe(configuration.port);
  });
});
