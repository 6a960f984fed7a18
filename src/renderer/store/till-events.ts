/**
 * What happens at the till, as a person should hear and see it: a result that has just come, and for how long it is new;
 * and the moments that are worth a sound. It follows the client's view, whichever page is shown. Each of several terminals
 * has a result of its own; heard is that of the chosen one, but for what needs a person.
 *
 *     view ──► known before?  ──no──► fresh result ── 6 s, or held by the focus ──► none
 *                │
 *                └──► signals: approved, not approved, a person is needed
 */
import { createEmitter } from '../../base/emitter.ts';
import type { ConsoleState, LastEnded } from '../../contract/console/index.ts';
import type { OperationOutcome } from '../../contract/operation.ts';
import { personNeeds } from '../../notifications/index.ts';
import { shownTerminal, stateOf, terminalNames, type TerminalChoice } from './chosen-terminal.ts';
import type { ConsoleClient } from './console-client.ts';

export type Signal = 'approved' | 'not_approved' | 'needs_person';

/** How long a result is shown large. */
export const freshMs = 6_000;
/** A result that ended longer ago is no news, although this window sees it for the first time: it was cut off. */
const newsMs = 60_000;

const isGood: Record<OperationOutcome, boolean> = {
  approved: true,
  declined: false,
  cancelled: false,
  failed: false,
  voided: true,
  not_voided: false,
  closed: true,
  not_closed: false,
};

function signalOf(outcome: OperationOutcome): Signal {
  return isGood[outcome] ? 'approved' : 'not_approved';
}

export interface TillEvents {
  /** The result that is new on this terminal; for useSyncExternalStore. */
  fresh(terminal: string): LastEnded | null;
  subscribe(listener: () => void): () => void;
  /** As long as it is held, it stays: its buttons must not go while somebody is on the way to them. One at a time. */
  hold(terminal: string, held: boolean): void;
  /** Subscribes to what is worth a sound. Returns a function that ends it. */
  onSignal(listener: (signal: Signal) => void): () => void;
}

interface FreshResult {
  ended: LastEnded;
  /** Its time is over; only the hold keeps it. */
  due: boolean;
  stopTimer: () => void;
}

export interface PageClock {
  now(): number;
  /** Calls `work` after so many milliseconds; the result keeps it from that. */
  after(ms: number, work: () => void): () => void;
}

const pageClock: PageClock = {
  now: () => Date.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

export function createTillEvents(
  client: Pick<ConsoleClient, 'view' | 'subscribe'>,
  choice: Pick<TerminalChoice, 'wanted'>,
  clock: PageClock = pageClock,
): TillEvents {
  const onFault = (error: unknown) => console.error('A subscriber of the till failed.', error);
  const changes = createEmitter<void>({ onFault });
  const signals = createEmitter<Signal>({ onFault });
  /** Null: no state has been seen yet. */
  let seen: ConsoleState | null = null;
  let needs: ReadonlySet<string> = new Set();
  const results = new Map<string, FreshResult>();
  /** The terminal whose result is held. */
  let held: string | null = null;

  function show(terminal: string, ended: LastEnded, forMs: number) {
    results.get(terminal)?.stopTimer();
    const stopTimer = clock.after(forMs, () => {
      result.due = true;
      if (held !== terminal) end(terminal);
    });
    const result: FreshResult = { ended, due: false, stopTimer };
    results.set(terminal, result);
    changes.emit(undefined);
  }

  function end(terminal: string) {
    const result = results.get(terminal);
    if (result === undefined) return;
    result.stopTimer();
    results.delete(terminal);
    changes.emit(undefined);
  }

  function lookAt(terminal: string, { lastEnded, currentOperation }: ConsoleState, isChosen: boolean) {
    const before = seen !== null && terminalNames(seen).includes(terminal) ? stateOf(seen, terminal) : null;
    if (lastEnded !== null && lastEnded.operationId !== before?.lastEnded?.operationId) {
      const ageMs = clock.now() - Date.parse(lastEnded.at);
      // A window that has just been opened shows a result for the rest of its time, and makes no sound.
      if (before === null && ageMs < freshMs) show(terminal, lastEnded, Math.min(freshMs, freshMs - ageMs));
      if (before !== null && ageMs < newsMs) {
        show(terminal, lastEnded, freshMs);
        if (isChosen) signals.emit(signalOf(lastEnded.outcome));
      }
    } else if (currentOperation !== null || lastEnded === null) {
      end(terminal);
    }
  }

  function look() {
    const { state, connected } = client.view();
    // What is shown without a connection is old; what came meanwhile is seen when it is back.
    if (!connected) return;
    if (state === null || state === seen) return;
    const chosen = shownTerminal(state, choice.wanted());
    for (const name of terminalNames(state)) lookAt(name, stateOf(state, name), name === chosen);
    const nextNeeds = new Set(personNeeds(state).map(({ key }) => key));
    const isNeeded = seen !== null && [...nextNeeds].some((need) => !needs.has(need));
    seen = state;
    needs = nextNeeds;
    if (isNeeded) signals.emit('needs_person');
  }

  client.subscribe(look);
  look();
  return {
    fresh: (terminal) => results.get(terminal)?.ended ?? null,
    subscribe: changes.subscribe,
    hold(terminal, isHeld) {
      if (isHeld) held = terminal;
      else if (held === terminal) held = null;
      if (!isHeld && results.get(terminal)?.due === true) end(terminal);
    },
    onSignal: signals.subscribe,
  };
}
