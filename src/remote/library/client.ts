/**
 * `tillbridge/remote`: the client of the remote treasury and compliance interface, and what the interface offers. Runs
 * wherever `fetch` is. Time and chance are the machine's, unless the caller gives others.
 */
import { systemChance } from '../../base/chance.ts';
import { systemClock } from '../../base/clock.ts';
import type { tables, Tables } from '../catalogue/index.ts';
import {
  createRemoteClient as createClient,
  type RemoteClient,
  type RemoteClientOptions,
} from '../client/index.ts';

export * from '../client/index.ts';
export * from '../catalogue/index.ts';

/** Throws RemoteError "configuration". Sends nothing yet. */
export function createRemoteClient<All extends Tables = typeof tables>(
  options: RemoteClientOptions<All>,
): RemoteClient<All> {
  const { clock = systemClock } = options;
  const chance = systemChance(clock);
  const { random = chance.fraction, newKey = chance.uuid } = options;
  return createClient({ ...options, clock, random, newKey });
}
