/** Records between a till and its terminal until a signal. */
import path from 'node:path';
import { createServer } from 'node:net';
import { openLineTap, type LineTap } from '../bridge/capture/index.ts';
import { createSerialLine, LineError, lockLine, socketConnection } from '../bridge/lines/index.ts';
import { settingOf } from '../contract/configuration.ts';
import type { SerialSettings } from '../contract/protocol-descriptor.ts';
import { serialSettingsOf } from '../contract/serial-settings.ts';
import type { TerminalAddress } from '../contract/terminal-address.ts';
import { hasLine, isProtocolName, protocolOf } from '../contract/protocols.ts';
import { isLoopback } from '../http/index.ts';
import { loadConfiguration, realLine, type FlagValues } from '../host/index.ts';
import { silentLog, type Log } from '../log/index.ts';
import { openPseudoTerminal } from '../simulator/index.ts';
import { exitFailed, exitOk, exitUsage, oneLine, type CliContext } from './cli-context.ts';
import { watchStopSignals } from './stop-signals.ts';

export interface CaptureRun {
  flags: FlagValues;
  /** Where the till connects; null: what suits the terminal. */
  listen: string | null;
  /** A full path. */
  file: string;
}

export async function runCapture({ flags, listen, file }: CaptureRun, context: CliContext): Promise<number> {
  const { clock, chance } = context;
  const requests = requestsInstead(flags, context.environment);
  if (requests !== null) {
    context.error(oneLine(requests));
    return exitUsage;
  }
  const named = listen === null ? null : tillSideOf(listen);
  if (listen !== null && named === null) {
    context.error(
      oneLine(`--listen ${listen} is not one of "tcp:PORT", "tcp:ADDRESS:PORT", "pty" and "serial:PATH".`),
    );
    return exitUsage;
  }
  const loaded = loadConfiguration({ ...context, flags, configFile: null });
  if (!loaded.ok) {
    for (const error of loaded.errors) context.error(oneLine(error));
    if (loaded.noTerminal)
      context.error('Name the terminal: --terminal serial:PATH or --terminal tcp:HOST:PORT.');
    return exitUsage;
  }
  const { configuration } = loaded;
  const { terminal, protocol } = configuration;
  if (terminal.kind === 'simulator' || terminal.kind === 'http') {
    context.error(
      `--terminal ${terminal.kind}: only a serial or a TCP line can be recorded from its middle.`,
    );
    return exitUsage;
  }
  const serial = serialSettingsOf(configuration);
  const { line } = realLine(terminal, { serial, clock, log: silentLog });
  const lock = await lockLine(line.name, { clock, dataFolder: path.dirname(file) });
  if (lock.kind !== 'held') {
    context.error(oneLine(lock.message));
    return exitFailed;
  }
  const signals = watchStopSignals(context);
  let tap: LineTap | null = null;
  try {
    tap = await openLineTap({
      file,
      program: context.version,
      connection: terminal.kind,
      settings: configuration,
      line,
      clock,
      chance,
      log: fileTrouble(context),
      onState: (text) => context.info(text),
    });
    if (tap === null) {
      context.error(`A line of ${protocolOf(protocol).title} cannot be recorded.`);
      return exitUsage;
    }
    const side = await openTillSide(named ?? usualTillSide(terminal), tap, serial, context);
    context.info(`Recording to ${file}: the till connects to ${side.address}, the terminal is ${line.name}.`);
    await signals.first;
    await side.close();
    await tap.close();
    context.info(`Recorded: ${file}`);
    context.endSoon();
    return exitOk;
  } catch (error) {
    const expected = error instanceof LineError || (error instanceof Error && 'syscall' in error);
    if (!expected) throw error;
    context.error(oneLine(`The recording cannot start: ${error.message}`));
    if (named === null && error instanceof LineError)
      context.error('Name where the till connects: --listen serial:PATH or --listen tcp:PORT.');
    return exitFailed;
  } finally {
    await tap?.close();
    lock.release();
    signals.release();
  }
}

/**
 * Why there is no line to stand in; null where there may be one. Looked at before the rest: such a terminal needs an id
 * and a secret, which nobody should have to look for first.
 */
function requestsInstead(flags: FlagValues, environment: NodeJS.ProcessEnv): string | null {
  const protocol = given('protocol', flags, environment);
  const terminal = given('terminal', flags, environment);
  const isOfRequests = isProtocolName(protocol) && !hasLine(protocol);
  if (!isOfRequests && !terminal.startsWith('http:')) return null;
  const what = isOfRequests ? `${protocolOf(protocol).title} terminals take` : 'The terminal takes';
  return (
    `${what} requests over HTTP; this command records serial and TCP lines only. Let a bridge talk to the terminal, and ` +
    'record there: "tillbridge bridge --capture", or "Record the line to the terminal" in its window (Settings, About).'
  );
}

