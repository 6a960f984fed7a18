/**
 * A message as one JSON object, for `tillbridge decode`. Key names are the same as in the project's test vectors.
 * Of card number, expiry date and cardholder's name only type and length are shown.
 */
import { descriptor } from '../descriptor.ts';
import { hex, latin1, type DecodeReading, type FrameDecoder } from '../../framing/index.ts';
import { kindOfField } from './fields.ts';
import { readFrame } from './frames.ts';
import { decodeMessage, type EdcField, type EdcMessage } from './messages.ts';
import { edcProfile } from './profiles/index.ts';

/** What a message says. */
export function describeMessage(message: EdcMessage): Record<string, unknown> {
  const { length, transport, formatVersion, requestResponse, txCode, responseCode, more, problems } = message;
  const version = Uint8Array.of(formatVersion);
  return {
    length,
    transport,
    formatVersion: isPrintable(version) ? latin1(version) : hex(version),
    requestResponse,
    txCode,
    responseCode,
    more,
    fields: message.fields.map(describeField),
    ...(problems.length > 0 ? { problems } : {}),
  };
}

function describeField({ type, length, value }: EdcField): Record<string, unknown> {
  const { treatment } = kindOfField(type);
  if (treatment === 'card_number' || treatment === 'erase') return { type, length };
  return { type, length, ...(isPrintable(value) ? { value: latin1(value) } : { hex: hex(value) }) };
}

function isPrintable(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte >= 0x20 && byte <= 0x7e);
}

/**
 * Reads one frame. Without a profile, either LRC is taken, so that a frame with one wrong bit may pass for one of the
 * other kind: `lrcIncludesStx` says which it was. With a profile, only its own is.
 */
export const ecrEdcDecoder: FrameDecoder = {
  ...descriptor.decode,
  decode(bytes, { profile }): DecodeReading {
    const known = profile === undefined ? null : edcProfile(profile);
    const frame = readFrame(bytes, known?.lrcIncludesStx ?? null);
    if (!frame.ok) return frame;
    const { lrc, lrcIncludesStx } = frame;
    return {
      ok: true,
      decoded: {
        lrcIncludesStx,
        lrc: hex(Uint8Array.of(lrc)),
        ...describeMessage(decodeMessage(frame.message)),
      },
    };
  },
};
