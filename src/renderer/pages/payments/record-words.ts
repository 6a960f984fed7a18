/** What the terminal keeps of its last operation, in the window's language. */
import type { TFunction } from 'i18next';
import type { LastRecord, TerminalRecord } from '../../../contract/terminal.ts';
import type { Formats } from '../../words/format.ts';

export function recordWords(record: TerminalRecord, t: TFunction, formats: Formats): string {
  const kind = t(`timeline.record.${record.kind}`);
  const told = record.approved
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
  return [told, ...details].filter((part) => part !== null).join(' · ');

  function detail(
    name: 'receipt' | 'trace' | 'approvalCode' | 'card' | 'terminal' | 'terminalTime',
    value: string | null,
  ): string | null {
    return value === null ? null : t(`timeline.record.${name}`, { value });
  }
}

export function lastRecordWords(last: LastRecord, t: TFunction, formats: Formats): string {
  switch (last.kind) {
    case 'record':
      return recordWords(last.record, t, formats);
    case 'empty':
      return t('timeline.noRecord');
    case 'unavailable':
      return t('timeline.recordUnavailable', { reason: last.reason });
  }
}
