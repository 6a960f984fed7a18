/** Runs a bridge in this process, with its console, until a signal ends it. */
import type { Bridge } from '../bridge/bridge.ts';
import { pause } from '../base/clock.ts';
import {
  type ConfigurationSources,
  type Host,
  type HostStart,
  createHost,
  fileSecrets,
} from '../host/index.ts';
import {
  deferOutput,
  printEventsOf,
  damageOf,
  printSetupBanner,
  printStartBanner,
  type EventPrinter,
} from './bridge-output.ts';
import type { ServedConsole } from './console/serve-console.ts';
import { exitCodeOf, watchStopSignals } from './stop-signals.ts';
import { exitFailed, exitOk, exitUsage, oneLine, type CliContext } from './cli-context.ts';

export interface BridgeRun {
  sources: ConfigurationSources;
  /** The terminal when nothing else names one. */
  defaultTerminal: string | null;
  /** Start without a terminal: the console asks for one. */
  setup: boolean;
  /** 0: any free port. Null: no console. */
  consolePort: number | null;
  /** Open the console in a browser. */
  open: boolean;
}

/** Long enough for a till that asks again and again until the bridge answers. */
const tillFirstMs = 10;

/** Resolves with the exit code once the bridge has stopped, or could not start. */
export async function runBridge(run: BridgeRun, context: CliContext): Promise<number> {
  const signals = watchStopSignals(
    context,
    'Ended at once. The operation that was running is in doubt; the next start will look into it.',
  );
  let opened: OpenConsole | null = null;
  const host = createHost({
    kind: 'headless',
    sources: run.sources,
    defaultTerminal: run.defaultTerminal,
    mayStartEmpty: run.setup,
    secrets: fileSecrets(),
    clock: context.clock,
    chance: context.chance,
    memory: context.memory,
    version: context.version,
    canStartWithSystem: false,
    consoleLinks: () => opened,
  });
  const starting = host.start();
  const hurried = await Promise.race([starting.then(() => null), signals.first]);
  if (hurried !== null) {
    // No payment is under way yet, and what the start waits for may never come.
    context.error('Stopped before the start was complete.');
    context.endNow(exitCodeOf(hurried));
    // Only a test's process is still there.
    await starting;
    await host.stop();
    return exitCodeOf(hurried);
  }
  const started = await starting;
  for (const warning of started.warnings) context.error(oneLine(`Note: ${warning}`));
  if (started.kind !== 'failed') {
    // A till that has waited for the bridge is answered first: what is loaded now keeps the process busy for longer.
    if (started.kind === 'running') await pause(context.clock, tillFirstMs);
    await loadRest(host, context);
    if (run.consolePort !== null) opened = await openConsole(host, run.consolePort, context);
  }
  const exitCode = cannotGoOn(started, opened, context);
  if (exitCode === null) {
    const serving = serveUntil(signals.first, host, opened, context);
    const closeWindow = run.open && opened !== null ? await openWindow(opened, host, context) : null;
    await serving;
    closeWindow?.();
  }
  await host.stop();
  await opened?.close();
  if (exitCode === null) context.info('Stopped.');
  signals.release();
  if (exitCode !== null) return exitCode;
  context.endSoon();
  return exitOk;
}

type OpenConsole = Extract<ServedConsole, { kind: 'serving' }>;

/** Null, and said why, when it cannot be served: a bridge without a console takes payments all the same. */
async function openConsole(host: Host, port: number, context: CliContext): Promise<OpenConsole | null> {
  if (context.rendererFolder === null) {
    context.error('The console page has not been built yet: run "npm run build".');
    return null;
  }
  try {
    const { serveConsole } = await import('./console/serve-console.ts');
    const served = await serveConsole({
      service: host.console,
      port,
      rendererFolder: context.rendererFolder,
      log: host.log.with({ source: 'console' }),
      clock: context.clock,
      chance: context.chance,
    });
    if (served.kind === 'serving') return served;
    context.error(`The console could not be started: ${served.message}`);
  } catch (error) {
    host.log.error('the console cannot be served', { source: 'console', err: error });
    context.error('The console could not be started; see the log.');
  }
  return null;
}

/** If that fails, only says so: the bridge still takes payments. */
async function loadRest(host: Host, context: CliContext): Promise<void> {
  try {
    await host.loadRest();
  } catch (error) {
    host.log.error('parts of the program cannot be loaded', { source: 'app', err: error });
    context.error('Parts of the program cannot be loaded. Was it updated just now? Restart the bridge.');
  }
}

