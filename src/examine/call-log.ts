/** What a POS sent and what it was answered, as far as the examination judges and reports it. */
import type { Clock } from '../base/clock.ts';
import { printableLine } from '../base/printable-text.ts';
import type { CallObserver, ListenerResponse } from '../bridge/listener/index.ts';
import { maskCardNumbers } from '../log/index.ts';

/** One request of the POS. Times are elapsed milliseconds of the examination's clock. */
export interface Call {
  atMs: number;
  /** Null: it still waits for its answer. */
  endedMs: number | null;
  method: string;
  /** Such as `/CreatePayment`. */
  path: string;
  /** The header `Prefer`, or null. */
  prefer: string | null;
  /** It asks for events that it has missed. */
  replays: boolean;
  /** The fields that its command knows, as far as they have been read; null: none. */
  asked: Record<string, unknown> | null;
  /** Null: none was made. One that was lost is here, too. */
  answer: { status: number; body: Record<string, unknown> } | null;
  end: 'open' | 'answered' | 'lost' | 'hung_up';
}

/** A request that has come, while it goes on. */
interface LiveCall {
  read(): Call;
  /** Ends its connection, so that no answer arrives. */
  cut(): void;
}

export interface CallLog {
  observer: CallObserver;
  /** All that have come since the last `clear`, in their order. */
  calls(): Call[];
  readonly count: number;
  /** Forgets what has its answer. */
  clear(): void;
  /** Those that wait for an answer. */
  open(): LiveCall[];
}

/** How much of a caller's own words is kept, in characters. */
const maxWordLength = 200;

/** `loses` is asked when an answer is about to go out: true, and it gets lost. */
export function createCallLog(clock: Clock, loses: (call: Call) => boolean): CallLog {
  let all: LiveCall[] = [];
  const ofResponse = new WeakMap<ListenerResponse, LiveCall>();
  return {
    observer: {
      came(response) {
        const call = follow(response, clock);
        all.push(call);
        ofResponse.set(response, call);
      },
      answering(response) {
        const call = ofResponse.get(response);
        if (call !== undefined && loses(call.read())) call.cut();
      },
    },
    calls: () => all.map((call) => call.read()),
    get count() {
      return all.length;
    },
    clear() {
      all = all.filter((call) => call.read().end === 'open');
    },
    open: () => all.filter((call) => call.read().end === 'open'),
  };
}

function follow(response: ListenerResponse, clock: Clock): LiveCall {
  const { req: request, locals } = response;
  const atMs = clock.elapsed();
  let end: Call['end'] = 'open';
  let endedMs: number | null = null;
  const ended = (how: Call['end']) => {
    if (end !== 'open') return;
    end = how;
    endedMs = clock.elapsed();
  };
  response.on('finish', () => ended('answered'));
  response.on('close', () => ended('hung_up'));
  const { requestContext } = locals;
  const own = (text: string) => printableLine(maskCardNumbers(text), maxWordLength);
  let kept: Call | null = null;
  const look = (): Call => ({
    atMs,
    endedMs,
    method: own(request.method ?? ''),
    path: own((request.url ?? '').split('?', 1)[0] ?? ''),
    prefer: typeof request.headers['prefer'] === 'string' ? own(request.headers['prefer']) : null,
    replays: request.headers['last-event-id'] !== undefined,
    asked: askedOf(requestContext),
    answer: answerOf(response),
    end,
  });
  return {
    read() {
      if (kept !== null) return kept;
      const call = look();
      // What it asked is known by the time it has its answer, and nothing changes afterwards.
      if (end === 'answered') kept = call;
      return call;
    },
    cut() {
      ended('lost');
      request.socket.destroy();
    },
  };
}

/** Of a command that is still at work no more than its reference is known. */
function askedOf({ asked, money }: ListenerResponse['locals']['requestContext']): Call['asked'] {
  if (asked !== undefined) return asObject(asked());
  return money?.reference.kind === 'read' ? { retrieval_reference_number: money.reference.reference } : null;
}

function answerOf({ statusCode, locals }: ListenerResponse): Call['answer'] {
  const body = asObject(locals.requestContext.answered);
  return body === null ? null : { status: statusCode, body };
}

/** Of JSON that the listener wrote. Each text is masked for itself: digits of neighbours make no card number. */
function asObject(text: string | undefined): Record<string, unknown> | null {
  if (text === undefined) return null;
  return JSON.parse(text, (_name, value: unknown) =>
    typeof value === 'string' ? maskCardNumbers(value) : value,
  ) as Record<string, unknown>;
}
