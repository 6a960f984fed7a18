/**
 * A KPay terminal ("KPay Official API Specification" v2.0), as strict as the documents are: it checks signatures, life
 * of keys, pace and states, and charges once for each number whatever becomes of its answers.
 */
import type { Clock } from '../../base/clock.ts';
import { pause } from '../../base/clock.ts';
import type { Currency } from '../../contract/money.ts';
import { silentLog, type Log } from '../../log/index.ts';
import {
  answerCode,
  decodeCommand,
  encodeAnswer,
  octopusMethod,
  payMethodGroup,
  saleType,
  transactionData,
  voidType,
  type KpayCommand,
} from '../../bridge/terminals/kpay/wire/index.ts';
import { accepted, badRequest, busy, duplicate, nothingToSettle, refusal, type Answer } from './answers.ts';
import { kpayDialects, kpayScenarioOf, type KpayDialect, type KpayScenario } from './dialects.ts';
import { createDoor, type KpayRequestSeen } from './door.ts';
import { defaultTimings, saleCourse, type KpayTimings, type SaleEvent } from './sale-course.ts';
import { freshKeys, type TerminalKeys } from './terminal-keys.ts';
import { payResults, shownTransaction, type StoredTransaction } from './transactions.ts';
import { createWork } from './work.ts';

export interface KpaySimulatorOptions {
  ledgerFile: string;
  currency: Currency;
  appId: string;
  appSecret: string;
  /** Eight letters or digits; by default KP000001. With another id it is another terminal, whose memory is empty. */
  terminalId?: string | undefined;
  /** 1: card, PIN and host take about a second together; 0: no time at all. */
  timeScale: number;
  clock: Clock;
  log?: Log;
  dialect?: KpayDialect | undefined;
  timings?: Partial<KpayTimings>;
  /** Where fresh pairs of keys come from. */
  newKeys?: () => Promise<TerminalKeys>;
  /** Hears of each sale, void and settlement that it takes, before it begins with it. */
  onCommand?: ((call: 'sale' | 'void' | 'settle') => void) | undefined;
}

/** Null: the connection breaks instead. */
type KpayReply = { status: number; body: Uint8Array } | null;

export interface KpaySimulator {
  handle(request: KpayRequestSeen): Promise<KpayReply>;
  /** False while the line is cut or the power is away: no connection can be made. */
  readonly accepting: boolean;
  /** What the next sale or void goes through, whatever its amount says. */
  queueScenario(scenario: KpayScenario): void;
  /** A sale without the till; throws when the terminal is busy. Gives the number on its receipt. */
  payManually(amountMinor: number): string;
  /** A void without the till; throws when the terminal is busy or cannot undo this sale. */
  reverseManually(receiptNumber: string): void;
  /** Settles without the till: the keys are gone. Throws when the terminal is busy. */
  closeDayManually(): void;
  /** Another terminal at this address, with a memory of its own. Throws when this one is busy. */
  replaceTerminal(terminalId: string): void;
  /** Now, at whatever step it is: what runs has failed, the keys are gone, and nobody can connect for so long. */
  losePower(durationMs: number): void;
  /** Now: nobody can connect for so long; the terminal goes on. */
  cutLine(durationMs: number): void;
  state(): KpaySimulatorState;
  /** Forgets what is under way; the ledger stays. */
  close(): void;
}

interface KpaySimulatorState {
  busy: boolean;
  /** Time has run out for a sale that a customer is about to pay all the same. */
  mayStillBePaid: boolean;
  /** How many of each call it has accepted. */
  commands: Readonly<Record<string, number>>;
}

const dayMs = 86_400_000;

