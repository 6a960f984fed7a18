/**
 * A cashier's request to stop the current payment: kept until the terminal has taken the command, then sent as 06 B0 and,
 * where it collided with a message of the terminal and got no answer, politely sent again a few times.
 */

/** How often 06 B0 is sent for one request, and in all for one payment. */
const maxAttemptsPerRequest = 3;
const maxAttempts = 9;
/** Pause before 06 B0 is sent again after "please wait" (84 9C), in milliseconds. */
const politePauseMs = 2_000;

type State =
  | { kind: 'none' }
  /** To be sent from `at` on, in elapsed milliseconds. */
  | { kind: 'due'; at: number; attempts: number }
  | { kind: 'sent'; answerBy: number; attempts: number }
  /** The terminal said 80 00; the payment still ends by itself. */
  | { kind: 'taken' }
  /** Too late, or no answer to all attempts. */
  | { kind: 'over' };

export interface AbortRequest {
  /** The cashier asks for it; also again after it came too late. */
  request(): void;
  /** 06 B0 should go out now. */
  isDue(now: number): boolean;
  /** It went out; its answer has to come until `answerBy`. */
  sent(answerBy: number): void;
  /** An answer came, whether or not one was still waited for. */
  answered(answer: 'positive' | 'wait' | 'refused', now: number): void;
  /** Moves on when the answer did not come in time. */
  expire(now: number): void;
  /** When there is something to do next, in elapsed milliseconds; null when nothing is waited for. */
  readonly nextAt: number | null;
  /** Not every 06 B0 has got its answer: one may still come, and must not be taken for the answer to something else. */
  readonly answersOutstanding: boolean;
  /** A 06 B0 went out that was not refused: that the terminal stopped is our doing. */
  readonly mayHaveActed: boolean;
}

export function createAbortRequest(onRequested: () => void): AbortRequest {
  let state: State = { kind: 'none' };
  let attemptsInAll = 0;
  let answersInAll = 0;
  let refusals = 0;

  function again(at: number, attempts: number) {
    const left = attempts < maxAttemptsPerRequest && attemptsInAll < maxAttempts;
    state = left ? { kind: 'due', at, attempts } : { kind: 'over' };
  }

  return {
    request() {
      if (state.kind !== 'none' && state.kind !== 'over') return;
      again(0, 0);
      onRequested();
    },
    isDue: (now) => state.kind === 'due' && state.at <= now,
    sent(answerBy) {
      if (state.kind !== 'due') return;
      attemptsInAll += 1;
      state = { kind: 'sent', answerBy, attempts: state.attempts + 1 };
    },
    answered(answer, now) {
      answersInAll += 1;
      if (answer !== 'positive') refusals += 1;
      if (state.kind !== 'sent') return;
      if (answer === 'positive') state = { kind: 'taken' };
      else if (answer === 'refused') state = { kind: 'over' };
      else again(now + politePauseMs, state.attempts);
    },
    expire(now) {
      if (state.kind === 'sent' && state.answerBy <= now) again(now, state.attempts);
    },
    get nextAt() {
      if (state.kind === 'due') return state.at;
      return state.kind === 'sent' ? state.answerBy : null;
    },
    get answersOutstanding() {
      return attemptsInAll > answersInAll;
    },
    get mayHaveActed() {
      return attemptsInAll > refusals;
    },
  };
}
