/** What the tray's icon says, out of the console's state. */
import type { ConsoleState } from '../contract/console/index.ts';

export type TrayState =
  'starting' | 'ready' | 'working' | 'attention' | 'connecting' | 'listener_off' | 'stopped';

/** The first that holds, the most urgent first: work that goes on, then what only a person can end. */
export function trayStateOf(state: ConsoleState): TrayState {
  const { bridge, terminal, listener } = state;
  if (state.currentOperation !== null) return 'working';
  if (bridge.kind === 'first_start' || bridge.kind === 'failed') return 'attention';
  if (bridge.kind === 'starting') return 'starting';
  if (bridge.kind === 'stopped') return 'stopped';
  if (needsDecision(state)) return 'attention';
  if (listener.kind === 'off' || listener.kind === 'stopping') return 'listener_off';
  switch (terminal?.connection) {
    case 'ready':
      return 'ready';
    case 'operating':
    case 'recovering':
      return 'working';
    case 'attention':
      return 'attention';
    case 'lost':
      return 'connecting';
    case 'connecting':
    case 'preparing':
    case 'stopped':
    case undefined:
      return 'starting';
  }
}

function needsDecision({ doubts, discrepancyCount, journal, listener }: ConsoleState): boolean {
  return (
    doubts.some((doubt) => doubt.needsDecision) ||
    discrepancyCount > 0 ||
    journal.damaged ||
    !journal.writable ||
    listener.kind === 'failed'
  );
}
