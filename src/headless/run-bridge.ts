/** Runs a bridge in this process until a signal ends it. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { startBridge, type Bridge } from '../bridge/bridge.ts';
import { JournalWriteError } from '../bridge/journal/index.ts';
import { createLog, type CreatedLog, type Log } from '../bridge/log/index.ts';
import type { Configuration } from '../contract/configuration.ts';
import { LedgerError } from '../simulator/index.ts';
import { serveControl, type ControlServer } from '../host/control/server.ts';
import { placeOf } from '../host/journal-places.ts';
import { printLater } from './later.ts';
import { narrate } from './narrator.ts';
import { watchStopSignals } from './stop-signals.ts';
import { createTerminalLine, type TerminalLine } from '../host/terminal-line.ts';
import { exitFailed, exitOk, type World } from './world.ts';

/** Resolves with the exit code once the bridge has stopped, or could not start. */
export async function runBridge(configuration: Configuration, world: World): Promise<number> {
  const signals = watchStopSignals(world);
  const { folder } = placeOf(configuration.dataDir, configuration.terminal.kind === 'simulator');
  const started = await start(configuration, folder, world);
  if (started.kind === 'failed') {
    signals.release();
    world.complain(started.message);
    return exitFailed;
  }
  const { bridge, terminal, created } = started;
  await serveUntil(signals.first, bridge, { configuration, folder, created, world });
  await terminal.close();
  await created.close();
  signals.release();
  world.endSoon();
  return exitOk;
}

type Started =
  | { kind: 'started'; bridge: Bridge; terminal: TerminalLine; created: CreatedLog }
  | { kind: 'failed'; message: string };

async function start(configuration: Configuration, folder: string, world: World): Promise<Started> {
  const { clock, version } = world;
  let created: CreatedLog | null = null;
  let terminal: TerminalLine | null = null;
  let message: string;
  try {
    // Before the log makes it: what is in here is nobody else's business.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    created = createLog({ folder: path.join(folder, 'logs'), level: configuration.logLevel, clock });
    const { log } = created;
    terminal = createTerminalLine({ configuration, folder, clock, log });
    const { line, framing, simulated } = terminal;
    const options = { configuration, line, framing, simulated, log, clock, version, dataFolder: folder };
    const started = await startBridge(options);
    if (started.kind === 'started') return { kind: 'started', bridge: started.bridge, terminal, created };
    message = started.message;
  } catch (error) {
    // The disk refuses the journal or the simulator's ledger: no fault of the program, and it says what is wrong.
    if (!isExpected(error)) throw error;
    message = `The bridge cannot start: ${error.message}`;
  }
  created?.log.error(message, { source: 'headless' });
  await terminal?.close();
  await created?.close();
  return { kind: 'failed', message };
}

interface Surroundings {
  configuration: Configuration;
  folder: string;
  created: CreatedLog;
  world: World;
}

async function serveUntil(stop: Promise<unknown>, bridge: Bridge, surroundings: Surroundings): Promise<void> {
  const { configuration, folder, created, world } = surroundings;
  const control = await tryToServeControl(bridge, folder, created.log, world);
  greet(bridge, surroundings);
  const later = printLater((line) => world.announce(line));
  const narrator = narrate(bridge.payments, (sentence) => later.say(`${localTime(world)}  ${sentence}`));
  await stop;
  const hand = bridge.payments.status().inHand;
  const waiting =
    hand === null
      ? ''
      : ` The operation in hand (${hand.kind.replace('_', ' ')}) gets up to ${configuration.stopTimeoutMs / 1_000} s to end; ` +
        'a second signal ends at once.';
  later.flush();
  world.announce(`Stopping.${waiting}`);
  await bridge.stop();
  narrator.stop();
  later.flush();
  await control?.close();
  world.announce('Stopped.');
}

/** A bridge without its control channel takes payments all the same. */
async function tryToServeControl(
  bridge: Bridge,
  folder: string,
  log: Log,
  world: World,
): Promise<ControlServer | null> {
  try {
    return await serveControl({
      folder,
      payments: bridge.payments,
      version: world.version,
      log: log.with({ source: 'control' }),
    });
  } catch (error) {
    log.error('the control channel cannot be opened', { source: 'control', err: error });
    world.complain(
      'The commands "doubts" and "resolve" cannot reach this bridge while it runs: see its log.',
    );
    return null;
  }
}

function greet(bridge: Bridge, { configuration, folder, created, world }: Surroundings): void {
  const address = `http://${hostInAddress(configuration.host)}:${bridge.listener.port ?? configuration.port}`;
  const { simulated, line } = bridge.payments.status().terminal;
  world.announce(`Tillbridge ${world.version}`);
  if (simulated) world.announce('*** SIMULATOR – no real payments ***');
  if (bridge.damage !== null) {
    world.announce(`THE JOURNAL IS DAMAGED. ${bridge.damage}`);
    world.announce(`See "tillbridge journal repair --help".`);
  }
  world.announce(`Listening on ${address}`);
  world.announce(`Terminal line: ${line}`);
  world.announce(`Journal: ${folder}`);
  if (created.file !== null) world.announce(`Log: ${created.file}`);
  world.announce(`Try it: ${tryIt(address, simulated, world)}`);
  world.announce('Stop it with Ctrl-C.');
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

/** `14:05:09`; put together by hand, because the locale's own formatter takes longer than the rest of a sentence. */
function localTime(world: World): string {
  const now = new Date(world.clock.now());
  const parts = [now.getHours(), now.getMinutes(), now.getSeconds()];
  return parts.map((part) => part.toString().padStart(2, '0')).join(':');
}

function isExpected(error: unknown): error is Error {
  if (error instanceof JournalWriteError || error instanceof LedgerError) return true;
  return error instanceof Error && 'syscall' in error;
}
