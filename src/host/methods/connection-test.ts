/** Tries whether a terminal can be reached with the settings in the window. Never sends anything with an amount. */
import { isDeepStrictEqual } from 'node:util';
import { lockLine, sameLine, type Line } from '../../bridge/lines/index.ts';
import type { Log } from '../../log/index.ts';
import type { ProtocolConnection } from '../../bridge/terminals/create-protocol.ts';
import type {
  DriverWatch,
  LineProtocol,
  Readiness,
  RequestProtocol,
  TerminalConnection,
} from '../../bridge/terminals/terminal-driver.ts';
import { loadProtocol } from '../../bridge/terminals/protocols.ts';
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import { errorText } from '../../base/error-text.ts';
import { orAborted, startDeadline } from '../../base/abort.ts';
import { settingOf, settings as everySetting, type Configuration } from '../../contract/configuration.ts';
import { valueAt, withValueAt } from '../../contract/dotted-keys.ts';
import { connectionProblem } from '../../contract/protocols.ts';
import { terminalAddressSchema } from '../../contract/terminal-address.ts';
import type { ResponseOf, ConsoleResult, RequestOf, TerminalState } from '../../contract/console/index.ts';
import { realLine } from '../terminal-line.ts';
import { type MethodContext, done, refused } from './context.ts';

type TestRequest = RequestOf<'testConnection'>;
type TestResponse = ResponseOf<'testConnection'>;

/** For everything together, from the first attempt to open the line. */
const testTimeoutMs = 30_000;

export function createConnectionTest(
  context: MethodContext,
): (request: TestRequest) => Promise<ConsoleResult<TestResponse>> {
  let running = false;

  return async (request) => {
    const { supervisor, settings, clock } = context;
    const address = terminalAddressSchema.safeParse(request.terminal);
    if (!address.success) {
      const message = `The terminal ${address.error.issues[0]?.message ?? 'is not right'}.`;
      return refused('invalid_request', message, [{ path: 'terminal', message }]);
    }
    const terminal = address.data;
    const unfit = connectionProblem(request.protocol, terminal);
    if (unfit !== null) return refused('invalid_request', unfit, [{ path: 'terminal', message: unfit }]);
    if (terminal.kind === 'simulator')
      return done({ kind: 'ready', terminalId: null, text: 'The simulator is always ready.' });
    const { line, connection } = realLine(terminal, { serial: request.serial, clock, log: context.log });

    const own = supervisor.running?.line.line.name;
    const state = context.state().terminal;
    if (own !== undefined && state !== null && (await sameLine(own, line.name, { clock })))
      return done(ofOwnLine(request, context, state));
    if (running) return refused('terminal_busy', 'Another test is running. Wait until it has ended.');

    running = true;
    try {
      return done(
        await tryLine({
          line,
          connection,
          settings: wantedSettings(request, settings.inForce().configuration),
          clock,
          chance: context.chance,
          log: context.log,
          dataFolder: context.dataDir,
        }),
      );
    } finally {
      running = false;
    }
  };
}

const notSaved: TestResponse = {
  kind: 'not_saved',
  text: 'The bridge has this line open with the saved settings. Save these to try them.',
};

/** The line is the bridge's own. Where it cannot be opened, that is so with whatever values. */
function ofOwnLine(request: TestRequest, context: MethodContext, state: TerminalState): TestResponse {
  const told = fromRunningBridge(state);
  return told.kind === 'line' || isInUse(request, context) ? told : notSaved;
}

/** What the bridge tells of its line says nothing about another password, currency or way of writing. */
function isInUse(request: TestRequest, { settings }: MethodContext): boolean {
  const { configuration } = settings.inForce();
  const wanted = wantedSettings(request, configuration);
  const groups = [request.protocol, ...(request.terminal.startsWith('serial:') ? ['serial'] : [])];
  const counts = (key: string) =>
    key === 'protocol' || key === 'currency' || groups.some((group) => key.startsWith(`${group}.`));
  return everySetting
    .filter(({ key }) => counts(key))
    .every(({ key }) => isDeepStrictEqual(valueAt(wanted, key), valueAt(configuration, key)));
}

/** The configuration with what is to be tried; a secret that is not given stays. */
function wantedSettings(request: TestRequest, configuration: Configuration): Configuration {
  const given = everySetting
    .map(({ key }) => ({ key, value: key === 'terminal' ? undefined : valueAt(request, key) }))
    .filter(({ key, value }) => value !== undefined && !(value === null && settingOf(key).secret));
  return given.reduce((wanted, { key, value }) => withValueAt(wanted, key, value), configuration);
}

/** The line is open already, so the bridge knows best. */
function fromRunningBridge({ connection, text, terminal }: TerminalState): TestResponse {
  const terminalId = terminal?.terminalId ?? null;
  switch (connection) {
    case 'ready':
    case 'operating':
      return { kind: 'ready', terminalId, text };
    case 'attention':
      return { kind: 'attention', terminalId, text };
    case 'connecting':
    case 'preparing':
      return { kind: 'busy', text };
    case 'recovering':
      return { kind: 'silent', text };
    case 'lost':
    case 'stopped':
      return { kind: 'line', text };
  }
}

async function tryLine(options: {
  line: Line;
  connection: ProtocolConnection;
  settings: Configuration;
  clock: Clock;
  chance: Chance;
  log: Log;
  dataFolder: string;
}): Promise<TestResponse> {
  const { line, settings, clock } = options;
  const lock = await lockLine(line.name, { clock, dataFolder: options.dataFolder });
  if (lock.kind === 'taken') return { kind: 'in_use', text: lock.message };
  if (lock.kind === 'unreachable') return { kind: 'line', text: lock.message };
  const deadline = startDeadline(clock, testTimeoutMs);
  try {
    const protocol = await loadProtocol(settings.protocol, { ...options, onHeard() {} });
    const connection = await connect(protocol, line, deadline.signal);
    if (typeof connection === 'string') {
      const inUse = /in use by another program/.test(connection);
      return { kind: inUse ? 'in_use' : 'line', text: sentence(connection) };
    }
    try {
      const { driver } = connection;
      const readiness = await orAborted(driver.prepare(), deadline.signal);
      if (readiness !== null && readiness.kind !== 'silent')
        await orAborted(driver.signOff(), deadline.signal);
      return responseOf(readiness);
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

function responseOf(readiness: Readiness | null): TestResponse {
  if (readiness === null)
    return {
      kind: 'silent',
      text: `The terminal gave no sensible answer within ${testTimeoutMs / 1_000} s.`,
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
