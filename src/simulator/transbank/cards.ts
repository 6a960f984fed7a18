/** The cards in the simulated customer's wallet. No number is whole. */

export const cardKeys = ['visa', 'redcompra', 'mastercard', 'amex'] as const;
export type CardKey = (typeof cardKeys)[number];

interface TestCard {
  /** CR credit, DB debit: a debit sale cannot be voided. */
  type: 'CR' | 'DB';
  brand: string;
  last4: string;
}

const cards: Readonly<Record<CardKey, TestCard>> = {
  visa: { type: 'CR', brand: 'VI', last4: '6590' },
  redcompra: { type: 'DB', brand: 'DB', last4: '3331' },
  mastercard: { type: 'CR', brand: 'MC', last4: '0019' },
  amex: { type: 'CR', brand: 'AX', last4: '1004' },
};

export function cardByKey(key: CardKey): TestCard {
  return cards[key];
}

/** Which card the customer takes: chosen by the hundreds of the amount, so the same amount takes the same card. */
export function cardFor(amount: number): CardKey {
  return cardKeys[Math.trunc(amount / 100) % cardKeys.length] ?? 'visa';
}
