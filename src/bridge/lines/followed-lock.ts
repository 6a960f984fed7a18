/** The lock on a line whose device may change its port: what has been locked stays so until all is given back. */
import { lockNamed, type LineLockOptions } from './line-lock.ts';

export interface FollowedLock {
  /** Locks this name as well, unless it is; null, or who has it, for people. */
  add(name: string): Promise<string | null>;
  /** Gives back all, also what is still being locked. May be called twice. */
  release(): void;
}

export function createFollowedLock(lineName: string, options: LineLockOptions): FollowedLock {
  const held = new Map<string, { release(): void }>();
  let released = false;
  return {
    async add(name) {
      if (held.has(name)) return null;
      const lock = await lockNamed(lineName, [name], options);
      if (lock.kind !== 'held') return lock.message;
      held.set(name, lock);
      if (!released) return null;
      this.release();
      return 'no longer wanted';
    },
    release() {
      released = true;
      for (const lock of held.values()) lock.release();
      held.clear();
    },
  };
}
