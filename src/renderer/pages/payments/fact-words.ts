/** A fact of the journal in the window's language, from the fact itself and not from anybody's sentence of it. */
import type { TFunction } from 'i18next';
import type { TimelineEntry } from '../../../contract/console/index.ts';
import type { JournalEvent, JournalEventOf, OperationStarted } from '../../../contract/journal-events.ts';
import type { LastRecord } from '../../../contract/terminal.ts';
import type { Formats } from '../../words/format.ts';
import { lastRecordWords, recordWords } from './record-words.ts';

export type DiscrepancyEntry = Extract<TimelineEntry, { kind: 'discrepancy' }>;

export interface FactWords {
  title: string;
  lines: string[];
  /** The bridge's own sentences (English): reasons and the rule that was applied. */
  quotes: string[];
}

export function factWords(event: JournalEvent, t: TFunction, formats: Formats): FactWords {
  const before = (last: LastRecord) => t('timeline.before', { record: lastRecordWords(last, t, formats) });
  const now = (last: LastRecord) => t('timeline.now', { record: lastRecordWords(last, t, formats) });

  switch (event.type) {
    case 'operation_started':
      return { title: startedWords(event, t, formats), lines: [before(event.baseline)], quotes: [] };
    case 'cancel_requested':
      return { title: t('timeline.fact.cancelRequested'), lines: [], quotes: [] };
    case 'result_received':
      return {
        title: t(event.late ? 'timeline.fact.resultReceivedLate' : 'timeline.fact.resultReceived'),
        lines: [recordWords(event.result, t, formats)],
        quotes: [],
      };
    case 'operation_in_doubt':
      return { title: t('timeline.fact.inDoubt'), lines: [], quotes: [event.reason] };
    case 'evidence_found':
      return {
        title: t('timeline.fact.evidenceFound'),
        lines: [
          now(event.evidence.lastRecord),
          ...(event.idle === false ? [t('timeline.fact.notIdle')] : []),
          ...(event.needsPerson ? [t('timeline.fact.needsPerson')] : []),
        ],
        quotes: [event.evidence.explanation],
      };
    case 'operation_ended':
      return endedWords(event, t, formats);
    case 'terminal_ready':
      return {
        title: t('timeline.fact.terminalReady'),
        lines: [now(event.lastRecord), t(`timeline.continuity.${event.continuity}`)],
        quotes: [],
      };
    case 'terminal_lost':
      return { title: t('timeline.fact.terminalLost'), lines: [], quotes: [event.reason] };
    case 'record_seen':
      return {
        title: t('timeline.fact.recordSeen'),
        lines: [now(event.lastRecord), t(`timeline.continuity.${event.continuity}`)],
        quotes: [],
      };
    case 'journal_opened':
      return {
        title: t('timeline.fact.journalOpened', { version: event.version }),
        lines: [],
        quotes: [],
      };
    case 'journal_repaired':
      return {
        title: t('timeline.fact.journalRepaired', { name: event.by }),
        lines: [t('timeline.fact.journalKept', { count: event.eventsKept, file: event.setAside })],
        quotes: [event.reason],
      };
    case 'result_acknowledged':
      return { title: t('timeline.fact.resultAcknowledged'), lines: [], quotes: [] };
    case 'late_result_received':
      return {
        title: t(event.accepted ? 'timeline.fact.lateResultAccepted' : 'timeline.fact.lateResultRefused'),
        lines: [recordWords(event.result, t, formats)],
        quotes: [],
      };
    case 'terminal_trait_learned':
      return { title: t('timeline.fact.traitLearned'), lines: [], quotes: [event.explanation] };
    case 'discrepancy_found':
      return {
        title: t('timeline.fact.discrepancyFound', { kind: t(`discrepancy.kind.${event.kind}`) }),
        lines: event.record === null ? [] : [recordWords(event.record, t, formats)],
        quotes: [event.message],
      };
    case 'discrepancy_acknowledged':
      return {
        title: t('timeline.fact.discrepancyAcknowledged', { name: event.by }),
        lines: [],
        quotes: [event.reason],
      };
  }
}

/** What was found or acknowledged of a payment; the journal's facts of it, told as such. */
export function discrepancyEntryWords(
  { step, discrepancy }: DiscrepancyEntry,
  t: TFunction,
  formats: Formats,
): FactWords {
  const { acknowledged, foundAt: _foundAt, ...found } = discrepancy;
  const { discrepancyId } = found;
  if (step === 'found' || acknowledged === null) {
    return factWords({ type: 'discrepancy_found', ...found }, t, formats);
  }
  const { by, reason } = acknowledged;
  return factWords({ type: 'discrepancy_acknowledged', discrepancyId, by, reason }, t, formats);
}

function startedWords(event: OperationStarted, t: TFunction, formats: Formats): string {
  if (event.kind === 'batch_close') {
    const { count, totalMinor } = event.expected;
    return t('timeline.fact.batchStarted', {
      payments: t('batches.payments', { count }),
      amount: formats.money(totalMinor, event.currency),
    });
  }
  const amount = formats.money(event.amountMinor, event.currency);
  const { reference } = event;
  return event.kind === 'sale'
    ? t('timeline.fact.saleStarted', { reference, amount })
    : t('timeline.fact.voidStarted', { reference, amount, receipt: event.receiptNumber });
}

function endedWords(event: JournalEventOf<'operation_ended'>, t: TFunction, formats: Formats): FactWords {
  const { outcome, resolvedBy, batch, settled, evidence, result } = event;
  return {
    title: t('timeline.fact.ended', { outcome: t(`outcome.${outcome}`) }),
    lines: [
      ...(resolvedBy === null
        ? []
        : [t('timeline.fact.resolvedBy', { name: resolvedBy.name, reason: resolvedBy.reason })]),
      ...(resolvedBy?.terminalUnreachable === true ? [t('timeline.fact.terminalUnreachable')] : []),
      ...(result === null ? [] : [recordWords(result, t, formats)]),
      ...(evidence === null
        ? []
        : [t('timeline.now', { record: lastRecordWords(evidence.lastRecord, t, formats) })]),
      ...(batch === null
        ? []
        : [
            t(batch.reconciled ? 'timeline.fact.reconciled' : 'timeline.fact.notReconciled', {
              number: batch.batchNumber,
            }),
          ]),
      ...(settled.length === 0 ? [] : [t('timeline.fact.settled', { count: settled.length })]),
    ],
    quotes: [event.reason, ...(evidence === null ? [] : [evidence.explanation])].filter(
      (sentence) => sentence !== '',
    ),
  };
}
