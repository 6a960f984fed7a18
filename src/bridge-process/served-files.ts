/** Files for the main process, a piece for each question: it asks for the next when it has written the one before. */
import { maxPieceBytes } from '../contract/bridge-channel.ts';
import type { ConsoleService, FileRequest } from '../contract/console/index.ts';

export interface ServedFiles {
  make(request: FileRequest): Promise<{ file: number; name: string; mediaType: string }>;
  /** Null: that was all. Rejects with what kept it from being made. */
  piece(file: number): Promise<Uint8Array | null>;
  drop(file: number): Promise<void>;
}

/** The window saves one at a time; an older one was forgotten. */
const maxOpen = 4;

interface OpenFile {
  pieces: AsyncIterator<Uint8Array>;
  /** Of a piece that was longer than a message. */
  rest: Uint8Array;
}

export function createServedFiles(console: Pick<ConsoleService, 'makeFile'>): ServedFiles {
  const open = new Map<number, OpenFile>();
  let lastFile = 0;

  async function drop(file: number): Promise<void> {
    const dropped = open.get(file);
    open.delete(file);
    await dropped?.pieces.return?.();
  }

  return {
    async make(request) {
      const { name, mediaType, content } = await console.makeFile(request);
      const file = (lastFile += 1);
      open.set(file, { pieces: content[Symbol.asyncIterator](), rest: new Uint8Array() });
      const [oldest] = open.keys();
      if (open.size > maxOpen && oldest !== undefined) await drop(oldest);
      return { file, name, mediaType };
    },
    async piece(file) {
      const asked = open.get(file);
      if (asked === undefined) throw new Error('There is no such file any more.');
      try {
        while (asked.rest.length === 0) {
          const next = await asked.pieces.next();
          if (next.done === true) {
            open.delete(file);
            return null;
          }
          asked.rest = next.value;
        }
      } catch (error) {
        open.delete(file);
        throw error;
      }
      const piece = asked.rest.slice(0, maxPieceBytes);
      asked.rest = asked.rest.subarray(maxPieceBytes);
      return piece;
    },
    drop,
  };
}
