/** Captures of a ZVT line. */
import { ACK, fromHex, hidePlace, maskedBytes, NAK, type CaptureForm } from '../../framing/index.ts';
import { isAnswer } from './apdu.ts';
import { bitmap, decodeMessage } from './apdu-messages.ts';
import { bcdNumber } from './bytes.ts';
import type { TextEncoding } from './character-sets.ts';
import type { FrameEvent } from './frame-parser.ts';
import { createSerialParser, encodeSerialFrame } from './serial-frames.ts';
import { createTcpParser } from './tcp-frames.ts';
import { maskedApdu } from './trace-hex.ts';

const fillUp = 0xee;
const statusEnquiry = '0501';
const repeatReceipt = '0620';
/** Control field and length. */
const headBytes = 3;
const extendedHeadBytes = 5;

/** `byteGapMs`: T1 of the line, in milliseconds. */
export function captureFormOf({
  framing,
  byteGapMs,
  encoding,
}: {
  framing: 'serial' | 'tcp';
  byteGapMs: number;
  encoding: TextEncoding;
}): CaptureForm {
  const serial = framing === 'serial';
  return {
    createParser() {
      const parser = serial ? createSerialParser() : createTcpParser();
      return {
        push: (bytes) => parser.push(bytes).map(partOf),
        get insideFrame() {
          return parser.insideFrame;
        },
        reset: () => parser.reset(),
      };
    },
    frameGapMs: serial ? byteGapMs : null,
    mask({ data }) {
      const message = decodeMessage(data, { encoding });
      const { name, problems, extendedLength } = message;
      if (problems.length === 0) return { name, ...maskedApdu(data, message) };
      // What could not be read could not be masked.
      const masked = maskedBytes(data, data);
      const from = extendedLength ? extendedHeadBytes : headBytes;
      hidePlace(masked, { from: Math.min(from, data.length), to: data.length }, fillUp);
      return { name, ...masked };
    },
    encode(part) {
      if (part.kind === 'ack' || part.kind === 'nak') return Uint8Array.of(part.kind === 'ack' ? ACK : NAK);
      return serial ? encodeSerialFrame(part.data) : part.data;
    },
    damagedFrame: serial ? damagedSerialFrame : Uint8Array.of(0xff),
    commandIn(data) {
      const message = decodeMessage(data, { encoding });
      if (message.ctrl === '0601') {
        const amount = bitmap(message, '04');
        const amountMinor = amount === null ? null : bcdNumber(amount);
        return amountMinor === null ? 'other' : { amountMinor };
      }
      return isAnswer(message.ctrl) || message.ctrl === '06b0' ? null : 'other';
    },
    readyAnswers(data) {
      const { ctrl } = decodeMessage(data, { encoding });
      const end = ctrl === repeatReceipt ? '061e01dc' : ctrl === statusEnquiry ? '060f0100' : '060f00';
      const apdus = isAnswer(ctrl) ? [] : ['800000', end].map(fromHex);
      return serial ? [Uint8Array.of(ACK), ...apdus.map(encodeSerialFrame)] : apdus;
    },
  };
}

function partOf(event: FrameEvent) {
  return event.kind === 'apdu' ? { kind: 'frame' as const, data: event.apdu } : event;
}

/** An empty completion, all bits of its checksum turned over. */
const damagedSerialFrame = encodeSerialFrame(Uint8Array.of(0x06, 0x0f, 0x00)).map((byte, at, { length }) =>
  at < length - 2 ? byte : byte ^ 0xff,
);
