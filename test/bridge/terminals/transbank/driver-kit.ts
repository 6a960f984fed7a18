/** The real driver on a memory line against a terminal that the test plays, on a clock that the test moves. */
import { createMemoryPair } from '../../../../src/bridge/lines/memory.ts';
import type { LineConnection } from '../../../../src/bridge/lines/line.ts';
import { ACK, NAK } from '../../../../src/bridge/terminals/framing/index.ts';
import type { OperationInDoubt, TerminalDriver } from '../../../../src/bridge/terminals/terminal-driver.ts';
import { createTransbankProtocol } from '../../../../src/bridge/terminals/transbank/index.ts';
import {
  createParser,
  decodeMessage,
  encodeFrame,
  encodeMessage,
  type TransbankMessage,
} from '../../../../src/bridge/terminals/transbank/wire/index.ts';
import { silentLog } from '../../../../src/log/log.ts';
import { watchDriver, type WatchedDriver } from '../driver-watch.ts';
import { createVirtualClock, type VirtualClock } from '../../../support/virtual-clock.ts';
import { sale } from '../../journal/sample-events.ts';

export const order = {
  amountMinor: 2_500,
  maxAmountMinor: 2_500,
  currency: 'CLP',
  terminalReference: 'ABC123',
} as const;
type Values = NonNullable<Parameters<typeof encodeMessage>[0]['values']>;
export const approved: Values = {
  responseCode: '00',
  commerceCode: '597029414300',
  terminalId: '75001089',
  ticket: 'ABC123',
  authorizationCode: '181278',
  amount: '2500',
  last4: '6590',
  operationNumber: '000064',
  cardType: 'CR',
  cardBrand: 'VI',
  date: '14052019',
  time: '111555',
};

/** What the terminal does when a request has come. */
export interface Terminal {
  ack(): void;
  nak(): void;
  /** Sends a message, with its frame around it. */
  say(command: string, values?: Values): void;
  bytes(bytes: Uint8Array): void;
  unplug(): void;
}

export interface Kit extends Omit<WatchedDriver, 'owner'> {
  clock: VirtualClock;
  driver: TerminalDriver;
  terminal: Terminal;
  /** Requests that came, `command ticket` or `command`, repeats included; `ACK` and `NAK`. */
  seen: string[];
}

/** `play` is called for each request in turn; without one left, the terminal only acknowledges. */
export function createKit(...play: ((terminal: Terminal, request: TransbankMessage) => void)[]): Kit {
  const clock = createVirtualClock();
  const [near, far] = createMemoryPair();
  const seen: string[] = [];
  const terminal = terminalOn(far);
  const parser = createParser();
  far.onData((bytes) => {
    for (const event of parser.push(bytes)) {
      if (event.kind === 'ack' || event.kind === 'nak') seen.push(event.kind.toUpperCase());
      if (event.kind !== 'frame') continue;
      const request = decodeMessage(event.data, 'to_terminal');
      seen.push(
        [request.command, request.values.ticket ?? request.values.operationNumber].filter(Boolean).join(' '),
      );
      const next = play.shift() ?? ((one: Terminal) => one.ack());
      next(terminal, request);
    }
  });
  const { owner, ...watched } = watchDriver();
  const driver = createTransbankProtocol({ clock, log: silentLog }).attach(near, owner);
  return { clock, driver, terminal, seen, ...watched };
}

function terminalOn(far: LineConnection): Terminal {
  return {
    ack: () => void far.write(Uint8Array.of(ACK)),
    nak: () => void far.write(Uint8Array.of(NAK)),
    say: (command, values = {}) => void far.write(frameOf(command, values)),
    bytes: (bytes) => void far.write(bytes),
    unplug: () => void far.close(),
  };
}

export function frameOf(command: string, values: Values = {}): Uint8Array {
  const encoded = encodeMessage({ command, direction: 'from_terminal', values });
  if (!encoded.ok) throw new Error(encoded.error);
  return encodeFrame(encoded.data);
}

/** A sale in doubt. `anchor`: the ticket of a payment that the terminal certainly had before it. */
export function inDoubt(anchor?: string): OperationInDoubt {
  const operation = sale({
    terminalReference: 'ABC123',
    amountMinor: 2_500,
    currency: 'CLP',
    terminal: { protocol: 'transbank', terminalId: null },
  });
  return {
    operation,
    result: null,
    acknowledged: false,
    showsRecords: false,
    ...(anchor === undefined ? {} : { anchor }),
  };
}
