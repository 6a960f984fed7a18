/** Runs a bridge in this process, with its console, until a signal ends it. */
import type { Bridge } from '../bridge/bridge.ts';
import {
  type ConfigurationSources,
  type Host,
  type HostStart,
  createHost,
  fileSecrets,
} from '../host/index.ts';
import { greet, greetEmpty } from './greeting.ts';
import { printLater } from './later.ts';
import { narrate, type Narrator } from './narrator.ts';
import { openConsole, type OpenConsole } from './open-console.ts';
import { exitCodeOf, watchStopSignals } from './stop-signals.ts';
import { exitFailed, exitOk, exitUsage, oneLine, type World } from './world.ts';

export interface BridgeRun {
  sources: ConfigurationSources;
  /** The terminal when nothing else names one. */
  defaultTerminal: string | null;
  /** Start without a terminal: the console asks for one. */
  setup: boolean;
  /** 0: any free port. Null: no console. */
  consolePort: number | null;
}

/** Resolves with the exit code once the bridge has stopped, or could not start. */
export async function runBridge(run: BridgeRun, world: World): Promise<number> {
  const signals = watchStopSignals(world);
  let opened: OpenConsole | null = null;
  const host = createHost({
    kind: 'headless',
    sources: run.sources,
    defaultTerminal: run.defaultTerminal,
    mayStartEmpty: run.setup,
    secrets: fileSecrets(),
    clock: world.clock,
    chance: world.chance,
    version: world.version,
    canStartWithSystem: false,
    consoleLinks: () => opened,
  });
  const starting = host.start();
  const hurried = await Promise.race([starting.then(() => null), signals.first]);
  if (hurried !== null) {
    // No payment is in hand yet, and what the start waits for may never come.
    world.complain('Ended before the start was over.');
    world.endNow(exitCodeOf(hurried));
    // Only a test's process is still there.
    await starting;
    await host.stop();
    return exitCodeOf(hurried);
  }
  const started = await starting;
  for (const warning of started.warnings) world.complain(oneLine(`Note: ${warning}`));
  if (started.kind !== 'failed' && run.consolePort !== null) {
    opened = await openConsole(host, run.consolePort, world);
  }
  const exitCode = cannotGoOn(started, opened, world);
  if (exitCode === null) await serveUntil(signals.first, host, opened, world);
  await host.stop();
  await opened?.close();
  if (exitCode === null) world.announce('Stopped.');
  signals.release();
  if (exitCode !== null) return exitCode;
  world.endSoon();
  return exitOk;
}

/** The exit code when nothing can be done, and said why. */
function cannotGoOn(started: HostStart, opened: OpenConsole | null, world: World): number | null {
  if (started.kind === 'failed') {
    for (const message of started.messages) world.complain(oneLine(message));
    if (started.noTerminal) world.complain(howToNameATerminal);
    return started.usage ? exitUsage : exitFailed;
  }
  // Nobody could choose a terminal.
  return started.kind === 'first_start' && opened === null ? exitFailed : null;
}

const howToNameATerminal = [
  'No terminal is named, so nothing is started. Name one:',
  '  --terminal serial:/dev/ttyUSB0       a terminal on a serial line ("tillbridge ports" lists them; serial:COM3 on Windows)',
  '  --terminal tcp:192.168.1.20:20007    a terminal in the network',
  '  --terminal simulator                 no terminal at all: simulated payments, to try things out',
  'The environment variable TILLBRIDGE_TERMINAL and the key "terminal" of a --config file do the same.',
  'With --setup the bridge starts without one, and its console asks for it.',
].join('\n');

/** Tells what happens, and waits for the signal; the bridge still runs when it resolves. */
async function serveUntil(
  stop: Promise<unknown>,
  host: Host,
  opened: OpenConsole | null,
  world: World,
): Promise<void> {
  const { bridge } = host;
  if (bridge !== null) greet(host, bridge, opened?.makeLink() ?? null, world);
  else if (opened !== null) greetEmpty(opened.makeLink(), world);
  const later = printLater((line) => world.announce(line));
  const say = (sentence: string) => later.say(`${localTime(world)}  ${sentence}`);
  let narrator: Narrator | null = null;
  let stopping = false;
  const follow = (next: Bridge | null) => {
    narrator?.stop();
    narrator = next === null ? null : narrate(next.payments, say);
  };
  follow(bridge);
  host.onBridge((next) => {
    if (!stopping) sayWhatRuns(host, next, say);
    follow(next);
    later.flush();
  });
  await stop;
  stopping = true;
  const hand = host.bridge?.payments.status().currentOperation ?? null;
  const timeoutMs = host.running?.configuration.stopTimeoutMs ?? 0;
  const waiting =
    hand === null
      ? ''
      : ` The operation in hand (${hand.kind.replace('_', ' ')}) gets up to ${timeoutMs / 1_000} s to end; ` +
        'a second signal ends at once.';
  later.flush();
  world.announce(`Stopping.${waiting}`);
}

/** Settings were saved in the console, and the bridge started again with them. */
function sayWhatRuns(host: Host, bridge: Bridge | null, say: (sentence: string) => void): void {
  const { bridge: state, listener } = host.state();
  if (state.kind === 'failed') say(state.text);
  else if (bridge === null) say('The bridge has stopped, to start again with other settings.');
  else if (listener.kind === 'on') say(`The bridge has started. Listening on ${listener.addresses[0] ?? ''}`);
  else if (listener.kind === 'failed') say(`The bridge has started, but does not listen: ${listener.text}`);
  else say('The bridge has started. It does not listen until that is started in the console.');
}

/** `14:05:09`; put together by hand, because the locale's own formatter takes longer than the rest of a sentence. */
function localTime(world: World): string {
  const now = new Date(world.clock.now());
  const parts = [now.getHours(), now.getMinutes(), now.getSeconds()];
  return parts.map((part) => part.toString().padStart(2, '0')).join(':');
}
