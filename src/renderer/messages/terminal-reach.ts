import type { TerminalState } from '../../contract/console/index.ts';

/** Whether the terminal is on the line, so that it can be asked what became of an operation in doubt. */
export function canBeAsked(terminal: TerminalState | null): boolean {
  return terminal !== null && !['stopped', 'connecting', 'lost'].includes(terminal.connection);
}
