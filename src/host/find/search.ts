/** A search as a person starts it: the ports of this computer, and the local network only if that is asked for. */
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import type { Configuration } from '../../contract/configuration.ts';
import type { SerialPortView, TerminalSearch } from '../../contract/console/index.ts';
import type { Log } from '../../log/index.ts';
import { createAsk } from './ask-terminal.ts';
import { startSearch, type Place, type RunningSearch } from './find-terminals.ts';
import { neighbours, ownAddresses } from './own-networks.ts';
import { networkPlaces, portsLeftOut, serialPlaces } from './places.ts';

/** So many places are asked at once, and at most 50 new ones in a second. */
const atOnce = 20;
const everyMs = 20;

export const noSearch: TerminalSearch = {
  state: 'none',
  done: 0,
  total: 0,
  asking: [],
  found: [],
  taken: [],
  denied: [],
};

export interface SearchOptions {
  ports: readonly SerialPortView[];
  network: boolean;
  /** The bridge's own settings: passwords, currency. */
  settings: Configuration;
  /** A payment runs on the bridge of this process. */
  paymentRuns(): boolean;
  clock: Clock;
  chance: Chance;
  log: Log;
  dataFolder: string;
}

export function searchForTerminals(options: SearchOptions): RunningSearch {
  const { ports, network, settings, paymentRuns, clock, log } = options;
  const { currency } = settings;
  const places: Place[] = [
    ...serialPlaces(ports, currency),
    ...(network ? networkPlaces(neighbours(ownAddresses()), currency) : []),
  ];
  log.info('terminals are looked for', { network, places: places.length });
  return startSearch({
    places,
    leftOut: portsLeftOut(ports),
    ask: createAsk(options),
    paymentRuns,
    atOnce,
    everyMs,
    clock,
  });
}
