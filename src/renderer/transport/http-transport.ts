/** Carries the console over HTTP: the page that the headless bridge serves on its own loopback port. */
import type {
  ConsoleTransport,
  ConsoleResult,
  FileRequest,
  ConsoleRefusal,
  MethodName,
  RequestOf,
  ResponseOf,
  SavedFile,
} from '../../contract/console/index.ts';
import { createEntry, type Entry } from './entry.ts';
import { createPoll, type Poll, type PollEnd } from './poll-changes.ts';
import { takeStreamPlace } from './stream-places.ts';
import { errorText } from '../../base/error-text.ts';

/** How long until another stream is tried after one has ended, and after the server has refused one. */
const lostStreamPauseMs = 1_000;
const refusedStreamPauseMs = 3_000;
/** How long a file's address stays good after the browser was told to save it. */
const fileAddressMs = 60_000;

export function createHttpTransport(): ConsoleTransport {
  const entry = createEntry();
  return {
    async invoke(name, request) {
      const sent = await post(entry, name, request);
      return sent.ok ? ((await sent.response.json()) as unknown) : sent;
    },
    subscribe: (listener, onConnection) => subscribeToChanges(entry, listener, onConnection),
    async save(request) {
      try {
        return await download(entry, request);
      } catch (error) {
        return { kind: 'failed', message: errorText(error) };
      }
    },
  };
}

type Sent = { ok: true; response: Response } | { ok: false; refusal: ConsoleRefusal };

async function post(entry: Entry, path: string, request: unknown): Promise<Sent> {
  const pass = await entry.pass();
  if (!pass.ok) return pass;
  const response = await fetch(`/api/${path}`, {
    method: 'POST',
    credentials: 'omit',
    headers: { Authorization: `Bearer ${pass.secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(request),
  });
  return { ok: true, response };
}

/** Comes back by itself after a lost connection, but not where this page has no access: only another link helps there. */
function subscribeToChanges(
  entry: Entry,
  onChange: (change: unknown) => void,
  onConnection: (connected: boolean, late?: boolean) => void,
): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  /** While there is no stream to be had: changes are asked for. */
  let poll: Poll | null = null;

  const readOnce = async (): Promise<StreamEnd> => {
    const pass = await entry.pass().catch(() => null);
    if (pass === null) return 'lost';
    if (!pass.ok) return 'shut_out';
    const release = await takeStreamPlace(navigator.locks);
    if (release === null) return 'refused';
    const onOpen = () => {
      const lastPoll = poll;
      poll = null;
      onConnection(true, false);
      // What came between the last look and the stream.
      void lastPoll?.(onChange).catch(() => {});
    };
    return await readChanges({ secret: pass.secret, signal, onOpen, onChange }).finally(release);
  };
  const pollOnce = async (): Promise<PollEnd> => {
    const known = poll;
    poll ??= createPoll((name, request) => ask(entry, name, request));
    const end = await poll(onChange).catch(() => 'lost' as const);
    if (end !== 'answered') poll = null;
    else if (known === null && !signal.aborted) onConnection(true, true);
    return end;
  };
  const read = async (): Promise<void> => {
    const streamEnd = await readOnce();
    if (signal.aborted) return;
    const end = streamEnd === 'refused' ? await pollOnce() : streamEnd;
    if (signal.aborted) return;
    if (end !== 'answered') onConnection(false);
    if (end === 'shut_out') return;
    setTimeout(() => void read(), streamEnd === 'lost' ? lostStreamPauseMs : refusedStreamPauseMs);
  };
  void read();
  return () => stop.abort();
}

async function ask<N extends MethodName>(
  entry: Entry,
  name: N,
  request: RequestOf<N>,
): Promise<ConsoleResult<ResponseOf<N>>> {
  const sent = await post(entry, name, request);
  // Checked where changes are: what is passed on is one.
  return sent.ok ? ((await sent.response.json()) as ConsoleResult<ResponseOf<N>>) : sent;
}

async function download(entry: Entry, request: FileRequest): Promise<SavedFile> {
  const sent = await post(entry, 'files', request);
  if (!sent.ok) return { kind: 'failed', message: sent.refusal.message };
  const { response } = sent;
  if (!response.ok) return { kind: 'failed', message: await refusalText(response) };
  const name = fileName(response.headers.get('Content-Disposition') ?? '');
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Not at once: the browser reads from it after this turn.
  setTimeout(() => URL.revokeObjectURL(address), fileAddressMs);
  return { kind: 'saved', name };
}

async function refusalText(response: Response): Promise<string> {
  const fallback = `The bridge answered ${response.status}.`;
  try {
    const body = (await response.json()) as { refusal?: { message?: unknown } } | null;
    const message = body?.refusal?.message;
    return typeof message === 'string' ? message : fallback;
  } catch {
    return fallback;
  }
}

/** The name in `Content-Disposition` (RFC 6266); the extended form has the letters beyond ASCII. */
function fileName(disposition: string): string {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (extended !== undefined) return decodeURIComponent(extended);
  const plain = /filename="((?:[^"\\]|\\.)*)"|filename=([^;\s]+)/i.exec(disposition);
  return plain?.[1]?.replaceAll(/\\(.)/g, '$1') ?? plain?.[2] ?? 'tillbridge';
}

/** Reads server-sent events with `fetch`, because an EventSource cannot show a secret. */

type StreamEnd =
  /** It was open, or nobody answered: the bridge or the connection is gone. */
  | 'lost'
  /** Not now: too many streams are open. */
  | 'refused'
  /** This page may not read. */
  | 'shut_out';

/** Calls with the data of each event, parsed; never rejects. */
async function readChanges(options: {
  secret: string;
  signal: AbortSignal;
  onOpen: () => void;
  onChange: (change: unknown) => void;
}): Promise<StreamEnd> {
  const { secret, signal, onOpen, onChange } = options;
  try {
    const response = await fetch('/api/changes', {
      credentials: 'omit',
      headers: { Accept: 'text/event-stream', Authorization: `Bearer ${secret}` },
      signal,
    });
    if (response.status === 401) return 'shut_out';
    if (!response.ok || response.body === null) return 'refused';
    onOpen();
    let text = '';
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      const events = (text + piece).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const data = dataOf(event);
        if (data !== null) onChange(JSON.parse(data));
      }
    }
  } catch {
    // Nobody there, or cut off.
  }
  return 'lost';
}

/** Our server writes one line of data in each event; a line that begins with a colon only keeps the stream alive. */
function dataOf(event: string): string | null {
  const mark = 'data: ';
  return event.startsWith(mark) ? event.slice(mark.length) : null;
}
