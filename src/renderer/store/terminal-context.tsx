/** Gives a page the terminal that it is about: the chosen one, or that which has the payment or batch that is shown. */
import { createContext, use, useEffect, useSyncExternalStore, type ReactNode } from 'react';
import type { ConsoleState } from '../../contract/console/index.ts';
import { mainTerminal } from '../../contract/terminal-name.ts';
import { shownTerminal, stateOf, terminalChoice, terminalNames } from './chosen-terminal.ts';
import { useConsoleState, useView } from './console-context.tsx';
import { dropFromAddress, useRoute } from './route.ts';

const TerminalContext = createContext<string | null>(null);

/** `name` as `PaymentView.onTerminal` has it: left out, the main one. */
export function OfTerminal({
  name = mainTerminal,
  children,
}: {
  name?: string | undefined;
  children: ReactNode;
}) {
  return <TerminalContext value={name}>{children}</TerminalContext>;
}

/** The name of the terminal that this part of the page is about. */
export function useTerminalName(): string {
  const chosen = useChosenTerminal();
  return use(TerminalContext) ?? chosen;
}

/** The name of the one that was chosen in this window. */
export function useChosenTerminal(): string {
  const { state } = useView();
  const wanted = useSyncExternalStore(terminalChoice.subscribe, terminalChoice.wanted);
  return state === null ? mainTerminal : shownTerminal(state, wanted);
}

/** The state of that terminal. */
export function useTerminalState(): ConsoleState {
  return stateOf(useConsoleState(), useTerminalName());
}

/**
 * An address may choose one, once: a bookmark, a link of a banner. What is chosen afterwards counts, also when the page is
 * loaded again. A name that no terminal has changes nothing.
 */
export function useTerminalOfAddress(): void {
  const wanted = useRoute().query.get('terminal');
  const { state } = useView();
  const isKnown = state !== null && wanted !== null && terminalNames(state).includes(wanted);
  // Which there are, a bridge says only when it runs.
  const isOver = isKnown || (wanted !== null && state?.bridge.kind === 'running');
  useEffect(() => {
    if (!isOver || wanted === null) return;
    if (isKnown) terminalChoice.choose(wanted);
    dropFromAddress('terminal');
  }, [wanted, isKnown, isOver]);
}
