/** A bounded place to gather bytes that come one by one. */
export interface Collector {
  readonly length: number;
  /** False, and nothing kept, when it is full. */
  add(byte: number): boolean;
  /** A copy of all bytes; the collector is empty afterwards. */
  take(): Uint8Array;
  /** The bytes so far, only until the next call. */
  view(): Uint8Array;
  clear(): void;
}

const firstSize = 256;

/** Grows by doubling, never beyond `limit` bytes; a large buffer is given back once it is empty again. */
export function createCollector(limit: number): Collector {
  let buffer = new Uint8Array(Math.min(firstSize, limit));
  let length = 0;
  const clear = () => {
    length = 0;
    if (buffer.length > firstSize) buffer = new Uint8Array(Math.min(firstSize, limit));
  };
  return {
    get length() {
      return length;
    },
    add(byte) {
      if (length >= limit) return false;
      if (length === buffer.length) {
        const larger = new Uint8Array(Math.min(limit, buffer.length * 2));
        larger.set(buffer);
        buffer = larger;
      }
      buffer[length] = byte;
      length += 1;
      return true;
    },
    take() {
      const bytes = buffer.slice(0, length);
      clear();
      return bytes;
    },
    view: () => buffer.subarray(0, length),
    clear,
  };
}
