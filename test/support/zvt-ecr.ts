/** A till that speaks ZVT by hand: tests say what it sends, what it answers, and what it leaves out. */
import type { LineConnection } from '../../src/bridge/lines/line.ts';
import {
  fromHex,
  hex,
  ACK,
  NAK,
  createSerialParser,
  createTcpParser,
  encodeSerialFrame,
  type FrameEvent,
  decodeMessage,
  type ZvtMessage,
} from '../../src/bridge/terminals/zvt/wire/index.ts';

/** What came from the terminal: an APDU (in hex), or one of these words. */
type Heard = { apdu: string } | 'ack' | 'nak' | 'damaged' | 'garbage' | 'closed';

export interface ZvtEcr {
  /** One APDU, in a frame on a serial line. */
  send(apduHex: string): void;
  sendBytes(bytes: Uint8Array): void;
  /** What comes next, of every kind. */
  next(): Promise<Heard>;
  /** The next APDU; ACKs before it are passed over. Throws on anything else. */
  nextApdu(): Promise<ZvtMessage & { hex: string }>;
  /**
   * Gives a command and answers all messages until the terminal's last one, or until the connection closes. `answer`
   * gives the APDU to answer with, or null for none (which ends it); 80 00 00 by default. NAKs are obeyed.
   */
  run(commandHex: string, answer?: (message: ZvtMessage) => string | null): Promise<ZvtMessage[]>;
  /** Nothing that came is left unread. */
  readonly quiet: boolean;
  /** Whether good frames get their ACK at once, as they should, and damaged ones their NAK. */
  acknowledges: boolean;
  readonly closed: boolean;
  close(): Promise<void>;
  /** How many frames came in more than one piece. */
  readonly pieces: number;
}

export const positive = '800000';

export function createZvtEcr(connection: LineConnection, framing: 'serial' | 'tcp'): ZvtEcr {
  const parser = framing === 'serial' ? createSerialParser() : createTcpParser();
  const heard: Heard[] = [];
  let waiting: ((heard: Heard) => void) | null = null;
  let lastSent = '';
  let pieces = 0;

  function hear(what: Heard): void {
    if (waiting === null) return void heard.push(what);
    const take = waiting;
    waiting = null;
    take(what);
  }

  function onEvent(event: FrameEvent): void {
    switch (event.kind) {
      case 'apdu':
        if (framing === 'serial' && ecr.acknowledges) connection.write(Uint8Array.of(ACK));
        return hear({ apdu: hex(event.apdu) });
      case 'damaged':
        if (ecr.acknowledges) connection.write(Uint8Array.of(NAK));
        return hear('damaged');
      case 'discarded':
        return hear('garbage');
      case 'ack':
      case 'nak':
        return hear(event.kind);
    }
  }

  connection.onData((bytes) => {
    for (const event of parser.push(bytes)) onEvent(event);
    if (parser.insideFrame) pieces += 1;
  });
  connection.onClose(() => hear('closed'));

  const ecr: ZvtEcr = {
    acknowledges: true,
    send(apduHex) {
      lastSent = apduHex;
      const apdu = fromHex(apduHex);
      connection.write(framing === 'serial' ? encodeSerialFrame(apdu) : apdu);
    },
    sendBytes(bytes) {
      connection.write(bytes);
    },
    next() {
      const first = heard.shift();
      if (first !== undefined) return Promise.resolve(first);
      return new Promise((resolve) => {
        waiting = resolve;
      });
    },
    async nextApdu() {
      for (;;) {
        const what = await ecr.next();
        if (what === 'ack') continue;
        if (typeof what === 'string') throw new Error(`expected an APDU, but heard: ${what}`);
        return { ...decodeMessage(fromHex(what.apdu)), hex: what.apdu };
      }
    },
    async run(commandHex, answer = () => positive) {
      const messages: ZvtMessage[] = [];
      ecr.send(commandHex);
      for (;;) {
        const what = await ecr.next();
        if (what === 'closed') return messages;
        if (what === 'nak') ecr.send(lastSent);
        if (typeof what === 'string') continue;
        const message = decodeMessage(fromHex(what.apdu), { answerTo: commandHex.slice(0, 4) });
        messages.push(message);
        if (message.ctrl.startsWith('84')) return messages;
        if (message.ctrl === '8000') {
          if (commandHex.startsWith('0602')) return messages;
          continue;
        }
        const reply = answer(message);
        if (reply === null) return messages;
        ecr.send(reply);
        if (message.ctrl === '060f' || message.ctrl === '061e') {
          if (framing === 'serial') await expectAck();
          return messages;
        }
      }
    },
    get quiet() {
      return heard.length === 0;
    },
    get closed() {
      return connection.closed;
    },
    close: () => connection.close(),
    get pieces() {
      return pieces;
    },
  };

  async function expectAck(): Promise<void> {
    for (;;) {
      const what = await ecr.next();
      if (what === 'ack' || what === 'closed') return;
    }
  }
  return ecr;
}
