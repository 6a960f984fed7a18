/**
 * A terminal that a test plays by hand, at the other end of a real memory line: it sees every byte, acknowledges or
 * not, sends what it is told to, cuts the line, and counts each copy of a money command that comes by. Made for tests
 * on a virtual clock: everything that needs no time has happened when `heard`, `expect` and `settle` return.
 */
import type { LineConnection } from '../../src/bridge/lines/line.ts';
import { createMemoryPair } from '../../src/bridge/lines/memory.ts';
import {
  fromHex,
  hex,
  ACK,
  NAK,
  createSerialParser,
  createTcpParser,
  encodeSerialFrame,
  type FrameEvent,
} from '../../src/bridge/terminals/zvt/wire/index.ts';
import { settle } from './virtual-clock.ts';

export type Framing = 'serial' | 'tcp';

/** What came from the till: an APDU in hex, or a word. */
type Heard = string;

export interface ScriptedTerminal {
  /** The till's end of the line. */
  readonly connection: LineConnection;
  /** Each good frame gets its ACK at once, as it should. Off: the test sends ACK and NAK itself, or nothing. */
  acknowledges: boolean;
  /** The till's writes fail: the line is closed under its feet, with not one byte sent. */
  failWrites: boolean;
  /** Every copy of 06 01, 06 30, 06 31 and 06 50 that was on the wire, by control field. */
  readonly moneyCommands: string[];
  /** What came and was not looked at yet, in order; empties it. */
  heard(): Promise<Heard[]>;
  /** The next APDU, ACKs before it passed over. Throws if nothing came or it is another. Gives it in hex. */
  expect(apduStart: string): Promise<string>;
  /** One APDU, framed. */
  send(apduHex: string): void;
  sendBytes(bytes: Uint8Array): void;
  /** Sends a message and expects the till's answer to it. */
  tell(apduHex: string, answer?: string): Promise<void>;
  /** Takes a command (80 00), then sends messages, each of which has to be answered 80 00. */
  serve(command: string, ...messages: string[]): Promise<void>;
  /** The line is gone for both. */
  cut(): Promise<void>;
}

export const positive = '800000';
const moneyCommands = new Set(['0601', '0630', '0631', '0650']);

export function createScriptedTerminal(framing: Framing = 'serial'): ScriptedTerminal {
  const [near, far] = createMemoryPair();
  const parser = framing === 'serial' ? createSerialParser() : createTcpParser();
  let queue: Heard[] = [];

  far.onData((bytes) => {
    for (const event of parser.push(bytes)) queue.push(onEvent(event));
  });
  far.onClose(() => queue.push('closed'));

  function onEvent(event: FrameEvent): Heard {
    if (event.kind !== 'apdu') return event.kind;
    if (framing === 'serial' && terminal.acknowledges) far.write(Uint8Array.of(ACK));
    const apdu = hex(event.apdu);
    if (moneyCommands.has(apdu.slice(0, 4))) terminal.moneyCommands.push(apdu.slice(0, 4));
    return apdu;
  }

  const terminal: ScriptedTerminal = {
    connection: {
      write: (bytes) => !terminal.failWrites && near.write(bytes),
      onData: (handler) => near.onData(handler),
      onClose: (handler) => near.onClose(handler),
      get closed() {
        return near.closed;
      },
      close: (unsent) => near.close(unsent),
    },
    acknowledges: true,
    failWrites: false,
    moneyCommands: [],
    async heard() {
      await settle();
      const heard = queue;
      queue = [];
      return heard;
    },
    async expect(apduStart) {
      await settle();
      while (queue[0] === 'ack') queue.shift();
      const [next] = queue;
      if (next === undefined || !next.startsWith(apduStart)) {
        throw new Error(`expected ${apduStart} from the till, but came: ${queue.join(', ') || 'nothing'}`);
      }
      queue.shift();
      return next;
    },
    send(apduHex) {
      const apdu = fromHex(apduHex);
      far.write(framing === 'serial' ? encodeSerialFrame(apdu) : apdu);
    },
    sendBytes: (bytes) => void far.write(bytes),
    async tell(apduHex, answer = positive) {
      terminal.send(apduHex);
      await terminal.expect(answer);
    },
    async serve(command, ...messages) {
      await terminal.expect(command);
      terminal.send(positive);
      for (const message of messages) await terminal.tell(message);
    },
    async cut() {
      await far.close();
      await settle();
    },
  };
  return terminal;
}

export const ack = Uint8Array.of(ACK);
export const nak = Uint8Array.of(NAK);
