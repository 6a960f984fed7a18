/**
 * Packets of ECR17 over TCP (Nexi "Traditional POS" developer pages; the ranges of the check byte from public libraries
 * and from bytes of a real terminal):
 *
 *     02 | message | 03 | LRC                application, answered with ACK or NAK
 *     01 | text | 04                         progress, from the terminal only
 *     06 | 03 | LRC    15 | 03 | LRC         ACK, NAK
 */
import { maskCardNumbers } from '../../../../log/index.ts';
import {
  ACK,
  createEtxParser,
  encodeEtxFrame,
  EOT,
  ETX,
  hex,
  latin1,
  NAK,
  SOH,
  STX,
  xorLrc,
  type EtxEvent,
  type LinkEvent,
  type StreamParser,
} from '../../framing/index.ts';

/** No message is near as long. A longer packet is dropped. */
export const maxDataBytes = 2_048;
const progressCharacters = 20;
/** Of a terminal that sends more. */
const shownCharacters = 200;
const startValue = 0x7f;

/** What of a packet the LRC is taken of, beside the message; each generation of terminals has its own. */
export const lrcRanges = ['stx+etx', 'etx', 'std', 'stx'] as const;
export type LrcRange = (typeof lrcRanges)[number];

/** What real terminals and newer tills send. */
const defaultRange: LrcRange = 'stx+etx';

const extraOf: Readonly<Record<LrcRange, number>> = {
  'stx+etx': STX ^ ETX,
  etx: ETX,
  std: 0,
  stx: STX,
};

function lrcOf(data: Uint8Array, range: LrcRange): number {
  return xorLrc(data, startValue ^ extraOf[range]);
}

/** The one range that an LRC fits, or null. */
export function lrcRangeOf(data: Uint8Array, lrc: number): LrcRange | null {
  return lrcRanges.find((range) => lrcOf(data, range) === lrc) ?? null;
}

/** The whole packet around a message, ready for the line. */
export function encodeFrame(data: Uint8Array, range: LrcRange = defaultRange): Uint8Array {
  return encodeEtxFrame(data, lrcOf(data, range));
}

/** The transport answer, with the LRC that a real terminal sends in it: 7A and 69. Others take it as in their messages. */
export function encodeAnswer(kind: 'ack' | 'nak', range: LrcRange = 'etx'): Uint8Array {
  const lead = kind === 'ack' ? ACK : NAK;
  return Uint8Array.of(lead, ETX, lrcOf(Uint8Array.of(lead), range));
}

/** 20 characters; what is not printable ASCII is a blank. */
export function encodeProgress(text: string): Uint8Array {
  const shown = text
    .replace(/[^ -~]/g, ' ')
    .slice(0, progressCharacters)
    .padEnd(progressCharacters);
  return Uint8Array.of(SOH, ...Buffer.from(shown, 'latin1'), EOT);
}

export type PacketEvent =
  { kind: 'frame'; data: Uint8Array; lrc: number; lrcRange: LrcRange } | Exclude<EtxEvent, { kind: 'frame' }>;

/**
 * Finds packets in a stream of bytes. A gap of more than 3 s inside a packet is the session's to see: `reset()`.
 *
 * Takes the LRC of whichever range fits and says which, or only that of `range`. Whoever knows a terminal's range should
 * name it: two ranges differ in one or two bits, so one wrong bit in a message can look like the LRC of another range. It
 * never looks like that of the same.
 */
export function createParser(range?: LrcRange): StreamParser<PacketEvent> {
  const parser = createEtxParser({
    faultOf: (data, lrc) => faultOf(data, lrc, range),
    maxDataBytes,
    checkedAnswers: true,
    progress: true,
  });
  return {
    push: (bytes) => parser.push(bytes).map(withRange),
    get insideFrame() {
      return parser.insideFrame;
    },
    reset: () => parser.reset(),
  };
}

function withRange(event: EtxEvent): PacketEvent {
  if (event.kind !== 'frame') return event;
  return { ...event, lrcRange: lrcRangeOf(event.data, event.lrc) ?? defaultRange };
}

function faultOf(data: Uint8Array, lrc: number, range: LrcRange | undefined): string | null {
  if (data.length === 0) return 'a frame is empty';
  const found = lrcRangeOf(data, lrc);
  if (found !== null && (range === undefined || found === range)) return null;
  const expected = lrcOf(data, range ?? defaultRange);
  return `bad LRC: expected ${hex(Uint8Array.of(expected))}, found ${hex(Uint8Array.of(lrc))}`;
}

export type Packet =
  | { kind: 'application'; data: Uint8Array; lrc: number; lrcRange: LrcRange | null }
  | { kind: 'ack' | 'nak'; lrc: number }
  | { kind: 'progress'; text: string };

export type PacketsReading = { ok: true; packets: Packet[] } | { ok: false; error: string };

/** The text of a progress packet, as the terminal shows it. Nothing is decided by it: it has no codes. */
export function progressText(data: Uint8Array): string {
  return maskCardNumbers(latin1(data)).trim().slice(0, shownCharacters);
}

/**
 * Reads one packet or several joined ones that are there as a whole, for tools: a message whose LRC fits no range is
 * given, and says so. Every other fault is a sentence for people.
 */
export function readPackets(bytes: Uint8Array): PacketsReading {
  const parser = createEtxParser({
    faultOf: (data) => (data.length === 0 ? 'a frame is empty' : null),
    maxDataBytes,
    checkedAnswers: true,
    progress: true,
  });
  const packets: Packet[] = [];
  for (const event of parser.push(bytes)) {
    if (event.kind === 'damaged') return { ok: false, error: `damaged frame: ${event.reason}` };
    if (event.kind === 'discarded')
      return { ok: false, error: `damaged frame: ${event.count} bytes belong to no packet` };
    packets.push(packetOf(event));
  }
  if (parser.insideFrame)
    return { ok: false, error: `truncated frame: ${bytes.length} bytes without an end` };
  return { ok: true, packets };
}

function packetOf(event: Exclude<EtxEvent, LinkEvent> | (LinkEvent & { kind: 'ack' | 'nak' })): Packet {
  if (event.kind === 'progress') return { kind: 'progress', text: progressText(event.data) };
  if (event.kind !== 'frame') return { kind: event.kind, lrc: event.check ?? 0 };
  const { data, lrc } = event;
  return { kind: 'application', data, lrc, lrcRange: lrcRangeOf(data, lrc) };
}
