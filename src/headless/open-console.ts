/** The console of a bridge in this process, as far as there is one. A bridge without takes payments all the same. */
import type { Host } from '../host/index.ts';
import { serveConsole, type ServedConsole } from './console/serve-console.ts';
import type { World } from './world.ts';

export type OpenConsole = Extract<ServedConsole, { kind: 'serving' }>;

/** Null, and said why, when it cannot be served. */
export async function openConsole(host: Host, port: number, world: World): Promise<OpenConsole | null> {
  if (world.rendererFolder === null) {
    world.complain('The console’s page has not been built: npm run build');
    return null;
  }
  try {
    const served = await serveConsole({
      service: host.console,
      port,
      rendererFolder: world.rendererFolder,
      log: host.log.with({ source: 'console' }),
      clock: world.clock,
      chance: world.chance,
    });
    if (served.kind === 'serving') return served;
    world.complain(`The console cannot be served: ${served.message}`);
  } catch (error) {
    host.log.error('the console cannot be served', { source: 'console', err: error });
    world.complain('The console cannot be served: see the log.');
  }
  return null;
}
