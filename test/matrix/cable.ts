/**
 * A cable between two processes that can be pulled at any piece of bytes, and put back. It knows no protocol.
 *
 *     tcp, http   bridge ──► a port of ours ═ cable ═► the simulator's port
 *     serial      bridge ──► pseudo-terminal ═ cable ═ pseudo-terminal ◄── simulator
 */
import { fork } from 'node:child_process';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { carry, createPieceCounter, type Fate } from './pieces.ts';
import type { Transport } from '../support/protocol-rows.ts';
import { serialPaths, type CableMessage, type CableRequest } from './serial-cable-messages.ts';

export interface MatrixCable {
  /** For `bridge --terminal`. */
  readonly bridgeEnd: string;
  /** For `simulator`. */
  readonly simulatorEnd: readonly string[];
  /** Where the simulator listens, where it does. */
  simulatorPort: number | null;
  /** From now on pieces are counted, from 1: the one with this number arrives or not, and nothing behind it does. */
  arm(nth: number, fate: Fate): Promise<void>;
  /** A piece has come since; piece `nth` has come. */
  readonly begun: boolean;
  readonly struck: boolean;
  /** Both ends find their connection gone, and get none until it is put back. */
  pull(): Promise<void>;
  put(): Promise<void>;
  close(): Promise<void>;
}

/** `folder`: for the names of serial ports, which stay the same when they are plugged in again. */
export function openCable(transport: Transport, folder: string): Promise<MatrixCable> {
  return transport === 'serial' ? openSerialCable(folder) : openNetworkCable(transport);
}

async function openNetworkCable(transport: 'tcp' | 'http'): Promise<MatrixCable> {
  const open = new Set<Socket>();
  const pieces = createPieceCounter(() => {});
  const server = createServer((bridge) => {
    bridge.on('error', () => {});
    if (cable.simulatorPort === null) return void bridge.resetAndDestroy();
    // Not one byte is read before the other side is there.
    bridge.pause();
    const simulator = connect({ host: '127.0.0.1', port: cable.simulatorPort });
    for (const [one, other] of [
      [bridge, simulator],
      [simulator, bridge],
    ] as const) {
      open.add(one);
      carry(one, other, pieces);
      one.on('end', () => other.end());
      one.on('close', () => {
        open.delete(one);
        other.destroySoon();
      });
    }
    simulator.once('connect', () => bridge.resume());
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  await listen(0);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a listening server has no port');
  const { port } = address;
  const cable: MatrixCable = {
    bridgeEnd: `${transport}:127.0.0.1:${port}`,
    simulatorEnd: [`--${transport}`, '0'],
    simulatorPort: null,
    arm(nth, fate) {
      pieces.arm(nth, fate);
      return Promise.resolve();
    },
    get begun() {
      return pieces.begun;
    },
    get struck() {
      return pieces.struck;
    },
    // Connections are refused meanwhile.
    async pull() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
    put() {
      pieces.disarm();
      return listen(port);
    },
    close: () => cable.pull(),
  };
  return cable;
}

/**
 * The pseudo-terminals are in a process of their own: a program that this one starts would inherit them, and a port that
 * anybody still holds does not hang up.
 */
async function openSerialCable(folder: string): Promise<MatrixCable> {
  const holder = fork(join(import.meta.dirname, 'serial-cable.ts'), [folder]);
  const waiting = new Map<number, () => void>();
  const ended = new Promise<void>((resolve) => holder.once('exit', () => resolve()));
  let calls = 0;
  const since = { begun: false, struck: false };
  holder.on('message', (message: CableMessage) => {
    if (message.kind === 'done') waiting.get(message.id)?.();
    else since[message.kind] = true;
  });
  const call = (request: CableRequest) =>
    new Promise<void>((resolve, reject) => {
      calls += 1;
      waiting.set(calls, resolve);
      holder.send({ ...request, id: calls }, (error) => error !== null && reject(error));
    });
  const [bridge, simulator] = serialPaths(folder);
  const cable: MatrixCable = {
    bridgeEnd: `serial:${bridge}`,
    simulatorEnd: ['--serial', simulator],
    simulatorPort: null,
    arm(nth, fate) {
      Object.assign(since, { begun: false, struck: false });
      return call({ kind: 'arm', nth, fate });
    },
    get begun() {
      return since.begun;
    },
    get struck() {
      return since.struck;
    },
    pull: () => call({ kind: 'pull' }),
    put: () => call({ kind: 'put' }),
    async close() {
      holder.kill('SIGKILL');
      await ended;
    },
  };
  await cable.put();
  return cable;
}
