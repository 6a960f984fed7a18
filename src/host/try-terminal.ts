/** Opens a line to a terminal, asks it whether it is ready, and lets go of it. Never sends anything with an amount. */
import { orAborted, startDeadline } from '../base/abort.ts';
import type { Chance } from '../base/chance.ts';
import type { Clock } from '../base/clock.ts';
import { errorText } from '../base/error-text.ts';
import { lockLine, type Line } from '../bridge/lines/index.ts';
import type { ProtocolConnection } from '../bridge/terminals/create-protocol.ts';
import { loadProtocol } from '../bridge/terminals/protocols.ts';
import type {
  DriverWatch,
  LineProtocol,
  Readiness,
  RequestProtocol,
  TerminalConnection,
} from '../bridge/terminals/terminal-driver.ts';
import type { Configuration } from '../contract/configuration.ts';
import type { ConnectionTest } from '../contract/console/index.ts';
import type { Log } from '../log/index.ts';

export interface TrialOptions {
  line: Line;
  connection: ProtocolConnection;
  settings: Configuration;
  clock: Clock;
  chance: Chance;
  log: Log;
  dataFolder: string;
  /** For everything together, from the first attempt to open the line. */
  timeoutMs: number;
  /** Gives it up sooner. */
  signal?: AbortSignal;
}

/** Not while somebody has the lock on the line. */
export async function tryTerminal(options: TrialOptions): Promise<ConnectionTest> {
  const { line, settings, clock, timeoutMs } = options;
  const lock = await lockLine(line.name, { clock, dataFolder: options.dataFolder });
  if (lock.kind === 'taken') return { kind: 'in_use', text: lock.message };
  if (lock.kind === 'unreachable') return { kind: 'line', text: lock.message };
  const deadline = startDeadline(clock, timeoutMs);
  const signals = options.signal === undefined ? [] : [options.signal];
  const signal = AbortSignal.any([deadline.signal, ...signals]);
  try {
    const protocol = await loadProtocol(settings.protocol, { ...options, onHeard() {} });
    const connection = await connect(protocol, line, signal);
    if (typeof connection === 'string') {
      const inUse = /in use by another program/.test(connection);
      return { kind: inUse ? 'in_use' : 'line', text: sentence(connection) };
    }
    try {
      const { driver } = connection;
      const readiness = await orAborted(driver.prepare(), signal);
      if (readiness !== null && readiness.kind !== 'silent') await orAborted(driver.signOff(), signal);
      return responseOf(readiness, timeoutMs);
    } finally {
      await connection.close();
    }
  } finally {
    deadline.cancel();
    lock.release();
  }
}

/** A payment that the terminal still reports is not ours to acknowledge here. */
const nobody: DriverWatch = {
  progress() {},
  lateResult: () => false,
  mayBeAnother: () => true,
  traits: () => new Set(),
  learned() {},
};

/** Once; the reason where it fails. */
async function connect(
  protocol: LineProtocol | RequestProtocol,
  line: Line,
  signal: AbortSignal,
): Promise<Pick<TerminalConnection, 'driver' | 'close'> | string> {
  if ('attach' in protocol) {
    const open = await line.open(signal).catch((error: unknown) => errorText(error));
    if (typeof open === 'string') return open;
    return { driver: protocol.attach(open, nobody), close: () => open.close() };
  }
  const failed = new AbortController();
  let reason = 'the terminal does not answer';
  const connection = await protocol.connect(nobody, AbortSignal.any([signal, failed.signal]), (why) => {
    reason = why;
    failed.abort();
  });
  return connection ?? reason;
}

function responseOf(readiness: Readiness | null, timeoutMs: number): ConnectionTest {
  if (readiness === null)
    return {
      kind: 'silent',
      text: `The terminal gave no sensible answer within ${timeoutMs / 1_000} s.`,
    };
  switch (readiness.kind) {
    case 'ready': {
      const { terminalId } = readiness.terminal;
      return { kind: 'ready', terminalId, text: 'The terminal is ready.' };
    }
    case 'attention':
      return { kind: 'attention', terminalId: readiness.terminal.terminalId, text: readiness.text };
    case 'busy':
      return { kind: 'busy', text: readiness.text };
    case 'silent':
      return { kind: 'silent', text: sentence(readiness.reason) };
  }
}

function sentence(words: string): string {
  const capital = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}
