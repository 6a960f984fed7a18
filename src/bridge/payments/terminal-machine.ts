/**
 * How the bridge stands to its one terminal, as a pure machine: `transition(state, event)` gives the state after it and
 * what has to be done. It carries nothing out; the runner does, one event after the other. An event that has no place in
 * a state is a fault of ours and throws.
 *
 *     stopped ─start─► connecting ─line─► preparing ─ready─► idle ◄─────────────────── checking
 *                        ▲    │             │                 │ └──────tick, wake───────► ▲
 *                        │    ▼             ▼              command                        │
 *                       lost ◄──── recovering, attention      └► claimed ─► operating ─answer
 *
 * From each state with a line: `line_lost` leads to `lost`, `stop` to `stopping` and `stopped`. Nothing here sends
 * anything that moves money but `operate`, and that only on a command that nothing has come in the way of.
 */
import type { OperationKind } from '../../contract/operation.ts';
import type { RequiredAction } from '../../contract/terminal.ts';
import type { OperationAnswer } from '../terminals/terminal-driver.ts';

export type TerminalState =
  | { kind: 'stopped' }
  | { kind: 'connecting' }
  /** No line. `next`: what the coming tick tries (`opening`: a connection is being tried all the time). */
  | { kind: 'lost'; reason: string; next: 'opening' | 'open' | 'lock' }
  /** The first poll of this connection. */
  | { kind: 'preparing' }
  | { kind: 'idle' }
  /** A poll of a terminal that was ready a moment ago: now and then, and after each operation. */
  | { kind: 'checking'; after: 'rest' | 'operation' }
  /** An operation is in the journal, and the answer to whoever asked for it goes out first: not a byte was sent. */
  | { kind: 'claimed'; operationId: string; operationKind: OperationKind }
  | {
      kind: 'operating';
      operationId: string;
      operationKind: OperationKind;
      /** The line went meanwhile, for this reason; the operation's own answer is still to come. */
      lost: string | null;
    }
  /** It is there and cannot be used yet: busy, silent, or something is in doubt. */
  | { kind: 'recovering'; reason: string; silences: number; asking: boolean }
  /** It needs a person first. */
  | {
      kind: 'attention';
      reason: string;
      requiredAction: RequiredAction;
      batchCloseAllowed: boolean;
      asking: boolean;
    }
  | { kind: 'stopping' };

/** What a poll of the terminal came to, after what it showed was noted and reconciled. */
export type PollResult =
  | { kind: 'ready' }
  /** Ready, but something is still in doubt that a further poll may decide, or what was seen could not be kept. */
  | { kind: 'not_finished'; reason: string }
  | { kind: 'attention'; reason: string; requiredAction: RequiredAction; batchCloseAllowed: boolean }
  | { kind: 'busy'; reason: string }
  | { kind: 'silent'; reason: string };

export type TerminalEvent =
  | { kind: 'start' }
  | { kind: 'stop' }
  | { kind: 'lock_held' }
  | { kind: 'lock_taken'; reason: string }
  | { kind: 'line_open' }
  | { kind: 'open_failed'; reason: string }
  | { kind: 'line_lost'; reason: string }
  | { kind: 'polled'; result: PollResult }
  /** An operation that is in the journal is to be given to the terminal. */
  | { kind: 'command'; operationId: string; operationKind: OperationKind }
  /** The answers that were to go out first are out. */
  | { kind: 'go_ahead' }
  /** The same, but so late that the terminal has to be looked at first. */
  | { kind: 'too_late' }
  /** The operation has ended, and that is in the journal as far as it could be written. */
  | { kind: 'answer'; inDoubt: boolean }
  | { kind: 'cancel' }
  /** The time of the last `wait` is over. */
  | { kind: 'tick' }
  /** Something has changed: poll now instead of later. */
  | { kind: 'wake' }
  | { kind: 'closed' };

