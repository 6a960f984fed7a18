/**
 * What a run of events of one chain changes in the office's tables. Pure: it knows the operations that were open before,
 * and gives rows; `write-facts.ts` writes them. The statuses are those of the bridge's own projection.
 *
 * An event that does not fit what is known (a bridge of another version, a journal with a loss) changes nothing here. It
 * is kept with the others, and counted.
 */
import type { z } from 'zod';
import { dayOfPayment } from '../database/days.ts';
import { eventReaders, momentOf, type EventName, type ReadEvent, type ReadRecord } from './event-readers.ts';
import type {
  Acknowledgement,
  BatchEnd,
  BatchRecord,
  BatchStart,
  Decision,
  FoundDiscrepancy,
  NewPayment,
  OpenOperation,
  PaymentChange,
  TerminalNews,
} from './fact-rows.ts';
import type { SentEvent } from './read-batch.ts';

export interface Facts {
  newPayments: NewPayment[];
  paymentChanges: PaymentChange[];
  /** Open at the end of the run, and new or changed in it. */
  opened: OpenOperation[];
  /** Operations that were open before the run and have ended in it. */
  closed: string[];
  voids: { payment_id: string; operation_id: string }[];
  batchStarts: BatchStart[];
  batchEnds: BatchEnd[];
  batchRecords: BatchRecord[];
  discrepancies: FoundDiscrepancy[];
  acknowledgements: Acknowledgement[];
  decisions: Decision[];
  /** Null: nothing was said of the terminal. */
  terminal: TerminalNews | null;
  /** Events of a known kind that could not be read, or follow on nothing that is known. */
  notUnderstood: { seq: number; type: string }[];
}

