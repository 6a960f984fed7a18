/** What the bridge gives a protocol, and what it gets for it: the function that a protocol's `index.ts` exports. */
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import type { Configuration } from '../../contract/configuration.ts';
import type { Log } from '../../log/index.ts';
import type { LineProtocol, RequestProtocol } from './terminal-driver.ts';

/** How the terminal is reached; a simulated one in the same process counts as one on a serial line. */
export type ProtocolConnection =
  { kind: 'serial' } | { kind: 'tcp' } | { kind: 'http'; host: string; port: number };

export interface ProtocolOptions {
  connection: ProtocolConnection;
  /** All of them; the protocol's own are under its name. */
  settings: Configuration;
  clock: Clock;
  chance: Chance;
  /** Its lines have the protocol's name as their source. */
  log: Log;
  /** To be called with each answer of a terminal that is asked by requests. Of a line the bridge sees the bytes. */
  onHeard(): void;
}

/** `createProtocol`, as each protocol's `index.ts` has it. */
export type CreateProtocol = (options: ProtocolOptions) => LineProtocol | RequestProtocol;