export type TerminalEffect =
  | { kind: 'acquire_lock' }
  | { kind: 'release_lock' }
  | { kind: 'open_line' }
  /** Signs off first if `signOff` and nothing is under way; ends with `closed` when the bridge stops. */
  | { kind: 'close_line'; signOff: boolean }
  /** The whole poll, with registration; ends with `polled`. */
  | { kind: 'prepare' }
  /** Status and last record only; ends with `polled`. */
  | { kind: 'probe' }
  /** Lets the answers go out that this turn of the event loop brings; ends with `go_ahead` or `too_late` if the state stays. */
  | { kind: 'give_way' }
  | { kind: 'operate' }
  /** Ends the operation with `answer` instead of giving it to the terminal; ends with `answer`. */
  | { kind: 'withdraw'; answer: OperationAnswer }
  | { kind: 'cancel' }
  | { kind: 'wait'; how: Wait }
  | { kind: 'announce_lost'; reason: string };

/** Pauses, whose lengths are settings: before the next try, while a person is needed, between two polls when idle. */
export type Wait = 'retry' | 'attention' | 'heartbeat';

export interface Transition {
  state: TerminalState;
  effects: TerminalEffect[];
}

/** Silent polls in a row, on an open line, after which the connection is given up and opened anew. */
export const silencesBeforeReconnect = 3;

export function transition(state: TerminalState, event: TerminalEvent): Transition {
  const row = table[state.kind] as Row<TerminalState>;
  const place = row[event.kind] as
    ((state: TerminalState, event: TerminalEvent) => Transition | null) | undefined;
  const next = place?.(state, event) ?? null;
  if (next === null) throw new Error(`the terminal machine has no "${event.kind}" in "${state.kind}"`);
  return next;
}

type Of<U extends { kind: string }, K extends U['kind']> = Extract<U, { kind: K }>;
/** What each event does in one state; null: it has no place there just now. */
type Row<S> = {
  [E in TerminalEvent['kind']]?: (state: S, event: Of<TerminalEvent, E>) => Transition | null;
};

const stay = (state: TerminalState) => to(state);
const lineLost = (_state: TerminalState, event: Of<TerminalEvent, 'line_lost'>) => lost(event.reason);
const firstPoll = () => to({ kind: 'preparing' }, { kind: 'prepare' });
const pollFromRest = () => to({ kind: 'checking', after: 'rest' }, { kind: 'probe' });
const signOff = () => to({ kind: 'stopping' }, { kind: 'close_line', signOff: true });

/** A state in which the terminal is asked again and again: `asking` while a question is under way. */
type Asking = Of<TerminalState, 'recovering'> | Of<TerminalState, 'attention'>;

const askingRow: Row<Asking> = {
  polled: (state, { result }) =>
    state.asking ? afterPoll(result, state.kind === 'recovering' ? state.silences : 0) : null,
  tick: (state) => (state.asking ? null : to({ ...state, asking: true }, { kind: 'prepare' })),
  wake: (state) => (state.asking ? to(state) : to({ ...state, asking: true }, { kind: 'prepare' })),
  line_lost: lineLost,
  stop: signOff,
};