export function factsOf(events: readonly SentEvent[], open: readonly OpenOperation[]): Facts {
  const before = new Set(open.map(({ operation_id }) => operation_id));
  const operations = new Map(open.map((operation) => [operation.operation_id, operation]));
  const touched = new Set<string>();
  const payments = new Map<string, PaymentChange | NewPayment>();
  const facts: Facts = {
    newPayments: [],
    paymentChanges: [],
    opened: [],
    closed: [],
    voids: [],
    batchStarts: [],
    batchEnds: [],
    batchRecords: [],
    discrepancies: [],
    acknowledgements: [],
    decisions: [],
    terminal: null,
    notUnderstood: [],
  };
  for (const event of events) {
    if (!take(event)) facts.notUnderstood.push({ seq: event.seq, type: String(event.event['type']) });
  }
  for (const payment of payments.values()) {
    if ('first_seq' in payment) facts.newPayments.push(payment);
    else facts.paymentChanges.push(payment);
  }
  facts.opened = [...operations.values()].filter(({ operation_id }) => touched.has(operation_id));
  facts.closed = [...before].filter((id) => !operations.has(id));
  return facts;

  /** False: the event cannot be understood. */
  function take(sent: SentEvent): boolean {
    const { event, seq } = sent;
    const type = String(event['type']);
    const name = type === 'operation_started' ? String(event['kind']) : type;
    // In the payment's timeline and nowhere else; or something new, which a newer bridge tells.
    if (!Object.hasOwn(eventReaders, name)) return true;
    const at = momentOf(sent.at);
    if (at === null) return false;
    switch (name) {
      case 'sale':
        return read('sale', event, (sale) => {
          keep({ ...operationOf(sale, at), kind: 'sale', payment_id: sale.operationId });
          payments.set(sale.operationId, newPayment(sale, at, seq));
          return true;
        });
      case 'void':
        return read('void', event, (start) => {
          keep({ ...operationOf(start, at), kind: 'void', payment_id: start.paymentId });
          facts.voids.push({ payment_id: start.paymentId, operation_id: start.operationId });
          change(start.paymentId, at, seq, { status: 'voiding' });
          return true;
        });
      case 'batch_close':
        return read('batch_close', event, (start) => {
          const { operationId, terminal, currency, expected } = start;
          const amounts = { amount_minor: expected.totalMinor, reference: null, payment_id: null };
          keep({ ...operationOf({ operationId, currency }, at), ...amounts, kind: 'batch_close' });
          facts.batchStarts.push({
            batch_id: operationId,
            protocol: terminal.protocol,
            terminal_id: terminal.terminalId,
            currency,
            started_at: at,
            arrived_at: null,
            expected_count: expected.count,
            expected_minor: expected.totalMinor,
          });
          return true;
        });
      case 'operation_in_doubt':
        return read('operation_in_doubt', event, ({ operationId, reason }) => {
          const operation = operations.get(operationId);
          if (operation === undefined) return false;
          keep({ ...operation, doubt_since: operation.doubt_since ?? at, reason });
          if (operation.payment_id !== null) {
            const status = operation.kind === 'sale' ? 'unknown' : 'voiding';
            change(operation.payment_id, at, seq, { status, reason });
          }
          return true;
        });
      case 'evidence_found':
        return read('evidence_found', event, ({ operationId, needsPerson, evidence }) => {
          const operation = operations.get(operationId);
          if (operation === undefined) return false;
          keep({ ...operation, needs_person: needsPerson, reason: evidence.explanation });
          return true;
        });
      case 'operation_ended':
        return read('operation_ended', event, (end) => ended(end, at, seq));
      case 'terminal_ready':
        return read('terminal_ready', event, ({ terminal, lastRecord }) => {
          const terminalId = terminal.terminalId ?? lastRecord?.record?.terminalId ?? null;
          news({ protocol: terminal.protocol, terminal_id: terminalId, ready_at: at });
          return true;
        });
      case 'terminal_lost':
        return read('terminal_lost', event, () => news({ lost_at: at }));
      case 'terminal_trait_learned':
        return read('terminal_trait_learned', event, ({ trait }) =>
          news({ traits: [...new Set([...(facts.terminal?.traits ?? []), trait])] }),
        );
      case 'journal_opened':
        return read('journal_opened', event, ({ version }) => news({ bridge_version: version }));
      case 'journal_repaired':
        return read('journal_repaired', event, ({ by, reason }) =>
          decided({ seq, kind: 'repair', decided_at: at, decided_by: by, reason }),
        );
      case 'discrepancy_found':
        return read('discrepancy_found', event, (found) => {
          facts.discrepancies.push({
            discrepancy_id: found.discrepancyId,
            seq,
            kind: found.kind,
            message: found.message,
            operation_id: found.operationId,
            refs: found.references,
            amount_minor: found.amountMinor,
            currency: found.currency,
            found_at: at,
          });
          return true;
        });
      case 'discrepancy_acknowledged':
        return read('discrepancy_acknowledged', event, ({ discrepancyId, by, reason }) => {
          facts.acknowledgements.push({
            discrepancy_id: discrepancyId,
            acknowledged_at: at,
            acknowledged_by: by,
            acknowledged_reason: reason,
          });
          return decided({
            seq,
            kind: 'discrepancy',
            decided_at: at,
            decided_by: by,
            reason,
            discrepancy_id: discrepancyId,
          });
        });
      case 'result_received':
        // Of a payment its end says all that is asked for.
        if (operations.get(String(event['operationId']))?.kind !== 'batch_close') return true;
        return read('result_received', event, ({ operationId, result }) => batchTold(operationId, result));
      case 'late_result_received':
        // It changes nothing that is asked for, but belongs to the payment's timeline.
        return read('late_result_received', event, ({ operationId }) => {
          change(operationId, at, seq, {});
          return true;
        });
      default:
        return true;
    }
  }

  function ended(end: ReadEvent<'operation_ended'>, at: string, seq: number): boolean {
    const operation = operations.get(end.operationId);
    if (operation === undefined) return false;
    operations.delete(end.operationId);
    const { outcome, reason } = end;
    const paymentId = operation.payment_id;
    if (end.resolvedBy) {
      const { name, reason: why } = end.resolvedBy;
      const about = { operation_id: end.operationId, payment_id: paymentId, outcome };
      decided({ seq, kind: 'outcome', decided_at: at, decided_by: name, reason: why, ...about });
    }
    if (operation.kind === 'sale' && paymentId !== null) {
      change(paymentId, at, seq, {
        status: outcome,
        completed_at: at,
        reason,
        decided_by: end.resolvedBy?.name ?? null,
        ...taken(end.result ?? null),
      });
    } else if (operation.kind === 'void' && paymentId !== null) {
      change(paymentId, at, seq, { status: outcome === 'voided' ? 'voided' : 'approved', reason });
    } else if (operation.kind === 'batch_close') {
      const { batch } = end;
      if (end.result) batchTold(end.operationId, end.result);
      facts.batchEnds.push({
        batch_id: end.operationId,
        ended_at: at,
        outcome,
        batch_number: batch?.batchNumber ?? null,
        count: batch?.count ?? null,
        total_minor: batch?.totalMinor ?? null,
        reconciled: batch?.reconciled ?? null,
        settled_count: end.settled.length,
        reason,
        told_currency: batch?.currency ?? null,
        totals: batch?.totals ?? [],
      });
      for (const payment of end.settled) {
        const settled = { batch_id: end.operationId, batch_number: batch?.batchNumber ?? null };
        change(payment, at, seq, { status: 'settled', reason, ...settled });
      }
    }
    return true;
  }

  /** The last record counts. */
  function batchTold(batchId: string, { terminalId, merchantId, batchNumber }: ReadRecord): true {
    facts.batchRecords = facts.batchRecords.filter(({ batch_id }) => batch_id !== batchId);
    facts.batchRecords.push({
      batch_id: batchId,
      told_terminal_id: terminalId ?? null,
      told_merchant_id: merchantId ?? null,
      told_number: batchNumber ?? null,
    });
    return true;
  }

  function keep(operation: OpenOperation): void {
    operations.set(operation.operation_id, operation);
    touched.add(operation.operation_id);
  }

  function change(paymentId: string, at: string, seq: number, said: Partial<PaymentChange>): void {
    const known = payments.get(paymentId) ?? unchanged(paymentId);
    payments.set(paymentId, { ...known, ...said, updated_at: at, last_seq: seq });
  }

  function news(said: Partial<TerminalNews>): true {
    facts.terminal = { ...(facts.terminal ?? noNews), ...said };
    return true;
  }

  function decided(
    decision: Pick<Decision, 'seq' | 'kind' | 'decided_at' | 'decided_by' | 'reason'> & Partial<Decision>,
  ): true {
    facts.decisions.push({
      outcome: null,
      operation_id: null,
      payment_id: null,
      discrepancy_id: null,
      ...decision,
    });
    return true;
  }
}

