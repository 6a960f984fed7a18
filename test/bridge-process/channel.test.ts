/** Both ends of the channel between the app and the process of its bridge, with a real host, and without Electron. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { serveHost } from '../../src/bridge-process/serve-host.ts';
import type { AppFault, ConsoleChange, ConsoleState } from '../../src/contract/console/index.ts';
import { fileSecrets } from '../../src/host/index.ts';
import type { BridgeChild } from '../../src/main/bridge-child.ts';
import { seededChance } from '../support/random.ts';
import { createVirtualClock, type VirtualClock } from '../support/virtual-clock.ts';

vi.mock('electron', () => ({}));
// Loaded by the first calls otherwise, while the virtual clock goes on.
await import('../../src/host/methods/invoke.ts');
await import('../../src/host/saved-files/make-file.ts');
await import('../../src/bridge/terminals/zvt/index.ts');
await import('../../src/simulator/index.ts');
await import('../../src/simulator/zvt/index.ts');
const { createAppBridge } = await import('../../src/main/app-bridge.ts');

let cleaning: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const clean of cleaning.toReversed()) await clean();
  cleaning = [];
});

interface Process {
  /** Ends it at once, as the system would. */
  dies(exitCode: number): void;
  says(message: unknown): void;
  prints(text: string): void;
  /** It reads no message any more. */
  hangs(): void;
  readonly killed: boolean;
  /** Changes that the app has said to have taken. */
  readonly taken: number;
}

/** A process that is none: the real server of the host, reached by cloned messages in a later turn. */
function forkInside(clock: VirtualClock, started: Process[]): BridgeChild {
  const toBridge: ((message: unknown) => void)[] = [];
  const toApp: ((message: unknown) => void)[] = [];
  const onClose: (() => void)[] = [];
  const onExit: ((exitCode: number) => void)[] = [];
  const onOutput: ((text: string) => void)[] = [];
  let alive = true;
  let reads = true;
  let killed = false;
  let taken = 0;
  const later = (listeners: ((message: unknown) => void)[], message: unknown) => {
    const copy = structuredClone(message);
    setImmediate(() => {
      for (const listener of alive ? listeners : []) listener(copy);
      clock.recheck();
    });
  };
  function exits(exitCode: number) {
    if (!alive) return;
    alive = false;
    for (const closed of onClose) closed();
    setImmediate(() => {
      for (const listener of onExit) listener(exitCode);
      clock.recheck();
    });
  }
  serveHost(
    {
      send: (message) => later(toApp, message),
      onMessage: (listener) => void toBridge.push((message) => reads && listener(message)),
      onClose: (listener) => void onClose.push(listener),
    },
    { clock, chance: seededChance(clock), onSignal() {}, exit: () => exits(0) },
  );
  started.push({
    dies: exits,
    says: (message) => later(toApp, message),
    prints: (text) => onOutput.forEach((listener) => listener(text)),
    hangs: () => void (reads = false),
    get killed() {
      return killed;
    },
    get taken() {
      return taken;
    },
  });
  cleaning.push(() => exits(0));
  return {
    send(message) {
      if (message.kind === 'taken') taken += message.changes;
      later(toBridge, message);
    },
    onMessage: (listener) => void toApp.push(listener),
    onOutput: (listener) => void onOutput.push(listener),
    onExit: (listener) => void onExit.push(listener),
    kill() {
      killed = true;
      exits(9);
    },
  };
}

