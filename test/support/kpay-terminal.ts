/**
 * A simulated KPay terminal, as `createTerminalRig` takes it. There is no line: a piece on its cable is a whole request, or a
 * whole answer.
 */
import { createPublicKey } from 'node:crypto';
import { createKpayProtocol } from '../../src/bridge/terminals/kpay/index.ts';
import type {
  KpayRequest,
  KpayTransport,
  TransportResult,
} from '../../src/bridge/terminals/kpay/transport.ts';
import {
  answerCode,
  callOf,
  decodeAnswer,
  type KpayCommand,
} from '../../src/bridge/terminals/kpay/wire/index.ts';
import type { OperationKind } from '../../src/contract/operation.ts';
import { createKpaySimulator, type KpaySimulator } from '../../src/simulator/kpay/kpay-simulator.ts';
import { kpayKeys } from '../bridge/terminals/kpay/kpay-keys.ts';
import type { TerminalParts } from './core-rig.ts';
import type { TerminalOnCable } from './terminal-rig.ts';
import type { VirtualClock } from './virtual-clock.ts';

export type KpayCall = KpayCommand['call'];
type Cable = TerminalOnCable['cable'];

export interface KpayTerminalOptions {
  simulator?: Partial<Parameters<typeof createKpaySimulator>[0]>;
  /** Of the till; the terminal's own is "secret". */
  appSecret?: string;
  /** What stands between the bridge and the cable. See `createLosses`. */
  through?: (transport: KpayTransport) => KpayTransport;
}

const { appPrivateKey, platformPublicKey } = kpayKeys;
/** Those that the simulated terminal hands out. */
export const kpaySimulatorKeys = {
  appPublicKey: createPublicKey({
    key: Buffer.from(appPrivateKey, 'base64'),
    format: 'der',
    type: 'pkcs8',
  } as never),
  appPrivateKey,
  platformPublicKey,
};
const callOfKind: Record<OperationKind, KpayCall> = { sale: 'sale', void: 'void', batch_close: 'settle' };
const answerTimeoutMs = 10_000;
const reset: TransportResult = { kind: 'no_answer', reason: 'the connection was reset' };

export function kpayTerminal({ through = (transport) => transport, ...options }: KpayTerminalOptions = {}) {
  return ({ ledgerFile, clock, chance }: TerminalParts): TerminalOnCable<KpaySimulator> => {
    const simulator = createKpaySimulator({
      ledgerFile,
      currency: 'HKD',
      appId: 'app',
      appSecret: 'secret',
      timeScale: 1,
      clock,
      newKeys: async () => kpaySimulatorKeys,
      ...options.simulator,
    });
    /** But for copies that asked for keys, or came too soon. */
    const sent: (KpayCall | null)[] = [];
    const { cable, transport } = createCable(simulator, clock, (call) => {
      const index = sent.push(call) - 1;
      return { takeBack: () => void (sent[index] = null) };
    });
    return {
      currency: 'HKD',
      lineName: 'http:terminal:18080',
      connection(log) {
        const protocol = createKpayProtocol({
          appId: 'app',
          appSecret: options.appSecret ?? 'secret',
          host: 'terminal',
          port: 18_080,
          currency: 'HKD',
          transport: through(transport),
          clock,
          chance,
          log,
        });
        return { protocol, connect: protocol.connect };
      },
      pull: cable.pull,
      put: cable.put,
      close: async () => simulator.close(),
      simulator,
      cable,
      sent: (kind) => sent.filter((call) => call === callOfKind[kind]).length,
      carriedOut: (kind) => simulator.state().commands[callOfKind[kind]] ?? 0,
    };
  };
}

function isRefused(body: Uint8Array): boolean {
  const { code } = decodeAnswer(body) ?? {};
  return code === answerCode.keysGone || code === answerCode.tooFast;
}

/** Loses requests, or the answers to them, by what they are. */
export function createLosses() {
  const losses: { call: KpayCall; what: 'request' | 'answer' }[] = [];
  /** Calls that the bridge has made, in order, lost ones included. */
  const seen: (KpayCall | null)[] = [];
  return {
    seen,
    lose: (call: KpayCall, what: 'request' | 'answer') => void losses.push({ call, what }),
    through: (transport: KpayTransport): KpayTransport => ({
      async send(message, signal) {
        const call = callOf(message.method, message.uri);
        seen.push(call);
        const at = losses.findIndex((one) => one.call === call);
        const loss = at === -1 ? undefined : losses.splice(at, 1)[0];
        if (loss?.what === 'request') return reset;
        const result = await transport.send(message, signal);
        return loss === undefined ? result : reset;
      },
    }),
  };
}

/** A request as a terminal reads it. */
function seenBy({ method, uri, headers, body }: KpayRequest) {
  const flat = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return { method, uri, headers: flat, body: body ?? new Uint8Array() };
}

/** Straight to a simulated terminal, whose every answer comes at once. */
export function transportTo(simulator: KpaySimulator): KpayTransport {
  return {
    async send(message) {
      if (!simulator.accepting) return { kind: 'not_sent', reason: 'the connection was refused' };
      const reply = await simulator.handle(seenBy(message));
      return reply === null ? reset : { kind: 'response', ...reply };
    },
  };
}

function createCable(
  simulator: KpaySimulator,
  clock: VirtualClock,
  onCall: (call: KpayCall | null) => { takeBack(): void },
) {
  let plugged = true;
  let open = new AbortController();
  const cable: Cable = {
    onPiece: () => 'pass',
    pull() {
      plugged = false;
      open.abort();
    },
    put() {
      plugged = true;
      open = new AbortController();
    },
  };

  /** Null: it is lost, and nobody says so. */
  async function carry({ method, uri, headers, body }: KpayRequest): Promise<TransportResult | null> {
    const call = callOf(method, uri);
    const count = onCall(call);
    if (cable.onPiece() === 'lose') return null;
    const reply = await simulator.handle(seenBy({ method, uri, headers, body }));
    if (reply === null) return reset;
    // What was plainly refused is sent again.
    if (isRefused(reply.body)) count.takeBack();
    return cable.onPiece() === 'lose' ? null : { kind: 'response', ...reply };
  }

  const transport: KpayTransport = {
    send(message, signal) {
      if (!plugged || !simulator.accepting)
        return Promise.resolve({ kind: 'not_sent', reason: 'the connection was refused' });
      return new Promise((resolve) => {
        const end = (result: TransportResult) => {
          cancel();
          resolve(result);
        };
        const cancel = clock.after(answerTimeoutMs, () =>
          end({ kind: 'no_answer', reason: 'no answer came' }),
        );
        const pulled = open.signal;
        for (const one of [signal, pulled]) one.addEventListener('abort', () => end(reset));
        void carry(message).then((result) => {
          if (result !== null) end(result);
        });
      });
    },
  };
  return { cable, transport };
}
