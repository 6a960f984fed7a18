/**
 * The cable between bridge and simulator, in a process that is never killed. It passes on every byte as it came, sees
 * what is said, and counts each copy of each command that moves money.
 *
 *     tcp, http   bridge ──► a port of ours ═ cable ═► the simulator's port
 *     serial      bridge ──► pseudo-terminal ═ cable ═ pseudo-terminal ◄── simulator
 */
import { createServer } from 'node:net';
import { createTcpLine, socketConnection, type LineConnection } from '../../src/bridge/lines/index.ts';
import { systemClock } from '../../src/base/clock.ts';
import { openPseudoTerminal } from '../../src/simulator/index.ts';
import type { Row } from '../support/protocol-rows.ts';
import { wireOf, type Heard, type MoneyCommand, type Towards } from './wires/index.ts';

/** One piece of bytes on its way, and what it completed. */
export interface Passing {
  towards: Towards;
  heard: Heard[];
}

export interface SentCommand extends MoneyCommand {
  /** The terminal could not read this copy and said so: the only ground on which another may follow. */
  refused: boolean;
}

export interface Cable {
  /** For `bridge --terminal`. */
  readonly bridgeEnd: string;
  /** For `simulator`. */
  readonly simulatorEnd: string[];
  /** Where the simulator listens now; null while it does not. Means nothing on a serial line. */
  simulatorPort: number | null;
  /** Hears each piece before it is passed on. `lose`: it is not, nor is anything after it in that direction. */
  onPassing: (passing: Passing) => 'pass' | 'lose';
  /** While one of the two is dead nothing reaches it, and nothing of what it began to say goes on when it is back. */
  silence(end: Towards): void;
  revive(end: Towards): void;
  readonly moneyCommands: readonly SentCommand[];
  close(): Promise<void>;
}

export async function openCable(row: Row): Promise<Cable> {
  return row.transport === 'serial' ? openSerialCable(row) : openNetworkCable(row);
}

interface Wire {
  cable: Omit<Cable, 'bridgeEnd' | 'simulatorEnd' | 'close'>;
  /** Joins two connections, until one of them closes. */
  join(bridge: LineConnection, simulator: LineConnection): void;
}

function createWire(row: Row): Wire {
  const moneyCommands: SentCommand[] = [];
  const listener = wireOf(row).listen(row.transport);
  /** Directions in which nothing passes, by their destination; and those that are closed until a revival. */
  const dead = new Set<Towards>();
  const lost = new Set<Towards>();
  let lastSent: SentCommand | null = null;

  const cable: Wire['cable'] = {
    simulatorPort: null,
    onPassing: () => 'pass',
    silence: (end) => void dead.add(end),
    revive(end) {
      dead.delete(end);
      lost.clear();
      // Half a frame of the one that died has no other half.
      listener.forget(end === 'bridge' ? 'terminal' : 'bridge');
    },
    moneyCommands,
  };

  function note(towards: Towards, { name, refuses = false, command }: Heard): void {
    if (refuses && lastSent !== null) lastSent.refused = true;
    // An acknowledgement of what the terminal says is no message of its own.
    if (towards === 'bridge' || name === 'ack' || name === 'nak') return;
    lastSent = command === undefined ? null : { ...command, refused: false };
    if (lastSent !== null) moneyCommands.push(lastSent);
  }

  function carry(towards: Towards, bytes: Uint8Array, to: LineConnection): void {
    const from = towards === 'terminal' ? 'bridge' : 'terminal';
    if (lost.has(towards) || dead.has(from)) return;
    const heard = listener.hear(towards, bytes);
    for (const one of heard) note(towards, one);
    // It is heard of before the other end is: whoever is killed for it is dead, or as good as.
    if (cable.onPassing({ towards, heard }) === 'lose') lost.add(towards);
    if (!lost.has(towards) && !dead.has(towards)) to.write(bytes);
  }

  return {
    cable,
    join(bridge, simulator) {
      bridge.onData((bytes) => carry('terminal', bytes, simulator));
      simulator.onData((bytes) => carry('bridge', bytes, bridge));
      bridge.onClose(() => void simulator.close());
      simulator.onClose(() => void bridge.close());
    },
  };
}

async function openNetworkCable(row: Row): Promise<Cable> {
  const { cable, join } = createWire(row);
  const open = new Set<LineConnection>();
  const giveUp = new AbortController();
  const server = createServer((socket) => {
    const port = cable.simulatorPort;
    if (port === null) {
      socket.on('error', () => {});
      socket.resetAndDestroy();
      return;
    }
    // Not one byte is read before the other side is there.
    socket.pause();
    createTcpLine({ host: '127.0.0.1', port, clock: systemClock })
      .open(giveUp.signal)
      .then((simulator) => {
        const bridge = socketConnection(socket, { clock: systemClock });
        // A new connection begins a new conversation.
        cable.revive('bridge');
        cable.revive('terminal');
        for (const connection of [bridge, simulator]) open.add(connection);
        join(bridge, simulator);
        socket.resume();
      })
      .catch(() => socket.resetAndDestroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a listening server has no port');
  return Object.assign(cable, {
    bridgeEnd: `${row.transport}:127.0.0.1:${address.port}`,
    simulatorEnd: [`--${row.transport}`, '0'],
    async close() {
      giveUp.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all([...open].map((connection) => connection.close()));
      await closed;
    },
  });
}

async function openSerialCable(row: Row): Promise<Cable> {
  const { cable, join } = createWire(row);
  const closing: (() => Promise<void> | void)[] = [];
  const close = async () => {
    for (const end of closing.splice(0).toReversed()) await end();
  };
  try {
    const ends: { path: string; connection: LineConnection }[] = [];
    for (let end = 0; end < 2; end += 1) {
      const terminal = await openPseudoTerminal(systemClock);
      closing.push(() => terminal.close());
      const connection = socketConnection(terminal.stream, { clock: systemClock });
      terminal.stream.resume();
      closing.push(() => connection.close());
      ends.push({ path: terminal.path, connection });
    }
    const [bridge, simulator] = ends;
    if (bridge === undefined || simulator === undefined) throw new Error('a cable has two ends');
    join(bridge.connection, simulator.connection);
    return Object.assign(cable, {
      bridgeEnd: `serial:${bridge.path}`,
      simulatorEnd: ['--serial', simulator.path],
      close,
    });
  } catch (error) {
    await close();
    throw error;
  }
}
