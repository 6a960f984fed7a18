/** "Test connection": a real terminal (the simulator over TCP), a silent one, none at all, one that is in use. */
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockLine } from '../../src/bridge/lines/index.ts';
import { silentLog } from '../../src/log/index.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { RequestOf } from '../../src/contract/console/index.ts';
import { serveSimulatorOnTcp } from '../../src/simulator/index.ts';
import { createZvtSimulator } from '../../src/simulator/zvt-simulator.ts';
import { protocolSettings } from '../support/console-data.ts';
import { createRealTime } from '../support/real-time.ts';
import { unusedPort } from '../support/unused-port.ts';
import { afterThisTest, isReady, newFolder, newHostOn, type KitOptions } from './host-kit.ts';

const newHost = (options?: KitOptions) => newHostOn(createRealTime(), options);

function request(terminal: string): RequestOf<'testConnection'> {
  return {
    terminal,
    protocol: 'zvt',
    serial: { baudRate: 9_600, dataBits: 8, parity: 'none', stopBits: 2 },
    currency: 'EUR',
    ...protocolSettings,
  };
}

/** The simulator as a terminal in the network, with what it was sent. */
async function terminal(): Promise<{ port: number; ledgerFile: string }> {
  const ledgerFile = join(newFolder(), 'ledger.jsonl');
  const simulator = createZvtSimulator({
    ledgerFile,
    framing: 'tcp',
    timeScale: 0,
    currency: 'EUR',
    clock: systemClock,
    log: silentLog,
  });
  const served = await serveSimulatorOnTcp(simulator, { host: '127.0.0.1', port: 0, clock: systemClock });
  afterThisTest(() => served.close());
  return { port: served.port, ledgerFile };
}

/** Takes connections and says nothing. */
async function silentTerminal(): Promise<{ port: number; bytes(): string }> {
  const sockets = new Set<Socket>();
  let received = '';
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (piece: Buffer) => (received += piece.toString('hex')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterThisTest(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    bytes: () => received,
  };
}

describe('a connection test', () => {
  it('finds a terminal that is ready, moves no money, and lets go of it', async () => {
    const { port } = await terminal();
    const kit = newHost();
    await kit.host.start();
    const address = `tcp:127.0.0.1:${port}`;
    expect(await kit.invoke('testConnection', request(address))).toMatchObject({
      kind: 'ready',
      terminalId: '68000001',
    });
    const log = await kit.invoke('log', {
      filter: { minLevel: 'debug', sources: ['zvt'], text: 'to terminal' },
      before: null,
      limit: 100,
    });
    const sent = log.lines.map(({ fields }) => fields['frame']);
    expect(sent).toContain('registration');
    expect(sent).not.toContain('authorisation');
    expect(JSON.stringify(log.lines)).not.toContain('"amount"');
    // The terminal is free again: the bridge can have it.
    await kit.save(({ bridge }) => (bridge.terminal = address));
    await isReady(kit);
    const before = kit.changes.length;
    expect(await kit.invoke('testConnection', request(address))).toMatchObject({ kind: 'ready' });
    // Asked of the bridge: nothing is opened a second time.
    const told = JSON.stringify(kit.changes.slice(before));
    expect(told).not.toContain('registration');
    // What the bridge knows of its line is not an answer about other values.
    const other = request(address);
    for (const changed of [
      { ...other, currency: 'CHF' as const },
      { ...other, zvt: { ...other.zvt, password: '111111' } },
    ])
      expect(await kit.invoke('testConnection', changed)).toMatchObject({ kind: 'not_saved' });
    // A terminal in the network has no use for the values of a serial line.
    const faster = { ...other, serial: { ...other.serial, baudRate: 115_200 } };
    expect(await kit.invoke('testConnection', faster)).toMatchObject({ kind: 'ready' });
  });

  it('finds nobody there, or nobody who answers', async () => {
    const { port, bytes } = await silentTerminal();
    const kit = newHost();
    await kit.host.start();
    expect(await kit.invoke('testConnection', request(`tcp:127.0.0.1:${port}`))).toMatchObject({
      kind: 'silent',
    });
    expect(bytes()).toMatch(/^0600/);
    expect(bytes()).not.toContain('0601');
    // A line is locked for all bridges of the computer, also those of other tests: it is nobody else's.
    const nobody = `tcp:127.0.0.1:${await unusedPort()}`;
    expect(await kit.invoke('testConnection', request(nobody))).toMatchObject({ kind: 'line' });
    expect(await kit.invoke('testConnection', request('serial:/dev/no-such-port'))).toMatchObject({
      kind: 'line',
    });
  });

  it('leaves a line alone that another bridge uses', async () => {
    const { port, bytes } = await silentTerminal();
    const lock = await lockLine(`tcp:127.0.0.1:${port}`, { clock: systemClock, dataFolder: '/data' });
    if (lock.kind !== 'held') throw new Error(lock.message);
    afterThisTest(() => lock.release());
    const kit = newHost();
    await kit.host.start();
    expect(await kit.invoke('testConnection', request(`tcp:127.0.0.1:${port}`))).toMatchObject({
      kind: 'in_use',
    });
    expect(bytes()).toBe('');
  });

  it('is always ready with the simulator, and refuses what is no address', async () => {
    const kit = newHost();
    await kit.host.start();
    expect(await kit.invoke('testConnection', request('simulator'))).toMatchObject({ kind: 'ready' });
    expect(await kit.refusal('testConnection', request('usb'))).toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'terminal' }],
    });
  });
});

describe('ports', () => {
  it('are listed, none of them in use by a bridge without a serial line', async () => {
    const kit = newHost({ flags: { terminal: 'simulator' } });
    await kit.host.start();
    const { ports } = await kit.invoke('ports', {});
    expect(ports.every(({ inUse }) => !inUse)).toBe(true);
  });
});
