/** What a session knows of a ZVT frame parser, whichever line it reads from. */
import type { LinkEvent, StreamParser } from '../../framing/index.ts';
import { maxDataLength } from './apdu.ts';

/** Control field, long length field and the longest data: no frame is longer, so no parser keeps more. */
export const maxApduBytes = maxDataLength + 5;

/**
 * ACK and NAK come on serial lines only. `damaged`: on a serial line answer NAK; on TCP the stream cannot be trusted any
 * more, close it.
 */
export type FrameEvent =
  /** A whole, undamaged APDU: the CRC is good (serial), and its length field agrees. */
  { kind: 'apdu'; apdu: Uint8Array } | LinkEvent;

export type FrameParser = StreamParser<FrameEvent>;
