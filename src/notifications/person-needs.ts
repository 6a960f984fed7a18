/**
 * What waits for a person now, each by a key of its own that stays the same while it waits: for a sound, a notification.
 * A terminal that is not connected is none by itself: it is switched off every evening. Whoever tells of it counts the
 * time (`notifier.ts`).
 */
import type { ConsoleState, TerminalState } from '../contract/console/index.ts';
import type { InDoubtView } from '../contract/in-doubt.ts';
import { mainTerminal } from '../contract/terminal-name.ts';

/** The name of the terminal that it is about, the main one's too; absent: there is only one. */
interface OnTerminal {
  onTerminal?: string;
}

export type PersonNeed =
  | ({ key: string; kind: 'doubt'; inDoubt: InDoubtView } & OnTerminal)
  | { key: string; kind: 'listener'; port: number }
  | { key: string; kind: 'bridge' }
  | ({ key: string; kind: 'discrepancy' | 'journal' | 'terminal' } & OnTerminal);

export function personNeeds(state: ConsoleState): PersonNeed[] {
  const { doubts, discrepancies, listener, bridge, terminal } = state;
  // As long as the terminal can be asked, a doubt usually clears up by itself within seconds. Of those beside the main
  // one the host says so.
  const undecided = doubts.filter(
    ({ needsDecision, onTerminal }) => needsDecision || (onTerminal === undefined && !canBeAsked(terminal)),
  );
  const all = terminalsOf(state);
  return [
    ...undecided.map((inDoubt) => ({
      key: `doubt ${inDoubt.operationId}`,
      kind: 'doubt' as const,
      inDoubt,
      ...named(state, inDoubt.onTerminal),
    })),
    ...discrepancies.map(({ discrepancyId, onTerminal }) => ({
      key: `discrepancy ${discrepancyId}`,
      kind: 'discrepancy' as const,
      ...named(state, onTerminal),
    })),
    ...all
      .filter(({ journal }) => !journal.writable)
      .map(({ name }) => ({ key: keyOf('journal', name), kind: 'journal' as const, ...named(state, name) })),
    ...(listener.kind === 'failed'
      ? [{ key: 'listener', kind: 'listener' as const, port: listener.port }]
      : []),
    ...(bridge.kind === 'failed' ? [{ key: 'bridge', kind: 'bridge' as const }] : []),
    ...all
      .filter((each) => each.terminal?.connection === 'attention')
      .map(({ name }) => ({
        key: keyOf('terminal', name),
        kind: 'terminal' as const,
        ...named(state, name),
      })),
  ];
}

/** The main one first. The line of one that is retired is not looked at: its terminal is null. */
export function terminalsOf({
  terminal,
  journal,
  otherTerminals = [],
}: ConsoleState): { name: string; terminal: TerminalState | null; journal: ConsoleState['journal'] }[] {
  const others = otherTerminals.map((other) => ({
    ...other,
    terminal: other.retired ? null : other.terminal,
  }));
  return [{ name: mainTerminal, terminal, journal }, ...others];
}

/** For what may be the matter with each terminal by itself. */
export function keyOf(kind: 'journal' | 'terminal' | 'lost', terminal: string): string {
  return terminal === mainTerminal ? kind : `${kind} ${terminal}`;
}

/** Where there is only one terminal, nothing needs its name. */
export function named({ otherTerminals }: ConsoleState, onTerminal = mainTerminal): OnTerminal {
  return otherTerminals === undefined ? {} : { onTerminal };
}

/** Whether the terminal is on the line, so that it can be asked what became of an operation in doubt. */
export function canBeAsked(terminal: TerminalState | null): boolean {
  return terminal !== null && !['stopped', 'connecting', 'lost'].includes(terminal.connection);
}
