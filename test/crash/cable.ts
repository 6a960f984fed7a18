/**
 * The cable between bridge and simulator, in a process that is never killed. It passes on every byte as it came, sees
 * what is said, and counts each copy of each command that moves money.
 *
 *     tcp   bridge ──► a port of ours ═ cable ═► the simulator's port
 *     pty   bridge ──► pseudo-terminal ═ cable ═ pseudo-terminal ◄── simulator
 */
import { createServer } from 'node:net';
import { createTcpLine, socketConnection, type LineConnection } from '../../src/bridge/lines/index.ts';
import {
  hex,
  createSerialParser,
  createTcpParser,
  type FrameEvent,
  bitmap,
  decodeMessage,
} from '../../src/bridge/terminals/zvt/wire/index.ts';
import { systemClock } from '../../src/base/clock.ts';
import { formatAmount } from '../../src/contract/money.ts';
import { openPseudoTerminal } from '../../src/simulator/index.ts';

export type Transport = 'tcp' | 'pty';

/** One piece of bytes on its way. `things` are what it completed: control fields ("040f"), "ack", "nak". */
export interface Passing {
  towards: 'terminal' | 'bridge';
  things: string[];
}

export interface MoneyCommand {
  ctrl: '0601' | '0630' | '0650';
  /** "12.00"; null where the command carries none. */
  amount: string | null;
  /** The terminal could not read this copy and said so: the only ground on which another may follow. */
  refused: boolean;
}

export interface Cable {
  /** For `bridge --terminal`. */
  readonly bridgeEnd: string;
  /** For `simulator`. */
  readonly simulatorEnd: string[];
  /** Where the simulator listens now; null while it does not. Means nothing on a pty. */
  simulatorPort: number | null;
  /** Hears each piece before it is passed on. `lose`: it is not, nor is anything after it in that direction. */
  onPassing: (passing: Passing) => 'pass' | 'lose';
  /** While one of the two is dead nothing reaches it, and nothing of what it began to say goes on when it is back. */
  silence(end: 'terminal' | 'bridge'): void;
  revive(end: 'terminal' | 'bridge'): void;
  readonly moneyCommands: readonly MoneyCommand[];
  close(): Promise<void>;
}

export async function openCable(transport: Transport): Promise<Cable> {
  return transport === 'tcp' ? openTcpCable() : openPtyCable();
}

interface Wire {
  cable: Omit<Cable, 'bridgeEnd' | 'simulatorEnd' | 'close'>;
  /** Joins two connections, until one of them closes. */
  join(bridge: LineConnection, simulator: LineConnection): void;
}

function createWire(transport: Transport): Wire {
  const moneyCommands: MoneyCommand[] = [];
  const parsers = {
    terminal: transport === 'tcp' ? createTcpParser() : createSerialParser(),
    bridge: transport === 'tcp' ? createTcpParser() : createSerialParser(),
  };
  /** Directions in which nothing passes, by their destination; and those that are closed until a revival. */
  const dead = new Set<'terminal' | 'bridge'>();
  const lost = new Set<'terminal' | 'bridge'>();
  let lastSaid: MoneyCommand | null = null;

  const cable: Wire['cable'] = {
    simulatorPort: null,
    onPassing: () => 'pass',
    silence: (end) => void dead.add(end),
    revive(end) {
      dead.delete(end);
      lost.clear();
      // Half a frame of the one that died has no other half.
      parsers[end === 'bridge' ? 'terminal' : 'bridge'].reset();
    },
    moneyCommands,
  };

  function note(towards: 'terminal' | 'bridge', event: FrameEvent): string[] {
    if (event.kind === 'nak' && towards === 'bridge' && lastSaid !== null) lastSaid.refused = true;
    if (event.kind === 'ack' || event.kind === 'nak') return [event.kind];
    if (event.kind !== 'apdu') return [];
    const ctrl = hex(event.apdu.subarray(0, 2));
    if (towards === 'terminal') lastSaid = moneyCommandOf(ctrl, event.apdu);
    if (towards === 'terminal' && lastSaid !== null) moneyCommands.push(lastSaid);
    return [ctrl];
  }

  function carry(towards: 'terminal' | 'bridge', bytes: Uint8Array, to: LineConnection): void {
    const from = towards === 'terminal' ? 'bridge' : 'terminal';
    if (lost.has(towards) || dead.has(from)) return;
    const things = parsers[towards].push(bytes).flatMap((event) => note(towards, event));
    // It is heard of before the other end is: whoever is killed for it is dead, or as good as.
    if (cable.onPassing({ towards, things }) === 'lose') lost.add(towards);
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

function moneyCommandOf(ctrl: string, apdu: Uint8Array): MoneyCommand | null {
  if (ctrl !== '0601' && ctrl !== '0630' && ctrl !== '0650') return null;
  const amount = bitmap(decodeMessage(apdu), '04');
  return {
    ctrl,
    amount: amount === null ? null : formatAmount(Number(hex(amount)), 'EUR'),
    refused: false,
  };
}

async function openTcpCable(): Promise<Cable> {
  const { cable, join } = createWire('tcp');
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
    bridgeEnd: `tcp:127.0.0.1:${address.port}`,
    simulatorEnd: ['--tcp', '0'],
    async close() {
      giveUp.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all([...open].map((connection) => connection.close()));
      await closed;
    },
  });
}

async function openPtyCable(): Promise<Cable> {
  const { cable, join } = createWire('pty');
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
