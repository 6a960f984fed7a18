/** What a bridge says of itself when it has started. */
import type { Bridge } from '../bridge/bridge.ts';
import type { Host } from '../host/index.ts';
import type { World } from './world.ts';

/** A host that has a bridge: where it listens, what it is connected to, where its files are, what to try. */
export function greet(host: Host, bridge: Bridge, consoleLink: string | null, world: World): void {
  const { simulated, line } = bridge.payments.status().terminal;
  world.announce(`Tillbridge ${world.version}`);
  if (simulated) world.announce('*** SIMULATOR – no real payments ***');
  if (bridge.damage !== null) {
    world.announce(`THE JOURNAL IS DAMAGED. ${bridge.damage}`);
    world.announce(`See "tillbridge journal repair --help".`);
  }
  const { running } = host;
  const port = bridge.listener.port;
  const address = `http://${hostInAddress(running?.configuration.host ?? null)}:${port ?? ''}`;
  world.announce(port === null ? notListening(host) : `Listening on ${address}`);
  world.announce(`Terminal line: ${line}`);
  if (running !== null) world.announce(`Journal: ${running.folder}`);
  if (running !== null && running.logFile !== null) world.announce(`Log: ${running.logFile}`);
  if (consoleLink !== null) {
    world.announce('Console:', consoleLink);
    world.announce('The link opens one window, within an hour. "tillbridge console" makes another.');
  }
  if (port !== null) world.announce(`Try it: ${tryIt(address, simulated, world)}`);
  world.announce('Stop it with Ctrl-C.');
}

/** A host that waits for a person to choose a terminal. */
export function greetEmpty(consoleLink: string, world: World): void {
  world.announce(`Tillbridge ${world.version}`);
  world.announce('No terminal is chosen yet. Open the console to choose one:');
  world.announce('Console:', consoleLink);
  world.announce('The link opens one window, within an hour.');
  world.announce('Stop it with Ctrl-C.');
}

function notListening(host: Host): string {
  const { listener } = host.state();
  return listener.kind === 'failed'
    ? `Not listening: ${listener.text}`
    : 'Not listening: the settings leave the listener off until it is started in the console.';
}

/** A payment on the simulator; on a real terminal only a question that moves nothing. */
function tryIt(address: string, simulated: boolean, world: World): string {
  if (!simulated) return `curl ${address}/health`;
  const reference = `TRY-${world.clock.now()}`;
  const body = `{"amount":"12.00","retrieval_reference_number":"${reference}"}`;
  // cmd.exe knows only double quotes.
  const quoted = process.platform === 'win32' ? `"${body.replaceAll('"', '\\"')}"` : `'${body}'`;
  return `curl -H "x-api-version: v1" -H "Content-Type: application/json" -d ${quoted} ${address}/CreatePayment`;
}

function hostInAddress(host: string | null): string {
  if (host === null) return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
