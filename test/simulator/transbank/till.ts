/**
 * A till by the documentation of Transbank POS Integrado, for tests of the simulator: it builds and reads its frames by
 * itself and shares no code with either end. It checks each LRC, and acknowledges unless it is told not to.
 */
import type { LineConnection } from '../../../src/bridge/lines/line.ts';
import type { VirtualClock } from '../../support/virtual-clock.ts';

const [STX, ETX, ACK, NAK] = [0x02, 0x03, 0x06, 0x15];

/** How it answers a frame. */
type Reply = 'ack' | 'nak' | 'nothing';

export interface Till {
  /** What came, in order: `ACK`, `NAK`, the text of a frame, or `bad LRC`. */
  readonly heard: string[];
  readonly closed: boolean;
  reply: (text: string) => Reply;
  /** One frame, with the right LRC. */
  send(text: string): void;
  raw(...bytes: number[]): void;
  /** Sends, and waits for the answer: a frame that is no progress, or the ACK of a request that has nothing else. */
  ask(text: string): Promise<string[]>;
  unplug(): void;
}

export function frameOf(text: string): number[] {
  const body = [...Buffer.from(text, 'latin1'), ETX];
  return [STX, ...body, body.reduce((lrc, byte) => lrc ^ byte, 0)];
}

export function createTill(connection: LineConnection, clock: VirtualClock): Till {
  let frame: number[] | null = null;
  let ended = false;

  function take(byte: number): void {
    if (frame === null) {
      if (byte === STX) frame = [];
      else if (byte === ACK) till.heard.push('ACK');
      else if (byte === NAK) till.heard.push('NAK');
      return;
    }
    frame.push(byte);
    if (frame.at(-2) !== ETX) return;
    const isWhole = frame.reduce((lrc, part) => lrc ^ part, 0) === 0;
    const text = Buffer.from(frame.slice(0, -2)).toString('latin1');
    frame = null;
    till.heard.push(isWhole ? text : 'bad LRC');
    const reply = isWhole ? till.reply(text) : 'nak';
    if (reply !== 'nothing') till.raw(reply === 'ack' ? ACK : NAK);
  }

  const till: Till = {
    heard: [],
    get closed() {
      return ended;
    },
    reply: () => 'ack',
    send: (text) => till.raw(...frameOf(text)),
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

const isAnswer = (thing: string) =>
  /^\d{4}/.test(thing) && !/^(0900|0261\|00\|[^|]*\|[^|]*\|[^|]*\|[^| ])/.test(thing);
