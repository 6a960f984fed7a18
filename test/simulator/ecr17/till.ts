/** A till that knows no more of ECR17 than the bytes on the line: it shares no code with the bridge. */
import type { LineConnection } from '../../../src/bridge/lines/line.ts';
import type { VirtualClock } from '../../support/virtual-clock.ts';

type Range = 'stx+etx' | 'etx' | 'std' | 'stx';

export interface Till {
  /** `ACK`, `NAK`, `> text` of a progress packet, the text of a message, or `bad LRC`. */
  heard: string[];
  readonly closed: boolean;
  /** What is said to a message of the terminal. */
  reply: (text: string) => 'ack' | 'nak' | 'nothing';
  send(text: string): void;
  raw(...bytes: number[]): void;
  /** Sends a request, and gives what came until its answer. */
  ask(text: string): Promise<string[]>;
  unplug(): void;
}

const extra: Record<Range, number> = { 'stx+etx': 0x02 ^ 0x03, etx: 0x03, std: 0, stx: 0x02 };

const check = (bytes: number[], range: Range) => bytes.reduce((lrc, byte) => lrc ^ byte, 0x7f ^ extra[range]);

export function frameOf(text: string, range: Range = 'stx+etx'): number[] {
  const bytes = [...Buffer.from(text, 'latin1')];
  return [0x02, ...bytes, 0x03, check(bytes, range)];
}

export function createTill(connection: LineConnection, clock: VirtualClock, range: Range = 'stx+etx'): Till {
  let ended = false;
  let packet: number[] = [];

  function take(byte: number): void {
    packet.push(byte);
    const [first] = packet;
    if (first === 0x06 || first === 0x15) {
      if (packet.length < 3) return;
      till.heard.push(first === 0x06 ? 'ACK' : 'NAK');
    } else if (first === 0x01) {
      if (byte !== 0x04) return;
      till.heard.push(`> ${Buffer.from(packet.slice(1, -1)).toString('latin1').trim()}`);
    } else if (first === 0x02) {
      if (packet.at(-2) !== 0x03) return;
      const body = packet.slice(1, -2);
      const text = check(body, range) === byte ? Buffer.from(body).toString('latin1') : 'bad LRC';
      till.heard.push(text);
      const reply = text === 'bad LRC' ? 'nak' : till.reply(text);
      if (reply !== 'nothing') till.raw(...(reply === 'ack' ? [0x06, 0x03, 0x7a] : [0x15, 0x03, 0x69]));
    }
    packet = [];
  }

  const till: Till = {
    heard: [],
    get closed() {
      return ended;
    },
    reply: () => 'ack',
    send: (text) => till.raw(...frameOf(text, range)),
    raw: (...bytes) => void connection.write(Uint8Array.from(bytes)),
    async ask(text) {
      const from = till.heard.length;
      till.send(text);
      await clock.until(() => till.heard.slice(from).some(isAnswer), `an answer to ${text}`);
      return till.heard.slice(from);
    },
    unplug: () => void connection.close(),
  };
  connection.onData((bytes) => {
    for (const byte of bytes) take(byte);
  });
  connection.onClose(() => (ended = true));
  return till;
}

/** An application message that is no part of a ticket. */
const isAnswer = (thing: string) => /^\d{9}[A-RT-Za-z]/.test(thing);
