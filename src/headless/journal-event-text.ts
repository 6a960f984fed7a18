/** Journal events as messages for people: in the bridge’s window, and as the evidence of an operation in doubt. */
import type { DiscrepancyKind } from '../contract/discrepancy.ts';
import type { JournalEvent, JournalEventOf, OperationStarted } from '../contract/journal-events.ts';
import { formatAmount } from '../contract/money.ts';
import type { OperationKind } from '../contract/operation.ts';
import { cardText, type LastRecord, type TerminalRecord } from '../contract/terminal.ts';

/** What each kind of discrepancy is called. */
export const discrepancyTitles: Record<DiscrepancyKind, string> = {
  contradicted_outcome: 'the terminal contradicts a recorded outcome',
  late_result_refused: 'a late result contradicts a decision',
  unexplained_payment: 'a payment that the bridge did not make',
  unexplained_reversal: 'a reversal that the bridge did not make',
  unseen_records: 'records that the bridge has not seen',
  unexplained_batch_close: 'a day that was closed at the terminal',
  changed_terminal: 'a different terminal',
  amount_differs: 'a different amount than requested',
  batch_differs: 'the totals of a closed batch differ',
  journal_loss: 'the journal lost events in a repair',
};

const kindNames: Record<OperationKind, string> = {
  sale: 'payment',
  void: 'void',
  batch_close: 'batch close',
};

/** "payment A-1001 of 12.00 EUR" */
export function describeOperation(operation: {
  kind: OperationKind;
  reference: string | null;
  amount: string | null;
  currency: string | null;
}): string {
  const { kind, reference, amount, currency } = operation;
  const money = amount === null ? '' : ` of ${amount} ${currency ?? ''}`.trimEnd();
  return `${kindNames[kind]}${reference === null ? '' : ` ${reference}`}${money}`;
}

export function describeStarted(started: OperationStarted): string {
  return started.kind === 'batch_close'
    ? kindNames.batch_close
    : describeOperation({
        kind: started.kind,
        reference: started.reference,
        amount: formatAmount(started.amountMinor, started.currency),
        currency: started.currency,
      });
}

/** One journal event as a sentence that support staff can read. */
export function eventMessage(event: JournalEvent): string {
  switch (event.type) {
    case 'operation_started':
      return `Started: ${describeStarted(event)}. Before that, the terminal ${describeLastRecord(event.baseline)}.`;
    case 'cancel_requested':
      return 'A cancellation was requested.';
    case 'result_received':
      return `The terminal reported${event.late ? ' late' : ''}: ${describeRecord(event.result)}.`;
    case 'operation_in_doubt':
      return `In doubt: ${event.reason}`;
    case 'evidence_found':
      if (event.otherTerminal !== undefined) return event.evidence.explanation;
      return `Checked with the terminal, which ${event.idle === false ? 'was not idle and ' : ''}${describeLastRecord(event.evidence.lastRecord)}: ${event.evidence.explanation}`;
    case 'operation_ended':
      return endedMessage(event);
    case 'terminal_ready':
      return `The terminal was ready and ${describeLastRecord(event.lastRecord)}.`;
    case 'terminal_lost':
      return `The connection to the terminal was lost: ${event.reason}`;
    case 'record_seen':
      return `The terminal ${describeLastRecord(event.lastRecord)}.`;
    case 'journal_opened':
      return `The journal was opened by version ${event.version}.`;
    case 'journal_repaired':
      return `The journal was repaired by ${event.by} (${event.reason}): ${event.eventsKept} events were kept; the damaged file is ${event.setAside}.`;
    case 'result_acknowledged':
      return 'The terminal received the acknowledgement of its result.';
    case 'late_result_received':
      return event.accepted
        ? `Later, the terminal reported the same: ${describeRecord(event.result)}. This was acknowledged.`
        : `Later, the terminal reported ${describeRecord(event.result)}. This contradicts the recorded outcome and was not acknowledged.`;
    case 'terminal_trait_learned':
      return `Learned about the terminal: ${event.explanation}`;
    case 'discrepancy_found':
      return `Discrepancy: ${event.message}`;
    case 'discrepancy_acknowledged':
      return `The discrepancy was acknowledged by ${event.by}: ${event.reason}`;
  }
}

function endedMessage(event: JournalEventOf<'operation_ended'>): string {
  const person =
    event.resolvedBy === null ? '' : ` Decided by ${event.resolvedBy.name}: ${event.resolvedBy.reason}`;
  const unreachable =
    event.resolvedBy?.terminalUnreachable === true
      ? ' It was stated that the terminal cannot be reached.'
      : '';
  return `Result: ${event.outcome.replace('_', ' ')}. ${event.reason}${person}${unreachable}`;
}

function describeLastRecord(last: LastRecord): string {
  switch (last.kind) {
    case 'record':
      return `showed ${describeRecord(last.record)}`;
    case 'empty':
      return 'said that it has no record';
    case 'unavailable':
      return `showed no record (${last.reason})`;
  }
}

export function describeRecord(record: TerminalRecord): string {
  const kind =
    record.kind === 'batch_close' ? 'batch close' : record.kind === 'other' ? 'record' : record.kind;
  const card = cardText(record);
  const clock = clockText(record);
  const details = [
    record.amountMinor === null || record.currency === null
      ? null
      : `${formatAmount(record.amountMinor, record.currency)} ${record.currency}`,
    record.receiptNumber === null ? null : `receipt ${record.receiptNumber}`,
    record.traceNumber === null ? null : `trace ${record.traceNumber}`,
    card === null ? null : `card ${card}`,
    record.terminalId === null ? null : `terminal ${record.terminalId}`,
    clock === null ? null : `terminal’s clock ${clock}`,
  ].filter((detail) => detail !== null);
  const result = record.approved
    ? `a ${kind} that was approved`
    : `a ${kind} that was not approved (${record.resultText})`;
  return details.length === 0 ? result : `${result}, ${details.join(', ')}`;
}

/**
 * "22 Nov 00:41:36" of a terminal's digits (MMDD, hhmmss), or "day 211 of the year 15:20" (DDD, hhmm: ECR17). Terminals
 * differ in whether they count that day from 0 or 1, so it is no date. Other digits stay as they are.
 */
function clockText({ terminalDate, terminalTime }: TerminalRecord): string | null {
  const [, month = '', day = ''] = /^(\d\d)(\d\d)$/.exec(terminalDate ?? '') ?? [];
  const digits = terminalDate?.replace(/^(?=\d{3}$)0*(\d+)$/, 'day $1 of the year') ?? null;
  const date = months[Number(month) - 1] === undefined ? digits : `${day} ${months[Number(month) - 1]}`;
  const time =
    terminalTime
      ?.replace(/^(\d\d)(\d\d)(\d\d)$/, '$1:$2:$3')
      .replace(/^([01]\d|2[0-3])([0-5]\d)$/, '$1:$2') ?? null;
  const known = [date, time].filter((part) => part !== null);
  return known.length === 0 ? null : known.join(' ');
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
