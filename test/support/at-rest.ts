/**
 * Knows when everything in this process has come to rest that needs no time: promises, calls for a later turn of the
 * event loop (bytes on memory lines), files that are read or written asynchronously. Sockets, other processes and the
 * machine's own timers are not seen.
 */

/** Turns that `whenAtRest` itself waits for; two who wait must not keep each other from resting. */
let ownTurns = 0;
/** Far more than anything that comes to rest at all. */
const maxTurns = 1_000_000;

/** What Node calls its requests for files: with a callback, with a promise, and the end of a file handle. */
const fileRequests = new Set(['FSReqCallback', 'FSReqPromise', 'CloseReq']);

/** Calls one of the two, in a later turn; `atRest` hears whether it has been so all the while. */
export function whenAtRest(atRest: (allTheWhile: boolean) => void, never: (reason: string) => void): void {
  let turns = 0;
  let allTheWhile = true;
  const look = () => {
    ownTurns -= 1;
    const next = unrest();
    if (next === null) return atRest(allTheWhile);
    allTheWhile = false;
    // How long a file takes is the machine's affair.
    if (next === 'turn') turns += 1;
    if (turns > maxTurns) return never(`no rest in ${maxTurns} turns of the event loop`);
    ownTurns += 1;
    setImmediate(look);
  };
  ownTurns += 1;
  setImmediate(look);
}

/** Resolves when all is at rest. */
export function settle(): Promise<void> {
  return new Promise((resolve, reject) =>
    whenAtRest(
      () => resolve(),
      (reason) => reject(new Error(reason)),
    ),
  );
}

/** At the start of a turn no promise is left to be settled, so what counts is who asked for a turn, and for files. */
function unrest(): 'turn' | 'file' | null {
  const active = process.getActiveResourcesInfo();
  if (active.some((resource) => fileRequests.has(resource))) return 'file';
  return active.filter((resource) => resource === 'Immediate').length > ownTurns ? 'turn' : null;
}
