/**
 * What waits for a person now, each by a key of its own that stays the same while it waits: for a sound, a notification.
 * A terminal that is not connected is none by itself: it is switched off every evening. Whoever tells of it counts the
 * time (`notifier.ts`).
 */
import type { ConsoleState, TerminalState } from '../contract/console/index.ts';
import type { InDoubtView } from '../contract/in-doubt.ts';

export type PersonNeed =
  | { key: string; kind: 'doubt'; inDoubt: InDoubtView }
  | { key: string; kind: 'listener'; port: number }
  | { key: string; kind: 'discrepancy' | 'journal' | 'bridge' | 'terminal' };

export function personNeeds(state: ConsoleState): PersonNeed[] {
  const { doubts, discrepancies, journal, listener, bridge, terminal, otherTerminals = [] } = state;
  // As long as the terminal can be asked, a doubt usually clears up by itself within seconds. Of those beside the main
  // one the host says so.
  const undecided = doubts.filter(
    ({ needsDecision, onTerminal }) => needsDecision || (onTerminal === undefined && !canBeAsked(terminal)),
  );
  const damaged = otherTerminals.filter((other) => !other.journal.writable);
  return [
    ...undecided.map((inDoubt) => ({
      key: `doubt ${inDoubt.operationId}`,
      kind: 'doubt' as const,
      inDoubt,
    })),
    ...discrepancies.map(({ discrepancyId }) => ({
      key: `discrepancy ${discrepancyId}`,
      kind: 'discrepancy' as const,
    })),
    ...(journal.writable ? [] : [need('journal')]),
    ...damaged.map(({ name }) => ({ key: `journal ${name}`, kind: 'journal' as const })),
    ...(listener.kind === 'failed'
      ? [{ key: 'listener', kind: 'listener' as const, port: listener.port }]
      : []),
    ...(bridge.kind === 'failed' ? [need('bridge')] : []),
    ...(terminal?.connection === 'attention' ? [need('terminal')] : []),
  ];
}

function need(kind: 'journal' | 'bridge' | 'terminal'): PersonNeed {
  return { key: kind, kind };
}

/** Whether the terminal is on the line, so that it can be asked what became of an operation in doubt. */
export function canBeAsked(terminal: TerminalState | null): boolean {
  return terminal !== null && !['stopped', 'connecting', 'lost'].includes(terminal.connection);
}