const table: { [K in TerminalState['kind']]: Row<Of<TerminalState, K>> } = {
  stopped: {
    start: () => to({ kind: 'connecting' }, { kind: 'acquire_lock' }),
    stop: stay,
    wake: stay,
  },

  connecting: {
    lock_held: (state) => to(state, { kind: 'open_line' }),
    lock_taken: (_state, { reason }) =>
      to({ kind: 'lost', reason, next: 'lock' }, { kind: 'wait', how: 'attention' }),
    line_open: firstPoll,
    open_failed: (_state, { reason }) => to({ kind: 'lost', reason, next: 'opening' }),
    wake: stay,
    stop: signOff,
  },

  lost: {
    line_open: (state) => (state.next === 'opening' ? firstPoll() : null),
    open_failed: (state, { reason }) => (state.next === 'opening' ? to({ ...state, reason }) : null),
    tick: (state) =>
      state.next === 'opening'
        ? null
        : to({ kind: 'connecting' }, { kind: state.next === 'lock' ? 'acquire_lock' : 'open_line' }),
    wake: stay,
    stop: signOff,
  },

  preparing: {
    polled: (_state, { result }) => afterPoll(result, 0),
    line_lost: lineLost,
    wake: stay,
    stop: signOff,
  },

  idle: {
    command: (_state, event) => claim(event),
    tick: pollFromRest,
    wake: pollFromRest,
    line_lost: lineLost,
    stop: signOff,
  },

  checking: {
    polled: (_state, { result }) => afterPoll(result, 0),
    line_lost: lineLost,
    wake: stay,
    stop: signOff,
  },

  // What comes before the first byte ends the operation here: the terminal never hears of it.
  claimed: {
    go_ahead: (state) => to(operating(state, null), { kind: 'operate' }),
    too_late: (state) =>
      to(operating(state, null), {
        kind: 'withdraw',
        answer: neverSent('The computer stood still or slept'),
      }),
    cancel: (state) => to(operating(state, null), { kind: 'withdraw', answer: cancelledInTime }),
    line_lost: (state, { reason }) =>
      to(operating(state, reason), {
        kind: 'withdraw',
        answer: neverSent('The line to the terminal is closed'),
      }),
    wake: stay,
    stop: () =>
      to(
        { kind: 'stopping' },
        { kind: 'withdraw', answer: neverSent('The bridge was stopped') },
        { kind: 'close_line', signOff: true },
      ),
  },

  operating: {
    answer(state, { inDoubt }) {
      if (state.lost !== null) return lost(state.lost);
      return inDoubt
        ? to({ kind: 'recovering', reason: clearingUp, silences: 0, asking: true }, { kind: 'prepare' })
        : to({ kind: 'checking', after: 'operation' }, { kind: 'probe' });
    },
    line_lost: (state, { reason }) => to({ ...state, lost: reason }),
    cancel: (state) => to(state, { kind: 'cancel' }),
    wake: stay,
    // Its caller has waited for it as long as it may; the closed line ends it.
    stop: () => to({ kind: 'stopping' }, { kind: 'close_line', signOff: false }),
  },

  recovering: askingRow,

  attention: {
    ...askingRow,
    command: ({ asking, batchCloseAllowed }, event) =>
      asking || !batchCloseAllowed || event.operationKind !== 'batch_close' ? null : claim(event),
  },

  stopping: {
    closed: () => to({ kind: 'stopped' }, { kind: 'release_lock' }),
    // The end of what was under way, which the closed line has ended.
    answer: stay,
    line_lost: stay,
    wake: stay,
    stop: stay,
  },
};

const clearingUp = 'What is in doubt is being cleared up with the terminal.';

function claim({ operationId, operationKind }: Of<TerminalEvent, 'command'>): Transition {
  return to({ kind: 'claimed', operationId, operationKind }, { kind: 'give_way' });
}

/** `lost`: why the line is gone; null while it is there. */
export function operating(
  { operationId, operationKind }: Of<TerminalState, 'claimed'>,
  lost: string | null,
): Of<TerminalState, 'operating'> {
  return { kind: 'operating', operationId, operationKind, lost };
}

const cancelledInTime: OperationAnswer = {
  kind: 'cancelled',
  by: 'cashier',
  reason: 'It was cancelled before anything was sent to the terminal.',
  record: null,
  receiptLines: [],
};

/** How an operation ends of which not a byte was sent, because of `what`. */
export function neverSent(what: string): OperationAnswer {
  return { kind: 'not_started', refusedByTerminal: false, reason: `${what}; nothing was sent.` };
}

/** What follows from what the terminal answered: whether it may be used, and when to poll again. */
function afterPoll(result: PollResult, silencesBefore: number): Transition {
  switch (result.kind) {
    case 'ready':
      return to({ kind: 'idle' }, { kind: 'wait', how: 'heartbeat' });
    case 'attention': {
      const { reason, requiredAction, batchCloseAllowed } = result;
      return to(
        { kind: 'attention', reason, requiredAction, batchCloseAllowed, asking: false },
        { kind: 'wait', how: 'attention' },
      );
    }
    case 'not_finished':
    case 'busy':
      return recover(result.reason, 0);
    case 'silent': {
      const silences = silencesBefore + 1;
      return silences < silencesBeforeReconnect ? recover(result.reason, silences) : lost(result.reason);
    }
  }
}

function recover(reason: string, silences: number): Transition {
  return to({ kind: 'recovering', reason, silences, asking: false }, { kind: 'wait', how: 'retry' });
}

function lost(reason: string): Transition {
  return to(
    { kind: 'lost', reason, next: 'open' },
    { kind: 'announce_lost', reason },
    { kind: 'close_line', signOff: false },
    { kind: 'wait', how: 'retry' },
  );
}

function to(state: TerminalState, ...effects: TerminalEffect[]): Transition {
  return { state, effects };
}
