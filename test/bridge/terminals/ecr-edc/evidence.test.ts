/** Where the numbers of two payments show that a batch was closed between them. */
import { describe, expect, it } from 'vitest';
import { continuity } from '../../../../src/bridge/terminals/ecr-edc/evidence.ts';
import { emptyRecord, type TerminalRecord } from '../../../../src/contract/terminal.ts';

const paid = (receiptNumber: string | null, more: Partial<TerminalRecord> = {}) => ({
  kind: 'record' as const,
  record: {
    ...emptyRecord(),
    kind: 'payment' as const,
    approved: true,
    terminalId: '70000111',
    merchantId: '000002200123456',
    batchNumber: '000001',
    receiptNumber,
    ...more,
  },
});

describe('between two payments', () => {
  it.each<[string, ReturnType<typeof paid>, ReturnType<typeof paid>]>([
    ['the batch number is another', paid('000001'), paid('000002', { batchNumber: '000002' })],
    ['the invoice number comes again', paid('000001'), paid('1')],
    ['the invoice number is lower', paid('000003'), paid('000002', { batchNumber: null })],
    [
      'a terminal without an id counts anew',
      paid('000002', { terminalId: null }),
      paid('000001', { terminalId: null }),
    ],
  ])('a batch was closed where %s', (_what, before, now) => {
    expect(continuity(before, now)).toBe('batch');
  });

  it.each<[string, ReturnType<typeof paid>, ReturnType<typeof paid>]>([
    ['the invoice number goes on', paid('000001'), paid('000003')],
    ['it passes its highest', paid('999999'), paid('000001')],
    ['it is not told', paid('000002'), paid(null)],
    ['another terminal counts for itself', paid('000002'), paid('000001', { terminalId: '70000222' })],
    [
      'another host counts for itself',
      paid('000002'),
      paid('000003', { merchantId: '000002200999999', batchNumber: '000040' }),
    ],
    ['the second is a reversal', paid('000002'), paid('000001', { kind: 'reversal' })],
    ['the second is a refusal', paid('000002'), paid('000001', { approved: false })],
  ])('nothing is known where %s', (_what, before, now) => {
    expect(continuity(before, now)).toBe('unknown');
  });
});
