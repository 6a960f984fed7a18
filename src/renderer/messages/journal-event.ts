/** A journal event in the window's language, made from the event itself and not from a sentence about it. */
import type { TFunction } from 'i18next';
import type { TimelineEntry } from '../../contract/console/index.ts';
import type { JournalEvent, JournalEventOf, OperationStarted } from '../../contract/journal-events.ts';
import { cardText, type LastRecord, type TerminalRecord } from '../../contract/terminal.ts';
import type { Formats } from './formats.ts';

export type DiscrepancyEntry = Extract<TimelineEntry, { kind: 'discrepancy' }>;

export interface EventMessage {
  title: string;
  lines: string[];
  /** The bridge's own sentences (English): reasons and the rule that was applied. */
  quotes: string[];
}

export function eventMessage(event: JournalEvent, t: TFunction, formats: Formats): EventMessage {
  const before = (last: LastRecord) => t('timeline.before', { record: lastRecordMessage(last, t, formats) });
  const now = (last: LastRecord) => t('timeline.now', { record: lastRecordMessage(last, t, formats) });

  switch (event.type) {
    case 'operation_started':
      return { title: startedTitle(event, t, formats), lines: [before(event.baseline)], quotes: [] };
    case 'cancel_requested':
      return { title: t('timeline.event.cancelRequested'), lines: [], quotes: [] };
    case 'result_received':
      return {
        title: t(event.late ? 'timeline.event.resultReceivedLate' : 'timeline.event.resultReceived'),
        lines: [recordMessage(event.result, t, formats)],
        quotes: [],
      };
    case 'operation_in_doubt':
      return { title: t('timeline.event.inDoubt'), lines: [], quotes: [event.reason] };
    case 'evidence_found':
      if (event.otherTerminal !== undefined) {
        const title = t('timeline.event.otherTerminal', { ...event.otherTerminal });
        const lines = [t('timeline.event.otherTerminalMeans', { ...event.otherTerminal })];
        return { title, lines, quotes: [] };
      }
      return {
        title: t('timeline.event.evidenceFound'),
        lines: [
          now(event.evidence.lastRecord),
          ...(event.idle === false ? [t('timeline.event.notIdle')] : []),
          ...(event.needsPerson ? [t('timeline.event.needsDecision')] : []),
        ],
        quotes: [event.evidence.explanation],
      };
    case 'operation_ended':
      return endedMessage(event, t, formats);
    case 'terminal_ready':
      return {
        title: t('timeline.event.terminalReady'),
        lines: [now(event.lastRecord), t(`timeline.continuity.${event.continuity}`)],
        quotes: [],
      };
    case 'terminal_lost':
      return { title: t('timeline.event.terminalLost'), lines: [], quotes: [event.reason] };
    case 'record_seen':
      return {
        title: t('timeline.event.recordSeen'),
        lines: [now(event.lastRecord), t(`timeline.continuity.${event.continuity}`)],
        quotes: [],
      };
    case 'journal_opened':
      return {
        title: t('timeline.event.journalOpened', { version: event.version }),
        lines: [],
        quotes: [],
      };
    case 'journal_repaired':
      return {
        title: t('timeline.event.journalRepaired', { name: event.by }),
        lines: [t('timeline.event.journalKept', { count: event.eventsKept, file: event.setAside })],
        quotes: [event.reason],
      };
    case 'result_acknowledged':
      return { title: t('timeline.event.resultAcknowledged'), lines: [], quotes: [] };
    case 'late_result_received':
      return {
        title: t(event.accepted ? 'timeline.event.lateResultAccepted' : 'timeline.event.lateResultRefused'),
        lines: [recordMessage(event.result, t, formats)],
        quotes: [],
      };
    case 'terminal_trait_learned':
      return { title: t('timeline.event.traitLearned'), lines: [], quotes: [event.explanation] };
    case 'discrepancy_found':
      return {
        title: t('timeline.event.discrepancyFound', { kind: t(`discrepancy.kind.${event.kind}`) }),
        lines: event.record === null ? [] : [recordMessage(event.record, t, formats)],
        quotes: [event.message],
      };
    case 'discrepancy_acknowledged':
      return {
        title: t('timeline.event.discrepancyAcknowledged', { name: event.by }),
        lines: [],
        quotes: [event.reason],
      };
  }
}

