/** The listener of the bridge that runs, with its state and the web pages that it refused, as the console shows them. */
import type { Clock } from '../base/clock.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { ConsoleState, ListenerState } from '../contract/console/index.ts';
import { createStartRetries } from './start-retries.ts';

export interface HostListener {
  readonly state: ListenerState;
  /** Whether the last request was to open or to close it, whatever came of it; null: none yet. Outlives a bridge. */
  readonly wanted: boolean | null;
  /** Of web pages that were refused, newest first. */
  readonly blockedOrigins: ConsoleState['blockedOrigins'];
  addBlockedOrigin(origin: string, at: string): void;
  /** Web pages of `origins` may call from the next request on, and others no more. */
  setAllowedOrigins(origins: readonly string[]): void;
  /** Another bridge, or none. Its listener counts as off until `start`. `port` is the configured one. */
  follow(bridge: Bridge | null, port: number): void;
  /** The bridge is about to stop, and its listener with it: whoever wants to start that now comes too late. */
  leave(): void;
  /**
   * Opens it, or finds it open; `state` has the result, and where it failed it is tried again. False: there is no bridge
   * that it could belong to.
   */
  start(): Promise<boolean>;
  /** Lets requests in flight finish, within bounds. */
  stop(): Promise<void>;
}

/** As many blocked origins as are kept; whoever sends requests chooses them. */
const maxBlockedOrigins = 20;

export function createHostListener(clock: Clock, onChange: () => void): HostListener {
  let state: ListenerState = { kind: 'off' };
  let wanted: boolean | null = null;
  let blockedOrigins: ConsoleState['blockedOrigins'] = [];
  let followed: { bridge: Bridge; port: number } | null = null;

  const retries = createStartRetries(clock, () => {
    // Shown as failed meanwhile: whoever was told of the failure is not told of each try.
    if (state.kind === 'failed' && followed !== null) void open(followed);
  });

  async function open({ bridge, port }: NonNullable<typeof followed>) {
    const started = await bridge.listener.start();
    if (followed?.bridge !== bridge) return;
    if (started.kind === 'listening') {
      retries.over();
      return show(bridge, { kind: 'on', port: started.port, addresses: started.addresses });
    }
    // Otherwise it has been stopped meanwhile.
    if (wanted === true) retries.failed();
    const { code, message: text } = started;
    const { nextTryAt } = retries;
    show(bridge, { kind: 'failed', code, port, text, ...(nextTryAt === null ? {} : { nextTryAt }) });
  }

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
    get blockedOrigins() {
      return blockedOrigins;
    },
    addBlockedOrigin(origin, at) {
      const others = blockedOrigins.filter((known) => known.origin !== origin);
      blockedOrigins = [{ origin, at }, ...others].slice(0, maxBlockedOrigins);
      onChange();
    },
    setAllowedOrigins(origins) {
      blockedOrigins = blockedOrigins.filter(({ origin }) => !origins.includes(origin));
      followed?.bridge.listener.setAllowedOrigins(origins);
      onChange();
    },
    follow(bridge, port) {
      retries.over();
      followed = bridge === null ? null : { bridge, port };
      state = { kind: 'off' };
      onChange();
    },
    leave() {
      retries.over();
      followed = null;
      if (state.kind !== 'off') state = { kind: 'stopping' };
      onChange();
    },
    async start() {
      if (followed === null) return false;
      wanted = true;
      retries.over();
      if (state.kind !== 'on') show(followed.bridge, { kind: 'starting' });
      await open(followed);
      return true;
    },
    async stop() {
      wanted = false;
      retries.over();
      if (followed === null) return;
      const { bridge } = followed;
      if (bridge.listener.listening) show(bridge, { kind: 'stopping' });
      await bridge.listener.stop();
      show(bridge, { kind: 'off' });
    },
  };
}
