/** The golden vectors of the ZVT protocol, as tests read them. */
import { readFileSync } from 'node:fs';
import {
  fromHex,
  encodeSerialFrame,
  type MessageParts,
  type TextEncoding,
} from '../../src/bridge/terminals/zvt/wire/index.ts';

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
