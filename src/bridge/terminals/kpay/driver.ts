/**
 * The driver of one conversation with a KPay terminal: one thing at a time. The terminal takes a sale or a void at once and
 * is asked for its result, by a number of ours that it never takes twice: a request whose answer was lost is asked about,
 * and not sent again.
 */
import type { Clock } from '../../../base/clock.ts';
import type { LastRecord } from '../../../contract/terminal.ts';
import type { Log } from '../../../log/index.ts';
import type {
  BatchOrder,
  DriverWatch,
  OperationAnswer,
  OperationWatch,
  Readiness,
  SaleOrder,
  TerminalDriver,
  VoidOrder,
} from '../terminal-driver.ts';
import type { KpayClient } from './client.ts';
import { createLookUp } from './look-up.ts';
import { toldBy } from './readiness.ts';
import { settle, type BatchesBefore } from './settlement.ts';
import { createStop, type Stop } from './stop.ts';
import { createTrack, type Found, type Track } from './track.ts';
import { carryOut } from './transactions.ts';
import { codeMeaning, codeText } from './wire/index.ts';

export interface DriverParts {
  client: KpayClient;
  watch: DriverWatch;
  clock: Clock;
  log: Log;
  /** Aborts when the conversation is given up. */
  ended: AbortSignal;
}

const notShown: LastRecord = {
  kind: 'unavailable',
  reason: 'a KPay terminal is asked for a payment by its number only',
};
const askingForEach = 'The terminal is asked for each payment before it settles.';
const withdrawn = 'It was cancelled before anything was sent to the terminal.';

export function createDriver({ client, watch, clock, log, ended }: DriverParts): TerminalDriver {
  let last: Promise<unknown> = Promise.resolve();
  let terminalId: string | null = null;
  /** Of the sale that runs now. */
  let stop: Stop | null = null;
  let sent: { track: Track } | { kind: 'settlement'; sinceMs: number; before: BatchesBefore } | null = null;
  /** Why the terminal takes nothing more before it has settled. */
  let settleFirst: string | null = null;

  /** Those under which money was asked for last. */
  let keysOfSending = 0;
  const hasKeysOfSending = () => client.signIns === keysOfSending;
  const parts = { ask, askFor, hasKeysOfSending, signIns: () => client.signIns, clock, ended };
  const lookUp = createLookUp({ ...parts, sent: () => sent });

  function exclusive<T>(task: () => Promise<T>): Promise<T> {
    const done = last.then(task);
    last = done.catch(() => {});
    return done;
  }

  async function ask(command: Parameters<KpayClient['send']>[0]) {
    const outcome = await client.send(command, ended);
    // After the answer: a sign-in that was needed for it has got these keys.
    if (['sale', 'void', 'settle'].includes(command.call)) keysOfSending = client.signIns;
    if (outcome.kind !== 'answered')
      log.debug('a request has no answer', { call: command.call, reason: outcome.reason });
    else if (codeMeaning(outcome.answer.code) === 'settle_first') settleFirst = codeText(outcome.answer.code);
    return outcome;
  }

  async function askFor(track: Track): Promise<Found> {
    const outcome = await ask({ call: 'query', outTradeNo: track.ordered.number, includeReceipt: true });
    const found = track.take(outcome);
    if (found.kind === 'record') terminalId = found.record.terminalId ?? terminalId;
    return found;
  }

  /** Of all questions the one that asks for nothing of anybody: which batch was settled last. */
  async function poll(): Promise<Readiness> {
    const outcome = await ask({ call: 'query_settlement', previousBatch: true });
    if (outcome.kind === 'no_answer') return { kind: 'silent', reason: outcome.reason };
    const code = outcome.kind === 'answered' ? outcome.answer.code : outcome.code;
    if (code === null) return { kind: 'silent', reason: outcome.kind === 'not_sent' ? outcome.reason : '' };
    const told = toldBy(code);
    if (told.kind === 'busy') return told;
    const shown = { terminal: { protocol: 'kpay', terminalId }, lastRecord: notShown } as const;
    if (told.kind === 'attention') return { ...told, ...shown };
    if (settleFirst === null) return { kind: 'ready', ...shown };
    return { kind: 'attention', text: settleFirst, requiredAction: 'batch_close', ...shown };
  }

  async function sell(order: SaleOrder, mine: Stop, operation: OperationWatch): Promise<OperationAnswer> {
    // While the terminal was being polled for the last time.
    if (mine.isAsked)
      return { kind: 'cancelled', by: 'cashier', reason: withdrawn, record: null, receiptLines: [] };
    const { amountMinor, maxAmountMinor, currency } = order;
    const number = numberOf(order);
    const track = createTrack({ kind: 'sale', number, amountMinor, maxAmountMinor, currency }, clock);
    sent = { track };
    const command = {
      call: 'sale',
      outTradeNo: number,
      amountMinor,
      tipsMinor: 0,
      currency,
      // Chosen at the terminal, which prints the receipts, too.
      paymentType: null,
      includeReceipt: false,
      remark: null,
    } as const;
    const answer = await carryOut(parts, { command, track, stop: mine }, operation);
    if (stop === mine) stop = null;
    return answer;
  }

  async function reverse(order: VoidOrder, operation: OperationWatch): Promise<OperationAnswer> {
    const { amountMinor, currency, originalTerminalReference: originOutTradeNo } = order;
    if (originOutTradeNo === undefined) throw new Error('a void of a payment without a number');
    const number = numberOf(order);
    const ordered = { kind: 'void', number, amountMinor, maxAmountMinor: amountMinor, currency } as const;
    const track = createTrack(ordered, clock);
    sent = { track };
    const command = { call: 'void', outTradeNo: number, originOutTradeNo, includeReceipt: false } as const;
    return carryOut(parts, { command, track, stop: null }, operation);
  }

  async function close(order: BatchOrder, operation: OperationWatch): Promise<OperationAnswer> {
    // Whatever was sent before, it was not this.
    sent = null;
    // A minute for sixty of them.
    if ((order.unsettled?.length ?? 0) > 1) watch.progress(askingForEach, 'other');
    const sending = (before: BatchesBefore) =>
      (sent = { kind: 'settlement', sinceMs: clock.elapsed(), before });
    const answer = await settle({ ...parts, sending }, order, operation);
    if (answer.kind === 'done') settleFirst = null;
    return answer;
  }

  return {
    prepare: () => exclusive(poll),
    probe: () => exclusive(poll),
    sale(order, operation) {
      const mine = createStop(
        () => ask({ call: 'close', outTradeNo: numberOf(order) }),
        (text) => watch.progress(text, 'other'),
      );
      stop = mine;
      return exclusive(() => sell(order, mine, operation));
    },
    void: (order, operation) => exclusive(() => reverse(order, operation)),
    closeBatch: (order, operation) => exclusive(() => close(order, operation)),
    lookUp: (inDoubt) => exclusive(() => lookUp(inDoubt)),
    cancel: () => stop?.ask(),
    signOff: () => Promise.resolve(),
  };
}

function numberOf({ terminalReference }: { terminalReference?: string }): string {
  if (terminalReference === undefined) throw new Error('a transaction without a number');
  return terminalReference;
}
