/**
 * The terminal of an examination: a driver without a device, which does with a sale what the scene says. Everything
 * behind it is the bridge's own: journal, payments, recovery, listener.
 */
import { pause, type Clock } from '../base/clock.ts';
import { emptyRecord, type TerminalRecord } from '../contract/terminal.ts';
import { reconcileOwnRecord } from '../bridge/terminals/own-record.ts';
import type {
  ConnectTerminal,
  LookUp,
  OperationAnswer,
  Readiness,
  SaleOrder,
  TerminalDriver,
  TerminalProtocol,
} from '../bridge/terminals/terminal-driver.ts';

export interface SalePlan {
  /** So long the customer takes, in milliseconds. */
  afterMs: number;
  ending:
    | { kind: 'approved' | 'declined' | 'cancelled' }
    /** Approved for half of the amount. */
    | { kind: 'half' }
    /** It falls silent, and shows so long afterwards that it approved; null: it can never tell. */
    | { kind: 'unknown'; foundAfterMs: number | null };
}

export interface ScriptedTerminal {
  protocol: TerminalProtocol;
  connect: ConnectTerminal;
  /** What happens with the next sale; those after it are as `usual`. */
  plan(next: SalePlan): void;
  /** The sale under way ends at once, as its plan says. */
  hurry(): void;
}

/** As many characters as of the terminal's own number of a sale, by which it is asked for one. */
const numberLength = 12;
const terminalId = 'EXAMINER';
const terminal = { protocol: 'zvt', terminalId } as const;
const ready: Readiness = {
  kind: 'ready',
  terminal,
  lastRecord: { kind: 'unavailable', reason: 'this terminal shows no last record' },
};

/** `usual`: what happens with a sale that nothing was planned for. `stretch`: a time of the plans as it is played. */
export function createScriptedTerminal(
  clock: Clock,
  usual: SalePlan,
  stretch: (ms: number) => number,
): ScriptedTerminal {
  let planned: SalePlan | null = null;
  let lastNumber = 0;
  let running: { cancelled: boolean; end: AbortController } | null = null;
  /** What it did, by its number of the sale; `fromMs`: it cannot tell before that time, null: never. */
  const held = new Map<string, { record: TerminalRecord; fromMs: number | null }>();

  const recordOf = (change: Partial<TerminalRecord>): TerminalRecord => {
    lastNumber += 1;
    const number = String(lastNumber).padStart(6, '0');
    return {
      ...emptyRecord(),
      terminalId,
      traceNumber: number,
      receiptNumber: number.slice(-4),
      batchNumber: '0001',
      ...change,
    };
  };
  const approvalOf = ({ currency }: SaleOrder, amountMinor: number) =>
    recordOf({
      kind: 'payment',
      approved: true,
      resultCode: '00',
      resultText: 'approved',
      amountMinor,
      currency,
      approvalCode: 'EXAM01',
      maskedCardNumber: '541333******0019',
      cardScheme: 'Mastercard',
      schemeGroup: 'mastercard',
      entryMode: 'contactless',
    });

  const endOf = (order: SaleOrder, { ending }: SalePlan, cancelled: boolean): OperationAnswer => {
    if (cancelled)
      return {
        kind: 'cancelled',
        by: 'cashier',
        reason: 'The till stopped it.',
        record: null,
        receiptLines: [],
      };
    switch (ending.kind) {
      case 'approved':
        return { kind: 'done', record: approvalOf(order, order.amountMinor), receiptLines: [] };
      case 'half':
        return {
          kind: 'done',
          record: approvalOf(order, Math.ceil(order.amountMinor / 2)),
          receiptLines: [],
        };
      case 'declined':
        return { kind: 'declined', reason: 'The card was declined.', record: null, receiptLines: [] };
      case 'cancelled': {
        const reason = 'The customer cancelled at the terminal.';
        return { kind: 'cancelled', by: 'customer', reason, record: null, receiptLines: [] };
      }
      case 'unknown': {
        const { foundAfterMs } = ending;
        held.set(order.terminalReference ?? '', {
          record: approvalOf(order, order.amountMinor),
          fromMs: foundAfterMs === null ? null : clock.elapsed() + stretch(foundAfterMs),
        });
        return { kind: 'unknown', reason: 'The terminal has fallen silent.' };
      }
    }
  };

  const driver: TerminalDriver = {
    prepare: () => Promise.resolve(ready),
    probe: () => Promise.resolve(ready),
    lookUp({ operation }): Promise<LookUp> {
      const number = operation.kind === 'batch_close' ? undefined : operation.terminalReference;
      const found = held.get(number ?? '');
      if (found === undefined) return Promise.resolve({ kind: 'empty' });
      if (found.fromMs === null)
        return Promise.resolve({
          kind: 'unavailable',
          reason: 'The terminal cannot tell what became of it.',
        });
      return Promise.resolve(
        clock.elapsed() < found.fromMs
          ? { kind: 'pending', text: 'The terminal does not tell yet.' }
          : { kind: 'record', record: found.record },
      );
    },
    async sale(order, watch) {
      const plan = planned ?? usual;
      planned = null;
      const own = { cancelled: false, end: new AbortController() };
      running = own;
      await pause(clock, stretch(plan.afterMs), own.end.signal);
      running = null;
      const answer = endOf(order, plan, own.cancelled);
      if (answer.kind === 'done') watch.persistResult(answer.record);
      return answer;
    },
    void({ amountMinor, currency, traceNumber }) {
      const record = recordOf({
        kind: 'reversal',
        approved: true,
        resultText: 'reversed',
        amountMinor,
        currency,
        originalTraceNumber: traceNumber,
      });
      return Promise.resolve({ kind: 'done', record, receiptLines: [] });
    },
    closeBatch: () =>
      Promise.resolve({
        kind: 'done',
        record: recordOf({ kind: 'batch_close', approved: true, resultText: 'closed' }),
        receiptLines: [],
      }),
    cancel() {
      if (running === null) return;
      running.cancelled = true;
      running.end.abort();
    },
    signOff: () => Promise.resolve(),
  };

  return {
    protocol: {
      name: 'zvt',
      terminalReferenceLength: numberLength,
      hasNoLastRecord: true,
      continuity: () => 'unknown',
      reconcile: reconcileOwnRecord,
    },
    connect: () => {
      let closed = false;
      return Promise.resolve({
        driver,
        onClose: () => {},
        get closed() {
          return closed;
        },
        close() {
          closed = true;
          return Promise.resolve();
        },
      });
    },
    plan(next) {
      planned = next;
    },
    hurry: () => running?.end.abort(),
  };
}
