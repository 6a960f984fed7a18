/** The protocols that the bridge speaks, by name: a new one is a folder beside this file, and a line here. */
import type { Clock } from '../../base/clock.ts';
import type { Configuration } from '../../contract/configuration.ts';
import type { ProtocolName } from '../../contract/terminal.ts';
import type { Log } from '../../log/index.ts';
import { createEcr17Protocol } from './ecr17/index.ts';
import type { LineProtocol } from './terminal-driver.ts';
import { createEcrEdcProtocol } from './ecr-edc/index.ts';
import { createTransbankProtocol } from './transbank/index.ts';
import { createZvtProtocol } from './zvt/index.ts';

export interface ProtocolOptions {
  /** How the protocol is framed on this line, where that depends on it. */
  framing: 'serial' | 'tcp';
  settings: Pick<Configuration, 'zvt' | 'currency'>;
  clock: Clock;
  log: Log;
}

const protocols: Record<ProtocolName, (options: ProtocolOptions) => LineProtocol> = {
  zvt: ({ framing, settings, clock, log }) =>
    createZvtProtocol({ framing, settings: settings.zvt, currency: settings.currency, clock, log }),
  'ecr-edc': ({ settings, clock, log }) => createEcrEdcProtocol({ currency: settings.currency, clock, log }),
  transbank: ({ clock, log }) => createTransbankProtocol({ clock, log }),
  ecr17: ({ clock, log }) => createEcr17Protocol({ clock, log }),
};

/** The protocol for one terminal. Its lines in the log have its name as their source. */
export function createProtocol(name: ProtocolName, options: ProtocolOptions): LineProtocol {
  return protocols[name]({ ...options, log: options.log.with({ source: name }) });
}
