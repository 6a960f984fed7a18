/**
 * A browser opens six connections to one address at most, for all its windows together, and each stream of changes holds
 * one for as long as its window is open. So the windows share a few places for streams, and leave the other connections
 * to requests. A place is a lock of the browser's: it is free again when its window is closed, or has crashed.
 */

/** How many windows of a browser may have a stream: two connections are left for requests. */
const maxStreams = 4;

/** What a window with a place calls when its stream has ended. */
type Release = () => void;

/** Null while every place is taken. A browser without locks has no places to count, and always gives one. */
export async function takeStreamPlace(locks: LockManager | undefined): Promise<Release | null> {
  if (locks === undefined) return () => {};
  for (let place = 1; place <= maxStreams; place += 1) {
    const release = await take(locks, `tillbridge stream ${place}`);
    if (release !== null) return release;
  }
  return null;
}

function take(locks: LockManager, name: string): Promise<Release | null> {
  return new Promise((resolve) => {
    locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (lock !== null) return new Promise<void>((release) => resolve(release));
        resolve(null);
        return undefined;
      })
      // A browser that has locks but refuses them, such as to a page without storage.
      .catch(() => resolve(() => {}));
  });
}
