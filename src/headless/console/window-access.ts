/**
 * Who may use the console: a link lets one window in, once, and gives it a secret of its own, which it shows with each
 * request. Browsers send neither by themselves, so no other page, program or port gets one.
 *
 *     link ──once──► secret ──each request──► in       until it is unused for long, revoked, or the bridge is restarted
 */
import { createHash } from 'node:crypto';
import type { Chance } from '../../base/chance.ts';
import type { Clock } from '../../base/clock.ts';
import type { ShutOut } from '../../contract/console/index.ts';

export interface WindowAccess {
  /** A new token for a link: 256 bits. */
  makeToken(): string;
  /** Lets a window in that was opened by a link; the token is spent then. */
  enter(token: string): { ok: true; secret: string } | { ok: false; code: ShutOut };
  /** Null: the window may ask. Counts as a use of the secret. */
  refusalFor(secret: string | null): ShutOut | null;
  /** The secret is in use until the result is called, however long that takes. */
  hold(secret: string): () => void;
  /** Ends all of them; says how many there were. */
  revokeAll(): { windows: number; links: number };
}

export interface WindowAccessLimits {
  /** How long a link waits to be opened. */
  linkLifeMs: number;
  /** How long a window's secret is kept after its last use. */
  idleWindowMs: number;
  /** Beyond these the oldest link, and the window that was not used for longest, are forgotten. */
  maxLinks: number;
  maxWindows: number;
}

interface Window {
  usedMs: number;
  holds: number;
}

const secretBytes = 32;
/** What became of old links and windows is remembered of so many, so that a page can say it. */
const maxEnded = 256;

export function createWindowAccess(options: {
  clock: Clock;
  chance: Chance;
  limits: WindowAccessLimits;
}): WindowAccess {
  const { clock, chance, limits } = options;
  // By hash: what is looked up then tells nothing about a secret, not even by the time that it takes.
  const links = new Map<string, { madeMs: number }>();
  const windows = new Map<string, Window>();
  const ended = new Map<string, ShutOut>();

  const newSecret = () => Buffer.from(chance.bytes(secretBytes)).toString('base64url');

  function end(hash: string, code: ShutOut) {
    ended.set(hash, code);
    dropFirst(ended, maxEnded);
  }

  function forgetOld() {
    const nowMs = clock.elapsed();
    for (const [hash, { madeMs }] of links) {
      if (nowMs - madeMs >= limits.linkLifeMs) links.delete(hash);
    }
    for (const [hash, { usedMs, holds }] of windows) {
      if (holds === 0 && nowMs - usedMs >= limits.idleWindowMs) windows.delete(hash);
    }
  }

  /** In the map's order the last one used is the last. */
  function use(hash: string, window: Window) {
    window.usedMs = clock.elapsed();
    windows.delete(hash);
    windows.set(hash, window);
  }

  return {
    makeToken() {
      forgetOld();
      const token = newSecret();
      links.set(hashOf(token), { madeMs: clock.elapsed() });
      dropFirst(links, limits.maxLinks);
      return token;
    },
    enter(token) {
      forgetOld();
      const hash = hashOf(token);
      if (!links.delete(hash)) return { ok: false, code: ended.get(hash) ?? 'link_unknown' };
      end(hash, 'link_used');
      const secret = newSecret();
      use(hashOf(secret), { usedMs: 0, holds: 0 });
      dropFirst(windows, limits.maxWindows, ({ holds }) => holds === 0);
      return { ok: true, secret };
    },
    refusalFor(secret) {
      if (secret === null) return 'no_session';
      forgetOld();
      const hash = hashOf(secret);
      const window = windows.get(hash);
      if (window === undefined) return ended.get(hash) ?? 'session_unknown';
      use(hash, window);
      return null;
    },
    hold(secret) {
      const hash = hashOf(secret);
      const window = windows.get(hash);
      if (window === undefined) return () => {};
      window.holds += 1;
      return () => {
        window.holds -= 1;
        if (windows.get(hash) === window) use(hash, window);
      };
    },
    revokeAll() {
      forgetOld();
      const counts = { windows: windows.size, links: links.size };
      for (const hash of [...windows.keys(), ...links.keys()]) end(hash, 'access_revoked');
      windows.clear();
      links.clear();
      return counts;
    },
  };
}

/** Deletes the first ones that may go, until no more than `most` are left. */
function dropFirst<T>(map: Map<string, T>, most: number, mayGo: (value: T) => boolean = () => true): void {
  for (const [key, value] of map) {
    if (map.size <= most) return;
    if (mayGo(value)) map.delete(key);
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
