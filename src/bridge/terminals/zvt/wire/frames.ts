/**
 * Bytes to frames and back, for both kinds of line (ZVT PA00P016). Nothing else: no timers, no answers, no meaning.
 * A session feeds what it reads to a parser, and answers and times what the parser tells.
 */
export { ACK, NAK, createSerialParser, encodeSerialFrame, readSerialFrame } from './serial-frames.ts';
export { createTcpParser } from './tcp-frames.ts';
export { maxApduBytes, type FrameEvent, type FrameParser } from './frame-parser.ts';