function setUp(options: { fault?: AppFault; addTerminal?: string } = {}) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tillbridge-channel-'));
  cleaning.push(() => rmSync(folder, { recursive: true, force: true }));
  const clock = createVirtualClock({ besideIo: true });
  const processes: Process[] = [];
  const faults: string[] = [];
  const changes: ConsoleChange[] = [];
  const bridge = createAppBridge({
    fork: () => forkInside(clock, processes),
    sources: {
      environment: {
        TILLBRIDGE_DATA_DIR: folder,
        TILLBRIDGE_PORT: '0',
        TILLBRIDGE_TERMINAL: 'simulator',
        ...(options.addTerminal === undefined ? {} : { TILLBRIDGE_ADD_TERMINAL: options.addTerminal }),
      },
      currentFolder: folder,
      defaultDataDir: folder,
    },
    provisionFile: null,
    version: '9.9.9',
    secrets: fileSecrets(),
    clock,
    fault: options.fault ?? null,
    onAppSettings() {},
    onFault: (text) => void faults.push(text),
    onUpdateSettings() {},
    onUpdateAction() {},
    onOutput() {},
  });
  bridge.console.subscribe((change) => changes.push(change));
  cleaning.push(() => clock.run(bridge.stop(), 'the stop'));
  const current = () => {
    const last = processes.at(-1);
    if (last === undefined) throw new Error('no process was started');
    return last;
  };
  return { folder, clock, processes, faults, changes, bridge, current };
}

const isReady = (kit: ReturnType<typeof setUp>) =>
  kit.clock.until(() => kit.bridge.state().terminal?.connection === 'ready', 'a ready terminal');

