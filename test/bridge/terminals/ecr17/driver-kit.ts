/** The real driver on a memory line against a terminal that the test plays, on a clock that the test moves. */
import type { LineConnection } from '../../../../src/bridge/lines/line.ts';
import { createMemoryPair } from '../../../../src/bridge/lines/memory.ts';
import { createEcr17Protocol } from '../../../../src/bridge/terminals/ecr17/index.ts';
import {
  createParser,
  decodeMessage,
  encodeAnswer,
  encodeFrame,
  encodeMessage,
  encodeProgress,
  type Ecr17Message,
  type LrcRange,
  type MessageParts,
} from '../../../../src/bridge/terminals/ecr17/wire/index.ts';
import type {
  LookUp,
  OperationInDoubt,
  TerminalDriver,
} from '../../../../src/bridge/terminals/terminal-driver.ts';
import { silentLog } from '../../../../src/log/log.ts';
import { watchDriver, type WatchedDriver } from '../driver-watch.ts';
import { createVirtualClock, type VirtualClock } from '../../../support/virtual-clock.ts';

export const terminalId = '37105051';
export const identity = { protocol: 'ecr17', terminalId } as const;
export const order = { amountMinor: 650, maxAmountMinor: 650, currency: 'EUR' } as const;

/** With the id of another terminal where it has one. */
export type Said = Omit<MessageParts, 'direction' | 'terminalId'> & { terminalId?: string };

/** An approval with the amount of the host, as it answers X. */
export function approval(stan: number, values: Said['values'] = {}): Said {
  return {
    code: 'E',
    length: 92,
    values: {
      result: '00',
      panLast4: '1111',
      entry: 'ICC',
      authorizationCode: 'ABC123',
      hostDateTime: '2111520',
      cardType: '2',
      stan: String(stan).padStart(6, '0'),
      onlineId: String(stan % 10_000).padStart(6, '1'),
      actionCode: '000',
      hostAmount: '00000650',
      ...values,
    },
  };
}
export function refusal(stan: number, values: Said['values'] = {}): Said {
  const number = String(stan).padStart(6, '0');
  return {
    code: 'E',
    length: 92,
    values: { result: '01', description: 'CARTA RIFIUTATA', stan: number, ...values },
  };
}
/** The answer to a reversal, which has no amount. */
export function reversed(stan: number, values: Said['values'] = {}): Said {
  const { hostAmount: _amount, ...known } = approval(stan).values ?? {};
  return { code: 'E', length: 84, values: { ...known, authorizationCode: '', ...values } };
}

/** An approval without an amount, as it answers P. */
export function shortApproval(stan: number): Said {
  const { hostAmount: _amount, actionCode: _code, ...values } = approval(stan).values ?? {};
  return { code: 'E', length: 71, values };
}

/** What the terminal does when a request has come. */
export interface Terminal {
  ack(): void;
  nak(): void;
  say(said: Said, range?: LrcRange): void;
  progress(text: string): void;
  bytes(bytes: Uint8Array): void;
  unplug(): void;
}
export type Play = (terminal: Terminal, request: Ecr17Message) => void;

interface KitOptions {
  /** Over TCP, where the terminal may hang up and is called again. */
  framing?: 'serial' | 'tcp';
  receipts?: 'terminal' | 'pos';
}

export interface Kit extends Omit<WatchedDriver, 'owner'> {
  clock: VirtualClock;
  driver: TerminalDriver;
  terminal: Terminal;
  /** What it does at the next requests with this code; afterwards it answers what changes nothing, and acknowledges the rest. */
  script: Record<string, Play[]>;
  /** What it answers then; no last result: NAK. */
  state: { last: Said | null; total: number; status: string; range: LrcRange | null };
  /** The codes of the requests that came, repeats included. */
  seen: string[];
  /** Of our answers. */
  answers: ('ack' | 'nak')[];
  /** How often a command that moves money has come. */
  money(): number;
  /** How often the terminal was called. */
  calls(): number;
  /** Why the line has ended, for the bridge; null: it has not. */
  ended(): string | null;
}

