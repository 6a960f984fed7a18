/** What the terminal keeps of its last operation, in the window's language. */
import type { TFunction } from 'i18next';
import type { LastRecord, TerminalRecord } from '../../contract/terminal.ts';
import type { Formats } from './formats.ts';

export function recordMessage(record: TerminalRecord, t: TFunction, formats: Formats): string {
  const kind = t(`timeline.record.${record.kind}`);
  const result = record.approved
    ? t('timeline.record.approved', { kind })
    : record.resultText === ''
      ? t('timeline.record.notApproved', { kind })
      : t('timeline.record.notApprovedBecause', { kind, text: record.resultText });
  const clock = formats.terminalClock(record.terminalDate, record.terminalTime);
  const details = [
    record.amountMinor === null || record.currency === null
      ? null
      : formats.money(record.amountMinor, record.currency),
    detail('receipt', record.receiptNumber),
    detail('trace', record.traceNumber),
    detail('approvalCode', record.approvalCode),
    detail('card', record.maskedCardNumber),
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

export function lastRecordMessage(last: LastRecord, t: TFunction, formats: Formats): string {
  switch (last.kind) {
    case 'record':
      return recordMessage(last.record, t, formats);
    case 'empty':
      return t('timeline.noRecord');
    case 'unavailable':
      return t('timeline.recordUnavailable', { reason: last.reason });
  }
}
