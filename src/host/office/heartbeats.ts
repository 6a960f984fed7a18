/** Tells the office how the bridge is: every minute, and soon after something of it has changed. */
import type { Chance } from '../../base/chance.ts';
import { pause, type Clock } from '../../base/clock.ts';
import { createBackoff } from '../../base/open-with-backoff.ts';
import { heartbeatEveryMs, type Heartbeat } from '../../contract/office.ts';
import type { Log } from '../../log/index.ts';
import { createBell } from './bell.ts';
import type { OfficeRequests } from './office-client.ts';
import type { Troubles } from './troubles.ts';

export interface Heartbeats {
  stateChanged(): void;
  stop(): void;
}

/** Changes come several at a time. */
const atMostEveryMs = 1_000;
const firstBackoffMs = 1_000;
const maxBackoffMs = 5 * 60_000;
export const heartbeatPart = 'heartbeat';

export function createHeartbeats(options: {
  /** As it is now. */
  heartbeat(): Heartbeat;
  office: OfficeRequests;
  clock: Clock;
  chance: Chance;
  log: Log;
  troubles: Troubles;
  onKeyRefused(): void;
}): Heartbeats {
  const { office, clock, chance, troubles } = options;
  const ended = new AbortController();
  const { signal } = ended;
  const bell = createBell(clock);
  const backoff = createBackoff({
    firstMs: firstBackoffMs,
    maxMs: maxBackoffMs,
    random: () => chance.fraction(),
  });

  async function run() {
    while (!signal.aborted) {
      const heartbeat = options.heartbeat();
      const answer = await office.heartbeat(heartbeat);
      if (signal.aborted) return;
      if (answer.kind === 'answer') {
        backoff.reset();
        troubles.over(heartbeatPart);
        await untilDue(newsOf(heartbeat));
      } else if (answer.kind === 'refused' && answer.code === 'key_unknown') {
        options.onKeyRefused();
        return;
      } else {
        const { kind, message } = answer;
        troubles.report(heartbeatPart, { kind, message });
        await pause(clock, backoff.nextMs(), signal);
      }
    }
  }

  async function untilDue(said: string) {
    const dueMs = clock.elapsed() + heartbeatEveryMs;
    while (!signal.aborted && clock.elapsed() < dueMs) {
      await pause(clock, atMostEveryMs, signal);
      if (newsOf(options.heartbeat()) !== said) return;
      await bell.wait(dueMs - clock.elapsed(), signal);
    }
  }

  // The bridge goes on whatever happens here.
  run().catch((err: unknown) =>
    options.log.error('a fault has ended what tells the head office how this bridge is', { err }),
  );
  return {
    stateChanged: () => bell.ring(),
    stop: () => ended.abort(),
  };
}

/** What of a heartbeat is news: that a terminal is at work is none, nor that its journal grows, and the time is always another one. */
function newsOf({ at: _at, terminals, ...rest }: Heartbeat): string {
  const news = terminals.map(({ connection, message, lastSeq: _lastSeq, ...terminal }) =>
    terminal.ready ? terminal : { ...terminal, connection, message },
  );
  return JSON.stringify({ ...rest, terminals: news });
}
