/**
 * Sits on a serial line between driver and terminal: counts every copy of every command that goes over the wire, and
 * can lose single frames and acknowledgements in either direction.
 */
import type { Line, LineConnection } from '../../src/bridge/lines/line.ts';
import {
  ACK,
  NAK,
  createSerialParser,
  encodeSerialFrame,
  type FrameEvent,
} from '../../src/bridge/terminals/zvt/wire/index.ts';

/** One thing on the wire: an APDU by its control field, an acknowledgement, or a frame whose checksum is wrong. */
export type WireThing =
  { kind: 'apdu'; ctrl: string; apdu: Uint8Array } | { kind: 'ack' } | { kind: 'nak' } | { kind: 'damaged' };

export interface WireTap {
  readonly line: Line;
  /** Copies on the wire towards the terminal by control field ("0601"), repeats included. */
  sent(ctrl: string): number;
  /** All that moves money: 06 01, 06 30, 06 31, 06 50. */
  moneyCommands(): number;
  /** Gives true for what is to get lost on its way to the terminal. */
  loseToTerminal: (thing: WireThing) => boolean;
  /** Gives true for what is to get lost on its way to the bridge. */
  loseToBridge: (thing: WireThing) => boolean;
  /** Puts another APDU in the place of one on its way to the bridge. */
  rewriteToBridge: (apdu: Uint8Array) => Uint8Array;
  /** Hears what passes towards the bridge, before the bridge does. */
  onToBridge: (thing: WireThing) => void;
  /** Ends the connection that is open now, as a pulled cable does. */
  cut(): void;
  /** While false, the line cannot be opened. */
  plugged: boolean;
}

export function tapLine(inner: Line): WireTap {
  const counts = new Map<string, number>();
  let open: LineConnection | null = null;

  const tap: WireTap = {
    line: {
      name: inner.name,
      async open(signal) {
        if (!tap.plugged) throw new Error('the cable is not plugged in');
        const connection = await inner.open(signal);
        open = connection;
        return wrap(connection);
      },
    },
    sent: (ctrl) => counts.get(ctrl) ?? 0,
    moneyCommands: () => ['0601', '0630', '0631', '0650'].reduce((sum, ctrl) => sum + tap.sent(ctrl), 0),
    loseToTerminal: () => false,
    loseToBridge: () => false,
    rewriteToBridge: (apdu) => apdu,
    onToBridge: () => {},
    cut: () => void open?.close(),
    plugged: true,
  };

  function wrap(connection: LineConnection): LineConnection {
    const outgoing = createSerialParser();
    const incoming = createSerialParser();
    return {
      write(bytes) {
        if (connection.closed) return false;
        for (const thing of outgoing.push(bytes).flatMap(thingOf)) {
          if (thing.kind === 'apdu') counts.set(thing.ctrl, tap.sent(thing.ctrl) + 1);
          if (!tap.loseToTerminal(thing)) connection.write(bytesOf(thing));
        }
        return true;
      },
      onData(handler) {
        connection.onData((bytes) => {
          for (const thing of incoming.push(bytes).flatMap(thingOf)) {
            tap.onToBridge(thing);
            if (tap.loseToBridge(thing)) continue;
            if (thing.kind === 'apdu') handler(encodeSerialFrame(tap.rewriteToBridge(thing.apdu)));
            else handler(bytesOf(thing));
          }
        });
      },
      onClose: (handler) => connection.onClose(handler),
      get closed() {
        return connection.closed;
      },
      close: (unsent) => connection.close(unsent),
    };
  }

  return tap;
}

function thingOf(event: FrameEvent): WireThing[] {
  switch (event.kind) {
    case 'apdu':
      return [
        { kind: 'apdu', ctrl: Buffer.from(event.apdu.subarray(0, 2)).toString('hex'), apdu: event.apdu },
      ];
    case 'ack':
    case 'nak':
      return [event];
    case 'damaged':
      return [{ kind: 'damaged' }];
    case 'discarded':
      return [];
  }
}

function bytesOf(thing: WireThing): Uint8Array {
  switch (thing.kind) {
    case 'apdu':
      return encodeSerialFrame(thing.apdu);
    case 'ack':
      return Uint8Array.of(ACK);
    case 'nak':
      return Uint8Array.of(NAK);
    case 'damaged':
      return damagedFrame;
  }
}

/** Stands for any frame that was damaged: an empty completion, all bits of its checksum turned over. */
const damagedFrame = encodeSerialFrame(Uint8Array.of(0x06, 0x0f, 0x00)).map((byte, at, { length }) =>
  at < length - 2 ? byte : byte ^ 0xff,
);
