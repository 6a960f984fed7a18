/**
 * A KPay terminal ("KPay Official API Specification" v2.0), as strict as the documents are: it checks signatures, life
 * of keys, pace and states, and charges once for each number whatever becomes of its answers.
 */
import type { Clock } from '../../base/clock.ts';
import { pause } from '../../base/clock.ts';
import { formatAmount, type Currency } from '../../contract/money.ts';
import { silentLog, type Log } from '../../log/index.ts';
import {
  answerCode,
  canonicalText,
  decodeCommand,
  encodeAnswer,
  isSignatureOf,
  octopusMethod,
  pathOf,
  payMethodGroup,
  transactionData,
  type KpayCommand,
} from '../../bridge/terminals/kpay/wire/index.ts';
import {
  kpayScenarioOf,
  strictKpayDialect,
  writtenKey,
  type KpayDialect,
  type KpayScenario,
} from './dialects.ts';
import { defaultTimings, saleCourse, type KpayTimings, type SaleEvent } from './sale-course.ts';
import { freshKeys, type TerminalKeys } from './terminal-keys.ts';
import {
  openTransactions,
  payResults,
  saleType,
  shownTransaction,
  voidType,
  type StoredTransaction,
} from './transactions.ts';

export interface KpaySimulatorOptions {
  ledgerFile: string;
  currency: Currency;
  appId: string;
  appSecret: string;
  terminalId?: string | undefined;
  /** 1: card, PIN and host take about a second together; 0: no time at all. */
  timeScale: number;
  clock: Clock;
  log?: Log;
  dialect?: KpayDialect;
  timings?: Partial<KpayTimings>;
  /** Where fresh pairs of keys come from. */
  newKeys?: () => Promise<TerminalKeys>;
}

