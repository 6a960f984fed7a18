import type { TerminalState } from '../../contract/console/index.ts';

/** Under which word the terminal's state is told: a setting that is wrong is nothing to do at the terminal. */
export function terminalWord({
  connection,
  requiredAction,
}: Pick<TerminalState, 'connection' | 'requiredAction'>) {
  return connection === 'attention' && requiredAction === 'setting' ? 'setting' : connection;
}
