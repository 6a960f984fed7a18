import { describe, expect, it } from 'vitest';
import { checkSale } from '../../../src/bridge/payments/commands/sale.ts';

const reference = 'INV-4111111111111111';

/** A view of a journal that knows the reference, or knows nothing. */
function viewOf(isKnown: boolean): Parameters<typeof checkSale>[0] {
  const journal = { paymentByReference: () => (isKnown ? {} : null) };
  return { journal: journal as never, currency: 'EUR', makeReferences: false, randomInteger: () => 1 };
}

const check = (isKnown: boolean) =>
  checkSale(viewOf(isKnown), { amount: '12.00', reference, conditionCode: null });

describe('a reference with a card number in it', () => {
  it('begins no sale', () => {
    expect(check(false)).toMatchObject({
      ok: false,
      refusal: { issues: [{ path: 'retrieval_reference_number' }] },
    });
  });

  it('is answered as a repeat where an earlier version has taken it', () => {
    expect(check(true)).toMatchObject({ ok: true, value: { reference } });
  });
});
