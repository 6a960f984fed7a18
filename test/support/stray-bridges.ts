/** Bridges that were started through a shell or a launcher: found by their data folder, so that none is left behind. */
import { systemClock } from '../../src/base/clock.ts';
import { sendControlRequest } from '../../src/host/control/client.ts';

/** The process id of the bridge that has the journal in `folder`. */
export async function bridgeProcessId(folder: string): Promise<number> {
  const reply = await sendControlRequest(folder, { ask: 'status' }, systemClock);
  if (reply.kind !== 'answered' || reply.answer.answer !== 'status')
    throw new Error(`no bridge runs on ${folder}`);
  return reply.answer.processId;
}

/** Ends it if it still runs. */
export function endStray(processId: number): void {
  try {
    process.kill(processId, 'SIGKILL');
  } catch {
    // It has ended, as it should.
  }
}
