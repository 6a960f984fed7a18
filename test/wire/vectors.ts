/** The golden vectors of the ZVT protocol, as tests read them. */
import { readFileSync } from 'node:fs';
import { fromHex } from '../../src/bridge/terminals/zvt/bytes.ts';
import { encodeSerialFrame } from '../../src/bridge/terminals/zvt/frames.ts';
import type { MessageParts } from '../../src/bridge/terminals/zvt/messages.ts';
import type { TextEncoding } from '../../src/bridge/terminals/zvt/text.ts';

export interface Vector {
  id: string;
  direction: 'ecr->terminal' | 'terminal->ecr';
  framing: 'serial' | 'apdu';
  hex: string;
  textEncoding?: TextEncoding;
  decoded: {
    ctrl: string;
    apdu?: string;
    positional?: NonNullable<MessageParts['positional']>;
    bmps?: [tag: string, hex: string | null][];
    tlv?: NonNullable<MessageParts['tlv']>;
  };
}

export const vectors = JSON.parse(readFileSync(new URL('zvt.json', import.meta.url), 'utf8')) as Vector[];

/** The bare APDU of a vector, whatever its framing. */
export function apduOf(vector: Vector): Uint8Array {
  return fromHex(vector.decoded.apdu ?? vector.hex);
}

/** The serial frame of a vector: as it was captured, or put around its APDU. */
export function serialFrameOf(vector: Vector): Uint8Array {
  return vector.framing === 'serial' ? fromHex(vector.hex) : encodeSerialFrame(apduOf(vector));
}
