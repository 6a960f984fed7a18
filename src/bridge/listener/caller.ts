/** Who asks for something that moves money, as the payments module has to know it. */
import { setImmediate } from 'node:timers/promises';
import type { Caller } from '../payments/index.ts';
import type { RequestContext } from './listener-context.ts';

export function callerOf(requestContext: RequestContext): Caller {
  return {
    arrivedAt: requestContext.arrivedAt,
    allRead: allThatHasArrived,
    gone: () => requestContext.over || requestContext.hungUp(),
  };
}

/**
 * Until what has arrived behind the request is read: after a process stood still or a machine slept, the hang-up of a
 * caller who gave up long ago waits right behind the request. Immediates alternate with reading, so the second one comes
 * after a look at every socket.
 */
async function allThatHasArrived(): Promise<void> {
  await setImmediate();
  await setImmediate();
}