/** What was found or acknowledged of a payment; told as the journal events that they are. */
export function discrepancyEntryMessage(
  { step, discrepancy }: DiscrepancyEntry,
  t: TFunction,
  formats: Formats,
): EventMessage {
  const { acknowledged, foundAt: _foundAt, ...found } = discrepancy;
  const { discrepancyId } = found;
  if (step === 'found' || acknowledged === null) {
    return eventMessage({ type: 'discrepancy_found', ...found }, t, formats);
  }
  const { by, reason } = acknowledged;
  return eventMessage({ type: 'discrepancy_acknowledged', discrepancyId, by, reason }, t, formats);
}

function startedTitle(event: OperationStarted, t: TFunction, formats: Formats): string {
  if (event.kind === 'batch_close') {
    const { count, totalMinor } = event.expected;
    return t('timeline.event.batchStarted', {
      payments: t('batches.payments', { count }),
      amount: formats.money(totalMinor, event.currency),
    });
  }
  const amount = formats.money(event.amountMinor, event.currency);
  const { reference } = event;
  return event.kind === 'sale'
    ? t('timeline.event.saleStarted', { reference, amount })
    : t('timeline.event.voidStarted', { reference, amount, receipt: event.receiptNumber });
}

function endedMessage(
  event: JournalEventOf<'operation_ended'>,
  t: TFunction,
  formats: Formats,
): EventMessage {
  const { outcome, resolvedBy, batch, settled, evidence, result } = event;
  return {
    title: t('timeline.event.ended', { outcome: t(`outcome.${outcome}`) }),
    lines: [
      ...(resolvedBy === null
        ? []
        : [t('timeline.event.resolvedBy', { name: resolvedBy.name, reason: resolvedBy.reason })]),
      ...(resolvedBy?.terminalUnreachable === true ? [t('timeline.event.terminalUnreachable')] : []),
      ...(result === null ? [] : [recordMessage(result, t, formats)]),
      ...(evidence === null
        ? []
        : [t('timeline.now', { record: lastRecordMessage(evidence.lastRecord, t, formats) })]),
      ...(batch === null
        ? []
        : [
            t(batch.reconciled ? 'timeline.event.reconciled' : 'timeline.event.notReconciled', {
              number: batch.batchNumber,
            }),
          ]),
      ...(settled.length === 0 ? [] : [t('timeline.event.settled', { count: settled.length })]),
    ],
    // Where evidence decided, its explanation is the reason.
    quotes: [...new Set([event.reason, ...(evidence === null ? [] : [evidence.explanation])])].filter(
      (sentence) => sentence !== '',
    ),
  };
}

/** A record that the terminal keeps of an operation. */
export function recordMessage(record: TerminalRecord, t: TFunction, formats: Formats): string {
  const kind = t(`timeline.record.${record.kind}`);
  const result = record.approved
    ? t('timeline.record.approved', { kind })
    : record.resultText === ''
      ? t('timeline.record.notApproved', { kind })
      : t('timeline.record.notApprovedBecause', { kind, text: formats.sentence(record.resultText) });
  const clock = formats.terminalClock(record.terminalDate, record.terminalTime);
  const details = [
    record.amountMinor === null || record.currency === null
      ? null
      : formats.money(record.amountMinor, record.currency),
    detail('receipt', record.receiptNumber),
    detail('trace', record.traceNumber),
    detail('approvalCode', record.approvalCode),
    detail('card', cardText(record)),
    detail('terminal', record.terminalId),
    detail('terminalTime', clock === '' ? null : clock),
  ];
  return [result, ...details].filter((part) => part !== null).join(' · ');

  function detail(
    name: 'receipt' | 'trace' | 'approvalCode' | 'card' | 'terminal' | 'terminalTime',
    value: string | null,
  ): string | null {
    return value === null ? null : t(`timeline.record.${name}`, { value });
  }
}

function lastRecordMessage(last: LastRecord, t: TFunction, formats: Formats): string {
  switch (last.kind) {
    case 'record':
      return recordMessage(last.record, t, formats);
    case 'empty':
      return t('timeline.noRecord');
    case 'unavailable':
      return t('timeline.recordUnavailable', { reason: formats.sentence(last.reason) });
  }
}