describe('the bridge in a process of its own', () => {
  it('answers the console, and tells it what changes', async () => {
    const kit = setUp();
    kit.bridge.start();
    await isReady(kit);
    expect(await kit.clock.run(kit.bridge.console.invoke('state', {}), 'state')).toMatchObject({
      ok: true,
      value: { host: 'desktop', version: '9.9.9', bridge: { kind: 'running' } },
    });
    expect(await kit.clock.run(kit.bridge.console.invoke('nope', {}), 'nope')).toMatchObject({ ok: false });
    expect(kit.changes.some((change) => change.kind === 'state')).toBe(true);
  });

  it('is started again when it ends by itself, and the console hears of it at once', async () => {
    const kit = setUp();
    kit.bridge.start();
    await isReady(kit);
    const asked = kit.bridge.console.invoke('payments', {});
    kit.current().prints('FATAL ERROR: out of memory 4111 1111 1111 1111\n');
    kit.current().dies(134);
    expect(await kit.clock.run(asked, 'the answer')).toMatchObject({
      ok: false,
      refusal: { code: 'not_connected' },
    });
    await kit.clock.until(() => kit.faults.length === 1, 'the fault');
    expect(kit.faults[0]).toContain('(134)');
    expect(kit.faults[0]).toContain('out of memory');
    expect(kit.faults[0]).not.toContain('4111 1111 1111 1111');
    expect(kit.bridge.state()).toMatchObject({
      bridge: { kind: 'starting' },
      fault: { part: 'bridge', runsSince: null },
    });
    // No time goes by: the pause before the next process is not over.
    expect(await kit.bridge.console.invoke('state', {})).toMatchObject({ ok: true });
    expect(await kit.bridge.console.invoke('submitBatch', {})).toMatchObject({
      refusal: { code: 'no_bridge' },
    });
    await isReady(kit);
    expect(kit.processes).toHaveLength(2);
    expect(kit.bridge.state().fault).toMatchObject({ part: 'bridge', runsSince: expect.any(String) });
  });

  it('is started again after growing pauses, and after a short one when it has run for long', async () => {
    const kit = setUp();
    kit.bridge.start();
    const pauses: number[] = [];
    for (let round = 1; round <= 5; round += 1) {
      await isReady(kit);
      kit.current().dies(1);
      await kit.clock.until(() => kit.faults.length === round, 'the fault');
      const before = kit.clock.elapsed();
      await kit.clock.until(() => kit.processes.length === round + 1, 'the next process');
      pauses.push(kit.clock.elapsed() - before);
    }
    expect(pauses).toEqual([500, 1_000, 2_000, 5_000, 15_000]);
    await isReady(kit);
    await kit.clock.advance(600_000);
    kit.current().dies(1);
    await kit.clock.until(() => kit.faults.length === 6, 'the fault');
    const before = kit.clock.elapsed();
    await kit.clock.until(() => kit.processes.length === 7, 'the next process');
    expect(kit.clock.elapsed() - before).toBe(500);
  });

  it('is ended and started again when it hangs', async () => {
    const kit = setUp();
    kit.bridge.start();
    await isReady(kit);
    const hung = kit.current();
    hung.hangs();
    await kit.clock.until(() => kit.processes.length === 2, 'the next process');
    expect(hung.killed).toBe(true);
    expect(kit.faults[0]).toContain('did not answer');
  });

  it('is not started again once it was stopped, whenever that was', async () => {
    const kit = setUp();
    kit.bridge.start();
    await isReady(kit);
    kit.current().dies(1);
    await kit.clock.until(() => kit.faults.length === 1, 'the fault');
    await kit.clock.run(kit.bridge.stop(), 'the stop');
    await kit.clock.advance(120_000);
    expect(kit.processes).toHaveLength(1);
  });

  it('keeps what the app has to log until there is a process that logs', async () => {
    const kit = setUp();
    kit.bridge.start();
    await isReady(kit);
    kit.current().dies(1);
    await kit.clock.until(() => kit.faults.length === 1, 'the fault');
    kit.bridge.log
      .with({ source: 'app' })
      .warn('written while nobody could', { err: new Error('the reason') });
    await isReady(kit);
    await kit.clock.run(kit.bridge.stop(), 'the stop');
    const log = readFileSync(path.join(kit.folder, 'simulator', 'logs', 'tillbridge.log'), 'utf8');
    expect(log).toContain('written while nobody could');
    expect(log).toContain('the reason');
  });

  it('leaves messages of another form out, and goes on', async () => {
    const kit = setUp();
    kit.bridge.start();
    await isReady(kit);
    for (const message of [null, 'x', {}, { kind: 'change', change: { kind: 'state', state: {} } }])
      kit.current().says(message);
    expect(await kit.clock.run(kit.bridge.console.invoke('state', {}), 'state')).toMatchObject({ ok: true });
    expect(kit.bridge.state().bridge.kind).toBe('running');
  });

  it('takes a change of another form, so that others go on coming', async () => {
    const kit = setUp();
    kit.bridge.start();
    await isReady(kit);
    const heard = kit.changes.length - kit.current().taken;
    kit.current().says({ kind: 'change', change: { kind: 'state', state: {} } });
    expect(await kit.clock.run(kit.bridge.console.invoke('state', {}), 'state')).toMatchObject({ ok: true });
    // Nobody else hears of it.
    expect(kit.changes.length - kit.current().taken).toBe(heard - 1);
  });

  it('counts an operation as on the terminal until the next process knows what became of it', async () => {
    const kit = setUp();
    kit.bridge.start();
    await isReady(kit);
    expect(kit.bridge.onTerminals()).toEqual([]);
    const paid = kit.bridge.console.invoke('testPayment', { amountMinor: 1207 });
    await kit.clock.until(() => kit.bridge.state().currentOperation !== null, 'the payment');
    const operations = kit.bridge.onTerminals();
    kit.current().dies(1);
    await kit.clock.until(() => kit.faults.length === 1, 'the fault');
    expect(await kit.clock.run(paid, 'the answer')).toMatchObject({ ok: true });
    expect(kit.bridge.state()).toMatchObject({ bridge: { kind: 'starting' }, currentOperation: null });
    expect(kit.bridge.onTerminals()).toEqual(operations);
    const idle: ConsoleState['bridge']['kind'][] = [];
    kit.bridge.console.subscribe((change) => {
      if (change.kind === 'state' && kit.bridge.onTerminals().length === 0)
        idle.push(change.state.bridge.kind);
    });
    await kit.clock.until(() => kit.bridge.onTerminals().length === 0, 'the next bridge');
    expect(idle[0]).toBe('running');
  });

  it('counts what was on each of several terminals when the process ended', async () => {
    const kit = setUp({ addTerminal: 'bar=simulator' });
    kit.bridge.start();
    await kit.clock.until(() => {
      const { terminal, otherTerminals } = kit.bridge.state();
      return [terminal, otherTerminals?.[0]?.terminal].every((one) => one?.connection === 'ready');
    }, 'two terminals that are ready');
    const paid = ['main', 'bar'].map((terminal) =>
      kit.bridge.console.invoke('testPayment', { amountMinor: 1207, terminal }),
    );
    await kit.clock.until(() => kit.bridge.onTerminals().length === 2, 'two payments');
    const operations = kit.bridge.onTerminals();
    expect(operations.map(({ onTerminal }) => onTerminal)).toEqual([undefined, 'bar']);
    kit.current().dies(1);
    await kit.clock.until(() => kit.faults.length === 1, 'the fault');
    await kit.clock.run(Promise.all(paid), 'the answers');
    expect(kit.bridge.onTerminals()).toEqual(operations);
  });

  it('looks at the terminals of a process that is ahead of what it has told, or hangs, or has ended', async () => {
    const kit = setUp();
    kit.bridge.start();
    await isReady(kit);
    const look = () => kit.clock.run(kit.bridge.lookAtTerminals(), 'the look');
    expect(await look()).toEqual([]);
    const paid = kit.bridge.console.invoke('testPayment', { amountMinor: 1207 });
    await kit.clock.until(() => kit.bridge.onTerminals().length === 1, 'the payment');
    const operations = kit.bridge.onTerminals();
    const earlier = { ...kit.bridge.state(), currentOperation: null };
    kit.current().says({ kind: 'change', change: { kind: 'state', state: earlier } });
    await kit.clock.until(() => kit.bridge.onTerminals().length === 0, 'an earlier state');
    expect(await look()).toEqual(operations);
    const told = { ...earlier, currentOperation: operations[0] };
    kit.current().says({ kind: 'change', change: { kind: 'state', state: told } });
    await kit.clock.until(() => kit.bridge.onTerminals().length === 1, 'a later state');
    kit.current().hangs();
    expect(await look()).toEqual(operations);
    kit.current().dies(1);
    await kit.clock.until(() => kit.faults.length === 1, 'the fault');
    expect(await look()).toEqual(operations);
    await kit.clock.run(paid, 'the answer');
  });

  it('gives a file in pieces, and lets one go that nobody wants', async () => {
    const kit = setUp();
    kit.bridge.start();
    await isReady(kit);
    const make = () => kit.clock.run(kit.bridge.console.makeFile({ kind: 'support_bundle' }), 'the file');
    const { name, content } = await make();
    expect(name).toMatch(/\.zip$/);
    const pieces: Uint8Array[] = [];
    await kit.clock.run(
      (async () => {
        for await (const piece of content) pieces.push(piece);
      })(),
      'its pieces',
    );
    expect(Buffer.concat(pieces).subarray(0, 2).toString()).toBe('PK');
    const dropped = (await make()).content[Symbol.asyncIterator]();
    await kit.clock.run(Promise.resolve(dropped.return?.()), 'the end');
    await expect(kit.clock.run(dropped.next(), 'a piece')).rejects.toThrow('no such file');
  });

  it('says what ended the app before it', async () => {
    const fault: AppFault = { part: 'app', at: '2026-01-01T12:00:00.000Z', text: 'why', runsSince: null };
    const kit = setUp({ fault });
    expect(kit.bridge.state().fault).toEqual(fault);
    kit.bridge.start();
    await isReady(kit);
    expect(kit.bridge.state().fault).toMatchObject({
      part: 'app',
      text: 'why',
      runsSince: expect.any(String),
    });
  });

  it('tries again while another process has the journal', async () => {
    const kit = setUp();
    // What cannot be a folder stands for whatever keeps a bridge from starting.
    const inTheWay = path.join(kit.folder, 'simulator');
    writeFileSync(inTheWay, '');
    kit.bridge.start();
    await kit.clock.until(() => kit.bridge.state().bridge.kind === 'failed', 'the failure');
    rmSync(inTheWay);
    await isReady(kit);
    expect(kit.processes).toHaveLength(1);
  });
});
