/** Tries whether a terminal can be reached with the settings in the window. Never sends anything with an amount. */
import { isDeepStrictEqual } from 'node:util';
import { sameLine } from '../../bridge/lines/index.ts';
import { settingOf, settings as everySetting, type Configuration } from '../../contract/configuration.ts';
import { valueAt, withValueAt } from '../../contract/dotted-keys.ts';
import { connectionProblem } from '../../contract/protocols.ts';
import { serialSettingsOf } from '../../contract/serial-settings.ts';
import { terminalAddressSchema } from '../../contract/terminal-address.ts';
import type { ResponseOf, ConsoleResult, RequestOf, TerminalState } from '../../contract/console/index.ts';
import { realLine } from '../terminal-line.ts';
import { tryTerminal } from '../try-terminal.ts';
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
        await tryTerminal({
          line,
          connection,
          settings: wantedSettings(request, settings.inForce().configuration),
          clock,
          chance: context.chance,
          log: context.log,
          dataFolder: context.dataDir,
          timeoutMs: testTimeoutMs,
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
  const inUse = { ...configuration, serial: serialSettingsOf(configuration) };
  const groups = [request.protocol, ...(request.terminal.startsWith('serial:') ? ['serial'] : [])];
  const counts = (key: string) =>
    key === 'protocol' || key === 'currency' || groups.some((group) => key.startsWith(`${group}.`));
  return everySetting
    .filter(({ key }) => counts(key))
    .every(({ key }) => isDeepStrictEqual(valueAt(wanted, key), valueAt(inUse, key)));
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
