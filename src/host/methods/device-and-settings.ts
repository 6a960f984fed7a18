/** Methods for settings, the computer around the bridge, and the tokens of POS software. */
import path from 'node:path';
import { createToken, listTokens, removeToken, type TokenResult } from '../../bridge/listener/index.ts';
import { listSerialPorts, serialLockNames } from '../../bridge/lines/index.ts';
import type { ConsoleResult } from '../../contract/console/index.ts';
import { createConnectionTest } from './connection-test.ts';
import { type MethodHandlers, type MethodContext, done, refused } from './context.ts';

export function deviceAndSettings(
  context: MethodContext,
): MethodHandlers<
  | 'settings'
  | 'saveSettings'
  | 'allowOrigin'
  | 'ports'
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

async function ports({ supervisor, log }: MethodContext): Promise<ConsoleResult<{ ports: SerialPorts }>> {
  const found = await listSerialPorts().catch((error: unknown) => {
    log.warn('the serial ports cannot be listed', { err: error });
    return [];
  });
  const lineName = supervisor.running?.line.line.name ?? '';
  const used = lineName.startsWith('serial:') ? serialLockNames(lineName, found) : [];
  return done({
    ports: found.map((port) => ({
      ...port,
      inUse: serialLockNames(`serial:${port.path}`, found).some((name) => used.includes(name)),
    })),
  });
}

type SerialPorts = (Awaited<ReturnType<typeof listSerialPorts>>[number] & { inUse: boolean })[];

function tokenResult<T, U>(result: TokenResult<T>, read: (value: T) => U): ConsoleResult<U> {
  return result.ok ? done(read(result)) : refused('invalid_request', result.message);
}
