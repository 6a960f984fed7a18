/**
 * What happens at the till, as a person should hear and see it: a result that has just come, and for how long it is new;
 * and the moments that are worth a sound. It follows the client's view, whichever page is shown; of several terminals the
 * chosen one, but for what needs a person.
 *
 *     view ──► known before?  ──no──► fresh result ── 6 s, or held by the focus ──► none
 *                │
 *                └──► signals: approved, not approved, a person is needed
 */
import { createEmitter } from '../../base/emitter.ts';
import type { ConsoleState, LastEnded } from '../../contract/console/index.ts';
import type { OperationOutcome } from '../../contract/operation.ts';
import { personNeeds } from '../../notifications/index.ts';
import { shownTerminal, stateOf, type TerminalChoice } from './chosen-terminal.ts';
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
  /** The result that is new; for useSyncExternalStore. */
  fresh(): LastEnded | null;
  subscribe(listener: () => void): () => void;
  /** As long as it is held, it stays: its buttons must not go while somebody is on the way to them. */
  hold(held: boolean): void;
  /** Subscribes to what is worth a sound. Returns a function that ends it. */
  onSignal(listener: (signal: Signal) => void): () => void;
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
  choice: Pick<TerminalChoice, 'wanted' | 'subscribe'>,
  clock: PageClock = pageClock,
): TillEvents {
  const onFault = (error: unknown) => console.error('A subscriber of the till failed.', error);
  const changes = createEmitter<void>({ onFault });
  const signals = createEmitter<Signal>({ onFault });
  /** Null: no state has been seen yet. */
  let seen: ConsoleState | null = null;
  /** The terminal that was chosen then. */
  let seenTerminal: string | null = null;
  let needs: ReadonlySet<string> = new Set();
  let fresh: LastEnded | null = null;
  let held = false;
  /** The time of the fresh result is over; only the hold keeps it. */
  let due = false;
  let stopTimer = () => {};

  function show(ended: LastEnded | null, forMs = 0) {
    stopTimer();
    fresh = ended;
    due = false;
    if (ended !== null) {
      stopTimer = clock.after(forMs, () => {
        due = true;
        if (!held) show(null);
      });
    }
    changes.emit(undefined);
  }

  function look() {
    const { state, connected } = client.view();
    // What is shown without a connection is old; what came meanwhile is seen when it is back.
    if (!connected) return;
    if (state === null) return;
    const terminal = shownTerminal(state, choice.wanted());
    if (state === seen && terminal === seenTerminal) return;
    const isFirst = seen === null;
    // Another one is shown now: what it had before is no news.
    if (terminal !== seenTerminal) show(null);
    const before = seen === null || terminal !== seenTerminal ? null : stateOf(seen, terminal);
    seen = state;
    seenTerminal = terminal;
    const { lastEnded, currentOperation } = stateOf(state, terminal);
    const isNew = lastEnded !== null && lastEnded.operationId !== before?.lastEnded?.operationId;
    if (isNew) {
      const ageMs = clock.now() - Date.parse(lastEnded.at);
      // A window that has just been opened shows a result for the rest of its time, and makes no sound.
      if (before === null && ageMs < freshMs) show(lastEnded, Math.min(freshMs, freshMs - ageMs));
      if (before !== null && ageMs < newsMs) {
        show(lastEnded, freshMs);
        signals.emit(signalOf(lastEnded.outcome));
      }
    } else if (fresh !== null && (currentOperation !== null || lastEnded === null)) {
      show(null);
    }
    const nextNeeds = new Set(personNeeds(state).map(({ key }) => key));
    const isNeeded = !isFirst && [...nextNeeds].some((need) => !needs.has(need));
    needs = nextNeeds;
    if (isNeeded) signals.emit('needs_person');
  }

  client.subscribe(look);
  choice.subscribe(look);
  look();
  return {
    fresh: () => fresh,
    subscribe: changes.subscribe,
    hold(isHeld) {
      held = isHeld;
      if (!held && due) show(null);
    },
    onSignal: signals.subscribe,
  };
}
