/** Captures: a terminal's line is recorded, masked, and played again to the driver of another day. */
export { headerOf } from './capture-file.ts';
export { openLineTap, type LineTap } from './line-tap.ts';
export { recordedProtocol } from './recorded-protocol.ts';
export { replayCapture, replayFile } from './replay.ts';
export { startCapture, type Capture } from './start-capture.ts';