interface KpayRequestSeen {
  method: string;
  uri: string;
  /** By their names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  body: Uint8Array;
}
/** Null: the connection breaks instead. */
type KpayReply = { status: number; body: Uint8Array } | null;

export interface KpaySimulator {
  handle(request: KpayRequestSeen): Promise<KpayReply>;
  /** False while the line is cut or the power is away: no connection can be made. */
  readonly accepting: boolean;
  /** What the next sale or void goes through, whatever its amount says. */
  queueScenario(scenario: KpayScenario): void;
  /** Somebody settles at the terminal: the keys are gone. False while it is busy, or with nothing to settle. */
  settleByHand(): boolean;
  /** Forgets what is under way; the ledger stays. */
  close(): void;
}

interface Answer {
  code: number;
  message?: string;
  data?: unknown;
  /** Of an operation that begins with it. */
  scenario?: KpayScenario;
}
const accepted: Answer = { code: answerCode.accepted, data: {} };
const refusal = (code: number, message: string): Answer => ({ code, message });
const badRequest = refusal(answerCode.badRequest, 'Request parameter error');
const duplicate = refusal(answerCode.numberUsed, 'Transaction number already exists');
const busy = refusal(answerCode.busy, 'Terminal busy');
const notFound = refusal(answerCode.notFound, 'Related transaction not found');

const visa = 1;
const dayMs = 86_400_000;

/** Opens the ledger. Throws `LedgerError` where that is damaged. */
export function createKpaySimulator(options: KpaySimulatorOptions): KpaySimulator {
  const { clock, log = silentLog, currency, timeScale, terminalId = 'KP0000000001' } = options;
  const { dialect = strictKpayDialect, newKeys = freshKeys } = options;
  const timings = { ...defaultTimings, ...options.timings };
  const store = openTransactions(options.ledgerFile, log);
  const lastSeen = new Map<string, number>();
  const queued: KpayScenario[] = [];
  const timers = new Set<() => void>();
  let keys: TerminalKeys | null = null;
  let running: StoredTransaction | null = null;
  let cutUntil = -Infinity;
  let silentUntil = -Infinity;

  function after(delayMs: number, call: () => void): void {
    const cancel = clock.after(delayMs, () => {
      timers.delete(cancel);
      call();
    });
    timers.add(cancel);
  }
  const always = () => ({ at: new Date(clock.now()).toISOString(), terminal_id: terminalId, currency });
  const ofTransaction = (outTradeNo: string, amountMinor: number) => ({
    ...always(),
    out_trade_no: outTradeNo,
    amount: formatAmount(amountMinor, currency),
    amount_minor: amountMinor,
  });

  async function answerTo(request: KpayRequestSeen): Promise<KpayReply> {
    const read = decodeCommand(request);
    if (!read.ok) return reply(badRequest);
    const { command } = read;
    const path = pathOf(request.uri);
    const sinceMs = clock.elapsed() - (lastSeen.get(path) ?? -Infinity);
    lastSeen.set(path, clock.elapsed());
    if (sinceMs < timings.paceMs) return reply(refusal(answerCode.tooFast, 'Request too frequent'));
    if (command.call === 'sign_in') return reply(await signIn(command));
    return reply(whatIsWrong(request) ?? run(command));
  }

  function reply(answer: Answer): KpayReply | Promise<KpayReply> {
    const { message, scenario, ...rest } = answer;
    const body = encodeAnswer({ ...rest, ...(message === undefined ? {} : { [dialect.textKey]: message }) });
    const whole = { status: 200, body };
    if (scenario === undefined) return whole;
    if (scenario === 'answer_dropped' || !simulator.accepting || silentUntil > clock.elapsed()) return null;
    if (scenario === 'http_500') return { status: 500, body: Buffer.from('Internal Server Error') };
    if (scenario === 'answer_late') return pause(clock, timings.lateMs).then(() => whole);
    return whole;
  }

  async function signIn({ appId, appSecret }: KpayCommand & { call: 'sign_in' }): Promise<Answer> {
    if (appId !== options.appId || appSecret !== options.appSecret)
      return refusal(answerCode.wrongApplication, 'Developer application authentication failed');
    keys = await newKeys();
    return {
      code: answerCode.accepted,
      data: {
        platformPublicKey: writtenKey(keys.platformPublicKey, 'PUBLIC KEY', dialect),
        appPrivateKey: writtenKey(keys.appPrivateKey, 'PRIVATE KEY', dialect),
      },
    };
  }

  /** Of keys, application and signature; null: the request is the till's. */
  function whatIsWrong({ method, uri, headers, body }: KpayRequestSeen): Answer | null {
    if (keys === null) return refusal(answerCode.keysGone, 'Working key does not exist, please re-sign in');
    if (headers['appid'] !== options.appId)
      return refusal(answerCode.wrongApplication, 'Developer application authentication failed');
    const { timestamp = '', noncestr: nonceStr = '', signature = '' } = headers;
    const text = canonicalText({ method, uri, timestamp, nonceStr, body });
    return isSignatureOf(signature, text, keys.appPublicKey)
      ? null
      : refusal(answerCode.wrongSignature, 'Signature verification failed');
  }

  function run(command: Exclude<KpayCommand, { call: 'sign_in' }>): Answer {
    switch (command.call) {
      case 'sale':
        return sale(command);
      case 'void':
        return reverse(command);
      case 'close':
        return close(command.outTradeNo);
      case 'query': {
        const one = store.find(command.outTradeNo);
        if (one === undefined) return notFound;
        const { outTradeNO, ...data } = transactionData(
          shownTransaction(one, { currency, terminalId }),
          command.includeReceipt,
        );
        return { code: answerCode.accepted, data: { [dialect.numberKey]: outTradeNO, ...data } };
      }
      case 'settle':
        if (running !== null) return busy;
        return settle() ? accepted : refusal(answerCode.nothingToSettle, 'Settlement data is empty');
      case 'query_settlement': {
        const sales = command.previousBatch ? store.lastSettled : store.open();
        if (sales === null) return refusal(answerCode.noSettlementYet, 'No settlement');
        if (sales.length === 0) return refusal(answerCode.nothingToSettle, 'Settlement data is empty');
        return { code: answerCode.accepted, data: totalsOf(sales) };
      }
    }
  }

  function sale(command: KpayCommand & { call: 'sale' }): Answer {
    const { outTradeNo, amountMinor, tipsMinor } = command;
    if (store.find(outTradeNo) !== undefined) return duplicate;
    if (running !== null) return busy;
    if (amountMinor === 0 || command.currency !== currency) return badRequest;
    const one = start(outTradeNo, saleType, amountMinor);
    const scenario = queued.shift() ?? kpayScenarioOf(amountMinor);
    for (const [afterMs, event] of saleCourse(scenario, timings, timeScale)) {
      if (afterMs === 0 && event.kind !== 'charge') happen(one, event, tipsMinor);
      else after(afterMs, () => happen(one, event, tipsMinor));
    }
    return { ...accepted, scenario };
  }

  function happen(one: StoredTransaction, event: SaleEvent, tipMinor: number): void {
    switch (event.kind) {
      case 'charge':
        return charged(one, one.amountMinor + (event.moreMinor ?? 0), tipMinor, event.late);
      case 'end':
        return ended(one, event.payResult, event.reason);
      case 'cut_line':
        cutUntil = clock.elapsed() + timings.cutMs;
        return;
      case 'lose_keys':
        keys = null;
        return;
      case 'fall_silent':
        silentUntil = clock.elapsed() + timings.silenceMs;
    }
  }

  function reverse({ outTradeNo, originOutTradeNo }: KpayCommand & { call: 'void' }): Answer {
    if (store.find(outTradeNo) !== undefined) return duplicate;
    if (running !== null) return busy;
    const origin = store.find(originOutTradeNo);
    if (origin === undefined) return notFound;
    if (origin.payResult === payResults.returned)
      return refusal(answerCode.alreadyRefunded, 'Transaction already refunded');
    if (origin.type !== saleType || origin.payMethod === octopusMethod)
      return refusal(answerCode.wrongType, 'Transaction type cannot be reversed');
    if (origin.payResult !== payResults.success || origin.batch !== store.batch)
      return refusal(answerCode.cannotBeVoided, 'Transaction state cannot be reversed');
    if (Math.floor((origin.commitTimeMs ?? 0) / dayMs) !== Math.floor(clock.now() / dayMs))
      return refusal(answerCode.ofAnotherDay, 'Next-day transaction, cannot be reversed');
    const one = start(outTradeNo, voidType, origin.amountMinor);
    const scenario = queued.shift() ?? 'approved';
    after(timings.hostMs * timeScale, () => {
      if (!finish(one)) return;
      store.record({
        ...ofTransaction(outTradeNo, origin.amountMinor),
        event: 'reversed',
        receipt_number: origin.receiptNumber ?? '',
        origin_out_trade_no: originOutTradeNo,
      });
    });
    return { ...accepted, scenario };
  }

  function close(outTradeNo: string): Answer {
    const one = store.find(outTradeNo);
    if (one === undefined) return notFound;
    if (one !== running || one.type !== saleType)
      return refusal(answerCode.alreadyCompleted, 'Transaction completed, cannot be closed');
    ended(one, payResults.cancelled, 'Closed by the till');
    return accepted;
  }

  function settle(): boolean {
    const sales = store.open();
    if (sales.length === 0) return false;
    const totalMinor = sales.reduce((sum, { amountMinor, tipMinor }) => sum + amountMinor + tipMinor, 0);
    store.record({
      ...always(),
      event: 'settled',
      count: sales.length,
      total: formatAmount(totalMinor, currency),
      total_minor: totalMinor,
    });
    keys = null;
    return true;
  }

  /** The number is used up before anything else happens. */
  function start(outTradeNo: string, type: number, amountMinor: number): StoredTransaction {
    store.record({ ...ofTransaction(outTradeNo, amountMinor), event: 'started', type });
    const one = store.find(outTradeNo);
    if (one === undefined) throw new Error('what was recorded is not there');
    running = one;
    return one;
  }

  /** False: it has ended in another way. */
  function finish(one: StoredTransaction): boolean {
    if (running === one) running = null;
    return one.payResult === payResults.pending;
  }

  /** `late`: also when its time has run out. */
  function charged(one: StoredTransaction, amountMinor: number, tipMinor: number, late = false): void {
    if (!finish(one) && !(late && one.payResult === payResults.timedOut)) return;
    const receiptNumber = store.nextReceiptNumber();
    store.record({
      ...ofTransaction(one.outTradeNo, amountMinor),
      event: 'charged',
      receipt_number: receiptNumber,
      tip_minor: tipMinor,
      pay_method: visa,
      approval_code: `A${receiptNumber.slice(-5)}`,
      commit_time_ms: clock.now(),
    });
  }

  function ended(one: StoredTransaction, payResult: number, reason: string): void {
    if (!finish(one)) return;
    store.record({
      ...ofTransaction(one.outTradeNo, one.amountMinor),
      event: 'ended',
      pay_result: payResult,
      reason,
    });
  }

  const simulator: KpaySimulator = {
    async handle(request) {
      if (!simulator.accepting) return null;
      const silentMs = silentUntil - clock.elapsed();
      if (silentMs > 0) {
        await pause(clock, silentMs);
        return null;
      }
      return answerTo(request);
    },
    get accepting() {
      return clock.elapsed() >= cutUntil;
    },
    queueScenario: (scenario) => void queued.push(scenario),
    settleByHand: () => running === null && settle(),
    close() {
      for (const cancel of timers) cancel();
      timers.clear();
    },
  };
  return simulator;
}

/** One line for each scheme. What a real terminal calls these fields is not public. */
function totalsOf(sales: readonly StoredTransaction[]): unknown[] {
  const groups = Map.groupBy(sales, ({ payMethod }) => payMethodGroup(payMethod) ?? 'other');
  return [...groups].map(([scheme, members]) => ({
    scheme,
    count: members.length,
    amount: members.reduce((sum, { amountMinor, tipMinor }) => sum + amountMinor + tipMinor, 0),
  }));
}
