/** Captures of an ECR-EDC line. */
import { ACK, maskedBytes, NAK, type CaptureForm } from '../../framing/index.ts';
import { createFrameParser, encodeFrame } from './frames.ts';
import { fieldType } from './fields.ts';
import { decodeMessage, encodeMessage, fieldText } from './messages.ts';
import { messageName } from './trace-fields.ts';
import type { EdcProfile } from './profiles/profile.ts';

export function captureFormOf(profile: EdcProfile): CaptureForm {
  const { lrcIncludesStx } = profile;
  const encode = (message: Uint8Array) => encodeFrame(message, lrcIncludesStx);
  return {
    createParser() {
      const parser = createFrameParser(lrcIncludesStx);
      return {
        push: (bytes) =>
          parser
            .push(bytes)
            .map((event) => (event.kind === 'message' ? { kind: 'frame', data: event.message } : event)),
        get insideFrame() {
          return parser.insideFrame;
        },
        reset: () => parser.reset(),
      };
    },
    frameGapMs: 1_000,
    mask({ data }) {
      const message = decodeMessage(data);
      return { name: messageName(message, profile), ...maskedBytes(data, message.maskedMessage) };
    },
    encode(part) {
      if (part.kind === 'ack' || part.kind === 'nak') return Uint8Array.of(part.kind === 'ack' ? ACK : NAK);
      return encode(part.data);
    },
    // Its last byte, the LRC, is wrong.
    damagedFrame: encode(encodeMessage({ requestResponse: '1', txCode: '00' })).map((byte, at, { length }) =>
      at < length - 1 ? byte : byte ^ 0xff,
    ),
    commandIn(data) {
      const message = decodeMessage(data);
      const { sale, cancel } = profile.commands;
      if (message.txCode === cancel?.txCode) return null;
      const amount = fieldText(message, fieldType.amount) ?? '';
      // Under a reference of its own it is another till's alone.
      const isOurs = sale?.fields.includes(fieldType.reference1) === false;
      return isOurs && message.txCode === sale.txCode && /^\d+$/.test(amount)
        ? { amountMinor: Number(amount) }
        : 'other';
    },
  };
}
