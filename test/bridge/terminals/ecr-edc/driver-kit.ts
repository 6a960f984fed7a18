/** The real driver on a memory line against a terminal that the test plays, on a clock that the test moves. */
import type { LineConnection } from '../../../../src/bridge/lines/line.ts';
import { createMemoryPair } from '../../../../src/bridge/lines/memory.ts';
import { ACK, NAK } from '../../../../src/bridge/terminals/framing/index.ts';
import { createEcrEdcProtocol } from '../../../../src/bridge/terminals/ecr-edc/index.ts';
import {
  createFrameParser,
  decodeMessage,
  encodeFrame,
  encodeMessage,
  fieldText,
  type EdcMessage,
  type MessageParts,
} from '../../../../src/bridge/terminals/ecr-edc/wire/index.ts';
import type {
  LookUp,
  OperationInDoubt,
  TerminalDriver,
} from '../../../../src/bridge/terminals/terminal-driver.ts';
import type { TerminalRecord } from '../../../../src/contract/terminal.ts';
import { createNotingLog } from '../../../support/noting-log.ts';
import { watchDriver, type WatchedDriver } from '../driver-watch.ts';
import { createVirtualClock, type VirtualClock } from '../../../support/virtual-clock.ts';
import { batch, sale, voidOf } from '../../journal/sample-events.ts';

export const order = {
  amountMinor: 1_250,
  maxAmountMinor: 1_250,
  currency: 'THB',
  terminalReference: 'A1B2C3D4E5F6',
} as const;
/** As it goes out with that order. */
export const reference1 = 'TILLBRDGA1B2C3D4E5F6';
/** An approval of that order. Of the fields the terminal seldom sends the amount. */
export const approval: [string, string][] = [
  ['02', 'APPROVED'.padEnd(40)],
  ['01', '178570'],
  ['65', '000092'],
  ['16', '70000111'],
  ['D1', '000002200123456'],
  ['D2', 'VISA'],
  ['30', '4761739001010119'],
  ['31', '2512'],
  ['50', '000007'],
  ['03', '261123'],
  ['04', '101530'],
  ['D5', 'SOMCHAI JAIDEE'],
];
export const withReference: [string, string][] = [...approval, ['R1', reference1]];

/** What the terminal does when a request has come. */
export interface Terminal {
  ack(): void;
  nak(): void;
  /** Sends a response; `00` and single unless it is said otherwise. */
  say(txCode: string, fields?: MessageParts['fields'], parts?: Partial<MessageParts>): void;
  bytes(bytes: Uint8Array): void;
  unplug(): void;
}

export interface Kit extends Omit<WatchedDriver, 'owner'> {
  clock: VirtualClock;
  driver: TerminalDriver;
  terminal: Terminal;
  /** Requests that came, by their code, with the field that tells them apart; `ACK` and `NAK`. */
  seen: string[];
  /** The log as it was written. */
  logged: string[];
}

/** `play` is called for each request in turn; without one left, the terminal only acknowledges. */
export type Play = (terminal: Terminal, request: EdcMessage) => void;

export function createKit(profile: 'generic' | 'kbtg', ...play: Play[]): Kit {
  const clock = createVirtualClock();
  const [near, far] = createMemoryPair();
  const seen: string[] = [];
  const terminal = terminalOn(far);
  const parser = createFrameParser(false);
  far.onData((bytes) => {
    for (const event of parser.push(bytes)) {
      if (event.kind === 'ack' || event.kind === 'nak') seen.push(event.kind.toUpperCase());
      if (event.kind !== 'message') continue;
      const request = decodeMessage(event.message);
      const told = fieldText(request, 'R1') ?? fieldText(request, '65');
      seen.push([request.txCode, told].filter((one) => one !== null).join(' '));
      const next = play.shift() ?? ((one: Terminal) => one.ack());
      next(terminal, request);
    }
  });
  const { owner, ...watched } = watchDriver();
  const logged: string[] = [];
  const log = createNotingLog(
    (_level, message, fields) => void logged.push(JSON.stringify({ message, fields })),
  );
  const driver = createEcrEdcProtocol({ profile, currency: 'THB', clock, log }).attach(near, owner);
  return { clock, driver, terminal, seen, ...watched, logged };
}

function terminalOn(far: LineConnection): Terminal {
  return {
    ack: () => void far.write(Uint8Array.of(ACK)),
    nak: () => void far.write(Uint8Array.of(NAK)),
    say: (txCode, fields = [], parts = {}) => void far.write(frameOf(txCode, fields, parts)),
    bytes: (bytes) => void far.write(bytes),
    unplug: () => void far.close(),
  };
}

export function frameOf(
  txCode: string,
  fields: MessageParts['fields'] = [],
  parts: Partial<MessageParts> = {},
): Uint8Array {
  return encodeFrame(encodeMessage({ requestResponse: '1', txCode, fields, ...parts }), false);
}

const terminalNow = { protocol: 'ecr-edc', terminalId: null } as const;
const started = sale({
  terminalReference: order.terminalReference,
  amountMinor: order.amountMinor,
  currency: 'THB',
  terminal: terminalNow,
});
const operations = {
  sale: started,
  void: voidOf(started, { receiptNumber: '000092' }),
  batch_close: batch({ currency: 'THB', terminal: terminalNow, expected: { count: 2, totalMinor: 2_500 } }),
};

export function inDoubt(
  kind: keyof typeof operations = 'sale',
  result: TerminalRecord | null = null,
  anchor?: string,
): OperationInDoubt {
  const known = anchor === undefined ? {} : { anchor };
  return { operation: operations[kind], result, acknowledged: false, showsRecords: false, ...known };
}

/** One look of the driver at what is in doubt. */
export function lookUp(kit: Kit, ...parameters: Parameters<typeof inDoubt>): Promise<LookUp> {
  const looked = kit.driver.lookUp?.(inDoubt(...parameters));
  if (looked === undefined) throw new Error('the driver cannot be asked');
  return kit.clock.run(looked, 'the look-up');
}
