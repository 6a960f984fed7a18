/** Reads server-sent events with `fetch`, because an EventSource cannot show a secret. */

export type StreamEnd =
  /** It was open, or nobody answered: the bridge or the connection is gone. */
  | 'lost'
  /** Not now: too many streams are open. */
  | 'refused'
  /** This page may not read. */
  | 'shut_out';

/** Calls with the data of each event, parsed; never rejects. */
export async function readChanges(options: {
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