/** Opens the ledger. Throws `LedgerError` where that is damaged. */
export function createKpaySimulator(options: KpaySimulatorOptions): KpaySimulator {
  const { clock, log = silentLog, currency, timeScale } = options;
  const { dialect = kpayDialects.strict, newKeys = freshKeys, onCommand = () => {} } = options;
  const timings = { ...defaultTimings, ...options.timings };
  const { appId, appSecret } = options;
  const { ledgerFile, terminalId = 'KP000001' } = options;
  const work = createWork({ ledgerFile, terminalId, currency, dialect, clock, log });
  const door = createDoor({ appId, appSecret, paceMs: timings.paceMs, dialect, clock, newKeys });
  const queued: KpayScenario[] = [];
  const timers = new Set<() => void>();
  const commands: Record<string, number> = {};
  let settling = false;
  let latePayments = 0;
  let cutUntil = -Infinity;
  let silentUntil = -Infinity;

  function after(delayMs: number, call: () => void): void {
    const cancel = clock.after(delayMs, () => {
      timers.delete(cancel);
      call();
    });
    timers.add(cancel);
  }
  const notFound = refusal(dialect.unknownCode, 'Related transaction not found');

  async function answerTo(request: KpayRequestSeen): Promise<KpayReply> {
    const read = decodeCommand(request);
    if (!read.ok) return reply(badRequest);
    const { command } = read;
    if (door.isTooSoon(request.uri)) return reply(refusal(answerCode.tooFast, 'Request too frequent'));
    if (command.call === 'sign_in') return reply(await door.signIn(command));
    const answer = door.whatIsWrong(request) ?? run(command);
    if (answer.scenario !== undefined || answer === accepted)
      commands[command.call] = (commands[command.call] ?? 0) + 1;
    return reply(answer);
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

  function run(command: Exclude<KpayCommand, { call: 'sign_in' }>): Answer {
    switch (command.call) {
      case 'sale':
        return sale(command);
      case 'void':
        return reverse(command);
      case 'close':
        return close(command.outTradeNo);
      case 'query': {
        const one = work.store.find(command.outTradeNo);
        if (one === undefined || (one.batch !== work.store.batch && !dialect.remembersSettled))
          return notFound;
        return { code: answerCode.accepted, data: shown(one, command.includeReceipt) };
      }
      case 'settle':
        return settleForTill();
      case 'query_settlement': {
        const sales = command.previousBatch ? work.store.lastSettled : work.store.open();
        if (sales === null) return refusal(answerCode.noSettlementYet, 'No settlement');
        if (sales.length === 0) return nothingToSettle;
        const totals = totalsOf(sales);
        const data = dialect.timesTotals ? { queryTime: clock.now(), totals } : totals;
        return { code: answerCode.accepted, data };
      }
    }
  }

  function shown(one: StoredTransaction, withReceipt: boolean): Record<string, unknown> {
    const { outTradeNO, ...data } = transactionData(
      shownTransaction(one, { currency, terminalId: work.terminalId }, dialect),
      withReceipt,
    );
    const whole = { [dialect.numberKey]: outTradeNO, ...data };
    return dialect.numbers === 'plain'
      ? whole
      : Object.fromEntries(Object.entries(whole).map(([name, value]) => [name, String(value)]));
  }

  function settleForTill(): Answer {
    if (isBusy()) return busy;
    onCommand('settle');
    if (work.store.open().length === 0) return nothingToSettle;
    if (dialect.settles === 'at_once') {
      settle();
      return accepted;
    }
    settling = true;
    after(timings.settleMs, () => {
      settling = false;
      settle();
    });
    return accepted;
  }

  function requireIdle(): void {
    if (isBusy()) throw new Error('the terminal is busy with a command of the till');
  }

  function isBusy(): boolean {
    return work.running !== null || settling;
  }

  function sale(command: KpayCommand & { call: 'sale' }): Answer {
    const { outTradeNo, amountMinor, tipsMinor } = command;
    if (work.store.find(outTradeNo) !== undefined) return duplicate;
    if (isBusy()) return busy;
    if (amountMinor === 0 || command.currency !== currency) return badRequest;
    onCommand('sale');
    const one = work.start(outTradeNo, saleType, amountMinor);
    const scenario = queued.shift() ?? kpayScenarioOf(amountMinor);
    for (const [afterMs, event] of saleCourse(scenario, timings, timeScale)) {
      if (afterMs === 0 && event.kind !== 'charge') happen(one, event, tipsMinor);
      else after(afterMs, () => happen(one, event, tipsMinor));
      if (isLate(event)) latePayments += 1;
    }
    const answer = dialect.hasPaper ? accepted : refusal(answerCode.printerFault, 'Printer out of paper');
    return { ...answer, scenario };
  }

  function happen(one: StoredTransaction, event: SaleEvent, tipMinor: number): void {
    if (isLate(event)) latePayments -= 1;
    switch (event.kind) {
      case 'charge':
        return work.charge(one, event, tipMinor);
      case 'end':
        return work.end(one, event);
      case 'scan':
        return work.scan();
      case 'cut_line':
        return simulator.cutLine(timings.cutMs);
      case 'lose_keys':
        return door.loseKeys();
      case 'fall_silent':
        silentUntil = clock.elapsed() + timings.silenceMs;
    }
  }

  function reverse({ outTradeNo, originOutTradeNo }: KpayCommand & { call: 'void' }): Answer {
    if (work.store.find(outTradeNo) !== undefined) return duplicate;
    if (isBusy()) return busy;
    const origin = work.store.find(originOutTradeNo);
    if (origin === undefined) return notFound;
    const no = whyNoVoid(origin);
    if (no !== null) return no;
    onCommand('void');
    const one = work.start(outTradeNo, voidType, origin.amountMinor);
    const scenario = queued.shift() ?? 'approved';
    after(timings.hostMs * timeScale, () => {
      if (scenario === 'declined') return work.end(one, { payResult: payResults.failed, reason: 'Declined' });
      work.reverse(one, origin);
    });
    return { ...accepted, scenario };
  }

  /** Null: it can be undone. */
  function whyNoVoid(origin: StoredTransaction): Answer | null {
    if (origin.payResult === payResults.returned)
      return refusal(answerCode.alreadyRefunded, 'Transaction already refunded');
    if (origin.type !== saleType || origin.payMethod === octopusMethod)
      return refusal(answerCode.wrongType, 'Transaction type cannot be reversed');
    if (origin.payResult !== payResults.success || origin.batch !== work.store.batch)
      return refusal(answerCode.cannotBeVoided, 'Transaction state cannot be reversed');
    if (Math.floor((origin.commitTimeMs ?? 0) / dayMs) !== Math.floor(clock.now() / dayMs))
      return refusal(answerCode.ofAnotherDay, 'Next-day transaction, cannot be reversed');
    return null;
  }

  function close(outTradeNo: string): Answer {
    const one = work.store.find(outTradeNo);
    if (one === undefined) return notFound;
    if (one !== work.running || one.type !== saleType)
      return refusal(answerCode.alreadyCompleted, 'Transaction completed, cannot be closed');
    if (dialect.stoppedBy === 'terminal')
      return refusal(answerCode.closeAtTerminal, 'Please close the transaction on the terminal');
    if (!work.isScanned) work.end(one, { payResult: payResults.cancelled, reason: 'Closed by the till' });
    return accepted;
  }

  function settle(): void {
    if (work.settle()) door.loseKeys();
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
    payManually(amountMinor) {
      requireIdle();
      const receiptNumber = work.store.nextReceiptNumber();
      const one = work.start(`M${receiptNumber}`, saleType, amountMinor);
      work.charge(one, { kind: 'charge' }, 0);
      return receiptNumber;
    },
    reverseManually(receiptNumber) {
      requireIdle();
      const origin = work.store.findSale(receiptNumber);
      if (origin === undefined || whyNoVoid(origin) !== null)
        throw new Error(`${receiptNumber} cannot be voided`);
      const one = work.start(`M${work.store.nextReceiptNumber()}`, voidType, origin.amountMinor);
      work.reverse(one, origin);
    },
    closeDayManually() {
      requireIdle();
      settle();
    },
    replaceTerminal(other) {
      requireIdle();
      simulator.close();
      door.loseKeys();
      work.replace(other);
    },
    losePower(durationMs) {
      door.loseKeys();
      if (work.running !== null)
        work.end(work.running, { payResult: payResults.failed, reason: 'Power lost' });
      settling = false;
      simulator.close();
      simulator.cutLine(durationMs);
    },
    cutLine(durationMs) {
      cutUntil = Math.max(cutUntil, clock.elapsed() + durationMs);
    },
    state: () => ({ busy: isBusy(), mayStillBePaid: latePayments > 0, commands: { ...commands } }),
    close() {
      for (const cancel of timers) cancel();
      timers.clear();
      latePayments = 0;
    },
  };
  return simulator;
}

function isLate(event: SaleEvent): boolean {
  return event.kind === 'charge' && event.late === true;
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