function read<K extends EventName>(
  name: K,
  event: Record<string, unknown>,
  use: (read: ReadEvent<K>) => boolean,
): boolean {
  const schema: z.ZodType = eventReaders[name];
  const result = schema.safeParse(event);
  return result.success && use(result.data as ReadEvent<K>);
}

const noNews: TerminalNews = {
  protocol: null,
  terminal_id: null,
  ready_at: null,
  lost_at: null,
  bridge_version: null,
  traits: [],
};

function operationOf(
  start: { operationId: string; currency: string; reference?: string; amountMinor?: number },
  at: string,
): Omit<OpenOperation, 'kind' | 'payment_id'> {
  return {
    operation_id: start.operationId,
    reference: start.reference ?? null,
    amount_minor: start.amountMinor ?? null,
    currency: start.currency,
    started_at: at,
    doubt_since: null,
    needs_person: false,
    reason: '',
  };
}

function unchanged(paymentId: string): PaymentChange {
  return {
    day: dayOfPayment(paymentId),
    payment_id: paymentId,
    status: null,
    updated_at: '',
    completed_at: null,
    terminal_id: null,
    taken_minor: null,
    receipt_number: null,
    trace_number: null,
    approval_code: null,
    card_digits: null,
    card_scheme: null,
    reason: null,
    decided_by: null,
    batch_id: null,
    batch_number: null,
    last_seq: 0,
  };
}

function newPayment(sale: ReadEvent<'sale'>, at: string, seq: number): NewPayment {
  return {
    ...unchanged(sale.operationId),
    reference: sale.reference,
    condition_code: sale.conditionCode,
    amount_minor: sale.amountMinor,
    currency: sale.currency,
    status: 'in_progress',
    created_at: at,
    updated_at: at,
    protocol: sale.terminal.protocol,
    terminal_id: sale.terminal.terminalId,
    reason: '',
    first_seq: seq,
    last_seq: seq,
  };
}

function taken(record: ReadRecord | null): Partial<PaymentChange> {
  if (record === null) return {};
  const { amountMinor, receiptNumber, traceNumber, approvalCode, maskedCardNumber, cardScheme } = record;
  const [digits = null] = /\d{1,4}$/.exec(maskedCardNumber ?? '') ?? [];
  return {
    taken_minor: amountMinor ?? null,
    ...(record.terminalId ? { terminal_id: record.terminalId } : {}),
    receipt_number: receiptNumber ?? null,
    trace_number: traceNumber ?? null,
    approval_code: approvalCode ?? null,
    card_digits: digits,
    card_scheme: cardScheme ?? null,
  };
}
