/**
 * What waits for a person now, each by a key of its own that stays the same while it waits: for a sound, a notification.
 * A terminal that is not connected is none by itself: it is switched off every evening. Whoever tells of it counts the
 * time.
 */
import type { ConsoleState, TerminalState } from '../../contract/console/index.ts';

export function personNeeds(state: ConsoleState): string[] {
  const { doubts, discrepancies, journal, listener, bridge, terminal } = state;
  // As long as the terminal can be asked, a doubt usually clears up by itself within seconds.
  const undecided = doubts.filter(({ needsDecision }) => needsDecision || !canBeAsked(terminal));
  return [
    ...undecided.map(({ operationId }) => `doubt ${operationId}`),
    ...discrepancies.map(({ discrepancyId }) => `discrepancy ${discrepancyId}`),
    ...(journal.writable ? [] : ['journal']),
    ...(listener.kind === 'failed' ? ['listener'] : []),
    ...(bridge.kind === 'failed' ? ['bridge'] : []),
    ...(terminal?.connection === 'attention' ? ['terminal'] : []),
  ];
}

/** Whether the terminal is on the line, so that it can be asked what became of an operation in doubt. */
export function canBeAsked(terminal: TerminalState | null): boolean {
  return terminal !== null && !['stopped', 'connecting', 'lost'].includes(terminal.connection);
}
