/** Web pages that were refused because their origin is not allowed. */
import type { ConsoleState } from '../contract/console/index.ts';

export interface BlockedOrigins {
  /** Newest first. */
  list(): ConsoleState['blockedOrigins'];
  add(origin: string, at: string): void;
  /** It is allowed now. */
  remove(origin: string): void;
}

/** As many as are kept; whoever sends requests chooses them. */
const maxOrigins = 20;

export function createBlockedOrigins(): BlockedOrigins {
  let blocked: ConsoleState['blockedOrigins'] = [];
  const without = (origin: string) => blocked.filter((known) => known.origin !== origin);
  return {
    list: () => blocked,
    add(origin, at) {
      blocked = [{ origin, at }, ...without(origin)].slice(0, maxOrigins);
    },
    remove(origin) {
      blocked = without(origin);
    },
  };
}
