/** Carries the console over HTTP: the page that the headless bridge serves on its own loopback port. */
import type { ConsoleCarrier, FileRequest, SavedFile } from '../../contract/console/index.ts';

/** How long until another event stream is tried after the server has refused one for good. */
const refusedStreamPauseMs = 3_000;
/** How long a file's address stays good after the browser was told to save it. */
const fileAddressMs = 60_000;

/** The session's cookie goes along by itself, because the page and `/api/` are of one origin. */
export function createHttpCarrier(): ConsoleCarrier {
  return {
    async ask(name, request) {
      const response = await post(name, request);
      return (await response.json()) as unknown;
    },
    subscribe: subscribeToChanges,
    async save(request) {
      try {
        return await download(request);
      } catch (error) {
        return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}

function post(path: string, request: unknown): Promise<Response> {
  return fetch(`/api/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(request),
  });
}

/**
 * An EventSource comes back by itself after a lost connection, but never after an answer that is no event stream (too
 * many streams, another session): then a new one is made.
 */
function subscribeToChanges(
  listener: (change: unknown) => void,
  onConnection: (connected: boolean) => void,
): () => void {
  let stream: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;

  const open = () => {
    timer = null;
    const opened = new EventSource('/api/changes');
    stream = opened;
    opened.addEventListener('open', () => onConnection(true));
    opened.addEventListener('message', (event: MessageEvent<string>) => listener(JSON.parse(event.data)));
    opened.addEventListener('error', () => {
      onConnection(false);
      if (opened.readyState === EventSource.CLOSED && stream === opened) {
        timer = setTimeout(open, refusedStreamPauseMs);
      }
    });
  };
  open();

  return () => {
    stream?.close();
    stream = null;
    if (timer !== null) clearTimeout(timer);
  };
}

async function download(request: FileRequest): Promise<SavedFile> {
  const response = await post('files', request);
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
    const reply = (await response.json()) as { refusal?: { message?: unknown } } | null;
    const message = reply?.refusal?.message;
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
