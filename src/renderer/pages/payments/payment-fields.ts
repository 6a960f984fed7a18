/** What is known of a payment: as fields with their names, and as plain text for a mail to support. */
import type { TFunction } from 'i18next';
import {
  takenMinor,
  type PaymentDetail,
  type PaymentView,
  type TimelineEntry,
} from '../../../contract/console/index.ts';
import { cardText } from '../../../contract/terminal.ts';
import type { Formats } from '../../messages/formats.ts';
import { controlText, fieldName, fieldValue, frameName } from '../../messages/frame.ts';
import { discrepancyEntryMessage, eventMessage } from '../../messages/journal-event.ts';

/** Name and value of all that is known of it, in the order in which people ask for it; without what is not known. */
export function paymentFields(
  payment: PaymentView,
  t: TFunction,
  formats: Formats,
): { name: FieldName; label: string; value: string; instant?: string }[] {
  const { terminal } = payment;
  const { amountMinor, currency } = payment;
  const all: { name: FieldName; value: string | null; instant?: string | null }[] = [
    {
      name: 'requestedAmount',
      value: takenMinor(payment) === amountMinor ? null : formats.money(amountMinor, currency),
    },
    { name: 'startedAt', value: formats.dateTime(payment.createdAt), instant: payment.createdAt },
    {
      name: 'completedAt',
      value: payment.completedAt === null ? null : formats.dateTime(payment.completedAt),
      instant: payment.completedAt,
    },
    { name: 'updatedAt', value: formats.dateTime(payment.updatedAt), instant: payment.updatedAt },
    { name: 'card', value: cardText(payment) },
    { name: 'approvalCode', value: payment.approvalCode },
    { name: 'receiptNumber', value: payment.receiptNumber },
    { name: 'traceNumber', value: payment.traceNumber },
    { name: 'batchNumber', value: payment.batchNumber },
    { name: 'terminal', value: terminal.terminalId ?? terminal.protocol.toUpperCase() },
    { name: 'conditionCode', value: payment.conditionCode },
    { name: 'transactionId', value: payment.transactionId },
  ];
  return all
    .filter(({ name }) => name !== 'updatedAt' || payment.updatedAt !== payment.completedAt)
    .flatMap(({ name, value, instant }) =>
      value === null
        ? []
        : [
            {
              name,
              label: t(`payments.field.${name}`),
              value,
              ...(instant === undefined || instant === null ? {} : { instant }),
            },
          ],
    );
}
export type FieldName =
  | 'requestedAmount'
  | 'startedAt'
  | 'completedAt'
  | 'updatedAt'
  | 'card'
  | 'approvalCode'
  | 'receiptNumber'
  | 'traceNumber'
  | 'batchNumber'
  | 'terminal'
  | 'conditionCode'
  | 'transactionId';

/** `terminal` is what its terminal is called; null where there is only one. */
export function paymentSummary(
  { payment, timeline, leftOut }: PaymentDetail,
  terminal: string | null,
  t: TFunction,
  formats: Formats,
): string {
  const lines = [
    `${t('payments.field.reference')}: ${payment.reference}`,
    ...(terminal === null ? [] : [terminal]),
    `${t('payments.field.amount')}: ${formats.money(takenMinor(payment), payment.currency)}`,
    `${t('payments.field.status')}: ${t(`status.${payment.status}`)} – ${t(`statusMeaning.${payment.status}`)}`,
    `${t('payments.field.reason')}: ${formats.sentence(payment.reason)}`,
    ...(payment.simulated ? [t('payments.simulated')] : []),
    // Whoever reads the mail may be in another time zone.
    ...paymentFields(payment, t, formats).map(
      ({ label, value, instant }) => `${label}: ${instant === undefined ? value : formats.fullTime(instant)}`,
    ),
    '',
    t('timeline.title'),
    ...(leftOut > 0 ? [t('timeline.leftOut', { count: leftOut })] : []),
    ...timeline.map((entry) => `${entry.at}  ${entryText(entry, t, formats)}`),
  ];
  return `${lines.join('\n')}\n`;
}

function entryText(entry: TimelineEntry, t: TFunction, formats: Formats): string {
  switch (entry.kind) {
    case 'journal_event': {
      const { title, lines, quotes } = eventMessage(entry.stored.event, t, formats);
      return [title, ...lines, ...quotes].join(' | ');
    }
    case 'discrepancy': {
      const { title, lines, quotes } = discrepancyEntryMessage(entry, t, formats);
      return [title, ...lines, ...quotes].join(' | ');
    }
    case 'pos_request': {
      const { command, requestId } = entry;
      return `${t('timeline.posCalled', { command })} | ${t('timeline.posRequest', { requestId })}`;
    }
    case 'pos': {
      const { command, httpStatus: status, durationMs, requestId } = entry;
      const key = status >= 400 ? 'timeline.posRefused' : 'timeline.posResponded';
      const details = { status, duration: formats.duration(durationMs), requestId };
      return `${t(key, { command })} | ${t('timeline.posDetails', details)}`;
    }
    case 'frame': {
      const { direction, name, protocol, control, fields } = entry;
      const side = t(direction === 'to_terminal' ? 'timeline.toTerminal' : 'timeline.fromTerminal');
      return [
        `${side}: ${frameName(name, formats)} ${controlText(control, protocol)}`,
        ...fields.map((field) => `${fieldName(field[0], formats)} ${fieldValue(field, fields, formats)}`),
      ].join(' | ');
    }
    case 'left_out':
      return t('timeline.leftOutHere', { count: entry.count });
    case 'log':
      return `${entry.line.source}: ${formats.sentence(entry.line.message)}`;
  }
}
