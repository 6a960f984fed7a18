/** Lines that need the machine, and its time: sockets and pseudo-terminals. */
import { createSerialLine, createTcpLine } from '../../src/bridge/lines/index.ts';
import { systemClock as clock } from '../../src/base/clock.ts';
import type { SerialSettings } from '../../src/contract/protocol-descriptor.ts';
import { serveSimulatorOnSerial, serveSimulatorOnTcp } from '../../src/simulator/index.ts';
import type { SimulatorTimings } from '../../src/simulator/simulated-terminal.ts';
import { openPtyPair } from '../support/pty-pair.ts';
import { createTill } from '../support/till.ts';
import type { WayKind } from './way.ts';

const serialSettings: SerialSettings = { baudRate: 9600, dataBits: 8, parity: 'none', stopBits: 2 };

/** The protocol's own timers are those of a shop; only the scenes are shorter, so that nobody waits for a slow host. */
const timings: Partial<SimulatorTimings> = {
  cardMs: 20,
  pinMs: 20,
  hostMs: 20,
  cutMs: 500,
  slowHostMs: 3_000,
  silenceMs: 6_000,
};

const real = {
  clock,
  timings,
  run: <T>(promise: Promise<T>) => promise,
  till: (base: string) => createTill(base),
};

export const overTcp: WayKind = {
  ...real,
  name: 'tcp',
  framing: 'tcp',
  async connect(simulator) {
    const served = await serveSimulatorOnTcp(simulator, { host: '127.0.0.1', port: 0, clock });
    return {
      line: createTcpLine({ host: '127.0.0.1', port: served.port, clock }),
      unplug: () => served.close(),
    };
  },
};

export const overPseudoTerminals: WayKind = {
  ...real,
  name: 'pty',
  framing: 'serial',
  async connect(simulator) {
    const pair = await openPtyPair();
    const served = await serveSimulatorOnSerial(simulator, pair.b, serialSettings, { clock });
    return {
      line: createSerialLine({ path: pair.a, settings: serialSettings, clock }),
      async unplug() {
        await served.close();
        await pair.close();
      },
    };
  },
};
