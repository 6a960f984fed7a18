/** What a KPay terminal is at work on, and what goes into its ledger: a number is used up before anything else happens. */
import type { Clock } from '../../base/clock.ts';
import { formatAmount, type Currency } from '../../contract/money.ts';
import type { Log } from '../../log/index.ts';
import type { KpayDialect } from './dialects.ts';
import { visa, type SaleEvent } from './sale-course.ts';
import { openTransactions, payResults, type StoredTransaction } from './transactions.ts';

export interface Work {
  readonly terminalId: string;
  readonly store: ReturnType<typeof openTransactions>;
  /** Null: it waits for a command. */
  readonly running: StoredTransaction | null;
  /** The running sale is no longer the till's to stop. */
  readonly isScanned: boolean;
  start(outTradeNo: string, type: number, amountMinor: number): StoredTransaction;
  /** A customer is about to pay. */
  scan(): void;
  /** As the others below, does nothing where it has ended in another way; a late charge ends one whose time had run out. */
  charge(one: StoredTransaction, charge: SaleEvent & { kind: 'charge' }, tipMinor: number): void;
  end(one: StoredTransaction, end: Omit<SaleEvent & { kind: 'end' }, 'kind'>): void;
  reverse(one: StoredTransaction, origin: StoredTransaction): void;
  /** False: there is nothing to settle. */
  settle(): boolean;
  /** Another terminal, with a memory of its own. */
  replace(terminalId: string): void;
}

/** Opens the ledger. Throws `LedgerError` where that is damaged. */
export function createWork(options: {
  ledgerFile: string;
  terminalId: string;
  currency: Currency;
  dialect: KpayDialect;
  clock: Clock;
  log: Log;
}): Work {
  const { ledgerFile, currency, dialect, clock, log } = options;
  let { terminalId } = options;
  let store = openTransactions(ledgerFile, terminalId, log);
  let running: StoredTransaction | null = null;
  let isScanned = false;

  const always = () => ({ at: new Date(clock.now()).toISOString(), terminal_id: terminalId, currency });
  const ofTransaction = (outTradeNo: string, amountMinor: number) => ({
    ...always(),
    out_trade_no: outTradeNo,
    amount: formatAmount(amountMinor, currency),
    amount_minor: amountMinor,
  });

  /** False: it has ended in another way. */
  function finish(one: StoredTransaction): boolean {
    if (running === one) running = null;
    return one.payResult === payResults.pending;
  }

  return {
    get terminalId() {
      return terminalId;
    },
    get store() {
      return store;
    },
    get running() {
      return running;
    },
    get isScanned() {
      return isScanned;
    },
    start(outTradeNo, type, amountMinor) {
      store.record({ ...ofTransaction(outTradeNo, amountMinor), event: 'started', type });
      const one = store.find(outTradeNo);
      if (one === undefined) throw new Error('what was recorded is not there');
      running = one;
      isScanned = false;
      return one;
    },
    scan() {
      isScanned = true;
    },
    charge(one, { moreMinor = 0, late, payMethod = visa }, tipMinor) {
      if (!finish(one) && !(late === true && one.payResult === payResults.timedOut)) return;
      const receiptNumber = store.nextReceiptNumber();
      const surchargeMinor = Math.round((one.amountMinor * dialect.surchargePercent) / 100);
      store.record({
        ...ofTransaction(one.outTradeNo, one.amountMinor + moreMinor + surchargeMinor),
        event: 'charged',
        receipt_number: receiptNumber,
        tip_minor: tipMinor,
        surcharge_minor: surchargeMinor,
        pay_method: payMethod,
        approval_code: `A${receiptNumber.slice(-5)}`,
        commit_time_ms: clock.now(),
      });
    },
    end(one, { payResult, reason, payMethod }) {
      if (!finish(one)) return;
      store.record({
        ...ofTransaction(one.outTradeNo, one.amountMinor),
        event: 'ended',
        pay_result: payResult,
        reason,
        ...(payMethod === undefined ? {} : { pay_method: payMethod }),
      });
    },
    reverse(one, origin) {
      if (!finish(one)) return;
      store.record({
        ...ofTransaction(one.outTradeNo, one.amountMinor),
        event: 'reversed',
        receipt_number: origin.receiptNumber ?? '',
        origin_out_trade_no: origin.outTradeNo,
      });
    },
    settle() {
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
      return true;
    },
    replace(other) {
      terminalId = other;
      store = openTransactions(ledgerFile, terminalId, log);
    },
  };
}
