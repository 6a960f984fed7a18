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
  /** The name of the terminal. There may be no such terminal any more. */
  wanted(): string;
  choose(name: string): void;
  /** Calls after each change. The result ends it. */
  subscribe(listener: () => void): () => void;
}

/** Null until it is asked for. */
let wanted: string | null = null;

/**
 * A new window begins with the last one that was chosen in any, and stays with it, also when it is loaded again: what is
 * chosen elsewhere later must not put another terminal under somebody's hand.
 */
function wantedTerminal(): string {
  if (wanted === null) {
    wanted = sessionStorage.getItem(storageKey) ?? lastChosen();
    sessionStorage.setItem(storageKey, wanted);
  }
  return wanted;
}

function lastChosen(): string {
  return localStorage.getItem(storageKey) ?? mainTerminal;
}

function show(name: string): void {
  if (name === wanted) return;
  wanted = name;
  sessionStorage.setItem(storageKey, name);
  changes.emit(undefined);
}

function choose(name: string): void {
  localStorage.setItem(storageKey, name);
  show(name);
}

/** Shows what was chosen last in any window. */
export function showLastChosen(): void {
  show(lastChosen());
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
export function shownTerminal(state: ConsoleState, wanted: string): string {
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

/**
 * Those of whose journal nobody can tell what is open in it: it is damaged, or cannot be read now, which another terminal
 * says that must not sell for it.
 */
export function unreadableTerminals(state: ConsoleState): string[] {
  const all = terminalNames(state).map((name) => ({ name, own: stateOf(state, name) }));
  const holding = new Set(all.map(({ own }) => own.heldElsewhere));
  return all
    .filter(({ name, own }) => own.journal.damaged || (holding.has(name) && !own.salesHeld))
    .map(({ name }) => name);
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
