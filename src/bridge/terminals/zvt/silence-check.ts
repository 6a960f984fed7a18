/**
 * A terminal that works on an operation may be silent for as long as T4 allows: a minute or three. One that lost its
 * power meanwhile is silent, too, and on a serial line nothing shows it. So after a shorter silence it is asked for its
 * state (05 01, no amount, one copy). A terminal at work answers 84 83 or nothing (ZVT PA00P016, chapter 4: the ECR is
 * not master), and the wait goes on. One that takes the enquiry and completes it is idle: what it was to do is over,
 * and its last record has to tell how.
 *
 * After a refusal the wait is short: such a terminal has nothing more to do than to say that it has ended.
 */
/** The silence after a refusal, in milliseconds. */
const refusalSilenceMs = 3_000;

type State =
  | { kind: 'quiet'; dueAt: number }
  | { kind: 'enquired'; answerBy: number }
  /** 80 00 came: a completion now is of the enquiry, not of the operation. */
  | { kind: 'taken' };

export interface SilenceCheck {
  /** A message of the terminal came: it is at work. `refused`: its result so far is a refusal. */
  noteMessage(now: number, refused?: boolean): void;
  isDue(now: number): boolean;
  /** The enquiry went out; its answer has to come until `answerBy`. All times in elapsed milliseconds. */
  sent(answerBy: number): void;
  answered(positive: boolean, now: number): void;
  /** Moves on when the answer did not come in time. */
  expire(now: number): void;
  /** An answer that comes now is to this enquiry. */
  readonly answerPending: boolean;
  readonly taken: boolean;
  readonly nextAt: number;
  /** An enquiry has not got its answer: it may still come, and must not be taken for the answer to something else. */
  readonly answersOutstanding: boolean;
}

/** `intervalMs`: the silence after which it is due, and due again; 0 means never. */
export function createSilenceCheck(intervalMs: number, now: number): SilenceCheck {
  const pause = intervalMs === 0 ? Number.POSITIVE_INFINITY : intervalMs;
  let state: State = { kind: 'quiet', dueAt: now + pause };
  let sent = 0;
  let answers = 0;
  return {
    noteMessage(at, refused = false) {
      if (state.kind === 'enquired') return;
      const shorter = refused && intervalMs > 0 ? Math.min(refusalSilenceMs, pause) : pause;
      state = { kind: 'quiet', dueAt: at + shorter };
    },
    isDue: (at) => state.kind === 'quiet' && state.dueAt <= at,
    sent(answerBy) {
      sent += 1;
      state = { kind: 'enquired', answerBy };
    },
    answered(positive, at) {
      answers += 1;
      state = positive ? { kind: 'taken' } : { kind: 'quiet', dueAt: at + pause };
    },
    expire(at) {
      if (state.kind === 'enquired' && state.answerBy <= at) state = { kind: 'quiet', dueAt: at + pause };
    },
    get answerPending() {
      return state.kind === 'enquired';
    },
    get taken() {
      return state.kind === 'taken';
    },
    get nextAt() {
      if (state.kind === 'quiet') return state.dueAt;
      return state.kind === 'enquired' ? state.answerBy : Number.POSITIVE_INFINITY;
    },
    get answersOutstanding() {
      return sent > answers;
    },
  };
}
