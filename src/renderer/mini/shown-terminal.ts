/**
 * Which of several terminals the small window shows: that which has something on it; then, for as long as it is news, how
 * that ended. The chosen one comes before others of the same kind.
 *
 *     payment on the chosen one ► on the one shown ► its result ► payment on another one ► what waits for a person ► chosen
 */
import { useState, useSyncExternalStore } from 'react';
import { stateOf, terminalNames } from '../store/chosen-terminal.ts';
import { useTillEvents, useView } from '../store/console-context.tsx';
import { useChosenTerminal } from '../store/terminal-context.tsx';

/** `cancelling`: the terminals on which the answer to a cancel is awaited, or not read yet. */
export function useShownTerminal(cancelling: ReadonlySet<string>): string {
  const { state } = useView();
  const chosen = useChosenTerminal();
  const events = useTillEvents();
  /** The one on which the last operation was seen here. */
  const [last, setLast] = useState(chosen);
  const hasNews = useSyncExternalStore(events.subscribe, () => events.fresh(last) !== null);
  if (state === null) return chosen;
  const names = terminalNames(state);
  const isBusy = (name: string) => stateOf(state, name).currentOperation !== null;
  const waits = (name: string) => cancelling.has(name) || stateOf(state, name).doubts.length > 0;
  const known = names.includes(last) ? [last] : [];
  const shown =
    [chosen, ...known].find(isBusy) ??
    known.find(() => hasNews) ??
    names.find(isBusy) ??
    [...known, chosen, ...names].find(waits) ??
    chosen;
  if (shown !== last && isBusy(shown)) setLast(shown);
  return shown;
}
