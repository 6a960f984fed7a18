/**
 * Which of several terminals this window shows. It is chosen on a page, or by an address (`#/till?terminal=bar`), and kept:
 * the window of a till stays with the terminal beside it, and another tab may show another one.
 */
import { createEmitter } from '../../base/emitter.ts';
import { stateOfTerminal, type ConsoleChange, type ConsoleState } from '../../contract/console/index.ts';
import { mainTerminal } from '../../contract/terminal-name.ts';

const storageKey = 'terminal';
const changes = createEmitter<void>({
  onFault: (error) => console.error('A subscriber of the chosen terminal failed.', error),
});

export interface TerminalChoice {
  /** The name of the terminal; null: none was ever chosen. There may be no such terminal any more. */
  wanted(): string | null;
  choose(name: string): void;
  /** Calls after each change. The result ends it. */
  subscribe(listener: () => void): () => void;
}

/** A tab's own choice first; a new window begins with the last one that was made in any. */
function wantedTerminal(): string | null {
  return sessionStorage.getItem(storageKey) ?? localStorage.getItem(storageKey);
}

function choose(name: string): void {
  if (name === sessionStorage.getItem(storageKey)) return;
  sessionStorage.setItem(storageKey, name);
  localStorage.setItem(storageKey, name);
  changes.emit(undefined);
}

export const terminalChoice: TerminalChoice = {
  wanted: wantedTerminal,
  choose,
  subscribe: changes.subscribe,
};

/** The main one first, then as in the configuration; where there is one terminal, only that. */
export function terminalNames({ otherTerminals = [] }: ConsoleState): string[] {
  return [mainTerminal, ...otherTerminals.map(({ name }) => name)];
}

/** The main one where there is none of the wanted name. */
export function shownTerminal(state: ConsoleState, wanted: string | null): string {
  return terminalNames(state).find((name) => name === wanted) ?? mainTerminal;
}

/** The state as it is for one terminal, with what is open on that one only. */
export function stateOf(state: ConsoleState, terminal: string): ConsoleState {
  if (state.otherTerminals === undefined) return state;
  const isHere = ({ onTerminal = mainTerminal }: { onTerminal?: string | undefined }) =>
    onTerminal === terminal;
  return {
    ...stateOfTerminal(state, terminal),
    doubts: state.doubts.filter(isHere),
    discrepancies: state.discrepancies.filter(isHere),
  };
}

/** For a request about this terminal; the main one needs no name. */
export function ofTerminal(name: string): { terminal?: string } {
  return name === mainTerminal ? {} : { terminal: name };
}

/** Whether it is about a payment or a batch of this terminal. */
export function isOnTerminal(change: ConsoleChange, terminal: string): boolean {
  if (change.kind === 'payment') return (change.payment.onTerminal ?? mainTerminal) === terminal;
  return change.kind === 'batch' && (change.onTerminal ?? mainTerminal) === terminal;
}
