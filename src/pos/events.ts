/** What happens at the bridge, read from `GET /events`, over as many connections as it takes. */
import { pause } from '../base/clock.ts';
import { orAborted, startDeadline } from '../base/abort.ts';
import { parseJson } from '../base/parse-json.ts';
import type { ErrorCode, OpenEnum, TransactionStatus } from './answers.ts';
import type { Asking } from './asking.ts';
import { createEventLines } from './event-lines.ts';
import { checkHeader, checkSignal } from './input.ts';
import { readAnswer } from './read-answer.ts';

export interface EventsOptions {
  /** The `id` of the last event that the till has worked on: what came after it is told first. */
  after?: string | undefined;
  signal?: AbortSignal | undefined;
}

interface Told {
  /** Its place, for `after`; null where it has none, as a change of what the terminal shows. */
  id: string | null;
}

/** Fields are as docs/http-api.md has them. An event of a later version has another `name`: pass over what you do not know. */
export type PosEvent =
  | (Told & { name: 'payment'; data: PaymentEvent })
  | (Told & { name: 'batch'; data: { operation_id: string; batch_status: string } & More })
  | (Told & { name: 'discrepancy'; data: { id: string; discrepancy_status: string } & More })
  | (Told & { name: 'terminal'; data: TerminalEvent })
  /** `changed`: it was put back, repaired or replaced. Ask for each payment that you wait for: events may be missing. */
  | (Told & { name: 'journal'; data: { journal_status: string; text: string } & More });

type More = Record<string, unknown>;

/** A payment reached a status. */
export interface PaymentEvent {
  retrieval_reference_number: string;
  condition_code: string;
  transaction_id: string;
  transaction_status: TransactionStatus;
  /** As it was asked for. */
  amount: string;
  currency: string;
  simulated: boolean;
  at: string;
  terminal?: string | undefined;
}

/** What the terminal is at. */
export interface TerminalEvent {
  connection: string;
  text: string;
  /** What it shows ("Insert card"), or null. */
  progress: string | null;
  line: string;
  protocol: string | null;
  terminal_id: string | null;
  simulated: boolean;
  terminal?: string | undefined;
}

/** The bridge lets nobody listen: a wrong token, a name of no terminal, an origin that is not allowed. */
export class PosRefusedError extends Error {
  override readonly name = 'PosRefusedError';
  readonly code: OpenEnum<ErrorCode>;

  constructor(code: OpenEnum<ErrorCode>, message: string) {
    super(message);
    this.code = code;
  }
}

/** As long as the bridge asks an EventSource to wait. */
const retryMs = 2_000;
/** The bridge says something at least every 15 s. */
const silenceMs = 45_000;

export function followEvents(asking: Asking, options: EventsOptions): AsyncIterable<PosEvent> {
  checkHeader('after', options.after);
  checkSignal(options.signal);
  return follow(asking, options);
}

async function* follow(asking: Asking, { after, signal }: EventsOptions): AsyncGenerator<PosEvent, void> {
  let place = after ?? null;
  const isOver = () => signal?.aborted === true;
  while (!isOver()) {
    try {
      for await (const event of oneConnection(asking, place, signal)) {
        place = event.id ?? place;
        yield event;
      }
    } catch (error) {
      // Anything else is the connection's.
      if (error instanceof PosRefusedError) throw error;
    }
    if (!isOver()) await pause(asking.clock, Math.round(retryMs * (1 + asking.random() / 2)), signal);
  }
}

async function* oneConnection(
  asking: Asking,
  place: string | null,
  signal: AbortSignal | undefined,
): AsyncGenerator<PosEvent, void> {
  const { address, headers, fetch: send, clock } = asking;
  const end = new AbortController();
  let silence = startDeadline(clock, silenceMs);
  const stop = () => end.abort();
  let leave = () => {};
  silence.signal.addEventListener('abort', stop);
  signal?.addEventListener('abort', stop);
  try {
    const asked = send(`${address}/events`, {
      headers: { ...headers, ...(place === null ? {} : { 'last-event-id': place }) },
      redirect: 'manual',
      signal: end.signal,
    });
    // A fetch of somebody else's may not heed its signal.
    const response = await orAborted(asked, end.signal);
    if (response === null) return;
    const pieces = await streamOf(response);
    leave = () => void pieces.cancel().catch(() => {});
    const decoder = new TextDecoder();
    const eventsIn = createEventLines();
    // Not each browser can loop over a stream.
    for (;;) {
      const piece = await orAborted(pieces.read(), end.signal);
      if (piece === null || piece.done) return;
      silence.cancel();
      silence = startDeadline(clock, silenceMs);
      silence.signal.addEventListener('abort', stop);
      for (const { name, id, data } of eventsIn(decoder.decode(piece.value, { stream: true }))) {
        const parsed = parseJson(data);
        if (parsed.ok) yield { name, id, data: parsed.value } as PosEvent;
      }
    }
  } finally {
    silence.cancel();
    signal?.removeEventListener('abort', stop);
    end.abort();
    leave();
  }
}

/** Throws PosRefusedError for a refusal that does not pass by itself, and Error for another one. */
async function streamOf(response: Response): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  if (response.status === 200 && response.body !== null) return response.body.getReader();
  const { status, headers } = response;
  const answer = readAnswer({ kind: 'response', status, headers, body: await response.text() }, null);
  const isLasting = status >= 400 && status < 500;
  if (answer.kind === 'failure' && isLasting) throw new PosRefusedError(answer.code, answer.message);
  throw new Error(answer.message);
}
