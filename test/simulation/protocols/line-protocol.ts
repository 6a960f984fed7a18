/** A protocol of bytes: its simulator on a cable, and its driver on the line of each process. */
import type { Clock } from '../../../src/base/clock.ts';
import { openWithBackoff } from '../../../src/bridge/lines/index.ts';
import { overLine } from '../../../src/bridge/terminals/over-line.ts';
import type { LineProtocol } from '../../../src/bridge/terminals/terminal-driver.ts';
import { createCable, type CableEnd, type CableOptions } from '../cable.ts';
import type { Installation, InstallParts, SimulatedTerminal } from './protocol.ts';

export function installOnLine(
  parts: InstallParts,
  own: {
    simulator: CableEnd;
    terminal: SimulatedTerminal;
    mayComeTwice: CableOptions['mayComeTwice'];
    /** For one process, on its clock. */
    driver(clock: Clock): LineProtocol;
  },
): Installation {
  const { plan, world, random, onPiece, onRepeat, trace } = parts;
  const { simulator, terminal, mayComeTwice } = own;
  const { framing } = plan;
  const cable = createCable({ world, random, framing, simulator, mayComeTwice, onPiece, onRepeat, trace });
  return {
    terminal,
    cable,
    bridgeSide({ user, random: chosen }) {
      const { clock } = user;
      const line = cable.lineFor(user);
      return {
        lineName: line.name,
        ...overLine(own.driver(clock), (signal, onFailure) =>
          openWithBackoff(line, { clock, signal, onFailure, random: () => chosen.fraction() }),
        ),
      };
    },
  };
}

const STX = 0x02;
const ETX = 0x03;

/** A whole answer of the terminal, in frames that end with ETX and a checksum: a terminal says it again that heard no ACK. */
export function isWholeAnswer(bytes: Uint8Array, direction: 'to_terminal' | 'to_bridge'): boolean {
  return direction === 'to_bridge' && bytes[0] === STX && bytes.at(-2) === ETX;
}
