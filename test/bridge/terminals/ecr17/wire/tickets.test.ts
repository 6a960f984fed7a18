/** Tickets of ECR17: parts of text to the lines of receipts. */
import { describe, expect, it } from 'vitest';
import { ticketLines } from '../../../../../src/bridge/terminals/ecr17/wire/index.ts';

const end = '}}}}}}\u001b';

describe('tickets', () => {
  const text = `  NEGOZIO}\u007fIMPORTO 6,50}}COPIA CLIENTE${end}  NEGOZIO}COPIA PER L'ESERCENTE${end}`;
  const whole = {
    receiptLines: [
      '  NEGOZIO',
      'IMPORTO 6,50',
      '',
      'COPIA CLIENTE',
      '',
      '  NEGOZIO',
      "COPIA PER L'ESERCENTE",
    ],
    receiptParts: [
      { from: 0, copy: 'customer' },
      { from: 5, copy: 'merchant' },
    ],
  };

  it('are lines, and say where each begins and whose it is, wherever their parts end', () => {
    for (let at = 0; at <= text.length; at += 1)
      expect(ticketLines([text.slice(0, at), text.slice(at)], 'payment')).toEqual(whole);
  });

  it('of a close are for the office; what names nobody, or both, is nobody’s', () => {
    expect(ticketLines([`CHIUSURA${end}`], 'service').receiptParts).toEqual([
      { from: 0, copy: 'administration' },
    ]);
    for (const body of ['SCONTRINO', 'COPIA CLIENTE COPIA ESERCENTE'])
      expect(ticketLines([body + end], 'payment').receiptParts).toEqual([{ from: 0, copy: null }]);
  });

  it('that did not come are no lines, and one without an end is there as far as it came', () => {
    expect(ticketLines([], 'payment')).toEqual({ receiptLines: [] });
    expect(ticketLines([`}}}${end}`], 'payment')).toEqual({ receiptLines: [] });
    expect(ticketLines(['NEGOZIO}IMP'], 'payment').receiptLines).toEqual(['NEGOZIO', 'IMP']);
  });

  it('never bring more lines than a receipt has, longer ones, or characters that do harm', () => {
    const { receiptLines } = ticketLines([`${'X}'.repeat(5_000)}${end}`], 'payment');
    expect(receiptLines).toHaveLength(1_000);
    const [line = ''] = ticketLines([`${'Y'.repeat(1_000)}}${end}`], 'payment').receiptLines;
    expect(line.length).toBeLessThanOrEqual(256);
    expect(ticketLines([`A\u0007B{|~^}${end}`], 'payment').receiptLines).toEqual(['A\\u0007B']);
  });

  it('show no card number, not even one that two parts share', () => {
    const { receiptLines } = ticketLines(['CARTA 41111111', `11111111}${end}`], 'payment');
    expect(receiptLines.join()).not.toContain('4111111111111111');
  });
});
