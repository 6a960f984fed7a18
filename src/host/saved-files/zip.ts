/** A zip file in pieces, from texts in pieces: never more in memory than a piece or two. */
import { setImmediate } from 'node:timers/promises';
import { strToU8, Zip, ZipDeflate } from 'fflate';

export interface ZipEntry {
  /** With `/` between folders. */
  name: string;
  content: AsyncIterable<string> | Iterable<string>;
}

/** Rejects when one of the entries does. */
export async function* zipOf(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = [];
  let failure: Error | null = null;
  const zip = new Zip((error, piece) => {
    if (error === null) ready.push(piece);
    else failure = error;
  });
  const take = () => {
    // oxlint-disable-next-line typescript/only-throw-error -- set by the callback above; narrowing cannot see that
    if (failure !== null) throw failure;
    const pieces = ready;
    ready = [];
    return pieces;
  };
  for await (const { name, content } of entries) {
    const file = new ZipDeflate(name);
    zip.add(file);
    for await (const text of content) {
      file.push(strToU8(text));
      yield* take();
      // Compressing holds up everything else for as long as a piece takes: a payment may be running.
      await setImmediate();
    }
    file.push(new Uint8Array(), true);
    yield* take();
  }
  zip.end();
  yield* take();
}