export function createKit(last: Said | null = approval(41), options: KitOptions = {}): Kit {
  const clock = createVirtualClock();
  let far: LineConnection;
  let calls = 0;
  let ended: string | null = null;
  const script: Kit['script'] = {};
  const state: Kit['state'] = { last, total: 10_000, status: '2', range: null };
  const seen: string[] = [];
  const answers: Kit['answers'] = [];
  const terminal: Terminal = {
    ack: () => void far.write(encodeAnswer('ack')),
    nak: () => void far.write(encodeAnswer('nak')),
    say: (said, range) => void far.write(frameOf(said, range ?? state.range ?? 'stx+etx')),
    progress: (text) => void far.write(encodeProgress(text)),
    bytes: (bytes) => void far.write(bytes),
    unplug: () => void far.close(),
  };
  const standard: Record<string, Play> = {
    s: answering(() => ({
      code: 's',
      values: { status: state.status, dateTime: '3107262122', software: 'SYSEMV' },
    })),
    G: answering(() => state.last),
    T(one, request) {
      answering(totals(state.total))(one, request);
      // Whoever asks has had its ticket come to the till.
      one.say({ code: 'S', values: { text: 'TOTALI}}}}}}\u001b' } });
    },
  };
  const parser = createParser();
  function called(): LineConnection {
    const [near, end] = createMemoryPair();
    calls += 1;
    far = end;
    far.onData(onData);
    return near;
  }
  function onData(bytes: Uint8Array) {
    for (const event of parser.push(bytes)) {
      if (event.kind === 'ack' || event.kind === 'nak') answers.push(event.kind);
      if (event.kind !== 'frame') continue;
      const request = decodeMessage(event.data, 'to_terminal');
      seen.push(request.code);
      if (state.range !== null && event.lrcRange !== state.range) {
        terminal.nak();
        continue;
      }
      const play = script[request.code]?.shift() ?? standard[request.code] ?? ((one: Terminal) => one.ack());
      play(terminal, request);
    }
  }
  const { owner, ...watched } = watchDriver();
  const protocol = createEcr17Protocol({ ...options, clock, log: silentLog });
  const first = called();
  const line = protocol.redialled?.(first, () => Promise.resolve(called())) ?? first;
  const driver = protocol.attach(line, owner);
  line.onClose((reason) => (ended = reason));
  const money = () => seen.filter((code) => ['P', 'X', 'S', 'C'].includes(code)).length;
  return {
    clock,
    driver,
    terminal,
    script,
    state,
    seen,
    answers,
    ...watched,
    money,
    calls: () => calls,
    ended: () => ended,
  };
}

/** Acknowledges, and says it; null: NAK. */
export function answering(said: Said | (() => Said | null)): Play {
  return (terminal) => {
    const one = typeof said === 'function' ? said() : said;
    if (one === null) return terminal.nak();
    terminal.ack();
    terminal.say(one);
  };
}

export const totals = (cents: number): Said => ({
  code: 'T',
  values: { result: '00', posTotal: String(cents).padStart(16, '0') },
});

export function frameOf(
  { code, length, values, terminalId: from = terminalId }: Said,
  range: LrcRange = 'stx+etx',
): Uint8Array {
  const parts: MessageParts = { code, direction: 'from_terminal', terminalId: from };
  if (length !== undefined) parts.length = length;
  if (values !== undefined) parts.values = values;
  const encoded = encodeMessage(parts);
  if (!encoded.ok) throw new Error(encoded.error);
  return encodeFrame(encoded.data, range);
}

/** As the bridge does on a new connection: only then are commands sent that move money. */
export async function ready(kit: Kit) {
  const readiness = await kit.clock.run(kit.driver.prepare(), 'a poll');
  kit.seen.length = 0;
  kit.answers.length = 0;
  return readiness;
}

export function sell(kit: Kit) {
  return kit.clock.run(kit.driver.sale(order, kit.watch), 'the sale', 20 * 60_000);
}

export function lookUp(kit: Kit, inDoubt: OperationInDoubt): Promise<LookUp> {
  const looking = kit.driver.lookUp?.(inDoubt) ?? Promise.reject(new Error('there is no look-up'));
  return kit.clock.run(looking, 'the look-up', 10 * 60_000);
}
