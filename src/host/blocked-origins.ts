/** Web pages that were refused because their origin is not allowed. */
import type { ConsoleState } from '../contract/console/index.ts';

export interface BlockedOrigins {
  /** Newest first. */
  list(): ConsoleState['blockedOrigins'];
  note(origin: string, at: string): void;
  /** It is allowed now. */
  forget(origin: string): void;
}

/** As many as are kept; whoever sends requests chooses them. */
const maxOrigins = 20;

export function createBlockedOrigins(): BlockedOrigins {
  let blocked: ConsoleState['blockedOrigins'] = [];
  const without = (origin: string) => blocked.filter((known) => known.origin !== origin);
  return {
    list: () => blocked,
    note(origin, at) {
      blocked = [{ origin, at }, ...without(origin)].slice(0, maxOrigins);
    },
    forget(origin) {
      blocked = without(origin);
    },
  };
}
