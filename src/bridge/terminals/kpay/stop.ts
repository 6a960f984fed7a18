/** The wish to have the running sale stopped: told to the terminal as soon as that may know the sale, and until it has answered. */
import type { KpayOutcome } from './client.ts';
import { codeMeaning, codeText } from './wire/index.ts';

export interface Stop {
  /** Somebody has asked for it. */
  readonly isAsked: boolean;
  ask(): void;
  /** The terminal may have the sale by now. Tells it where that was asked for and has had no answer yet. */
  tell(): void;
  /** Aborts once the terminal has answered after this call: then it is worth asking how the sale ended. */
  answered(): AbortSignal;
}

/** `close` sends the command; `atTerminal` hears that only somebody at the terminal can stop it, in words. */
export function createStop(close: () => Promise<KpayOutcome>, atTerminal: (text: string) => void): Stop {
  let state: 'not_asked' | 'asked' | 'telling' | 'told' = 'not_asked';
  let canTell = false;
  let waiting = new AbortController();

  async function tellNow(): Promise<void> {
    state = 'telling';
    const outcome = await close();
    // Closing the same sale again changes nothing, so an answer that was lost is asked for anew.
    state = outcome.kind === 'answered' && isHeard(outcome.answer.code) ? 'told' : 'asked';
    waiting.abort();
  }

  function isHeard(code: number): boolean {
    const meaning = codeMeaning(code);
    if (meaning === 'close_at_terminal') atTerminal(codeText(code));
    return ['accepted', 'already_completed', 'close_at_terminal'].includes(meaning);
  }

  return {
    get isAsked() {
      return state !== 'not_asked';
    },
    ask() {
      if (state === 'not_asked') state = 'asked';
      if (canTell && state === 'asked') void tellNow();
    },
    tell() {
      canTell = true;
      if (state === 'asked') void tellNow();
    },
    answered() {
      waiting = new AbortController();
      return waiting.signal;
    },
  };
}
