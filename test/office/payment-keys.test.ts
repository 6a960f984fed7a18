/** Keys lie in databases that were made years before: the same question has to have the same key for ever. */
import { expect, test } from 'vitest';
import { paymentKey } from '../../src/office/payment-keys.ts';

const shopId = '6f1c8a10-0000-4000-8000-000000000001';

test.each<[Parameters<typeof paymentKey>[0], bigint]>([
  [{ kind: 'reference', reference: 'A-1001' }, 4048572906909933388n],
  [{ kind: 'reference', reference: 'Getränke ’7‘' }, -4472354657137219452n],
  [{ kind: 'card', digits: '1234', approvalCode: 'ab12cd' }, 5185371050046805224n],
  [{ kind: 'receipt', shopId, receiptNumber: '0042' }, 7480925493091856138n],
])('%o', (asked, key) => {
  expect(paymentKey(asked)).toBe(key);
});
