/** Methods for settings, the computer around the bridge, and the tokens of POS software. */
import path from 'node:path';
import { createToken, listTokens, removeToken, type TokenResult } from '../../bridge/listener/index.ts';
import type { ConsoleResult } from '../../contract/console/index.ts';
import { mainTerminal, normalTerminalName } from '../../contract/terminal-name.ts';
import { createConnectionTest } from './connection-test.ts';
import { type MethodHandlers, type MethodContext, done, onTerminal, refused } from './context.ts';
import { deviceMemory, serialPortsOf } from './serial-ports-of.ts';

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
  function accepted(terminal: string): ConsoleResult<Record<string, never>> {
    deviceMemory(context, terminal).forget();
    context.log.info('the device at the port of the terminal was accepted', { terminal });
    return done({});
  }

  const tokensFile = path.join(context.dataDir, 'tokens.json');
  return {
    settings: () => done(context.settingsView()),
    saveSettings: (settings) => context.saveSettings(settings),
    allowOrigin: ({ origin }) => context.allowOrigin(origin),
    ports: async () => done({ ports: await serialPortsOf(context) }),
    acceptDevice({ terminal = mainTerminal }) {
      const name = normalTerminalName(terminal);
      if (name !== mainTerminal) return onTerminal(context, name, () => accepted(name));
      // The main one's also while no bridge runs.
      return accepted(name);
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

function tokenResult<T, U>(result: TokenResult<T>, read: (value: T) => U): ConsoleResult<U> {
  return result.ok ? done(read(result)) : refused('invalid_request', result.message);
}
