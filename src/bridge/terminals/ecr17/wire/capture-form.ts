/** Captures of an ECR17 line. */
import type { BytePlace } from '../../../../contract/frame.ts';
import { concatBytes, EOT, maskedFields, maskedText, SOH, type CaptureForm } from '../../framing/index.ts';
import { createParser, encodeAnswer, encodeFrame, lrcRanges, progressText } from './frames.ts';
import { decodeMessage, hiddenPlaces, type Ecr17Message } from './messages.ts';

export const captureForm: CaptureForm = {
  createParser() {
    const parser = createParser();
    return {
      push: (bytes) =>
        parser
          .push(bytes)
          .map((event) => (event.kind === 'frame' ? { ...event, check: event.lrcRange } : event)),
      get insideFrame() {
        return parser.insideFrame;
      },
      reset: () => parser.reset(),
    };
  },
  frameGapMs: 3_000,
  mask(part, direction) {
    if (part.kind === 'progress') return { name: progressText(part.data), ...maskedText(part.data) };
    const message = decodeMessage(part.data, direction);
    return {
      name: message.name,
      ...maskedFields(part.data, fieldsOf(message), hiddenPlaces(message, part.data)),
    };
  },
  encode(part) {
    if (part.kind === 'ack' || part.kind === 'nak') return encodeAnswer(part.kind);
    if (part.kind === 'progress') return concatBytes(Uint8Array.of(SOH), part.data, Uint8Array.of(EOT));
    return encodeFrame(
      part.data,
      lrcRanges.find((range) => range === part.check),
    );
  },
  // An empty one, which none is.
  damagedFrame: encodeFrame(new Uint8Array()),
  commandIn(data) {
    const { code, values } = decodeMessage(data, 'to_terminal');
    const { amount = '' } = values;
    return (code === 'P' || code === 'X') && /^\d+$/.test(amount) ? { amountMinor: Number(amount) } : 'other';
  },
  checkSetting: 'lrc',
};

/** Of a message that is not as its layout says, nobody knows where one ends. */
function fieldsOf({ complete, places }: Ecr17Message): BytePlace[] {
  if (!complete) return [];
  const fields = [...places].flatMap(([name, { from, to }]): BytePlace[] => {
    if (name !== 'posTotal' && name !== 'hostTotal') return [{ from, to }];
    // A total has as many digits as a card number, and is none; half of it has not.
    const middle = (from + to) >> 1;
    return [
      { from, to: middle },
      { from: middle, to },
    ];
  });
  return fields.toSorted((one, other) => one.from - other.from);
}
