/**
 * ZVT over TCP (PA00P016): bare APDUs one after the other, cut by their length field. No framing bytes, no CRC, no
 * ACK; pieces have no meaning.
 */
import { createCollector } from '../../framing/index.ts';
import { announcedSize } from './apdu.ts';
import { hex } from './bytes.ts';
import { maxApduBytes, type FrameEvent, type FrameParser } from './frame-parser.ts';

/**
 * Every command class of the documents is 01..0F, and answers are 80 or 84. Anything else, where an APDU has to begin,
 * means that the two ends do not agree on where APDUs are cut (or that the peer sends serial frames).
 */
function isClass(byte: number): boolean {
  return (byte >= 0x01 && byte <= 0x0f) || byte === 0x80 || byte === 0x84;
}

function sizeOf(bytes: Uint8Array): number | null {
  const size = announcedSize(bytes);
  return size === null ? null : size.headLength + size.dataLength;
}

/** Cuts APDUs out of a stream. After `damaged` it gives nothing more until `reset()`. */
export function createTcpParser(): FrameParser {
  const bytesOfApdu = createCollector(maxApduBytes);
  /** How many bytes the current APDU has in all; null while its length has not come. */
  let wanted: number | null = null;
  let lost = false;

  const take = (byte: number): FrameEvent | null => {
    if (bytesOfApdu.length === 0 && !isClass(byte)) {
      lost = true;
      return { kind: 'damaged', reason: `no APDU begins with ${hex(Uint8Array.of(byte))}` };
    }
    bytesOfApdu.add(byte);
    wanted ??= sizeOf(bytesOfApdu.view());
    if (wanted === null || bytesOfApdu.length < wanted) return null;
    wanted = null;
    return { kind: 'apdu', apdu: bytesOfApdu.take() };
  };

  return {
    push(bytes) {
      const events: FrameEvent[] = [];
      for (const byte of bytes) {
        if (lost) break;
        const event = take(byte);
        if (event !== null) events.push(event);
      }
      return events;
    },
    get insideFrame() {
      return bytesOfApdu.length > 0;
    },
    reset() {
      bytesOfApdu.clear();
      wanted = null;
      lost = false;
    },
  };
}