/** Empty where nothing was said. */
function given(key: string, flags: FlagValues, environment: NodeJS.ProcessEnv): string {
  return String(flags[key] ?? environment[settingOf(key).variable] ?? '');
}

/** Only what becomes of the file is of interest here. */
function fileTrouble(context: CliContext): Log {
  return {
    ...silentLog,
    error: (message, { reason }: Record<string, unknown> = {}) =>
      context.error(oneLine(typeof reason === 'string' ? `${message}: ${reason}` : message)),
  };
}

type TillAddress =
  { kind: 'tcp'; host: string; port: number } | { kind: 'pty' } | { kind: 'serial'; path: string };

/** As the terminal is connected, so that the till needs no other cable or setting than it has for it. */
function usualTillSide({ kind }: TerminalAddress): TillAddress {
  return kind === 'tcp' ? { kind, host: '127.0.0.1', port: 0 } : { kind: 'pty' };
}

/** Null: it is none. */
function tillSideOf(text: string): TillAddress | null {
  if (text === 'pty') return { kind: 'pty' };
  const serialPath = /^serial:(.+)$/.exec(text)?.[1];
  if (serialPath !== undefined) return { kind: 'serial', path: serialPath };
  const tcp = /^tcp:(?:(?:\[([^\]]+)\]|([^:]+)):)?(\d{1,5})$/.exec(text);
  const port = Number(tcp?.[3]);
  return tcp === null || port > 65_535 ? null : { kind: 'tcp', host: tcp[1] ?? tcp[2] ?? '127.0.0.1', port };
}

interface TillSide {
  address: string;
  close(): Promise<void>;
}

function openTillSide(
  till: TillAddress,
  tap: LineTap,
  serial: SerialSettings,
  context: CliContext,
): Promise<TillSide> {
  switch (till.kind) {
    case 'tcp':
      return listenOnTcp(till, tap, context);
    case 'pty':
      return openOwnPort(tap, context);
    case 'serial':
      return openPort(till.path, tap, serial, context);
  }
}

/** One till at a time, as a terminal has one: another one while it is there is hung up on. */
async function listenOnTcp(
  { host, port }: { host: string; port: number },
  tap: LineTap,
  context: CliContext,
): Promise<TillSide> {
  const { clock } = context;
  let before: { left: boolean; over: Promise<void> } = { left: true, over: Promise.resolve() };
  const server = createServer((socket) => {
    if (!before.left) {
      socket.on('error', () => {});
      socket.resetAndDestroy();
      return context.info('A second till came while one was there; it was hung up on.');
    }
    const connection = socketConnection(socket, { clock });
    // The line of the one before may take a moment to close.
    const now = { left: false, over: before.over.then(() => tap.join(connection, false)) };
    connection.onClose(() => (now.left = true));
    before = now;
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // A connection that cannot be taken (too many files) must not end the one that a payment is on.
  server.on('error', (error) => context.error(oneLine(`A till could not be taken: ${error.message}`)));
  if (!isLoopback(host))
    context.error(
      `Everybody who reaches ${host} on port ${port} can pay and void on this terminal. Stop this when you have recorded what you need.`,
    );
  const address = server.address();
  const taken = typeof address === 'object' && address !== null ? address.port : port;
  return {
    address: `tcp:${host.includes(':') ? `[${host}]` : host}:${taken}`,
    async close() {
      server.close();
      await tap.close();
    },
  };
}

async function openOwnPort(tap: LineTap, { clock }: CliContext): Promise<TillSide> {
  const port = await openPseudoTerminal(clock);
  const connection = socketConnection(port.stream, { clock });
  void tap.join(connection, true);
  port.stream.resume();
  await tap.tried;
  return {
    address: `serial:${port.path}`,
    async close() {
      await tap.close();
      port.close();
    },
  };
}

/** A port that is unplugged ends the recording of it. */
async function openPort(
  portPath: string,
  tap: LineTap,
  settings: SerialSettings,
  context: CliContext,
): Promise<TillSide> {
  const { clock } = context;
  const line = createSerialLine({ path: portPath, settings, clock });
  const connection = await line.open(new AbortController().signal);
  void tap.join(connection, true);
  await tap.tried;
  return { address: line.name, close: () => tap.close() };
}
