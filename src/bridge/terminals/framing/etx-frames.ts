/**
 * Frames of text between STX and ETX with one check byte behind them, as Transbank POS Integrado and ECR17 have them:
 *
 *     STX  text, up to the first ETX  ETX  LRC          application
 *     ACK | NAK                                         transport answer, or ACK | NAK  ETX  LRC
 *     SOH  text  EOT                                    progress, in protocols that have it; no check byte
 *
 * The LRC may be any byte, STX, ETX, ACK and NAK among them: it is the one byte behind the first ETX, whatever it is.
 */
import { hex } from './bytes.ts';
import { createCollector } from './collector.ts';
import { ACK, EOT, ETX, NAK, SOH, STX } from './control-characters.ts';
import type { LinkEvent, StreamParser } from './stream-parser.ts';

export type EtxEvent =
  /** What stood between STX and ETX, and the check byte, which has been found good. */
  | { kind: 'frame'; data: Uint8Array; lrc: number }
  /** Text that nothing protects and nobody acknowledges. */
  | { kind: 'progress'; data: Uint8Array }
  | LinkEvent;

export interface EtxFrameOptions {
  /** What is wrong with a frame, for the log, or null. */
  faultOf(data: Uint8Array, lrc: number): string | null;
  /** The most bytes of text in a frame. */
  maxDataBytes: number;
  /** ACK and NAK have an ETX and a check byte of their own; without it they are single bytes. */
  checkedAnswers?: boolean;
  /** There are progress packets. */
  progress?: boolean;
}

/** The whole frame around `data`, ready for the line. */
export function encodeEtxFrame(data: Uint8Array, lrc: number): Uint8Array {
  const frame = new Uint8Array(data.length + 3);
  frame[0] = STX;
  frame.set(data, 1);
  frame[data.length + 1] = ETX;
  frame[data.length + 2] = lrc;
  return frame;
}

const isText = (byte: number) => byte >= 0x20 && byte <= 0x7f;

/**
 * Finds frames in a stream of bytes. Texts contain no STX, so one starts a frame wherever it stands but for the place of
 * the check byte, and what was before it is discarded.
 *
 * Text outside of frames is what is left of a frame that lost its first byte. It is skipped up to its end and its check
 * byte, so that no byte of it is taken for an ACK or NAK: after a NAK that nobody said, a command would be sent twice.
 */
export function createEtxParser(options: EtxFrameOptions): StreamParser<EtxEvent> {
  type State = 'idle' | 'body' | 'check' | 'lost' | 'lost_check' | 'progress' | 'answer' | 'answer_check';
  const { checkedAnswers = false, progress = false } = options;
  let state: State = 'idle';
  const body = createCollector(options.maxDataBytes);
  let fault = '';
  let answer: 'ack' | 'nak' = 'ack';
  /** Bytes of the current frame so far, and bytes outside of frames in this push. */
  let frameBytes = 0;
  let discardedBytes = 0;
  let events: EtxEvent[] = [];

  const emit = (event: EtxEvent) => {
    if (discardedBytes > 0) events.push({ kind: 'discarded', count: discardedBytes });
    discardedBytes = 0;
    events.push(event);
    state = 'idle';
  };
  const begin = (next: State) => {
    state = next;
    frameBytes = 1;
    body.clear();
  };
  /** The bytes before `byte` belong to nothing; it may begin something of its own. */
  const breakOff = (byte: number) => {
    discardedBytes += frameBytes - 1;
    state = 'idle';
    take(byte);
  };
  const takeIdle = (byte: number) => {
    if (byte === STX) begin('body');
    else if (byte === ACK || byte === NAK) {
      answer = byte === ACK ? 'ack' : 'nak';
      if (checkedAnswers) begin('answer');
      else emit({ kind: answer });
    } else if (byte === SOH && progress) begin('progress');
    else if (isText(byte)) {
      begin('lost');
      fault = 'a frame lost its first byte';
    } else discardedBytes += 1;
  };
  const finish = (lrc: number) => {
    const data = body.take();
    const wrong = options.faultOf(data, lrc);
    emit(wrong === null ? { kind: 'frame', data, lrc } : { kind: 'damaged', reason: wrong });
  };

  const take = (byte: number): void => {
    if (state === 'idle') return takeIdle(byte);
    frameBytes += 1;
    switch (state) {
      case 'body':
        if (byte === ETX) state = 'check';
        else if (byte === STX) breakOff(byte);
        else if (!body.add(byte)) {
          state = 'lost';
          fault = `a frame is longer than ${options.maxDataBytes} bytes`;
        }
        return;
      case 'check':
        return finish(byte);
      case 'lost':
        if (byte === ETX) state = 'lost_check';
        else if (byte === STX || (byte === EOT && progress)) breakOff(byte);
        return;
      case 'lost_check':
        return emit({ kind: 'damaged', reason: fault });
      case 'progress':
        if (byte === EOT) emit({ kind: 'progress', data: body.take() });
        else if (!isText(byte) || !body.add(byte)) breakOff(byte);
        return;
      case 'answer':
        if (byte === ETX) state = 'answer_check';
        else breakOff(byte);
        return;
      case 'answer_check':
        return emit({ kind: answer, check: byte });
    }
  };

  return {
    push(bytes) {
      events = [];
      discardedBytes = 0;
      for (const byte of bytes) take(byte);
      if (discardedBytes > 0) events.push({ kind: 'discarded', count: discardedBytes });
      return events;
    },
    get insideFrame() {
      return state !== 'idle';
    },
    reset() {
      body.clear();
      state = 'idle';
    },
  };
}

export type SingleReading<Event> = { ok: true; event: Event } | { ok: false; error: string };

/**
 * Reads exactly one frame that is there as a whole, for tools, by a new `parser`. `starts`: the bytes that one can begin
 * with. Every fault is a sentence for people.
 */
export function readSingle<Event extends { kind: string }>(
  parser: StreamParser<Event | LinkEvent>,
  bytes: Uint8Array,
  starts: readonly number[],
): SingleReading<Event | LinkEvent> {
  const [start] = bytes;
  if (start === undefined || !starts.includes(start))
    return { ok: false, error: `no frame begins with ${hex(bytes.subarray(0, 1))}` };
  const events = parser.push(bytes);
  const [first, ...others] = events;
  const damaged = events.find((event): event is LinkEvent & { kind: 'damaged' } => event.kind === 'damaged');
  if (damaged !== undefined) return { ok: false, error: `damaged frame: ${damaged.reason}` };
  if (first === undefined)
    return { ok: false, error: `truncated frame: ${bytes.length} bytes without an end` };
  if (others.length > 0 || parser.insideFrame || first.kind === 'discarded')
    return { ok: false, error: 'damaged frame: there are bytes that do not belong to it' };
  return { ok: true, event: first };
}
