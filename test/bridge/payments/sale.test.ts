import { describe, expect, it } from 'vitest';
import { nameSale } from '../../../src/bridge/payments/commands/sale.ts';

/** A view of a journal that knows these references; chance gives 1, then 2. */
function viewOf(...known: string[]): Parameters<typeof nameSale>[0] {
  const journal = { paymentByReference: (reference: string) => (known.includes(reference) ? {} : null) };
  let next = 1;
  return { journal: journal as never, randomInteger: () => next++ };
}

const sale = { amountMinor: 1_200, conditionCode: '00' };

describe('a reference with a card number in it', () => {
  const reference = 'INV-4111111111111111';

  it('begins no sale', () => {
    expect(nameSale(viewOf(), { ...sale, reference })).toMatchObject({
      ok: false,
      refusal: { issues: [{ path: 'retrieval_reference_number' }] },
    });
  });

  it('is answered as a repeat where an earlier version has taken it', () => {
    expect(nameSale(viewOf(reference), { ...sale, reference })).toEqual({
      ok: true,
      value: { ...sale, reference },
    });
  });
});

describe('a sale without a reference', () => {
  it.each([
    ['the number that chance gives', [], '000000000001'],
    ['another one while that is taken', ['000000000001'], '000000000002'],
  ])('gets %s', (_what, known, reference) => {
    expect(nameSale(viewOf(...known), { ...sale, reference: null })).toEqual({
      ok: true,
      value: { ...sale, reference },
    });
  });
});
