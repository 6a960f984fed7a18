/** Gives the console's client to every component. */
import { createContext, use, useEffect, useEffectEvent, useSyncExternalStore, type ReactNode } from 'react';
import type { ConsoleChange, ConsoleState, LastEnded } from '../../contract/console/index.ts';
import type { ClientView, ConsoleClient } from './console-client.ts';
import type { TillEvents } from './till-events.ts';

const ClientContext = createContext<ConsoleClient | null>(null);
const TillEventsContext = createContext<TillEvents | null>(null);

export function ConsoleProvider({
  client,
  tillEvents,
  children,
}: {
  client: ConsoleClient;
  tillEvents: TillEvents;
  children: ReactNode;
}) {
  return (
    <ClientContext value={client}>
      <TillEventsContext value={tillEvents}>{children}</TillEventsContext>
    </ClientContext>
  );
}

export function useClient(): ConsoleClient {
  const client = use(ClientContext);
  if (client === null) throw new Error('There is no ConsoleProvider around this component.');
  return client;
}

export function useTillEvents(): TillEvents {
  const events = use(TillEventsContext);
  if (events === null) throw new Error('There is no ConsoleProvider around this component.');
  return events;
}

/** The result that has just come on this terminal; null when there is none, or not any more. */
export function useFreshResult(terminal: string): LastEnded | null {
  const events = useTillEvents();
  return useSyncExternalStore(events.subscribe, () => events.fresh(terminal));
}

/** State, settings and connection; renders again with each change. */
export function useView(): ClientView {
  const client = useClient();
  return useSyncExternalStore(client.subscribe, client.view);
}

/** For everything below the frame of the app, which shows nothing else before there is a state. */
export function useConsoleState(): ConsoleState {
  const { state } = useView();
  if (state === null) throw new Error('The console has no state yet.');
  return state;
}

/** Calls `listener` (its newest version) with each change as long as the component is shown. */
export function useChanges(listener: (change: ConsoleChange) => void): void {
  const client = useClient();
  const onChange = useEffectEvent(listener);
  useEffect(() => client.onChange((change) => onChange(change)), [client]);
}
