/**
 * A day of one shop as its bridge's journal has it, with true hashes, in the batches that the bridge would send: sales that
 * are approved or declined, some in doubt until the terminal's own record shows how they ended, some reversed, and the close
 * of the batch in the evening. One batch is made at a time, so a day of any length takes no memory.
 */
import { systemChance } from '../../src/base/chance.ts';
import { systemClock } from '../../src/base/clock.ts';
import { canonicalJson, chainHash } from '../../src/bridge/journal/index.ts';
import type { JournalEvent, SaleStarted } from '../../src/contract/journal-events.ts';
import { maxBatchBytes, maxBatchEvents, type ChainPlace } from '../../src/contract/office.ts';
import type { OperationOutcome } from '../../src/contract/operation.ts';
import { dayAfter, dayOf } from '../../src/office/database/days.ts';
import { emptyRecord, type TerminalRecord } from '../../src/contract/terminal.ts';
import { createRandom } from '../../test/support/random.ts';
import { chainStart } from '../../test/office/support/shop.ts';

export interface ShopDay {
  /** Distinguishes its references, and chooses what happens. */
  shop: number;
  payments: number;
  /** When the first customer pays, in milliseconds since 1970. */
  from: number;
}

export interface Batch {
  after: ChainPlace;
  /** The events' lines, each with its line break. */
  lines: string;
  events: number;
}

/** A payment as the office has to show it when the day is over. */
export interface PaymentOfDay {
  paymentId: string;
  reference: string;
  amountMinor: number;
  status: 'settled' | 'declined' | 'voided';
}

const openMs = 12 * 60 * 60_000;
/** Of a hundred payments so many. */
const shares = [
  [86, 'approved'],
  [8, 'declined'],
  [3, 'in doubt'],
  [3, 'voided'],
] as const;

/** Yesterday, so that nothing of it lies ahead. */
export function startOfYesterday(): number {
  return Date.parse(dayAfter(dayOf(Date.now()), -1)) + 8 * 60 * 60_000;
}

/** `onPayment` is called with each payment, before the batch that has its end. */
export function* dayOfShop(
  { shop, payments, from }: ShopDay,
  onPayment: (payment: PaymentOfDay) => void = () => {},
): Generator<Batch> {
  const random = createRandom(1, shop);
  let at = from;
  const chance = systemChance({ ...systemClock, now: () => at });
  const terminal = { protocol: 'zvt', terminalId: `${52_500_000 + shop}` } as const;
  const settled: string[] = [];
  let settledMinor = 0;
  let last = chainStart;
  let batch: { after: ChainPlace; lines: string[]; bytes: number } = { after: last, lines: [], bytes: 0 };

  const add = (event: JournalEvent) => {
    at += 100;
    const seq = last.seq + 1;
    const stamp = new Date(at).toISOString();
    const body = canonicalJson(event);
    const hash = chainHash(last.hash, seq, stamp, body);
    const line = `{"seq":${seq},"at":"${stamp}","hash":"${hash}","event":${body}}\n`;
    batch.lines.push(line);
    batch.bytes += line.length;
    last = { seq, hash };
  };
  const flush = (): Batch => {
    const { after, lines } = batch;
    batch = { after: last, lines: [], bytes: 0 };
    return { after, lines: lines.join(''), events: lines.length };
  };

  add({ type: 'journal_opened', version: '0.1.0' });
  add({ type: 'terminal_ready', terminal, lastRecord: { kind: 'empty' }, continuity: 'same' });
  for (let i = 0; i < payments; i += 1) {
    at = Math.max(at, from + Math.floor((i * openMs) / payments));
    const amountMinor = random.integer(50, 20_000);
    const kind = random.weighted(shares);
    const operationId = chance.uuid();
    const approved = kind !== 'declined';
    const record: TerminalRecord = {
      ...emptyRecord(),
      kind: 'payment',
      approved,
      resultCode: approved ? '00' : '05',
      resultText: approved ? 'Approved' : 'Declined',
      amountMinor,
      currency: 'EUR',
      terminalId: terminal.terminalId,
      traceNumber: `${i}`.padStart(6, '0'),
      receiptNumber: `${1 + (i % 9_999)}`.padStart(4, '0'),
      approvalCode: approved ? `${random.integer(100_000, 999_999)}` : null,
      maskedCardNumber: `************${random.integer(1_000, 9_999)}`,
      cardScheme: 'Visa',
    };
    const lastRecord = { kind: 'record', record } as const;
    const sale: SaleStarted = {
      type: 'operation_started',
      kind: 'sale',
      operationId,
      reference: `S${shop}-${i}`,
      conditionCode: '00',
      amountMinor,
      currency: 'EUR',
      terminal,
      baseline: { kind: 'empty' },
      simulated: false,
    };
    const status = kind === 'declined' || kind === 'voided' ? kind : 'settled';
    onPayment({ paymentId: operationId, reference: sale.reference, amountMinor, status });
    add(sale);
    if (kind === 'in doubt') {
      const evidence = { lastRecord, explanation: 'The last record of the terminal is this payment.' };
      add({ type: 'operation_in_doubt', operationId, reason: 'The line was lost before the result.' });
      add({ type: 'evidence_found', operationId, evidence, needsPerson: false });
      add(ended(operationId, 'approved', record));
    } else {
      add({ type: 'result_received', operationId, result: record, late: false });
      add({ type: 'result_acknowledged', operationId });
      add(ended(operationId, approved ? 'approved' : 'declined', record));
      add({ type: 'record_seen', lastRecord, continuity: 'next', source: 'result' });
    }
    if (kind === 'voided') {
      const voidId = chance.uuid();
      const { reference, currency } = sale;
      add({
        type: 'operation_started',
        kind: 'void',
        operationId: voidId,
        terminal,
        baseline: lastRecord,
        simulated: false,
        paymentId: operationId,
        reference,
        amountMinor,
        currency,
        receiptNumber: record.receiptNumber ?? '',
        traceNumber: record.traceNumber,
      });
      add(ended(voidId, 'voided', { ...record, kind: 'reversal' }));
    }
    if (status === 'settled') {
      settled.push(operationId);
      settledMinor += amountMinor;
    }
    // With room for what one more payment adds.
    if (batch.lines.length > maxBatchEvents - 10 || batch.bytes > maxBatchBytes / 2) yield flush();
  }
  const batchId = chance.uuid();
  const totals = { count: settled.length, totalMinor: settledMinor };
  add({
    type: 'operation_started',
    kind: 'batch_close',
    operationId: batchId,
    terminal,
    baseline: { kind: 'empty' },
    simulated: false,
    currency: 'EUR',
    batchEpoch: 1,
    expected: totals,
  });
  add({
    ...ended(batchId, 'closed', null),
    batch: {
      ...totals,
      batchNumber: '000001',
      currency: 'EUR',
      reconciled: true,
      differences: [],
      totals: [],
    },
    settled,
  });
  yield flush();
}

function ended(operationId: string, outcome: OperationOutcome, result: TerminalRecord | null) {
  return {
    type: 'operation_ended',
    operationId,
    outcome,
    reason: result?.resultText ?? 'Closed.',
    result,
    evidence: null,
    receiptLines: [],
    resolvedBy: null,
    batch: null,
    settled: [],
  } satisfies JournalEvent;
}
