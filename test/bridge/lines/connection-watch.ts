/** Collects what a connection tells, and waits for it: no sleeping. */
import type { LineConnection } from '../../../src/bridge/lines/line.ts';

export interface Watched {
  /** Everything that came, as latin1 text. */
  text(): string;
  /** The pieces as they came. */
  pieces: string[];
  closeReasons: string[];
  /** Resolves when `text()` contains `part`. */
  until(part: string): Promise<void>;
  closed: Promise<string>;
}

export function watch(connection: LineConnection): Watched {
  const pieces: string[] = [];
  const closeReasons: string[] = [];
  const waiting = new Set<() => void>();
  connection.onData((bytes) => {
    pieces.push(Buffer.from(bytes).toString('latin1'));
    for (const look of waiting) look();
  });
  const closed = new Promise<string>((resolve) => {
    connection.onClose((reason) => {
      closeReasons.push(reason);
      resolve(reason);
    });
  });
  const text = () => pieces.join('');
  return {
    text,
    pieces,
    closeReasons,
    until: (part) =>
      new Promise((resolve) => {
        const look = () => {
          if (!text().includes(part)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    closed,
  };
}

export const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** Lets everything that waits for the next turns of the event loop run. */
export async function turns(count = 3): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
}

/** A signal that never aborts. */
export const never = (): AbortSignal => new AbortController().signal;
