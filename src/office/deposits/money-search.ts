/**
 * Finds a merchant's money on a thread of its own (search-thread.ts), so that this one goes on answering: with a thousand
 * shops the search takes many seconds. What it is made from goes over in pieces, and what was found comes back in pieces,
 * each when it is asked for. A search has a thread for itself, which takes its memory along when it ends.
 */
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import packageFacts from '../../../package.json' with { type: 'json' };
import type { Clock } from '../../base/clock.ts';
import { errorText } from '../../base/error-text.ts';
import type { FoundMoney, FoundPiece, LookHead, LookRows } from './find-money.ts';

export interface MoneySearch {
  /** A part of the rows that it is made from. */
  give(rows: Partial<LookRows>): void;
  /** All rows were given. Rejects with `SearchBrokenError`. */
  find(head: LookHead): Promise<Omit<FoundMoney, 'pieces'>>;
  /** The next piece of what was found; null: that was all. Rejects with `SearchBrokenError`. */
  next(): Promise<FoundPiece | null>;
  /** Nothing is wanted of it any more. */
  end(): Promise<void>;
}

/** `signal` ends it where it is. */
export type OpenMoneySearch = (signal: AbortSignal) => MoneySearch;

/** The thread has died, or took longer than it may. */
export class SearchBrokenError extends Error {
  override name = 'SearchBrokenError';
}

export type ToThread =
  { kind: 'rows'; rows: Partial<LookRows> } | { kind: 'find'; head: LookHead } | { kind: 'next' };
export type FromThread =
  | { kind: 'found'; found: Omit<FoundMoney, 'pieces'> }
  /** Null: there was no other piece. */
  | { kind: 'piece'; piece: FoundPiece | null };

export interface ThreadData {
  /** Of the program that has started it: a thread of a version that was installed meanwhile is none of its parts. */
  version: string;
}

/** A search that takes longer than this, in milliseconds, is given up. */
const longestMs = 30 * 60_000;

export function searchOnThread(
  clock: Pick<Clock, 'after'>,
  startThread: (data: ThreadData) => Worker = startBesideUs,
): OpenMoneySearch {
  return (signal) => {
    let thread: Worker | null = null;
    let broken: SearchBrokenError | null = null;
    let waiting: PromiseWithResolvers<FromThread> | null = null;
    let cancel = () => {};

    function breakOff(why: string): void {
      broken ??= new SearchBrokenError(why);
      waiting?.reject(broken);
      cancel();
      signal.removeEventListener('abort', onAbort);
      void thread?.terminate();
    }
    const onAbort = () => breakOff('The office is closing.');

    function start(): Worker {
      const started = startThread({ version: packageFacts.version });
      cancel = clock.after(longestMs, () => breakOff('It took longer than it may.'));
      signal.addEventListener('abort', onAbort);
      started.on('message', (answer: FromThread) => waiting?.resolve(answer));
      started.on('error', (error) => breakOff(`Its thread has died: ${errorText(error)}`));
      started.on('messageerror', (error) => breakOff(`Its thread was not understood: ${errorText(error)}`));
      started.on('exit', (code) => breakOff(`Its thread has ended with code ${code}.`));
      return started;
    }

    function post(message: ToThread): void {
      if (signal.aborted) onAbort();
      if (broken !== null) return;
      const port = (thread ??= start());
      port.postMessage(message);
    }

    async function ask(question: ToThread): Promise<FromThread> {
      post(question);
      if (broken !== null) throw broken;
      waiting = Promise.withResolvers<FromThread>();
      return await waiting.promise;
    }

    return {
      give: (rows) => post({ kind: 'rows', rows }),
      async find(head) {
        const answer = await ask({ kind: 'find', head });
        if (answer.kind !== 'found')
          throw new Error('The thread answered something else than what it was asked.');
        return answer.found;
      },
      async next() {
        const answer = await ask({ kind: 'next' });
        if (answer.kind !== 'piece')
          throw new Error('The thread answered something else than what it was asked.');
        return answer.piece;
      },
      async end() {
        cancel();
        signal.removeEventListener('abort', onAbort);
        thread?.removeAllListeners('exit');
        await thread?.terminate();
      },
    };
  };
}

/** Of the built program it is a file in `dist/tillbridge/`, beside the part that this file is in (vite.config.ts). */
function startBesideUs(workerData: ThreadData): Worker {
  const file = import.meta.filename.endsWith('.ts') ? 'search-thread.ts' : 'deposit-search.js';
  return new Worker(path.join(import.meta.dirname, file), { name: 'deposits', workerData });
}
