/**
 * "Find my terminal": asks each place in turn, with each protocol's own question, whether a terminal is there. A place is
 * asked one question at a time; several places at once.
 */
import { pause, type Clock } from '../../base/clock.ts';
import type { FoundTerminal, TerminalSearch } from '../../contract/console/index.ts';
import type { ProtocolName } from '../../contract/protocols.ts';

/** Where a terminal may be. */
export interface Place {
  /** As `--terminal` takes it. */
  terminal: string;
  /** The protocols that are tried there, the likeliest first. */
  protocols: readonly ProtocolName[];
  /** What is known of the device, for people. */
  device: string | null;
}

/** What one question gave. `taken`: nobody may be asked there now. `nobody`: nobody can be. Both end the place. */
export type Answer =
  | { kind: 'found'; terminalId: string | null; text: string | null; sure: boolean }
  | { kind: 'silent' }
  | { kind: 'taken' | 'nobody' };

/** Where nobody may be asked, and why: somebody uses it, or this user may not open it. */
export interface LeftOut {
  taken: readonly string[];
  denied: readonly string[];
}

export interface SearchParts {
  places: readonly Place[];
  leftOut?: LeftOut;
  /** Never rejects; ends early once `signal` aborts. Bounded in time by itself. */
  ask(place: Place, protocol: ProtocolName, signal: AbortSignal): Promise<Answer>;
  /** A payment runs now: the search ends. */
  paymentRuns(): boolean;
  /** So many places at once, and a new one so often at most. */
  atOnce: number;
  everyMs: number;
  clock: Clock;
}

export interface RunningSearch {
  /** How far it is. */
  readonly view: TerminalSearch;
  /** Asks nothing more; what is asked now is given up. */
  stop(): void;
  /** Resolves when it is over, however; never rejects. */
  readonly over: Promise<void>;
}

/** So soon a search gives way to a payment that begins. */
const lookForPaymentMs = 100;

export function startSearch(parts: SearchParts): RunningSearch {
  const { places, leftOut = { taken: [], denied: [] }, ask, paymentRuns, atOnce, everyMs, clock } = parts;
  const ending = new AbortController();
  const waiting = [...places];
  const asking = new Set<string>();
  const found: FoundTerminal[] = [];
  const taken = [...leftOut.taken];
  let state: TerminalSearch['state'] = 'running';
  let done = 0;

  async function visit(place: Place): Promise<void> {
    const { terminal, device } = place;
    for (const protocol of place.protocols) {
      if (paymentRuns()) end('payment');
      if (ending.signal.aborted) return;
      const answer = await ask(place, protocol, ending.signal);
      if (ending.signal.aborted) return;
      switch (answer.kind) {
        case 'found': {
          const { terminalId, text, sure } = answer;
          found.push({ terminal, protocol, device, terminalId, text, sure });
          return;
        }
        case 'taken':
          taken.push(terminal);
          return;
        case 'nobody':
          return;
        case 'silent':
      }
    }
  }

  async function visitNext(): Promise<void> {
    for (let place = waiting.shift(); place !== undefined; place = waiting.shift()) {
      if (ending.signal.aborted) return;
      asking.add(place.terminal);
      await visit(place);
      asking.delete(place.terminal);
      done += 1;
      await pause(clock, everyMs * atOnce, ending.signal);
    }
  }

  async function visitAll(): Promise<void> {
    await Promise.all(
      Array.from({ length: Math.min(atOnce, places.length) }, async (_, index) => {
        await pause(clock, everyMs * index, ending.signal);
        await visitNext();
      }),
    );
    end('done');
  }

  function end(how: Exclude<TerminalSearch['state'], 'running' | 'none'>): void {
    if (state !== 'running') return;
    state = how;
    ending.abort();
  }

  /** A question that is out when a payment begins is given up. */
  async function watchPayments(): Promise<void> {
    while (!ending.signal.aborted) {
      if (paymentRuns()) end('payment');
      await pause(clock, lookForPaymentMs, ending.signal);
    }
  }

  const over = visitAll();
  void watchPayments();
  return {
    get view() {
      const now = state === 'running' ? [...asking] : [];
      return {
        state,
        done,
        total: places.length,
        asking: now,
        found: [...found],
        taken: [...taken],
        denied: [...leftOut.denied],
      };
    },
    stop: () => end('stopped'),
    over,
  };
}
