/** What takes long is carried out in parts of some milliseconds, between which a till has its turn. */
import { setImmediate } from 'node:timers/promises';

/**
 * What `parts` comes to, with one part a turn of the event loop. Null when `isOpen` says after one of them that there is
 * nothing left to look at: the journal was closed meanwhile.
 */
export async function inParts<T>(parts: Generator<unknown, T>, isOpen: () => boolean): Promise<T | null> {
  for (;;) {
    const part = parts.next();
    if (part.done === true) return part.value;
    await setImmediate();
    if (!isOpen()) return null;
  }
}
