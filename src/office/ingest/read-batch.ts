/** A batch of events as a bridge sends it, read and checked for itself: its form, its order, its hashes. */
import { batchHeadSchema, type BatchHead } from '../../contract/office.ts';
import { chainHash } from '../../bridge/journal/index.ts';
import { changedEvent, missingEvent, unreadableEvent } from '../finding-messages.ts';

/** An event as it is kept: `body` is its canonical JSON, which the hash is made of. */
export interface SentEvent {
  seq: number;
  at: string;
  body: string;
  hash: string;
  event: Record<string, unknown>;
}

export type ReadBatch =
  | { kind: 'read'; head: BatchHead; events: SentEvent[]; broken: { seq: number; message: string } | null }
  | { kind: 'not_readable'; message: string };

/**
 * `text` is JSON lines: the head of the batch, then its events. With `broken`, `events` are those before the first one that
 * does not follow on its predecessor.
 */
export function readBatch(text: string): ReadBatch {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const head = batchHeadSchema.safeParse(parsed(lines[0]));
  if (!head.success) return { kind: 'not_readable', message: 'The first line is no head of a batch.' };
  const events: SentEvent[] = [];
  let { seq, hash } = head.data.after;
  for (const line of lines.slice(1)) {
    const sent = readLine(line);
    // A line that the bridge itself could not read comes without its event.
    if (sent === null) return broken(seq + 1, unreadableEvent(seq + 1));
    if (sent.seq !== seq + 1) return broken(seq + 1, missingEvent(seq + 1, sent.seq));
    if (chainHash(hash, sent.seq, sent.at, sent.body) !== sent.hash)
      return broken(sent.seq, changedEvent(sent.seq));
    ({ seq, hash } = sent);
    events.push(sent);
  }
  return { kind: 'read', head: head.data, events, broken: null };

  function broken(at: number, message: string): ReadBatch {
    return { kind: 'read', head: head.data as BatchHead, events, broken: { seq: at, message } };
  }
}

/** Up to the event's own text, which is the rest of the line: the hash proves that it is the very text of the journal. */
const linePattern =
  /^\{"seq":(\d{1,15}),"at":"([\x20\x21\x23-\x5b\x5d-\x7e]{1,64})","hash":"([0-9a-f]{64})","event":(?=\{)/;

function readLine(line: string): SentEvent | null {
  const [start, seq, at, hash] = linePattern.exec(line) ?? [];
  if (start === undefined || seq === undefined || at === undefined || hash === undefined) return null;
  if (!line.endsWith('}}')) return null;
  const body = line.slice(start.length, -1);
  const event = parsed(body);
  return event === undefined
    ? null
    : { seq: Number(seq), at, hash, body, event: event as SentEvent['event'] };
}

function parsed(line: string | undefined): unknown {
  try {
    return JSON.parse(line ?? '');
  } catch {
    return undefined;
  }
}
