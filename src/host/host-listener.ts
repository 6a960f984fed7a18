/** The listener of the bridge that runs, with its state as the console shows it. */
import type { Bridge } from '../bridge/bridge.ts';
import type { ListenerState } from '../contract/console/index.ts';

export interface HostListener {
  readonly state: ListenerState;
  /** Whether the last request was to open or to close it, whatever came of it; null: none yet. Outlives a bridge. */
  readonly wanted: boolean | null;
  /** Another bridge, or none. Its listener counts as off until `start`. `port` is the configured one. */
  follow(bridge: Bridge | null, port: number): void;
  /** The bridge is about to stop, and its listener with it: whoever wants to start that now comes too late. */
  leave(): void;
  /** Opens it, or finds it open; `state` has the result. False: there is no bridge that it could belong to. */
  start(): Promise<boolean>;
  /** Lets requests in hand finish, within bounds. */
  stop(): Promise<void>;
}

export function createHostListener(onChange: () => void): HostListener {
  let state: ListenerState = { kind: 'off' };
  let wanted: boolean | null = null;
  let followed: { bridge: Bridge; port: number } | null = null;

  /** A result of a bridge that is no longer followed does not count. */
  function show(bridge: Bridge, next: ListenerState) {
    if (followed?.bridge !== bridge) return;
    state = next;
    onChange();
  }

  return {
    get state() {
      return state;
    },
    get wanted() {
      return wanted;
    },
    follow(bridge, port) {
      followed = bridge === null ? null : { bridge, port };
      state = { kind: 'off' };
      onChange();
    },
    leave() {
      followed = null;
      if (state.kind !== 'off') state = { kind: 'stopping' };
      onChange();
    },
    async start() {
      if (followed === null) return false;
      wanted = true;
      const { bridge, port } = followed;
      if (state.kind !== 'on') show(bridge, { kind: 'starting' });
      const started = await bridge.listener.start();
      show(
        bridge,
        started.kind === 'listening'
          ? { kind: 'on', port: started.port, addresses: started.addresses }
          : { kind: 'failed', code: started.code, port, text: started.message },
      );
      return true;
    },
    async stop() {
      wanted = false;
      if (followed === null) return;
      const { bridge } = followed;
      if (bridge.listener.listening) show(bridge, { kind: 'stopping' });
      await bridge.listener.stop();
      show(bridge, { kind: 'off' });
    },
  };
}
