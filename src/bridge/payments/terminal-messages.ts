/** The terminal's state in the words that window, log and `/health` show. */
import type { TerminalConnection } from './payments-api.ts';
import type { TerminalCheck } from '../../contract/in-doubt.ts';
import type { TerminalState } from './terminal-machine.ts';
import type { CheckedTerminal } from './terminal-runner.ts';

export function connectionOf(state: TerminalState): TerminalConnection {
  switch (state.kind) {
    case 'idle':
      return 'ready';
    // A poll of a moment at a terminal that rests changes nothing for those who watch.
    case 'checking':
      return state.after === 'rest' ? 'ready' : 'operating';
    case 'claimed':
      return 'operating';
    case 'stopping':
      return 'stopped';
    case 'stopped':
    case 'connecting':
    case 'lost':
    case 'preparing':
    case 'operating':
    case 'recovering':
    case 'attention':
      return state.kind;
  }
}

export function textOf(state: TerminalState, lineName: string): string {
  switch (state.kind) {
    case 'stopped':
    case 'stopping':
      return 'The terminal connection is stopped.';
    case 'connecting':
      return `Connecting to the terminal on ${lineName}.`;
    case 'lost':
      return lostText(state, lineName);
    case 'preparing':
      return 'The terminal is being prepared.';
    case 'idle':
      return 'The terminal is ready.';
    case 'checking':
      return state.after === 'rest' ? 'The terminal is ready.' : 'The terminal is finishing.';
    case 'claimed':
    case 'operating':
      return 'The terminal is working.';
    case 'recovering':
    case 'attention':
      return state.reason;
  }
}

function lostText(state: Extract<TerminalState, { kind: 'lost' }>, lineName: string): string {
  switch (state.next) {
    case 'opening':
      return `The terminal on ${lineName} cannot be reached: ${state.reason}`;
    case 'open':
      return `The connection to the terminal on ${lineName} was lost: ${state.reason}`;
    case 'lock':
      return state.reason;
  }
}

/** What to tell somebody who has had the terminal asked again. `checked` is null when nothing has come of it yet. */
export function terminalCheck(
  checked: CheckedTerminal | null,
  state: TerminalState,
  lineName: string,
): TerminalCheck {
  const text = textOf(state, lineName);
  if (checked === null) return { kind: hasNoLine(state) ? 'not_connected' : 'still_asking', text };
  return { kind: checked === 'ready' || checked === 'not_finished' ? 'answered' : checked, text };
}

function hasNoLine({ kind }: TerminalState): boolean {
  return kind === 'lost' || kind === 'connecting' || kind === 'stopping' || kind === 'stopped';
}
