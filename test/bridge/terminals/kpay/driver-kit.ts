/** The real driver and client against a terminal that the test plays answer by answer, on a clock that the test moves. */
import type {
  KpayRequest,
  KpayTransport,
  TransportResult,
} from '../../../../src/bridge/terminals/kpay/transport.ts';
import { createKpayProtocol } from '../../../../src/bridge/terminals/kpay/index.ts';
import {
  callOf,
  encodeAnswer,
  transactionData,
  type KpayCommand,
  type KpayTransaction,
} from '../../../../src/bridge/terminals/kpay/wire/index.ts';
import type {
  OperationInDoubt,
  TerminalConnection,
  TerminalDriver,
  TerminalProtocol,
} from '../../../../src/bridge/terminals/terminal-driver.ts';
import { silentLog, type Log } from '../../../../src/log/log.ts';
import { seededChance } from '../../../support/random.ts';
import { createVirtualClock, type VirtualClock } from '../../../support/virtual-clock.ts';
import { sale, voidOf } from '../../journal/sample-events.ts';
import { watchDriver, type WatchedDriver } from '../driver-watch.ts';
import { kpayKeys } from './kpay-keys.ts';

type Call = KpayCommand['call'];

/** The number of the sale that most tests are about. */
export const number = 'SALE0000000000000001';
export const voidNumber = 'VOID0000000000000001';
export const order = {
  amountMinor: 12_000,
  maxAmountMinor: 12_000,
  currency: 'HKD',
  terminalReference: number,
} as const;
export const voidOrder = {
  amountMinor: 12_000,
  currency: 'HKD',
  receiptNumber: '555555000001',
  traceNumber: '000001',
  terminalId: null,
  terminalReference: voidNumber,
  originalTerminalReference: number,
} as const;

const approved: Partial<KpayTransaction> = {
  outTradeNo: number,
  payResult: 2,
  transactionType: 1,
  amountMinor: 12_000,
  currency: 'HKD',
  payMethod: 1,
  refNo: '555555000001',
  transactionNo: 'T0001',
  traceNo: '000001',
  authCode: 'A00001',
  maskedCardNumber: '************1111',
  deviceId: 'KP0000000001',
};

export const code = (number: number): TransportResult => answer({ code: number });
export const lost: TransportResult = { kind: 'no_answer', reason: 'the answer broke off' };
export const refused: TransportResult = { kind: 'not_sent', reason: 'the connection was refused' };
/** The answer to a query: the sale was approved, but for what `part` says. */
export const held = (part: Partial<KpayTransaction> = {}): TransportResult =>
  answer({ code: 10_000, data: transactionData({ ...approved, ...part }, true) });
export const pending = held({ payResult: 1, transactionType: null, payMethod: null });
export const batch = (amount: number): TransportResult =>
  answer({ code: 10_000, data: [{ scheme: 'visa', count: 1, amount }] });

function answer(content: { code: number; data?: unknown }): TransportResult {
  return { kind: 'response', status: 200, body: encodeAnswer(content) };
}

const { appPrivateKey, platformPublicKey } = kpayKeys;
const usual: Record<Call, TransportResult> = {
  sign_in: answer({ code: 10_000, data: { appPrivateKey, platformPublicKey } }),
  sale: code(10_000),
  void: code(10_000),
  query: pending,
  close: code(10_000),
  settle: code(10_000),
  query_settlement: code(50_011),
};

/** Answers to calls, in turn; the last one of a call stands for all that follow. */
export type Script = Partial<Record<Call, readonly TransportResult[]>>;

export interface Kit extends Omit<WatchedDriver, 'owner'> {
  clock: VirtualClock;
  protocol: TerminalProtocol;
  connection: TerminalConnection;
  driver: TerminalDriver;
  /** Calls in order, with their number where they have one: `sale SALE…`. */
  seen: string[];
  bodies: string[];
  failures: string[];
  run<T>(promise: Promise<T> | undefined): Promise<T>;
}

export async function createKit(script: Script = {}, log: Log = silentLog): Promise<Kit> {
  const clock = createVirtualClock();
  const seen: string[] = [];
  const bodies: string[] = [];
  const failures: string[] = [];
  const asked = new Map<Call, number>();
  const transport: KpayTransport = {
    async send(message) {
      const call = callOf(message.method, message.uri);
      if (call === null) throw new Error(`nobody knows ${message.uri}`);
      seen.push([call, numberIn(message)].filter(Boolean).join(' '));
      bodies.push(Buffer.from(message.body ?? []).toString());
      const turn = asked.get(call) ?? 0;
      asked.set(call, turn + 1);
      const answers = script[call] ?? [];
      return answers[Math.min(turn, answers.length - 1)] ?? usual[call];
    },
  };
  const protocol = createKpayProtocol({
    appId: '202600000000001',
    appSecret: 'test-secret-not-real',
    host: 'terminal',
    port: 18_080,
    currency: 'HKD',
    transport,
    clock,
    chance: seededChance(clock, 1),
    log,
  });
  const { owner, ...watched } = watchDriver();
  const run = <T>(promise: Promise<T> | undefined): Promise<T> =>
    clock.run(promise ?? Promise.reject(new Error('there is none')), 'the terminal', 60 * 60_000);
  const signal = new AbortController().signal;
  const connection = await run(protocol.connect(owner, signal, (reason) => void failures.push(reason)));
  if (connection === null) throw new Error('no connection');
  return {
    clock,
    protocol,
    connection,
    driver: connection.driver,
    seen,
    bodies,
    failures,
    run,
    ...watched,
  };
}

function numberIn({ uri, body }: KpayRequest): string {
  if (body === null) return new URLSearchParams(uri.split('?')[1]).get('outTradeNo') ?? '';
  return (JSON.parse(Buffer.from(body).toString()) as { outTradeNo?: string }).outTradeNo ?? '';
}

const terminal = { protocol: 'kpay', terminalId: null } as const;
const started = sale({ terminalReference: number, amountMinor: 12_000, currency: 'HKD', terminal });

/** The sale in doubt, or its void. `anchor`: number of a payment that its terminal had. */
export function inDoubt(anchor?: string, kind: 'sale' | 'void' = 'sale'): OperationInDoubt {
  const operation = kind === 'sale' ? started : voidOf(started, { terminalReference: voidNumber, terminal });
  return {
    operation,
    result: null,
    acknowledged: false,
    showsRecords: false,
    ...(anchor === undefined ? {} : { anchor }),
  };
}
