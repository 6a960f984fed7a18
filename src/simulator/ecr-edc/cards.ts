/** The cards in the simulated customer's wallet. */

export const issuers = ['VISA', 'MASTERCARD', 'JCB', 'UNIONPAY'] as const;
export type Issuer = (typeof issuers)[number];

/** Whole numbers that schemes publish for tests: nobody's card. */
const testNumbers: Readonly<Record<Issuer, string>> = {
  VISA: '4111111111111111',
  MASTERCARD: '5555555555554444',
  JCB: '3530111333300000',
  UNIONPAY: '6200000000000005',
};

/** As terminals send it; some send it whole. */
export function cardNumber(issuer: Issuer, isMasked: boolean): string {
  const number = testNumbers[issuer];
  return isMasked ? number.slice(0, 6) + '*'.repeat(number.length - 10) + number.slice(-4) : number;
}

/** Which card the customer takes: chosen by the whole units of the amount, so the same amount takes the same card. */
export function issuerFor(amountMinor: number): Issuer {
  return issuers[Math.trunc(amountMinor / 100) % issuers.length] ?? 'VISA';
}