/** The printed link stays for whoever wants another window. What comes back is to be called at the end. */
async function openWindow(opened: OpenConsole, host: Host, context: CliContext): Promise<() => void> {
  try {
    const { openConsole: openInBrowser } = await import('./open-console.ts');
    const browser = openInBrowser(opened.makeLink(), { ...context, platform: process.platform });
    void browser.opened.then((found) => {
      if (!found) context.info('No browser could be opened. Open the link above.');
    });
    return browser.close;
  } catch (error) {
    host.log.warn('the console could not be opened in a browser', { source: 'console', err: error });
    return () => {};
  }
}

/** The exit code when nothing can be done, and said why. */
function cannotGoOn(started: HostStart, opened: OpenConsole | null, context: CliContext): number | null {
  if (started.kind === 'failed') {
    for (const message of started.messages) context.error(oneLine(message));
    if (started.noTerminal) context.error(howToNameATerminal);
    return started.usage ? exitUsage : exitFailed;
  }
  // Nobody could choose a terminal.
  return started.kind === 'first_start' && opened === null ? exitFailed : null;
}

const howToNameATerminal = [
  'No terminal is configured, so the bridge was not started. Choose one:',
  '  --terminal serial:/dev/ttyUSB0       a terminal on a serial line ("tillbridge ports" lists them; serial:COM3 on Windows)',
  '  --terminal tcp:192.168.1.20:20007    a terminal on the network',
  '  --terminal simulator                 no terminal: simulated payments, for trying things out',
  'The environment variable TILLBRIDGE_TERMINAL or the key "terminal" in a --config file does the same.',
  'With --setup, the bridge starts without a terminal and its console asks for one.',
].join('\n');

/** Prints what happens, and waits for the signal; the bridge still runs when it resolves. */
async function serveUntil(
  stop: Promise<unknown>,
  host: Host,
  opened: OpenConsole | null,
  context: CliContext,
): Promise<void> {
  const { bridge } = host;
  if (bridge !== null) printStartBanner(host, bridge, opened?.makeLink() ?? null, context);
  else if (opened !== null) printSetupBanner(opened.makeLink(), context);
  const output = deferOutput((line) => context.info(line));
  const print = (sentence: string) => output.print(`${localTime(context)}  ${sentence}`);
  let printer: EventPrinter | null = null;
  let stopping = false;
  const follow = (next: Bridge | null) => {
    printer?.stop();
    const dataDir = host.running?.configuration.dataDir ?? context.defaultDataDir;
    printer = next === null ? null : printEventsOf(next.terminals, dataDir, print);
  };
  follow(bridge);
  host.onBridge((next) => {
    if (!stopping) printBridgeState(host, next, print);
    follow(next);
    output.flush();
  });
  await stop;
  stopping = true;
  const current =
    host.bridge?.terminals
      .map(({ payments }) => payments.status().currentOperation)
      .find((operation) => operation !== null) ?? null;
  const timeoutMs = host.running?.configuration.stopTimeoutMs ?? 0;
  const waiting =
    current === null
      ? ''
      : ` The current operation (${current.kind.replace('_', ' ')}) has up to ${timeoutMs / 1_000} s to finish; ` +
        'a second signal ends the bridge at once.';
  output.flush();
  context.info(`Stopping.${waiting}`);
}

/** Settings were saved in the console, and the bridge started again with them. */
function printBridgeState(host: Host, bridge: Bridge | null, print: (sentence: string) => void): void {
  const { bridge: state, listener } = host.state();
  if (bridge !== null) damageOf(host, bridge).forEach(print);
  if (state.kind === 'failed') print(state.text);
  else if (bridge === null) print('The bridge is restarting with the new settings.');
  else if (listener.kind === 'on')
    print(`The bridge has started. Listening on ${listener.addresses[0] ?? ''}`);
  else if (listener.kind === 'failed')
    print(`The bridge has started, but is not listening: ${listener.text}`);
  else
    print('The bridge has started. Your POS cannot take card payments until you press Start in the console.');
}

/** `14:05:09`; put together by hand, because the locale's own formatter takes longer than the rest of a sentence. */
function localTime(context: CliContext): string {
  const now = new Date(context.clock.now());
  const parts = [now.getHours(), now.getMinutes(), now.getSeconds()];
  return parts.map((part) => part.toString().padStart(2, '0')).join(':');
}
