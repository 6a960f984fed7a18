/** Methods for settings, the computer around the bridge, and the tokens of POS software. */
import path from 'node:path';
import { createToken, listTokens, removeToken, type TokenResult } from '../../bridge/listener/index.ts';
import { createDeviceMemory, type DeviceMemory } from '../../bridge/lines/index.ts';
import { terminalAddressSchema } from '../../contract/terminal-address.ts';
import type { ConsoleResult, ResponseOf } from '../../contract/console/index.ts';
import { deviceFileName } from '../data-folder.ts';
import { viewSerialPorts } from '../serial-ports.ts';
import { createConnectionTest } from './connection-test.ts';
import { type MethodHandlers, type MethodContext, done, refused } from './context.ts';

export function deviceAndSettings(
  context: MethodContext,
): MethodHandlers<
  | 'settings'
  | 'saveSettings'
  | 'allowOrigin'
  | 'ports'
  | 'acceptDevice'
  | 'testConnection'
  | 'tokens'
  | 'createToken'
  | 'removeToken'
> {
  const tokensFile = path.join(context.dataDir, 'tokens.json');
  return {
    settings: () => done(context.settingsView()),
    saveSettings: (settings) => context.saveSettings(settings),
    allowOrigin: ({ origin }) => context.allowOrigin(origin),
    ports: () => ports(context),
    acceptDevice() {
      deviceMemory(context).forget();
      context.log.info('the device at the port of the terminal was accepted');
      return done({});
    },
    testConnection: createConnectionTest(context),
    tokens: () => tokenResult(listTokens(tokensFile), ({ tokens }) => ({ tokens })),
    createToken({ name }) {
      const made = createToken(tokensFile, name, context);
      if (made.ok) context.log.info('a POS token was made', { name });
      return tokenResult(made, ({ token }) => ({ token }));
    },
    removeToken({ name }) {
      const removed = removeToken(tokensFile, name);
      if (removed.ok) context.log.info('a POS token was removed', { name, remaining: removed.remaining });
      return tokenResult(removed, () => ({}));
    },
  };
}

/** Only a real terminal is on a serial port. */
function deviceMemory({ dataDir, log }: MethodContext): DeviceMemory {
  return createDeviceMemory(path.join(dataDir, deviceFileName), log);
}

async function ports(context: MethodContext): Promise<ConsoleResult<ResponseOf<'ports'>>> {
  const { settings, supervisor, clock, log } = context;
  const address = terminalAddressSchema.safeParse(settings.inForce().terminal);
  const serial = address.success && address.data.kind === 'serial' ? address.data : null;
  const connection = context.state().terminal?.connection ?? 'stopped';
  const isOpen = supervisor.running !== null && !['lost', 'connecting', 'stopped'].includes(connection);
  const terminal = serial === null ? null : { path: serial.path, memory: deviceMemory(context), isOpen };
  const found = await viewSerialPorts(terminal, clock).catch((error: unknown) => {
    log.warn('the serial ports cannot be listed', { err: error });
    return [];
  });
  return done({ ports: found });
}

function tokenResult<T, U>(result: TokenResult<T>, read: (value: T) => U): ConsoleResult<U> {
  return result.ok ? done(read(result)) : refused('invalid_request', result.message);
}
